package arimaa

import (
	"errors"
	"fmt"
)

// State is a point inside a turn, which may lie between the two halves of a push or a pull. It is a
// small value without pointers.
type State struct {
	Position
	start   Board
	pushers Bitboard // who may complete the push that was begun; empty: none was
	fill    Square   // the square they must enter
	vacated Square   // the square that an own piece has just left ...
	puller  Kind     // ... of this kind, which may pull; None: nobody may
}

// NewState returns the start of a turn.
func NewState(p Position) State { return State{Position: p, start: p.Board} }

// Start returns the board at the start of the turn.
func (s *State) Start() Board { return s.start }

// Steps appends every legal displacement to dst: own steps, first and second halves of pushes,
// second halves of pulls. Where an enemy displacement can be read as a pull and as the beginning of
// a push, it is a pull.
func (s *State) Steps(dst []Step) []Step {
	if s.Position.left == 0 {
		return dst
	}
	if s.pushers != 0 {
		for rest := s.pushers; rest != 0; rest = rest.Rest() {
			from := rest.First()
			dst = append(dst, StepBetween(s.At(from), from, s.fill))
		}
		return dst
	}
	m := s.Mobility(s.side)
	for single := m.Steps(Everywhere, Everywhere); single.Next(); {
		dst = append(dst, single.Option(&s.Board).First())
	}
	for rest := m.Enemy; rest != 0; rest = rest.Rest() {
		from := rest.First()
		var targets Bitboard
		switch {
		case s.Position.left >= 2 && s.pushersOf(&m, from) != 0:
			targets = neighbors[from] & m.Empty
		case s.canPull(from):
			targets = s.vacated.Set() & m.Empty
		}
		for ; targets != 0; targets = targets.Rest() {
			dst = append(dst, StepBetween(s.At(from), from, targets.First()))
		}
	}
	return dst
}

// pushersOf returns the pieces that can push the enemy piece on from.
func (s *State) pushersOf(m *Mobility, from Square) Bitboard {
	return neighbors[from&63] & m.Free & s.AtLeast(s.side, s.At(from).Kind()+1) &^ s.Undefended()
}

// canPull reports whether the enemy piece on from may follow into s.vacated.
func (s *State) canPull(from Square) bool {
	return s.puller > s.At(from).Kind() && neighbors[from&63].Has(s.vacated)
}

// ErrNotChanged is the reason why a turn that leaves the board as it was may not end.
var ErrNotChanged = errors.New("a turn must change the board")

// Play makes one displacement, given by the piece and its squares, and returns the squares of the
// pieces that it captures. The error says why it is illegal; the state is then unchanged.
func (s *State) Play(step Step) (Bitboard, error) {
	captured, f := s.play(step)
	if f != allowed {
		return 0, s.explain(step, f)
	}
	return captured, nil
}

// play is Play with the reason as a code, which costs nothing to make.
func (s *State) play(step Step) (Bitboard, fault) {
	from, to := step.From(), step.To()
	if f := s.checkSquares(step); f != allowed {
		return 0, f
	}
	if s.pushers != 0 {
		switch {
		case to != s.fill:
			return 0, pushNotCompleted
		case !s.pushers.Has(from):
			return 0, cannotComplete
		}
		s.pushers, s.puller = 0, None
		return s.displace(step), allowed
	}
	m := s.Mobility(s.side)
	if step.Piece().Side() == s.side {
		switch {
		case !m.Free.Has(from):
			return 0, frozen
		case !m.steps(from).Has(to):
			return 0, backward
		}
		s.vacated, s.puller = from, step.Piece().Kind()
		return s.displace(step), allowed
	}
	if s.canPull(from) && to == s.vacated {
		s.puller = None
		return s.displace(step), allowed
	}
	pushers := s.pushersOf(&m, from)
	switch {
	case pushers == 0:
		return 0, nobodyPushes
	case s.Position.left < 2:
		return 0, pushTooLate
	}
	s.pushers, s.fill, s.puller = pushers, from, None
	return s.displace(step), allowed
}

// fault is a reason why a displacement is illegal.
type fault uint8

const (
	allowed fault = iota
	noStep
	turnIsFull
	nobodyThere
	otherPiece
	offTheBoard
	occupied
	pushNotCompleted
	cannotComplete
	frozen
	backward
	nobodyPushes
	pushTooLate
)

// checkSquares checks what does not depend on who may move.
func (s *State) checkSquares(step Step) fault {
	from := step.From()
	switch at := s.At(from); {
	case step.Piece().Kind() == None:
		return noStep
	case s.Position.left == 0:
		return turnIsFull
	case at == Empty:
		return nobodyThere
	case at != step.Piece():
		return otherPiece
	case !neighbors[from&63].Has(step.To()):
		return offTheBoard
	case s.At(step.To()) != Empty:
		return occupied
	}
	return allowed
}

// explain says in words why a displacement is illegal.
func (s *State) explain(step Step, f fault) error {
	switch f {
	case noStep:
		return errors.New("no step given")
	case turnIsFull:
		return fmt.Errorf("%v: a turn has four steps at most", step)
	case nobodyThere:
		return fmt.Errorf("%v: there is no piece on %v", step, step.From())
	case otherPiece:
		return fmt.Errorf("%v: the piece on %v is %v", step, step.From(), s.At(step.From()))
	case offTheBoard:
		return fmt.Errorf("%v: the step leaves the board", step)
	case occupied:
		return fmt.Errorf("%v: %v is occupied", step, step.To())
	case pushNotCompleted:
		return fmt.Errorf("%v: the push must be completed by a step to %v", step, s.fill)
	case cannotComplete:
		return fmt.Errorf("%v: this piece cannot complete the push (it is frozen or not stronger)", step)
	case frozen:
		return fmt.Errorf("%v: the piece is frozen", step)
	case backward:
		return fmt.Errorf("%v: a rabbit does not step backward", step)
	case pushTooLate:
		return fmt.Errorf("%v: a push needs two steps", step)
	}
	return fmt.Errorf("%v: no free stronger piece of %v can push or pull it there", step, s.side)
}

// Try plays a whole turn if it is legal, without saying why not, and returns the position in which
// the opponent starts his.
func (p Position) Try(t Turn) (after Position, ok bool) {
	if after, ok = p.TryPart(t); !ok || after.Board == p.Board {
		return Position{}, false
	}
	return after.EndTurn(), true
}

// TryPart plays steps of a turn, from a point where no push is half done to another such point, if
// they are legal, and returns the position after them, still in the same turn.
func (p *Position) TryPart(t Turn) (after Position, ok bool) {
	s := NewState(*p)
	for i := range t.Len() {
		if _, f := s.play(t.Step(i)); f != allowed {
			return Position{}, false
		}
	}
	return s.Position, s.pushers == 0
}

// MayEnd returns nil if the turn may end here as far as this turn alone goes. Otherwise the error
// is [ErrNotChanged] or says that a push must be completed. Repetition is a matter of the game
// ([Game.Play]).
func (s *State) MayEnd() error {
	if s.pushers != 0 {
		return fmt.Errorf("the push must be completed by a step to %v", s.fill)
	}
	if s.Board == s.start {
		return ErrNotChanged
	}
	return nil
}
