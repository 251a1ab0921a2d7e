package review

import (
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestInReach plays turns and looks back: a board that was left that many steps behind is never
// said to be out of their reach.
func TestInReach(t *testing.T) {
	boards.Check(t, 120, 3_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		start, steps := p, 0
		var turns arimaa.Generator
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			n := turns.Generate(&p)
			if n == 0 || p.Board.Ended(p.Side().Other()).Over() {
				break
			}
			i := rapid.IntRange(0, n-1).Draw(t, "turn")
			steps += turns.Steps(i)
			p = turns.Position(i, p.Side())
		}
		if !inReach(&start.Board, &p.Board, steps) {
			t.Fatalf("%v is reached from %v in %d steps", p, start, steps)
		}
	})
}

// TestOutOfReach looks at boards that are too far away, or cannot come again.
func TestOutOfReach(t *testing.T) {
	const from = "g [                R                                r              ]"
	for _, test := range []struct {
		name, to string
		steps    int
		want     bool
	}{
		{"two steps", "g [R                                                r              ]", 2, true},
		{"one too few", "g [R                                                r              ]", 1, false},
		{"a piece less", "g [                R                                               ]", 0, true},
		{"a piece more", "g [                R R                              r              ]", 99, false},
		{"another piece", "g [                C                                r              ]", 99, false},
	} {
		a := boards.Parse(t, from)
		b := boards.Parse(t, test.to)
		if got := inReach(&a.Board, &b.Board, test.steps); got != test.want {
			t.Errorf("%s: in reach %v, want %v", test.name, got, test.want)
		}
	}
}
