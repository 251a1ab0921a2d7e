package puzzles

import (
	"slices"

	"goalproof/arimaa"
)

// Ideas is a set of puzzles in which those that show one idea count once. Two puzzles show one idea
// if they are won in the same number of turns, the steps of their solutions are the same but for
// one step of each at most, and a quarter at least of the pieces on either board stand on both.
// Colours are exchanged and files are mirrored where that makes two puzzles alike.
//
// Consecutive turns of a game often make such puzzles: the threat remains while the defender tries
// this and that. A common solution alone, such as the march of a rabbit along the edge, is not
// enough. Puzzles from different games share a twelfth of their pieces (median), rarely more than a
// fifth.
type Ideas struct {
	members []member
	count   int
}

// member is a puzzle as Gold sees it.
type member struct {
	board arimaa.Board
	route route
	turns int
	idea  int
}

// route is the steps of a turn in the order of their values, without the pieces that make them; 0
// is none.
type route [arimaa.StepsPerTurn]uint16

func routeOf(t arimaa.Turn) (r route) {
	for i := range t.Len() {
		step := t.Step(i)
		r[i] = 1 + uint16(step.From())<<2 + uint16(step.Direction())
	}
	slices.Sort(r[:])
	return r
}

// SameRoute reports whether two turns consist of the same steps, in any order, no matter which
// pieces make them.
func SameRoute(a, b arimaa.Turn) bool { return routeOf(a) == routeOf(b) }

// like reports whether two routes are the same but for one step of each at most, and share one.
func (r route) like(other route) bool {
	unmatched, steps, both := other, 0, 0
	for i, step := range r {
		if step != 0 || other[i] != 0 { // the zeros stand in front
			steps++
		}
		if k := slices.Index(unmatched[:], step); step != 0 && k >= 0 {
			unmatched[k], both = 0, both+1
		}
	}
	return steps-both <= 1 && both > 0
}

// mirrored returns the board and the turn with the files in reverse order.
func mirrored(b *arimaa.Board, t arimaa.Turn) (m arimaa.Board, turn arimaa.Turn) {
	for rest := b.Occupied(); rest != 0; rest = rest.Rest() {
		s := rest.First()
		m.Put(s^7, b.At(s))
	}
	for i := range t.Len() {
		step := t.Step(i)
		turn = turn.With(arimaa.StepBetween(step.Piece(), step.From()^7, step.To()^7))
	}
	return m, turn
}

// shared counts the pieces that stand on both boards.
func shared(a, b *arimaa.Board) (n int) {
	for side := range arimaa.Side(2) {
		for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
			n += (a.Pieces(side, kind) & b.Pieces(side, kind)).Len()
		}
	}
	return n
}

func (m *member) like(other *member) bool {
	if m.turns != other.turns || !m.route.like(other.route) {
		return false
	}
	both := shared(&m.board, &other.board)
	return 4*both >= m.board.Occupied().Len()+other.board.Occupied().Len()-both
}

// asGold returns a puzzle as Gold sees it, and its mirror image.
func asGold(p arimaa.Position, turns int, solution arimaa.Turn) (one, mirror member) {
	board := p.Board
	if p.Side() == arimaa.Silver {
		board, solution = board.Swapped(), solution.Swapped()
	}
	one = member{board: board, route: routeOf(solution), turns: turns}
	mirror = one
	mirror.board, solution = mirrored(&board, solution)
	mirror.route = routeOf(solution)
	return one, mirror
}

// Add adds a puzzle. It returns the number of its idea, from 1 in the order in which ideas are met,
// and whether the idea is new. A puzzle that is like several ideas belongs to the first.
func (s *Ideas) Add(p arimaa.Position, turns int, solution arimaa.Turn) (idea int, first bool) {
	one, mirror := asGold(p, turns, solution)
	for i := range s.members {
		if m := &s.members[i]; m.like(&one) || m.like(&mirror) {
			one.idea = m.idea
			s.members = append(s.members, one)
			return one.idea, false
		}
	}
	return s.AddTo(0, p, turns, solution), true
}

// AddTo adds a puzzle of which it is known, from an earlier Add, that it shows an idea, or with 0 a
// new one. It returns the number of the idea.
func (s *Ideas) AddTo(idea int, p arimaa.Position, turns int, solution arimaa.Turn) int {
	one, _ := asGold(p, turns, solution)
	if one.idea = idea; idea == 0 {
		s.count++
		one.idea = s.count
	}
	s.members = append(s.members, one)
	return one.idea
}
