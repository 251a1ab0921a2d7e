//go:build large

package proof_test

import (
	"testing"
	"time"
)

// TestGames has certificates of game positions checked, which have more pieces than the published
// puzzles, and more entries.
func TestGames(t *testing.T) {
	for _, c := range gameWins(newBuilder(t), 6) {
		began := time.Now()
		accepted(t, c)
		t.Logf("win in %d: %d entries, %d bytes, checked twice in %v", c.Turns, len(c.Entries), len(text(t, c)), time.Since(began))
	}
}
