//go:build !deep

package boards

const deep = false
