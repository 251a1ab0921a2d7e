//go:build !large

package boards

// Large tells whether tests run with their larger counts (go test -tags large).
const Large = false
