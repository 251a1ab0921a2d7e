//go:build !race

package dfpns

import "testing"

// alone skips a test where the race detector is on.
func alone(*testing.T) {}
