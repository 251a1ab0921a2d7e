package retro

import (
	"context"
	"fmt"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
)

// Verdict is the answer to the question whether a position can have come from a game.
type Verdict uint8

const (
	Open       Verdict = iota // the limit was reached before
	Possible                  // a line of turns leads to the position, or it is one of the setup
	Impossible                // no game leads to the position
)

// String returns the verdict in a word.
func (v Verdict) String() string { return [...]string{"open", "possible", "impossible"}[v] }

// Setup says whether a position comes up while the game is set up.
type Setup uint8

const (
	Played       Setup = iota // it does not
	GoldSetUp                 // Gold has set up, and Silver sets up next
	BothSetUp                 // both have set up, and Gold plays the first turn
	HandicapGold              // as GoldSetUp, with fewer pieces than a full army
	HandicapBoth              // as BothSetUp, where an army has fewer pieces than a full one
)

// String says in words what position of the setup it is; "" for Played.
func (s Setup) String() string {
	return [...]string{"", "the position after gold's setup", "the position after the setups",
		"the position after gold's setup of a handicap game", "the position after the setups of a handicap game"}[s]
}

// setupOf says whether a position that is not [arimaa.Position.Impossible] comes up while a game is
// set up. A position after both setups where the game is over does not.
func setupOf(p *arimaa.Position) Setup {
	gold, silver := p.Of(arimaa.Gold), p.Of(arimaa.Silver)
	if gold == 0 || gold&^arimaa.HomeRanks(arimaa.Gold) != 0 || silver&^arimaa.HomeRanks(arimaa.Silver) != 0 {
		return Played
	}
	full := arimaa.HomeRanks(arimaa.Gold).Len()
	switch {
	case p.Side() == arimaa.Silver && silver == 0 && gold.Len() == full:
		return GoldSetUp
	case p.Side() == arimaa.Silver && silver == 0:
		return HandicapGold
	case p.Side() == arimaa.Silver || p.Ended(arimaa.Silver).Over():
		return Played
	case gold.Len() == full && silver.Len() == full:
		return BothSetUp
	}
	return HandicapBoth
}

// Answer says whether a position can have come from a game, and how.
type Answer struct {
	Verdict Verdict
	// Line is the longest line of turns found that leads to the position, oldest first. Of an
	// impossible position it leads from one that is impossible itself.
	Line []Ply
	// Setup says whether the line begins in a setup; without a line, whether the position is of one.
	Setup Setup
	// AtSight has the reasons why the board alone is impossible, a line each: see
	// [arimaa.Position.Impossible].
	AtSight error
	// Back is, of another impossible position, how many turns cannot be taken back: 1 if there is no
	// last turn.
	Back int
	// Over counts the boards from which a last turn would lead to the position, if the game had not
	// been over there. It is counted if Back is 1.
	Over  int
	Stop  answer.Stop // why the question is open, or Finished
	Nodes uint64      // boards looked at
}

// Whole reports whether the line is a whole game.
func (a *Answer) Whole() bool { return a.Setup != Played }

// Reason says in words why a position is impossible; "" of any other.
func (a *Answer) Reason(side arimaa.Side) string {
	mover := side.Other()
	switch {
	case a.Verdict != Impossible:
		return ""
	case a.AtSight != nil:
		return a.AtSight.Error()
	case a.Back == 2:
		return "every last turn leads back to a position that has none, or none but from here"
	case a.Back > 2:
		return fmt.Sprintf("no %d turns lead here: all ways back end earlier, or come back to a position on the way", a.Back)
	case a.Over == 0:
		return fmt.Sprintf("%v has no legal last turn: no step, push or pull can be taken back", mover)
	}
	return fmt.Sprintf("%v has no legal last turn: wherever a turn could have begun (boards: %d), the game was over", mover, a.Over)
}

// Trace takes up to back turns back from a position at the start of a turn, at least one, within
// the limit of the context (package answer), which counts boards as nodes. It asks for one turn
// first, then for two, and so on, and ends early where a line reaches the setup. The error says
// that the position is none ([arimaa.Position.CheckStart]).
func Trace(ctx context.Context, p arimaa.Position, back int) (a Answer, err error) {
	if err := p.CheckStart(); err != nil {
		return a, err
	}
	if a.AtSight = p.Impossible(); a.AtSight != nil {
		a.Verdict = Impossible
		return a, nil
	}
	if a.Setup = setupOf(&p); a.Setup != Played {
		a.Verdict = Possible
		return a, nil
	}
	t := tracer{ctx: ctx, budget: answer.BudgetOf(ctx), barren: map[arimaa.Position]int{}}
	defer func() { a.Nodes = t.nodes }()
	for depth := 1; depth <= back && a.Setup == Played; depth++ {
		line := t.trace(p, depth)
		switch {
		case line != nil:
			a.Line = line
			a.Setup = setupOf(&line[0].Before)
		case t.stopped:
			a.Stop = answer.StopOf(ctx)
			return a, nil
		default:
			a.Verdict, a.Back = Impossible, depth
			if depth == 1 {
				a.Over = int(t.nodes)
			}
			return a, nil
		}
	}
	a.Verdict = Possible
	if a.Setup == Played {
		if line := t.homeward(p, back); line != nil {
			a.Line, a.Setup = line, BothSetUp
		}
	}
	return a, nil
}

// homeward returns a whole game that leads to p, of at most so many turns, or nil. In each turn it
// takes back what brings the pieces nearest to their home ranks, so it may miss games. It looks only
// where both armies are complete and near enough: a displacement is one rank at most.
func (t *tracer) homeward(p arimaa.Position, turns int) (line []Ply) {
	full := arimaa.HomeRanks(arimaa.Gold).Len()
	far := fromHome(&p.Board)
	if p.Of(arimaa.Gold).Len() != full || p.Of(arimaa.Silver).Len() != full {
		return nil
	}
	path := []arimaa.Position{p}
	for ; turns > 0 && far <= turns*arimaa.StepsPerTurn; turns-- {
		w, best := newWalk(p.Side().Other()), 0
		w.found = func() bool {
			last := len(w.points) - 1
			b := &w.points[last].board
			if n := fromHome(b); (best == 0 || n < far) && !b.Ended(p.Side()).Over() && !slices.Contains(path, arimaa.NewPosition(*b, w.side)) {
				best, far = last, n
			}
			return t.spend()
		}
		if w.back(&p.Board); best == 0 || t.stopped {
			return nil
		}
		line = slices.Insert(line, 0, w.ply(best))
		p = line[0].Before
		path = append(path, p)
		if setupOf(&p) == BothSetUp {
			return line
		}
	}
	return nil
}

// fromHome returns by how many ranks the pieces are away from their home ranks, in all.
func fromHome(b *arimaa.Board) (ranks int) {
	gold, silver := b.Of(arimaa.Gold), b.Of(arimaa.Silver)
	for range 6 {
		gold = (gold &^ arimaa.HomeRanks(arimaa.Gold)).Shift(arimaa.South)
		silver = (silver &^ arimaa.HomeRanks(arimaa.Silver)).Shift(arimaa.North)
		ranks += gold.Len() + silver.Len()
	}
	return ranks
}

// tracer looks for lines.
type tracer struct {
	ctx     context.Context
	budget  *answer.Budget
	nodes   uint64
	stopped bool
	path    []arimaa.Position       // from the position asked about to the one whose last turn is looked for
	barren  map[arimaa.Position]int // to how few turns no line leads, whatever the path
	barred  uint64                  // how often a position was left out because it stands on the path
}

// spend counts a board and reports whether the search may look at it.
func (t *tracer) spend() bool {
	t.nodes++
	const batch = 256 // boards from one look at the context to the next
	if t.budget != nil && t.budget.Spend(1) || t.nodes%batch == 0 && t.ctx.Err() != nil {
		t.stopped = true
	}
	return !t.stopped
}

// trace returns a line to p, oldest turn first, of the given number of turns, at least one, or of
// fewer from a setup. It is nil if there is none, or if the search has stopped.
func (t *tracer) trace(p arimaa.Position, turns int) (line []Ply) {
	if least, ok := t.barren[p]; ok && least <= turns {
		return nil
	}
	t.path = append(t.path, p)
	barred := t.barred
	w := newWalk(p.Side().Other())
	w.found = func() bool {
		if !t.spend() {
			return false
		}
		last := len(w.points) - 1
		before := arimaa.NewPosition(w.points[last].board, w.side)
		switch {
		case before.Ended(p.Side()).Over():
		case slices.Contains(t.path, before):
			t.barred++
		case turns == 1 || setupOf(&before) != Played:
			line = []Ply{w.ply(last)}
		default:
			if line = t.trace(before, turns-1); line != nil {
				line = append(line, w.ply(last))
			}
		}
		return line == nil && !t.stopped
	}
	all := w.back(&p.Board)
	t.path = t.path[:len(t.path)-1]
	if all && t.barred == barred {
		t.barren[p] = turns
	}
	return line
}
