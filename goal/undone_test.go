package goal

import (
	"math/rand/v2"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// drawn reads a board drawn in eight rows, the eighth rank first, with dots for empty squares.
func drawn(t testing.TB, side, rows string) arimaa.Position {
	t.Helper()
	return boards.Parse(t, side+" ["+strings.Join(strings.Fields(rows), "")+"]")
}

// among picks a square of a set that is not empty.
func among(set arimaa.Bitboard, random *rand.Rand) arimaa.Square {
	for range random.IntN(set.Len()) {
		set = set.Rest()
	}
	return set.First()
}

// anyPiece draws a piece that is not a rabbit on its goal rank.
func anyPiece(side arimaa.Side, s arimaa.Square, random *rand.Rand) arimaa.Piece {
	kind := arimaa.Kind(1 + random.IntN(6))
	if kind == arimaa.Rabbit && arimaa.GoalRank(side).Has(s) {
		kind = arimaa.Cat
	}
	return arimaa.NewPiece(side, kind)
}

// stuck draws a board with few pieces on which Silver cannot move.
func stuck(random *rand.Rand) arimaa.Board {
	for {
		var b arimaa.Board
		s := 8 + random.IntN(48)
		if random.IntN(2) == 0 {
			s = int(among(rank1|rank8|arimaa.FileA|arimaa.FileH, random))
		}
		for range 1 + random.IntN(4) {
			piece := anyPiece(arimaa.Silver, arimaa.Square(s), random)
			if random.IntN(2) == 0 && s >= 8 {
				piece = arimaa.NewPiece(arimaa.Silver, arimaa.Rabbit)
			}
			b.Put(arimaa.Square(s), piece)
			s = nearby(s, 1, random)
		}
		for range random.IntN(14) {
			around := b.Of(arimaa.Silver)
			if random.IntN(2) == 0 {
				around = dilate(around)
			}
			if around = dilate(around) &^ b.Occupied(); around == 0 || !b.CanMove(arimaa.Silver) {
				break
			}
			at := among(around, random)
			b.Put(at, anyPiece(arimaa.Gold, at, random))
		}
		if at := among(^b.Occupied()&^rank8, random); b.Rabbits(arimaa.Gold) == 0 {
			b.Put(at, arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit))
		}
		if b.Undefended() == 0 && b.Rabbits(arimaa.Silver) != 0 && !b.CanMove(arimaa.Silver) {
			return b
		}
	}
}

// arrived draws a board with a rabbit of Gold's on rank 8 and few pieces near it.
func arrived(random *rand.Rand) arimaa.Board {
	var b arimaa.Board
	home := 56 + random.IntN(8)
	for range 2 + random.IntN(6) {
		s := arimaa.Square(nearby(home, 2, random))
		b.Put(s, anyPiece(arimaa.Side(random.IntN(2)), s, random))
	}
	b.Put(arimaa.Square(8+random.IntN(24)), arimaa.NewPiece(arimaa.Silver, arimaa.Rabbit))
	b.Put(arimaa.Square(home), arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit))
	return b
}

// takeBack takes an option of Gold's back whose last displacement brings a piece to at, as far as
// squares and strengths go. Frozen pieces and captures are not looked at.
func takeBack(b *arimaa.Board, at arimaa.Square, random *rand.Rand) (o arimaa.Option, ok bool) {
	last := b.At(at)
	from := at.Beside() &^ b.Occupied()
	if last.Side() == arimaa.Silver {
		// A pull: Gold's piece stood on at and went to a square beside it.
		pullers := at.Beside() & b.AtLeast(arimaa.Gold, last.Kind()+1)
		if from == 0 || pullers == 0 {
			return o, false
		}
		f, to := among(from, random), among(pullers, random)
		puller := b.At(to)
		b.Put(to, arimaa.Empty)
		b.Put(at, puller)
		b.Put(f, last)
		return arimaa.PushOrPull(arimaa.StepBetween(puller, at, to), arimaa.StepBetween(last, f, at)), true
	}
	if last.Kind() == arimaa.Rabbit {
		from &^= at.Set() << 8
	}
	if from == 0 {
		return o, false
	}
	f := among(from, random)
	pushed := at.Beside() & b.Of(arimaa.Silver) &^ b.AtLeast(arimaa.Silver, last.Kind())
	b.Put(at, arimaa.Empty)
	b.Put(f, last)
	if pushed == 0 || random.IntN(2) == 0 {
		return arimaa.SingleStep(arimaa.StepBetween(last, f, at)), true
	}
	to := among(pushed, random)
	victim := b.At(to)
	b.Put(to, arimaa.Empty)
	b.Put(at, victim)
	return arimaa.PushOrPull(arimaa.StepBetween(victim, at, to), arimaa.StepBetween(last, f, at)), true
}

// undone takes options of Gold's back from a board, puts a piece on or beside a trap now and then,
// and returns the position and the options that lead back, in their order, if they fit into a turn.
// Now and then they are not legal, or lead elsewhere, because of the new pieces.
func undone(b arimaa.Board, random *rand.Rand) (p arimaa.Position, options []arimaa.Option) {
	home := b.Rabbits(arimaa.Gold) & rank8
	steps := 0
	for range 1 + random.IntN(arimaa.StepsPerTurn) {
		at := among(b.Occupied(), random)
		if home != 0 {
			at, home = home.First(), 0
		}
		c := b
		if o, ok := takeBack(&c, at, random); ok && steps+o.Steps() <= arimaa.StepsPerTurn {
			b = c
			steps += o.Steps()
			options = append([]arimaa.Option{o}, options...)
		}
	}
	if random.IntN(4) == 0 {
		if at := among(dilate(arimaa.Traps), random); b.At(at) == arimaa.Empty {
			b.Put(at, anyPiece(arimaa.Side(random.IntN(2)), at, random))
		}
	}
	if random.IntN(4) == 0 {
		// Perhaps the options take the guard away, and the piece is captured.
		at := among(arimaa.Traps, random)
		if guards := at.Beside() & b.Occupied(); guards != 0 && b.At(at) == arimaa.Empty {
			b.Put(at, anyPiece(b.At(among(guards, random)).Side(), at, random))
		}
	}
	return settled(b), options
}

// TestFindsUndone asks about positions in which a win is known because it has been taken back:
// every reason for leaving an option out must let some solution through that is no longer. What the
// detector finds is played; no enumeration is needed, so there can be many positions.
func TestFindsUndone(t *testing.T) {
	for _, test := range []struct {
		name      string
		end       func(*rand.Rand) arimaa.Board
		few, many int
	}{
		{"immobilisation", stuck, 10_000, 1_500_000},
		{"goal", arrived, 20_000, 3_000_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := boards.Sized(test.few, test.many)
			var d Detector
			random := rand.New(rand.NewPCG(9, 10))
			known := 0
			for range n {
				p, options := undone(test.end(random), random)
				if checkKnown(t, &d, p, options) {
					known++
				}
			}
			t.Logf("%d positions, %d with a known win", n, known)
			if known < n/10 {
				t.Error("too few")
			}
		})
	}
}

// checkKnown checks that a win that these options make is found, and after each of them the rest of
// it, or a shorter one. It reports whether they make a win.
func checkKnown(t *testing.T, d *Detector, p arimaa.Position, options []arimaa.Option) bool {
	t.Helper()
	var turn arimaa.Turn
	for _, o := range options {
		turn = turn.WithOption(o)
	}
	start := p.Board
	after, legal := p.Try(turn)
	if !legal || !regular(&p, &start) || after.Board == start || !hasWon(arimaa.Gold)(&after.Board) {
		return false
	}
	goal := hasGoal(arimaa.Gold)(&after.Board)
	for left := turn.Len(); ; {
		for _, q := range []struct {
			name   string
			asked  bool
			ask    func(*arimaa.Position, *arimaa.Board) (Distance, arimaa.Turn)
			wanted func(*arimaa.Board) bool
		}{
			{"goal", goal, d.Goal, hasGoal(arimaa.Gold)},
			{"win", true, d.Win, hasWon(arimaa.Gold)},
		} {
			if !q.asked {
				continue
			}
			got, turn := q.ask(&p, &start)
			if n, ok := got.Steps(); !ok || n > left {
				t.Fatalf("%v, turn begun with %v: %s in %v, but %v make one", p,
					arimaa.NewPosition(start, arimaa.Gold), q.name, got, options)
			}
			if end := p.AfterTurn(turn); end.Board == start || !q.wanted(&end.Board) {
				t.Fatalf("%v: %s in %v: %v is none", p, q.name, got, turn)
			}
		}
		if _, ok := d.CanWin(&p, &start); !ok {
			t.Fatalf("%v: no win, but %v make one", p, options)
		}
		if len(options) == 0 {
			return true
		}
		p, left = p.After(options[0]), left-options[0].Steps()
		options = options[1:]
	}
}
