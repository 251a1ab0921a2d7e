// Package goal answers static questions about the present turn, without a search of whole turns:
// can the side to move end it with a rabbit on its goal rank, or with a win in any of the three
// ways (goal, elimination, immobilisation), and in how few steps? Which replies prevent that? Can
// it reach another aim, such as a capture?
//
// The answers are exact. They are the leaves of every search, so the package is fast: it leaves
// most of the board out, and each reason for leaving something out is an argument given where it
// stands. The tests compare all of them together with complete enumeration by package referee.
//
// In the code a goal is a rabbit on its goal rank, and an [Aim] is what the attacker is asked to
// reach, which users call the goal.
//
//   - Goal (goal_rank.go): runs of a rabbit by sets of squares; with help, a search that asks at
//     each board where a rabbit could run if it were helped everywhere at once, and tries only
//     options that change something there.
//   - Elimination (eliminate.go): only if Silver has few rabbits left, near traps, with few
//     defenders.
//   - Immobilisation (immobilise.go and the files that it names): lower bounds on the steps needed.
//     The first bound looks at Silver's strongest piece, which nothing freezes or moves if Gold has
//     no stronger one, and rejects most positions; the next ones count the squares that must be
//     filled and the pieces that must be frozen.
//   - Defence (defend.go, count.go): which replies leave the attacker no win. The search leaves out
//     replies that change nothing in the relevance zone of a threat (relevance.go), and orders of
//     options that are not needed (footprint.go).
//   - Threats (threats.go): which turns threaten to win, without listing the others.
//   - Calm points (calm.go): points within a turn from which no turn threatens to win, or none
//     forces a win in two. They follow from lower bounds on the steps that Gold needs in two turns
//     in a row: for a goal and the elimination (far.go), and for the immobilisation (siege.go).
//   - Other aims than the win (aim.go): captures (capture.go), and a rabbit on a rank (reach.go).
//   - Order (order.go): of two orders of independent options one is redundant.
//
// Each condition for leaving out an option or a board is necessary: it holds on every board along
// every solution (for orders: along one solution that remains), so conditions can be combined
// freely.
//
// Everything is written for Gold; for Silver the board is turned over first
// ([arimaa.Board.Swapped]).
//
// The arguments suppose a settled board, where no trap holds an undefended piece, and that nobody
// had won before the turn. Positions set up by hand may break both; the package answers for them by
// listing every result of the turn ([Detector.enumerate]).
package goal

import (
	"sync/atomic"

	"goalproof/arimaa"
)

// Distance is the fewest steps, from the present point of a turn, after which the turn can end in
// the way asked for. The zero value is [None].
type Distance uint8

const (
	// None: the turn cannot end that way.
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

// Detector answers questions about turns. It keeps its memory between questions; the zero value is
// ready. A Detector serves one goroutine. Searches ask it at every node, so it takes positions as
// they are: at the zero Position there is no turn, and nothing is reached. Questions from users are
// checked first ([arimaa.Position.CheckStart], [Aim.Check]).
type Detector struct {
	// Stop, unless it is nil, makes Reach and ReachAll give up once it is set, where they ask for a
	// rabbit on a rank, which may take seconds. A "no" is then void, and a list is not complete.
	Stop *atomic.Bool

	generator arimaa.Generator
	defence   defenceSearch
	threats   threatSearch
	arrival   arrivalSearch
}

// Goal returns the fewest steps in which the side to move at p can end its turn with a rabbit of
// its own on its goal rank, and the steps. Start is the board at the start of the turn: p.Board
// itself when nothing has been played yet.
func (d *Detector) Goal(p *arimaa.Position, start *arimaa.Board) (Distance, arimaa.Turn) {
	if !regular(p, start) {
		return d.enumerate(p, start, func(b *arimaa.Board) bool {
			return b.Rabbits(p.Side())&arimaa.GoalRank(p.Side()) != 0
		})
	}
	b := orient(&p.Board, p.Side())
	found, turn := goalRank(&b, p.StepsLeft())
	return found, restore(turn, p.Side())
}

// Win returns the fewest steps in which the side to move at p can end its turn having won in any
// way: the end-of-turn table names it the winner ([arimaa.Board.Ended]). The third repetition is
// set aside.
func (d *Detector) Win(p *arimaa.Position, start *arimaa.Board) (Distance, arimaa.Turn) {
	if !regular(p, start) {
		return d.enumerate(p, start, func(b *arimaa.Board) bool {
			return b.Ended(p.Side()).WonBy(p.Side())
		})
	}
	b, s := orient(&p.Board, p.Side()), orient(start, p.Side())
	limit := p.StepsLeft()
	best, turn := goalRank(&b, limit)
	// Only a shorter way to win counts: limit is the most steps that a better one may take.
	if n, ok := best.Steps(); ok {
		limit = n - 1
	}
	if d, t := eliminate(&b, limit); d != None {
		best, turn = d, t
		n, _ := d.Steps()
		limit = n - 1
	}
	if d, t := immobilise(&b, &s, limit); d != None {
		best, turn = d, t
	}
	return best, restore(turn, p.Side())
}

// CanWin reports whether the side to move can end its turn having won in any way, and returns a
// turn that does, not always the shortest. It is faster than Win.
func (d *Detector) CanWin(p *arimaa.Position, start *arimaa.Board) (arimaa.Turn, bool) {
	if !regular(p, start) {
		found, turn := d.Win(p, start)
		return turn, found != None
	}
	b, s := orient(&p.Board, p.Side()), orient(start, p.Side())
	if turn, ok := anyGoal(&b, p.StepsLeft()); ok {
		return restore(turn, p.Side()), true
	}
	found, turn := eliminate(&b, p.StepsLeft())
	if found == None {
		found, turn = immobilise(&b, &s, p.StepsLeft())
	}
	return restore(turn, p.Side()), found != None
}

// Threat reports whether the side that is not to move at p threatens to win: whether it could win
// with a turn if the side to move passed. It returns such a turn.
func (d *Detector) Threat(p *arimaa.Position) (arimaa.Turn, bool) {
	passed := p.EndTurn()
	return d.CanWin(&passed, &passed.Board)
}

// orient returns the board on which Gold plays side.
func orient(b *arimaa.Board, side arimaa.Side) arimaa.Board {
	if side == arimaa.Silver {
		return b.Swapped()
	}
	return *b
}

// restore translates a turn between an oriented board and one on which side plays.
func restore(t arimaa.Turn, side arimaa.Side) arimaa.Turn {
	if side == arimaa.Silver {
		return t.Swapped()
	}
	return t
}

// regular reports whether the turn began in a position that a game can reach before anybody has
// won: no undefended piece on a trap, no rabbit on its goal rank, rabbits on both sides.
func regular(p *arimaa.Position, start *arimaa.Board) bool {
	gold, silver := start.Rabbits(arimaa.Gold), start.Rabbits(arimaa.Silver)
	return start.Undefended() == 0 && (start == &p.Board || p.Undefended() == 0) && gold != 0 && silver != 0 &&
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
