package studio

import (
	"bytes"
	"os"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
)

// TestVerifiedNumber checks that the study of a verified puzzle has the number of its turn.
func TestVerifiedNumber(t *testing.T) {
	text, err := os.ReadFile("../examples/win-in-2.txt")
	require.NoError(t, err)
	n := 0
	for p := range puzzles.Parse(notation.NewLines("win-in-2.txt", bytes.NewReader(text))) {
		n++
		if got := verified(&puzzles.Result{Puzzle: p}).Study; got.Number != 44 || got.Position != p.Position.String() {
			t.Errorf("%+v", got)
		}
	}
	if n != 1 {
		t.Errorf("%d puzzles", n)
	}
}

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
