package review_test

import (
	"context"
	"errors"
	"testing"

	"goalproof/answer"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
	"goalproof/review"
	"goalproof/solve"
)

// inThree is examples/win-in-3.txt with its solution, the longest defence and a turn that misses
// the win.
const inThree = `1w Ra7 Ec4 Rg3 Rb2
1b ra8 rh8 rb7 rf7 ef5 hb3
2w Ec4w Eb4n Eb5n
2b hb3w ha3n ha4n ha5n
3w Rg3n
3b
`

// TestInterrupt reviews with a context that is done: nothing is known, and that is said.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v, err := review.Game(ctx, []*solve.Solver{newSolver(t)}, read(t, inThree), review.Options{WinIn: 3, Limit: unhurried})
	require.NoError(t, err)
	for i := range v.Standings {
		if s := &v.Standings[i]; s.Loss.Verdict != answer.Unknown || s.Loss.Stop != answer.Interrupted {
			t.Errorf("%s: %+v", v.Record.Game.Label(i), s.Loss)
		}
	}
	if !v.Interrupted {
		t.Error("the review is said to be complete")
	}
	if v.Decision != nil {
		t.Errorf("decision %+v", v.Decision)
	}
}

// TestCertifyDeduced certifies a win that is longer than those that were looked for.
func TestCertifyDeduced(t *testing.T) {
	proofs := map[int]int{} // turns of the win, by the turn of the game
	o := review.Options{WinIn: 2, Limit: unhurried, Certify: func(i int, c *proof.Certificate) error {
		proofs[i] = c.Turns
		if (c.Game == nil) != (i == 0) || c.Game != nil && len(c.Game.Turns) != i {
			t.Errorf("before turn %d: the certificate has the game %+v", i, c.Game)
		}
		return c.Check(t.Context(), nil)
	}}
	v := reviewed(t, read(t, inThree), o)
	if !v.Standings[0].Win.Deduced || proofs[0] != 3 || proofs[2] != 2 {
		t.Errorf("%+v, proofs %v", v.Standings[0].Win, proofs)
	}
}

// TestCertifyError checks that an error of the caller's ends the review.
func TestCertifyError(t *testing.T) {
	full := errors.New("the disk is full")
	_, err := review.Game(t.Context(), []*solve.Solver{newSolver(t)}, read(t, race), review.Options{WinIn: 2, Limit: unhurried,
		Certify: func(int, *proof.Certificate) error { return full }})
	if !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}
