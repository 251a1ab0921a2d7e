package arimaa

import "strings"

// Step is one displacement: a piece goes to a neighbouring square, by its own move or because it is
// pushed or pulled. The zero Step is none.
//
//	bits 15..12  11..8  7..2   1..0
//	     unused  piece  from   direction
type Step uint16

// NewStep returns the displacement of piece from a square in direction d.
func NewStep(piece Piece, from Square, d Direction) Step {
	return Step(piece)<<8 | Step(from)<<2 | Step(d)
}

// StepBetween returns the displacement of piece between two neighbouring squares.
func StepBetween(piece Piece, from, to Square) Step {
	return NewStep(piece, from, towards(from, to))
}

// Piece returns the piece that is displaced.
func (s Step) Piece() Piece { return Piece(s >> 8) }

// From returns the square that the piece leaves.
func (s Step) From() Square { return Square(s >> 2 & 63) }

// Direction returns the direction of the displacement.
func (s Step) Direction() Direction { return Direction(s & 3) }

// To returns the square that the piece enters.
func (s Step) To() Square { return Square(int(s.From())+s.Direction().offset()) & 63 }

// String returns the notation without captures, for example "Ee2n".
func (s Step) String() string {
	if s == 0 {
		return "(no step)"
	}
	return s.Piece().String() + s.From().String() + string(s.Direction().Letter())
}

// Swapped returns the step on the board with ranks reversed and colours exchanged
// ([Board.Swapped]).
func (s Step) Swapped() Step {
	if s == 0 {
		return 0
	}
	d := s.Direction()
	if d == North || d == South {
		d ^= North ^ South
	}
	return NewStep(s.Piece()^silverPiece, s.From()^56, d)
}

// Option is one choice of a player inside a turn: a single step, a push or a pull. The low half is
// the first displacement, the high half the second one, zero for a single step.
type Option uint32

// SingleStep returns the option of one step by a piece of the side to move.
func SingleStep(s Step) Option { return Option(s) }

// PushOrPull returns the option of two displacements in their order.
func PushOrPull(first, second Step) Option { return Option(first) | Option(second)<<16 }

// Steps returns the number of steps the option takes: 1, or 2 for a push or a pull.
func (o Option) Steps() int {
	if o>>16 != 0 {
		return 2
	}
	return 1
}

// First returns the first displacement.
func (o Option) First() Step { return Step(o) }

// Second returns the second displacement of a push or pull, otherwise zero.
func (o Option) Second() Step { return Step(o >> 16) }

// IsPush reports whether the weaker piece, the enemy's, moves first.
func (o Option) IsPush() bool {
	return o>>16 != 0 && o.First().Piece().Kind() < o.Second().Piece().Kind()
}

// IsPull reports whether the stronger piece moves first and the enemy's follows.
func (o Option) IsPull() bool { return o>>16 != 0 && !o.IsPush() }

// Split returns the displacement of the piece whose side is to move and that of the enemy piece
// that it pushes or pulls, zero for a single step.
func (o Option) Split() (own, enemy Step) {
	if o.IsPush() {
		return o.Second(), o.First()
	}
	return o.First(), o.Second()
}

// String returns the notation without captures, for example "ra5n Ea4n".
func (o Option) String() string { return Turn{}.WithOption(o).String() }

// Turn is what a player does in one turn: one to four steps. The zero Turn is empty.
type Turn struct {
	steps [4]Step
	n     uint8
}

// Len returns the number of steps, 0 to 4.
func (t Turn) Len() int { return int(t.n) }

// Step returns the i-th step, from 0.
func (t Turn) Step(i int) Step { return t.steps[i] }

// With returns the turn with a step added; a turn of four steps stays as it is, and the zero Step
// adds nothing.
func (t Turn) With(s Step) Turn {
	if t.n < 4 && s != 0 {
		t.steps[t.n] = s
		t.n++
	}
	return t
}

// WithOption returns the turn with the steps of an option added.
func (t Turn) WithOption(o Option) Turn {
	return t.With(o.First()).With(o.Second())
}

// Then returns the turn with the steps of another one added.
func (t Turn) Then(rest Turn) Turn {
	for i := range rest.Len() {
		t = t.With(rest.Step(i))
	}
	return t
}

// Mirrored returns the turn on the board with the files in reverse order ([Board.Mirrored]).
func (t Turn) Mirrored() Turn {
	for i, s := range t.steps[:t.n] {
		d := s.Direction()
		if d == East || d == West {
			d ^= East ^ West
		}
		t.steps[i] = NewStep(s.Piece(), s.From()^7, d)
	}
	return t
}

// Swapped returns the turn on the board with ranks reversed and colours exchanged.
func (t Turn) Swapped() Turn {
	for i := range t.n {
		t.steps[i] = t.steps[i].Swapped()
	}
	return t
}

// Before returns the turn that plays o first and then t.
func (t Turn) Before(o Option) Turn { return Turn{}.WithOption(o).Then(t) }

// String returns the notation without captures, for example "Ra7n Hb7s". For the form in which
// records are written, with captures, see [Position.Notation].
func (t Turn) String() string {
	var words []string
	for i := range t.Len() {
		words = append(words, t.Step(i).String())
	}
	return strings.Join(words, " ")
}
