package engine

import (
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// lost returns the number of pieces of each kind that a side has lost between two boards.
func lost(before, after *arimaa.Board, side arimaa.Side) (n [arimaa.Elephant + 1]int) {
	for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
		n[kind] = before.Pieces(side, kind).Len() - after.Pieces(side, kind).Len()
	}
	return n
}

// checkCaptures compares the captures at a position with the listing of all turns: each must be
// legal and capture its victim. It returns the number of kinds of which some turn captures a piece,
// and of how many of these none is captured.
func checkCaptures(t testing.TB, p arimaa.Position) (kinds, missed int) {
	var c captures
	c.list(&p)
	enemy := p.Side().Other()
	var listed [arimaa.Elephant + 1]bool
	for _, f := range c.found {
		after, ok := p.TryPart(f.turn)
		if !ok || after.Board != f.board {
			t.Fatalf("%v: %v is illegal, or leads elsewhere", p, f.turn)
		}
		if n := lost(&p.Board, &f.board, enemy); n[f.victim] == 0 {
			t.Fatalf("%v: %v does not capture a %v", p, f.turn, f.victim)
		}
		listed[f.victim] = true
	}
	var g arimaa.Generator
	var can [arimaa.Elephant + 1]bool
	for i := range g.Generate(&p) {
		for kind, n := range lost(&p.Board, g.Board(i), enemy) {
			if n > 0 {
				can[kind] = true
			}
		}
	}
	for kind := range can {
		if can[kind] {
			kinds++
			if !listed[kind] {
				missed++
			}
		}
	}
	return kinds, missed
}

func TestCapturesInGames(t *testing.T) {
	kinds, missed := 0, 0
	all := gamePositions(t)
	apart := boards.Sized(99, 23) // odd, to meet both sides
	for i := 0; i < len(all); i += apart {
		k, m := checkCaptures(t, all[i])
		kinds, missed = kinds+k, missed+m
	}
	wantMost(t, kinds, missed)
}

func TestCapturesAtRandom(t *testing.T) {
	kinds, missed := 0, 0
	boards.Check(t, 600, 30000, func(rt *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(rt, "position"))
		if p.Undefended() != 0 {
			return
		}
		p = p.WithStepsLeft(rapid.IntRange(1, 4).Draw(rt, "steps"))
		k, m := checkCaptures(t, p)
		kinds, missed = kinds+k, missed+m
	})
	wantMost(t, kinds, missed)
}

// wantMost requires that most captures are found.
func wantMost(t *testing.T, kinds, missed int) {
	t.Helper()
	if kinds < 15 || missed*10 > kinds {
		t.Errorf("%d of %d captures are missed", missed, kinds)
	}
}
