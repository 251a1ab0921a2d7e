package describe

import (
	"math"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
)

// TestSurprise tests that the likelihoods of all sequences of steps that are turns add up to 1,
// with those that four steps lead back to the start. One piece alone pushes and pulls, so each
// sequence is read in one way.
func TestSurprise(t *testing.T) {
	p, err := notation.ParsePosition("g [r                   r     E      d                      R       ]")
	require.NoError(t, err)
	sum, n, pushes := 0.0, 0, 0
	var try func(at arimaa.State, made arimaa.Turn)
	try = func(at arimaa.State, made arimaa.Turn) {
		if made.Len() == arimaa.StepsPerTurn || made.Len() > 0 && at.MayEnd() == nil {
			sum += math.Exp2(-Surprise(p, made))
			n++
			if made.Step(made.Len()-1).Piece().Side() == arimaa.Silver {
				pushes++
			}
		}
		for _, step := range at.Steps(nil) {
			if next := at; made.Len() < arimaa.StepsPerTurn {
				if _, err := next.Play(step); err == nil {
					try(next, made.With(step))
				}
			}
		}
	}
	try(arimaa.NewState(p), arimaa.Turn{})
	t.Logf("%d turns, %d end with a pull", n, pushes)
	if math.Abs(sum-1) > 1e-6 || pushes == 0 {
		t.Errorf("the likelihoods of %d turns, of which %d end with a pull, add up to %v", n, pushes, sum)
	}
}
