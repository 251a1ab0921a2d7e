package review_test

import (
	"os"
	"slices"
	"testing"

	"goalproof/answer"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

// TestLostSavesNothing reviews the end of the example game, in which gold is lost in 3 at 26g: no
// turn is said to hold there, although the search has met turns that hold against wins in 2.
func TestLostSavesNothing(t *testing.T) {
	text, err := os.ReadFile("../examples/game.turns")
	require.NoError(t, err)
	r := read(t, string(text))
	r.Game = games.Last(t, r.Game, 3)
	v := reviewed(t, r, review.Options{WinIn: 3, Limit: answer.Limit{Nodes: review.UsualNodes}})
	i := slices.IndexFunc(v.Standings, func(s review.Standing) bool { return s.Loss.Proved() && s.Loss.Within == 3 })
	if i < 0 || r.Game.Label(i) != "26g" {
		t.Fatalf("lost in 3 at position %d", i)
	}
	if saving := v.Standings[i].Saving; len(saving) > 0 {
		t.Errorf("%d turns are said to hold at 26g", len(saving))
	}
}
