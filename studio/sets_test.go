package studio

import (
	"testing"

	"goalproof/answer"
	"goalproof/puzzles"
)

// TestNoWinWords checks that each "no" in words says that it sets the third repetition aside, where
// it does.
func TestNoWinWords(t *testing.T) {
	for _, c := range []struct {
		r    puzzles.Result
		want string
	}{
		{puzzles.Result{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 2}}, "no win in 2" + asideWords},
		{puzzles.Result{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 1}}, "no win in 1"},
		{puzzles.Result{Stop: answer.Time, Bounds: answer.Bounds{Refuted: 3}}, "unknown (time is up), no win in 3" + asideWords},
	} {
		if got := finding(&c.r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
