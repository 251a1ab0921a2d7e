package cli

import "testing"

// TestWorse checks which of two exit codes counts: an error more than "unknown", and "unknown" more
// than "no".
func TestWorse(t *testing.T) {
	order := []Code{Holds, Fails, Unknown, BadInput, Internal}
	for i, a := range order {
		for j, b := range order {
			if got := a.Worse(b); got != order[max(i, j)] {
				t.Errorf("the worse of %d and %d: %d", a, b, got)
			}
		}
	}
}
