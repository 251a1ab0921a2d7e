package goal

import (
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// dangerous draws a position with Gold to move in which a rabbit of Gold's stands near its goal,
// with pieces of both sides around it, often on and beside the traps there.
func dangerous(random *rand.Rand) arimaa.Position {
	var b arimaa.Board
	put := func(piece arimaa.Piece, s int) {
		rank := s / 8
		goal := piece.Side() == arimaa.Gold && rank == 7 || piece.Side() == arimaa.Silver && rank == 0
		if b.At(arimaa.Square(s)) == arimaa.Empty && !(piece.Kind() == arimaa.Rabbit && goal) {
			b.Put(arimaa.Square(s), piece)
		}
	}
	file := random.IntN(8)
	rank := 3 + random.IntN(4)
	put(arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit), 8*rank+file)
	put(arimaa.NewPiece(arimaa.Silver, arimaa.Rabbit), random.IntN(56))
	wide := 1 + random.IntN(4)
	for range 2 + random.IntN(14) {
		f := file - wide + random.IntN(2*wide+1)
		r := 7 - random.IntN(2+wide)
		if f < 0 || f > 7 {
			continue
		}
		kind := arimaa.Kind(1 + random.IntN(6))
		put(arimaa.NewPiece(arimaa.Side(random.IntN(2)), kind), 8*r+f)
	}
	return settled(b)
}

// hemmed draws a position with Gold to move in which Silver has few pieces that can move.
func hemmed(random *rand.Rand) arimaa.Position {
	var b arimaa.Board
	silver := 1 + random.IntN(5)
	s := random.IntN(64)
	for i := range silver {
		kind := arimaa.Kind(1 + random.IntN(6))
		if i == 0 {
			kind = arimaa.Rabbit
		}
		if s < 8 {
			s += 8
		}
		b.Put(arimaa.Square(s), arimaa.NewPiece(arimaa.Silver, kind))
		if random.IntN(3) == 0 {
			s = random.IntN(64)
		} else {
			s = nearby(s, 2, random)
		}
	}
	b.Put(arimaa.Square(nearby(s, 3, random)), arimaa.NewPiece(arimaa.Silver, arimaa.Rabbit))
	for rest := b.Occupied(); rest != 0; rest = rest.Rest() {
		for around := rest.First().Beside(); around != 0; around = around.Rest() {
			if at := around.First(); b.At(at) == arimaa.Empty && random.IntN(4) > 0 {
				b.Put(at, arimaa.NewPiece(arimaa.Gold, arimaa.Kind(1+random.IntN(6))))
			}
		}
	}
	for range random.IntN(4) {
		if at := arimaa.Square(random.IntN(56)); b.At(at) == arimaa.Empty {
			b.Put(at, arimaa.NewPiece(arimaa.Gold, arimaa.Kind(1+random.IntN(6))))
		}
	}
	for rest := b.Rabbits(arimaa.Gold) & rank8; rest != 0; rest = rest.Rest() {
		b.Put(rest.First(), arimaa.NewPiece(arimaa.Gold, arimaa.Cat))
	}
	for rest := b.Rabbits(arimaa.Silver) & 0xff; rest != 0; rest = rest.Rest() {
		b.Put(rest.First(), arimaa.NewPiece(arimaa.Silver, arimaa.Cat))
	}
	return settled(b)
}

// nearby returns a square at most d files and ranks away.
func nearby(s, d int, random *rand.Rand) int {
	rank := min(7, max(0, s/8-d+random.IntN(2*d+1)))
	file := min(7, max(0, s%8-d+random.IntN(2*d+1)))
	return 8*rank + file
}

// settled returns the position with Gold to move, without undefended pieces on traps.
func settled(b arimaa.Board) arimaa.Position {
	for rest := b.Undefended(); rest != 0; rest = rest.Rest() {
		b.Put(rest.First(), arimaa.Empty)
	}
	return arimaa.NewPosition(b, arimaa.Gold)
}

// TestExactNearGoal and TestExactHemmed hold the detector against enumeration on random positions
// of the kinds where its reasons for leaving options out could fail.
func TestExactNearGoal(t *testing.T) { exactOn(t, dangerous, 100, 15_000) }
func TestExactHemmed(t *testing.T)   { exactOn(t, hemmed, 20, 3_000) }

func exactOn(t *testing.T, draw func(*rand.Rand) arimaa.Position, few, many int) {
	n := boards.Sized(few, many)
	t.Parallel()
	var d Detector
	random := rand.New(rand.NewPCG(5, 6))
	for range n {
		checkWithin(t, &d, draw(random), random)
	}
}
