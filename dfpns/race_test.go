//go:build race

package dfpns

import "testing"

// alone skips a test that compares answers, and whose workers do nothing that others do not do too,
// when the race detector makes it many times slower.
func alone(t *testing.T) {
	t.Skip("skipped: the race detector is on")
}
