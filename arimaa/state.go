package arimaa

import (
	"errors"
	"fmt"
)

// State is a point inside a turn, which may lie between the two halves of a push
// or a pull. It is a small value without pointers.
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

// Steps appends every legal displacement to dst: own steps, first and second
// halves of pushes, second halves of pulls. Where an enemy displacement can be
// read as a pull and as the beginning of a push, it is a pull.
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
	m := s.Board.mobility(s.side)
	for rest := m.free; rest != 0; rest = rest.Rest() {
		from := rest.First()
		for to := m.steps(from); to != 0; to = to.Rest() {
			dst = append(dst, StepBetween(s.At(from), from, to.First()))
		}
	}
	for rest := m.enemy; rest != 0; rest = rest.Rest() {
		from := rest.First()
		if pushable := s.Position.left >= 2 && s.pushersOf(&m, from) != 0; !pushable && !s.canPull(from) {
			continue
		} else {
			for to := neighbors[from] & m.empty; to != 0; to = to.Rest() {
				if pushable || to.First() == s.vacated {
					dst = append(dst, StepBetween(s.At(from), from, to.First()))
				}
			}
		}
	}
	return dst
}

// pushersOf returns the pieces that can push the enemy piece on from.
func (s *State) pushersOf(m *mobility, from Square) Bitboard {
	return neighbors[from&63] & m.free & s.AtLeast(s.side, s.At(from).Kind()+1) &^ s.Undefended()
}

// canPull tells whether the enemy piece on from may follow into s.vacated.
func (s *State) canPull(from Square) bool {
	return s.puller > s.At(from).Kind() && neighbors[from&63].Has(s.vacated)
}

// ErrNotChanged is the reason why a turn that leaves the board as it was may not end.
var ErrNotChanged = errors.New("a turn must change the board")

// Play makes one displacement, given by the piece and its squares, and returns
// the squares of the pieces that it captures. The error says why it is illegal;
// the state is then unchanged.
func (s *State) Play(step Step) (Bitboard, error) {
	from, to := step.From(), step.To()
	if err := s.check(step); err != nil {
		return 0, err
	}
	if s.pushers != 0 { // the second half of a push
		captured := s.displace(step)
		s.pushers, s.puller = 0, None
		return captured, nil
	}
	if step.Piece().Side() == s.side {
		captured := s.displace(step)
		s.vacated, s.puller = from, step.Piece().Kind()
		return captured, nil
	}
	if s.canPull(from) && to == s.vacated {
		captured := s.displace(step)
		s.puller = None
		return captured, nil
	}
	m := s.Board.mobility(s.side)
	s.pushers, s.fill, s.puller = s.pushersOf(&m, from), from, None
	return s.displace(step), nil
}

// check tells why a displacement is illegal.
func (s *State) check(step Step) error {
	piece, from, to := step.Piece(), step.From(), step.To()
	switch at := s.At(from); {
	case step == 0 || piece.Kind() == None:
		return errors.New("no step given")
	case s.Position.left == 0:
		return fmt.Errorf("%v: a turn has four steps at most", step)
	case at == Empty:
		return fmt.Errorf("%v: there is no piece on %v", step, from)
	case at != piece:
		return fmt.Errorf("%v: the piece on %v is %v", step, from, at)
	case !neighbors[from].Has(to):
		return fmt.Errorf("%v: the step leaves the board", step)
	case s.At(to) != Empty:
		return fmt.Errorf("%v: %v is occupied", step, to)
	}
	if s.pushers != 0 {
		if to != s.fill {
			return fmt.Errorf("%v: the push must be completed by a step to %v", step, s.fill)
		}
		if !s.pushers.Has(from) {
			return fmt.Errorf("%v: this piece cannot complete the push (it is frozen or not stronger)", step)
		}
		return nil
	}
	m := s.Board.mobility(s.side)
	if piece.Side() == s.side {
		if !m.free.Has(from) {
			return fmt.Errorf("%v: the piece is frozen", step)
		}
		if !m.steps(from).Has(to) {
			return fmt.Errorf("%v: a rabbit does not step backward", step)
		}
		return nil
	}
	if s.canPull(from) && to == s.vacated {
		return nil
	}
	if s.pushersOf(&m, from) == 0 {
		return fmt.Errorf("%v: no free stronger piece of %v can push or pull it there", step, s.side)
	}
	if s.Position.left < 2 {
		return fmt.Errorf("%v: a push needs two steps", step)
	}
	return nil
}

// MayEnd tells whether the turn may end here as far as this turn alone goes: nil,
// [ErrNotChanged], or that a push must be completed. Repetition is a matter of the
// game ([Game.Play]).
func (s *State) MayEnd() error {
	if s.pushers != 0 {
		return fmt.Errorf("the push must be completed by a step to %v", s.fill)
	}
	if s.Board == s.start {
		return ErrNotChanged
	}
	return nil
}
