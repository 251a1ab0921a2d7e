//go:build large

package dfpns

import (
	"testing"

	"goalproof/internal/testkit/boards"
)

// TestHalfPull looks at solutions in which a cat pulls a rabbit along or does not. A turn may end
// before the second half of a pull, so a solution that ends there lies on the way to the other.
func TestHalfPull(t *testing.T) {
	alone(t)
	p := boards.Parse(t, "g [rrrr    rrCC                                           R        ]")
	tally := map[string]int{}
	if checkSolutions(t, newSolver(0, 1), p, 2, tally); tally["not essential"] == 0 {
		t.Errorf("%v: every win in 2 is essential", p)
	}
}
