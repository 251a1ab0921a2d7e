package learn

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/engine/ordering"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// TestLearnsOrdering learns the order of options from games of few nodes, and checks on games that
// it has not seen that the options that were played come early.
func TestLearnsOrdering(t *testing.T) {
	var c Choices
	for _, g := range played(t, boards.Sized(60, 200)) {
		require.NoError(t, c.Add(g))
	}
	w, err := TrainOrdering(t.Context(), &c, 3, 1)
	require.NoError(t, err)
	before, after := c.Rank(new([ordering.Features]float32)), c.Rank(w)
	t.Logf("%d points to learn from, %d held out\n%.3f at first\n%.3f learned", len(c.train), len(c.held), before.First, after.First)
	if after.First[0] < 0.2 || after.First[7] < 0.7 {
		t.Errorf("an option that was played is the first in %f, among the first eight in %f", after.First[0], after.First[7])
	}
	again, err := TrainOrdering(t.Context(), &c, 3, 1)
	if err != nil || *again != *w {
		t.Errorf("learned again other weights, %v", err)
	}
}

// TestOptionsOf takes turns apart into options and puts them together again.
func TestOptionsOf(t *testing.T) {
	turns, pushes := 0, 0
	for _, g := range played(t, 5) {
		p := g.Start
		for _, s := range g.Turns {
			turn, after, ok := p.Decode(s.Code)
			if !ok {
				t.Fatal("an illegal turn")
			}
			again := arimaa.Turn{}
			q := p
			for _, o := range optionsOf(turn) {
				again, q = again.WithOption(o), q.After(o)
				pushes += o.Steps() - 1
			}
			if again != turn || q.EndTurn() != after {
				t.Errorf("%v: %v is taken apart into %v", p, turn, optionsOf(turn))
			}
			turns++
			p = after
		}
	}
	if turns < 100 || pushes < 20 {
		t.Errorf("%d turns with %d pushes and pulls", turns, pushes)
	}
}
