package referee

import (
	"errors"
	"fmt"
)

// StepsPerTurn is the number of steps that a turn may have.
const StepsPerTurn = 4

// State is a point within a turn: docs/rules.md, "A turn". It is a plain value: copying it copies
// everything, and from two States that are equal (==) the same may happen. Make one with [NewState]
// or [ParsePosition].
type State struct {
	Board Board
	Side  Side  // whose turn it is
	Start Board // the board when this turn began
	Left  int   // steps left in this turn, 4 to 0

	push push // what a begun push demands of the next step
	pull pull // what the last step allows the next one to pull
}

// push is the second half that a begun push is owed. The zero value: no push is unfinished.
type push struct {
	open   bool
	square int8 // the square that was just left, which must be filled
	// by[d] says that the piece next to that square in direction d may fill it. It is kept, and not
	// worked out afterwards, because freezing is tested before the push starts. It makes a
	// difference only in a position given by hand, where the first half may capture an undefended
	// piece that froze one of them.
	by [len(directions)]bool
}

// pull is the second half that a pull could have. The zero value: nothing can be pulled.
type pull struct {
	strength int8 // of the piece that just stepped; what it pulls is weaker
	square   int8 // the square that it left
}

// NewState is the start of a turn of the given side, with four steps left.
func NewState(b Board, side Side) State {
	return State{Board: b, Side: side, Start: b, Left: StepsPerTurn}
}

// reading says which kind of legal displacement it is, by the rules.
type reading int

const (
	singleStep reading = iota // an own piece steps, perhaps as the first half of a pull
	pushBegins                // an enemy piece is pushed away: the first half of a push
	pushEnds                  // the pusher follows: the second half
	pullEnds                  // an enemy piece is pulled: the second half of a pull
)

// judge decides whether a displacement is legal now, and how it is read. why is empty if it is
// legal; otherwise it says, in words for a person, what forbids it. docs/rules.md, "A turn", is
// this function.
func (s *State) judge(t Step) (as reading, why string) {
	switch {
	case s.Left <= 0:
		return 0, "no steps are left in this turn"
	case !onBoard(t.From) || !onBoard(t.To):
		return 0, "there is no such square"
	case !isPiece(t.Piece) || s.Board[t.From] != t.Piece:
		return 0, "no such piece stands there"
	}
	d, adjacent := direction(t.From, t.To)
	if !adjacent {
		return 0, "a piece moves only to a square next to it"
	}
	if s.Board[t.To] != Empty {
		return 0, "the square it moves to is occupied"
	}
	if s.push.open {
		return pushEnds, s.judgePushEnd(t)
	}
	if owner(t.Piece) == s.Side {
		return singleStep, s.judgeSingleStep(t, d)
	}
	// "Where a recorded step sequence can be read as the end of a pull or the beginning of a push,
	// it is read as a pull if that is possible." The two steps that a pull needs were there when it
	// began, so this one may be the last of the turn.
	if t.To == int(s.pull.square) && strength(t.Piece) < int(s.pull.strength) {
		return pullEnds, ""
	}
	_, why = s.pushers(t)
	return pushBegins, why
}

// judgeSingleStep says what forbids one of the side's own pieces to step in direction number d.
// docs/rules.md, "A turn", on steps and freezing.
func (s *State) judgeSingleStep(t Step, d int) (why string) {
	if s.Board.frozen(t.From) {
		return "the piece is frozen"
	}
	if t.Piece == s.Side.rabbit() && directions[d] == s.Side.backward() {
		return "a rabbit does not step backward"
	}
	return ""
}

// judgePushEnd says what forbids a displacement while a push is unfinished. docs/rules.md, "A
// turn": a push that was begun must be completed by the very next step.
func (s *State) judgePushEnd(t Step) (why string) {
	if owner(t.Piece) != s.Side || t.To != int(s.push.square) {
		return "a push was begun, and a pusher must now move to the square that was left"
	}
	if d, _ := direction(t.To, t.From); !s.push.by[d] {
		return "a push was begun, and this piece cannot have been the pusher: it was too weak or frozen"
	}
	return ""
}

// pushers lists, by direction from the square that the enemy piece leaves, the pieces that may
// follow it if the displacement begins a push; why says what forbids the push if none may.
// docs/rules.md, "A turn": the pusher stands next to the enemy piece, is stronger and is not frozen
// before the push starts; a push needs two steps left.
func (s *State) pushers(t Step) (by [len(directions)]bool, why string) {
	if s.Left < 2 {
		return by, "this would begin a push, which needs two steps, and one is left"
	}
	why = "no stronger piece next to it could push it"
	for d := range directions {
		next, ok := neighbour(t.From, d)
		if !ok || !isPiece(s.Board[next]) || owner(s.Board[next]) != s.Side ||
			strength(s.Board[next]) <= strength(t.Piece) {
			continue
		}
		if s.Board.frozen(next) {
			why = "the stronger piece next to it, which could push it, is frozen"
			continue
		}
		// Only in a position given by hand: this piece is captured by the first half, so it could
		// not complete the push.
		if s.Board.undefended(next) {
			why = "the stronger piece next to it, which could push it, is captured before it can follow"
			continue
		}
		by[d] = true
	}
	for _, may := range by {
		if may {
			return by, ""
		}
	}
	return by, why
}

// after is the state after a legal displacement, with the captures that it caused.
func (s *State) after(t Step, as reading) (State, []Capture) {
	next := State{Board: s.Board, Side: s.Side, Start: s.Start, Left: s.Left - 1}
	next.Board[t.From] = Empty
	next.Board[t.To] = t.Piece
	taken := next.Board.takeUndefended()

	switch as {
	case pushBegins:
		by, _ := s.pushers(t)
		next.push = push{open: true, square: int8(t.From), by: by}
	case singleStep:
		// Only a step that was not the end of a push can begin a pull: one piece never pushes and
		// pulls with the same step. The pull stays possible if the step captured the puller. It is
		// noted only where there is something to pull, so that step orders that differ in nothing
		// else end in equal States.
		if next.Left > 0 && next.couldBePulled(t.From, strength(t.Piece)) {
			next.pull = pull{strength: int8(strength(t.Piece)), square: int8(t.From)}
		}
	}
	return next, taken
}

// couldBePulled reports whether an enemy piece weaker than a puller stands next to the square that
// the puller left.
func (s *State) couldBePulled(left, puller int) bool {
	for d := range directions {
		next, ok := neighbour(left, d)
		if ok && isPiece(s.Board[next]) && owner(s.Board[next]) != s.Side && strength(s.Board[next]) < puller {
			return true
		}
	}
	return false
}

// move is a legal displacement with its reading.
type move struct {
	Step
	as reading
}

// eachMove calls f with every legal displacement until f returns false.
func (s *State) eachMove(f func(move) bool) {
	for from := range s.Board {
		if !s.eachMoveFrom(from, f) {
			return
		}
	}
}

// eachMoveFrom calls f with every legal displacement of what stands on a square until f returns
// false. It returns false if f did.
func (s *State) eachMoveFrom(from int, f func(move) bool) bool {
	piece := s.Board[from]
	if !isPiece(piece) {
		return true
	}
	for d := range directions {
		to, ok := neighbour(from, d)
		if !ok || s.Board[to] != Empty {
			continue
		}
		t := Step{Piece: piece, From: from, To: to}
		if as, why := s.judge(t); why == "" && !f(move{t, as}) {
			return false
		}
	}
	return true
}

// Steps is every displacement that is legal now, each once: the single steps, the first halves of
// pushes and the second halves of pulls, or, after the first half of a push, only its second
// halves. docs/rules.md, "A turn". The order is that of the squares a1 to h8 that are left, then
// north, south, east, west.
func (s State) Steps() []Step {
	var steps []Step
	s.eachMove(func(m move) bool {
		steps = append(steps, m.Step)
		return true
	})
	return steps
}

// CanStep reports whether any displacement is legal now. The side's own pieces are looked at first:
// most often one of them can step, and it takes longer to see whether one of the opponent's can be
// pushed.
func (s State) CanStep() bool {
	for _, side := range [2]Side{s.Side, s.Side.Other()} {
		for from, piece := range s.Board {
			if isPiece(piece) && owner(piece) == side && !s.eachMoveFrom(from, func(move) bool { return false }) {
				return true
			}
		}
	}
	return false
}

// Play makes one displacement and then removes what it captures: docs/rules.md, "A turn" and
// "Captures". More than one piece is captured only if the position was given by hand with
// undefended pieces on traps. If the displacement is illegal the error says why, and the State
// returned is the one before it.
func (s State) Play(t Step) (State, []Capture, error) {
	as, why := s.judge(t)
	if why != "" {
		return s, nil, fmt.Errorf("%s: %s", t, why)
	}
	next, taken := s.after(t, as)
	return next, taken, nil
}

// Unfinished reports whether a push was begun and its second half must be played now.
func (s State) Unfinished() bool { return s.push.open }

// The reasons why a turn may not end, as returned by [State.Stop] and [History.Stop].
var (
	ErrUnfinishedPush = errors.New("the turn may not end here: a push was begun and must be completed")
	ErrUnchanged      = errors.New("the turn may not end here: it must change the board")
)

// mayEnd is nil if the turn may end here. docs/rules.md, "Ending a turn", without the third
// repetition.
func (s *State) mayEnd() error {
	if s.push.open {
		return ErrUnfinishedPush
	}
	if s.Board == s.Start {
		return ErrUnchanged
	}
	return nil
}

// MayStop reports whether the turn may end here: docs/rules.md, "Ending a turn". No push is
// unfinished and the board is not the one that the turn began with. The third repetition needs a
// [History] and is not looked at.
func (s State) MayStop() bool { return s.mayEnd() == nil }

// Stop ends the turn and is the start of the opponent's. The error is [ErrUnfinishedPush] or
// [ErrUnchanged] where the turn may not end here; the State returned is then the one given.
func (s State) Stop() (State, error) {
	if err := s.mayEnd(); err != nil {
		return s, err
	}
	return NewState(s.Board, s.Side.Other()), nil
}
