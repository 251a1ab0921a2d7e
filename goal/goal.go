// Package goal detects without a search of whole turns what the side to move can
// end its present turn with: a rabbit on its goal rank, or a win in any of the
// three ways (goal, elimination, immobilisation), and in how few steps.
//
// The answers are exact. They are the leaves of every search, so what makes them
// fast are reasons that leave most of the board out, and each such reason is an
// argument given where it stands. The tests hold all of them together against
// complete enumeration by package referee.
//
//   - Goal (goal_rank.go): one and two steps are answered by sets of squares; three
//     and four by a search over the steps that can matter to some rabbit.
//   - Elimination (eliminate.go): only where few rabbits are left, near traps.
//   - Immobilisation (immobilise.go): a lower bound on the steps needed to stop each
//     piece that can move cuts nearly every position off at once.
//
// Everything is written for Gold; for Silver the board is turned over first
// ([arimaa.Board.Swapped]).
//
// The arguments suppose a settled board, where no trap holds an undefended piece, and
// that nobody had won before the turn. Positions given by hand may break both; they
// are answered by listing every result of the turn ([Detector.enumerate]).
package goal

import "goalproof/arimaa"

// Distance is the fewest steps, from the present point of a turn, after which the
// turn can end with what was asked for. The zero value is [None].
type Distance uint8

const (
	// None: the turn cannot end so.
	None Distance = iota
	// Already: the turn can end here and now; no further step is needed.
	Already
)

// After returns the distance of n steps, n >= 0.
func After(n int) Distance { return Already + Distance(n) }

// Steps returns the number of steps; ok is false for None.
func (d Distance) Steps() (n int, ok bool) {
	if d == None {
		return 0, false
	}
	return int(d - Already), true
}

// String returns "none", "already" or the number of steps.
func (d Distance) String() string {
	switch d {
	case None:
		return "none"
	case Already:
		return "already"
	case After(1):
		return "1 step"
	}
	return string('0'+byte(d-Already)) + " steps"
}

// Detector answers questions about turns. It holds the memory that enumeration
// needs; the zero value is ready. A Detector serves one goroutine.
type Detector struct {
	generator arimaa.Generator
	defence   defence
}

// Goal returns the fewest steps in which the side to move at p can end its turn
// with a rabbit of its own on its goal rank, and the steps. Start is the board at
// the start of the turn: p.Board itself when nothing has been played yet.
func (d *Detector) Goal(p *arimaa.Position, start *arimaa.Board) (Distance, arimaa.Turn) {
	if !regular(p, start) {
		return d.enumerate(p, start, func(b *arimaa.Board) bool {
			return b.Rabbits(p.Side())&arimaa.GoalRank(p.Side()) != 0
		})
	}
	b := orient(&p.Board, p.Side())
	return restore(p.Side())(goalRank(&b, p.StepsLeft()))
}

// Win returns the fewest steps in which the side to move at p can end its turn
// having won in any way: the end-of-turn table names it the winner
// ([arimaa.Board.Ended]). The third repetition is set aside.
func (d *Detector) Win(p *arimaa.Position, start *arimaa.Board) (Distance, arimaa.Turn) {
	if !regular(p, start) {
		return d.enumerate(p, start, func(b *arimaa.Board) bool {
			o := b.Ended(p.Side())
			return o.Over() && o.Winner == p.Side()
		})
	}
	b := orient(&p.Board, p.Side())
	s := orient(start, p.Side())
	best, turn := goalRank(&b, p.StepsLeft())
	// A slower way to win is of no interest: limit is the most steps worth finding.
	limit := func() int {
		if n, ok := best.Steps(); ok {
			return n - 1
		}
		return p.StepsLeft()
	}
	if d, t := eliminate(&b, limit()); d != None {
		best, turn = d, t
	}
	if d, t := immobilise(&b, &s, limit()); d != None {
		best, turn = d, t
	}
	return restore(p.Side())(best, turn)
}

// CanWin tells whether the side to move can end its turn having won in any way, and
// gives a turn that does, not always the shortest. It is faster than Win.
func (d *Detector) CanWin(p *arimaa.Position, start *arimaa.Board) (arimaa.Turn, bool) {
	if !regular(p, start) {
		found, turn := d.Win(p, start)
		return turn, found != None
	}
	b, s := orient(&p.Board, p.Side()), orient(start, p.Side())
	left := p.StepsLeft()
	found, turn := goalRank(&b, left)
	if found == None {
		found, turn = eliminate(&b, left)
	}
	if found == None {
		found, turn = immobilise(&b, &s, left)
	}
	_, turn = restore(p.Side())(found, turn)
	return turn, found != None
}

// orient returns the board as Gold sees it who plays side.
func orient(b *arimaa.Board, side arimaa.Side) arimaa.Board {
	if side == arimaa.Silver {
		return b.Swapped()
	}
	return *b
}

// restore turns an answer for Gold back into one for side.
func restore(side arimaa.Side) func(Distance, arimaa.Turn) (Distance, arimaa.Turn) {
	return func(d Distance, t arimaa.Turn) (Distance, arimaa.Turn) {
		if side == arimaa.Silver {
			t = t.Swapped()
		}
		return d, t
	}
}

// regular tells whether the turn began in a position that a game can reach with
// nobody having won: no undefended piece on a trap, no rabbit on its goal rank,
// rabbits on both sides.
func regular(p *arimaa.Position, start *arimaa.Board) bool {
	gold, silver := start.Rabbits(arimaa.Gold), start.Rabbits(arimaa.Silver)
	return start.Undefended()|p.Undefended() == 0 && gold != 0 && silver != 0 &&
		gold&arimaa.GoalRank(arimaa.Gold)|silver&arimaa.GoalRank(arimaa.Silver) == 0
}

// enumerate answers by listing every result of the turn.
func (d *Detector) enumerate(p *arimaa.Position, start *arimaa.Board, wanted func(*arimaa.Board) bool) (Distance, arimaa.Turn) {
	if p.Board != *start && wanted(&p.Board) {
		return Already, arimaa.Turn{}
	}
	for i := range d.generator.Generate(p) {
		if b := d.generator.Board(i); *b != *start && wanted(b) {
			return After(d.generator.Steps(i)), d.generator.Turn(i)
		}
	}
	return None, arimaa.Turn{}
}
