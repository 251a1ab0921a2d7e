// Package endings opens endgame tables and draws positions with few pieces, for tests.
package endings

import (
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/tables/endgame"
)

// Open opens the tables that are part of the program and, with the build tag large, some of four
// pieces, which it builds, or with the tag deep all of these. It also returns the classes with the
// most pieces.
func Open(t testing.TB) (*endgame.Tables, []endgame.Class) {
	t.Helper()
	dir, classes := "", endgame.Classes(3)
	if boards.Large {
		dir, classes = t.TempDir(), endgame.Classes(4)
		if !boards.Deep {
			classes = slices.DeleteFunc(classes, func(c endgame.Class) bool { return c.String() != "RR-rr" && c.String() != "RRR-r" })
		}
		if err := endgame.Build(t.Context(), classes, endgame.BuildOptions{Dir: dir, Threads: 2}); err != nil {
			t.Fatal(err)
		}
	}
	ts, err := endgame.Open(dir, 256<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ts.Close() })
	return ts, classes
}

// Draw draws a position of a class that a table knows, of either colour and side to move, and its
// value.
func Draw(t testing.TB, ts *endgame.Tables, class endgame.Class, random *rand.Rand) (arimaa.Position, endgame.Value) {
	t.Helper()
	kinds := map[rune]arimaa.Kind{'E': arimaa.Elephant, 'H': arimaa.Horse, 'C': arimaa.Cat, 'R': arimaa.Rabbit}
	for range 1000 {
		var b arimaa.Board
		side := arimaa.Gold
		for _, letter := range class.String() {
			if letter == '-' {
				side = arimaa.Silver
				continue
			}
			s := arimaa.Square(random.IntN(64))
			for b.At(s) != arimaa.Empty {
				s = arimaa.Square(random.IntN(64))
			}
			b.Put(s, arimaa.NewPiece(side, kinds[letter&^0x20]))
		}
		if random.IntN(2) == 0 {
			b = b.Swapped()
		}
		side = arimaa.Side(random.IntN(2))
		if v, ok := ts.Probe(&b, side); ok {
			return arimaa.NewPosition(b, side), v
		}
	}
	t.Fatalf("no position of %v is known", class)
	return arimaa.Position{}, 0
}
