//go:build deep

package boards

const deep = true
