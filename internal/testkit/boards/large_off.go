//go:build !large

package boards

const large = false
