package retro

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof/referee"
)

// oracle answers by brute force, and by the plain rules alone, from where a turn can lead to a
// board, in games in which each side has one piece of a kind at most. It places every piece at every
// square from which it can reach its own in time, and pieces that are not on the board where they can
// reach a trap, and plays forward.
type oracle struct {
	target referee.Board
	mover  referee.Side
	at     map[byte]int // where each piece stands on target
	absent []byte       // pieces of the armies that are not there
}

func newOracle(p arimaa.Position, all []byte) *oracle {
	o := &oracle{mover: referee.Side(p.Side().Other()), at: map[byte]int{}}
	for s := range arimaa.Square(64) {
		o.target[s] = referee.Empty
		if piece := p.At(s); piece != arimaa.Empty {
			o.target[s] = piece.Letter()
			o.at[piece.Letter()] = int(s)
		}
	}
	for _, letter := range all {
		if _, ok := o.at[letter]; !ok {
			o.absent = append(o.absent, letter)
		}
	}
	return o
}

func distance(a, b int) int { return abs(a/8-b/8) + abs(a%8-b%8) }

func abs(n int) int { return max(n, -n) }

// far is the least number of displacements that a piece on a square still takes.
func (o *oracle) far(piece byte, square int) int {
	if to, ok := o.at[piece]; ok {
		return distance(square, to)
	}
	least := 64
	for _, trap := range []string{"c3", "f3", "c6", "f6"} {
		s, _ := referee.ParseSquare(trap)
		least = min(least, distance(square, s))
	}
	return least
}

// reaches reports whether further steps of the turn can lead to the target.
func (o *oracle) reaches(st referee.State) bool {
	need, found := 0, 0
	for s, piece := range st.Board {
		if piece != referee.Empty {
			need += o.far(piece, s)
			if _, ok := o.at[piece]; ok {
				found++
			}
		}
	}
	if need > st.Left || found < len(o.at) {
		return false
	}
	if st.Board == o.target && st.MayStop() {
		return true
	}
	return slices.ContainsFunc(st.Steps(), func(s referee.Step) bool {
		after, _, err := st.Play(s)
		return err == nil && o.reaches(after)
	})
}

// boards yields the target with pieces of a list put where they need no more displacements in all
// than left.
func (o *oracle) boards(b referee.Board, list []byte, left int, yield func(referee.Board) bool) bool {
	if len(list) == 0 {
		return yield(b)
	}
	for s := range b {
		if far := o.far(list[0], s); b[s] == referee.Empty && far <= left {
			b[s] = list[0]
			if !o.boards(b, list[1:], left-far, yield) {
				return false
			}
			b[s] = referee.Empty
		}
	}
	return true
}

// predecessors yields the boards from which a legal turn leads to the target and at which the game
// was not over.
func (o *oracle) predecessors() iter.Seq[referee.Board] {
	return func(yield func(referee.Board) bool) {
		present := slices.Sorted(func(yield func(byte) bool) {
			for piece := range o.at {
				if !yield(piece) {
					return
				}
			}
		})
		for captured := range 1 << len(o.absent) {
			list := slices.Clone(present)
			for i, piece := range o.absent {
				if captured>>i&1 != 0 {
					list = append(list, piece)
				}
			}
			if !o.boards(referee.EmptyBoard(), list, referee.StepsPerTurn, func(b referee.Board) bool {
				if _, _, over := referee.Outcome(b, o.mover.Other()); over || undefended(b) || !o.reaches(referee.NewState(b, o.mover)) {
					return true
				}
				return yield(b)
			}) {
				return
			}
		}
	}
}

// undefended reports whether a piece stands on a trap without a friend beside it.
func undefended(b referee.Board) bool {
	gold := func(piece byte) bool { return piece < 'a' }
	for _, trap := range []string{"c3", "f3", "c6", "f6"} {
		s, _ := referee.ParseSquare(trap)
		friend := func(d int) bool { return b[s+d] != referee.Empty && gold(b[s+d]) == gold(b[s]) }
		if b[s] != referee.Empty && !friend(8) && !friend(-8) && !friend(1) && !friend(-1) {
			return true
		}
	}
	return false
}

// small draws a position with a few pieces of armies that have a rabbit and another piece each, the
// armies, and the letters of their pieces.
func small(r *rand.Rand, fewest, most int) (p arimaa.Position, armies [2]army, letters []byte) {
	var pieces []arimaa.Piece
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		kind := arimaa.Cat + arimaa.Kind(r.IntN(3))
		armies[side][arimaa.Rabbit], armies[side][kind] = 1, 1
		pieces = append(pieces, arimaa.NewPiece(side, arimaa.Rabbit), arimaa.NewPiece(side, kind))
	}
	for _, piece := range pieces {
		letters = append(letters, piece.Letter())
	}
	n := fewest + r.IntN(most-fewest+1)
	for {
		r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		var b arimaa.Board
		trap := []arimaa.Square{18, 21, 42, 45}[r.IntN(4)]
		for _, piece := range pieces[:n] {
			at := arimaa.Square(r.IntN(64))
			if r.IntN(3) != 0 {
				at = trap
				for range r.IntN(5) {
					if next, ok := at.Next(arimaa.Direction(r.IntN(4))); ok {
						at = next
					}
				}
			}
			b.Put(at, piece)
		}
		if p = arimaa.NewPosition(b, arimaa.Side(r.IntN(2))); b.Occupied().Len() == n && p.Impossible() == nil {
			return p, armies, letters
		}
	}
}

// found returns the positions that the walk finds, at most the given number of them.
func found(p arimaa.Position, armies [2]army, most int) (all []Ply) {
	w := walk{side: p.Side().Other(), army: armies}
	w.found = func() bool {
		if ply := w.ply(len(w.points) - 1); !ply.Before.Ended(p.Side()).Over() {
			all = append(all, ply)
		}
		return len(all) < most
	}
	w.back(&p.Board)
	return all
}

// TestVerdicts compares the verdict on random positions with few pieces with that of the oracle.
func TestVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 1))
	tally := map[string]int{}
	for range boards.Sized(100, 12500) {
		p, armies, letters := small(r, 1, 3)
		line := found(p, armies, 1)
		replay(t, line, p)
		want := false
		for range newOracle(p, letters).predecessors() {
			want = true
			break
		}
		if want != (len(line) == 1) {
			t.Fatalf("%v with %s: a last turn %v, want %v", p, letters, line, want)
		}
		tally[fmt.Sprint(p.Occupied().Len(), " pieces ", want)]++
	}
	boards.ExpectAll(t, tally, "1 pieces false", "2 pieces true", "2 pieces false", "3 pieces true", "3 pieces false")
}

// TestPredecessors compares all positions from which a last turn leads to a position with those that
// the oracle finds.
func TestPredecessors(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 44))
	tally := map[string]int{}
	for i := range boards.Sized(40, 4000) {
		p, armies, letters := small(r, 3, 4)
		got := map[string]bool{}
		for _, ply := range found(p, armies, 1<<30) {
			got[load.State(t, ply.Before).Board.String()] = true
			tally[fmt.Sprint("captures ", ply.Before.Occupied().Len()-p.Occupied().Len())]++
			if len(got)%100 == 0 {
				replay(t, []Ply{ply}, p)
			}
		}
		want := map[string]bool{}
		for b := range newOracle(p, letters).predecessors() {
			want[b.String()] = true
			if !got[b.String()] {
				t.Fatalf("case %d: %v\nwith %s does not lead back to\n%v", i, p, letters, b)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("case %d: %v with %s leads back to %d positions, want %d", i, p, letters, len(got), len(want))
		}
	}
	boards.ExpectAll(t, tally, "captures 0", "captures 1")
}
