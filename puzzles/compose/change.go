package compose

import (
	"cmp"
	"fmt"
	"slices"

	"goalproof/arimaa"
)

// Change is a change of one piece of a position: it is taken away, replaced, moved, or added.
type Change struct {
	Old arimaa.Piece  // Empty: nothing stood there, the new piece is added
	At  arimaa.Square // of the old piece, or of the one that is added
	New arimaa.Piece  // Empty: the old piece is taken away
	To  arimaa.Square // of the new piece; At unless the piece is moved
}

func remove(p *arimaa.Position, s arimaa.Square) Change {
	return Change{Old: p.At(s), At: s, To: s}
}

func replace(p *arimaa.Position, s arimaa.Square, kind arimaa.Kind) Change {
	return Change{Old: p.At(s), At: s, New: arimaa.NewPiece(p.At(s).Side(), kind), To: s}
}

func move(p *arimaa.Position, from, to arimaa.Square) Change {
	return Change{Old: p.At(from), At: from, New: p.At(from), To: to}
}

func add(piece arimaa.Piece, s arimaa.Square) Change { return Change{New: piece, At: s, To: s} }

// Apply returns the position after the change. The square that a piece is moved or added to must be
// empty. The error says why no game can lead to the position.
func (c Change) Apply(p arimaa.Position) (arimaa.Position, error) {
	b := p.Board
	b.Put(c.At, arimaa.Empty)
	if c.New != arimaa.Empty {
		b.Put(c.To, c.New)
	}
	q := arimaa.NewPosition(b, p.Side())
	return q, q.Unusual()
}

// String returns the change in words, such as "without rd8", "a dog for Hd7", "rd8 on e8" or "with
// rc5".
func (c Change) String() string {
	switch {
	case c.Old == arimaa.Empty:
		return fmt.Sprintf("with %v%v", c.New, c.At)
	case c.New == arimaa.Empty:
		return fmt.Sprintf("without %v%v", c.Old, c.At)
	case c.To == c.At:
		return fmt.Sprintf("a %v for %v%v", c.New.Kind(), c.Old, c.At)
	}
	return fmt.Sprintf("%v%v on %v", c.Old, c.At, c.To)
}

// Imperative returns the change as a command, such as "Move the silver cat from c6 to c5".
func (c Change) Imperative() string {
	name := func(p arimaa.Piece) string { return fmt.Sprintf("%v %v", p.Side(), p.Kind()) }
	switch {
	case c.Old == arimaa.Empty:
		return fmt.Sprintf("Add a %s on %v", name(c.New), c.At)
	case c.New == arimaa.Empty:
		return fmt.Sprintf("Take the %s on %v away", name(c.Old), c.At)
	case c.To == c.At:
		return fmt.Sprintf("Replace the %s on %v by a %s", name(c.Old), c.At, name(c.New))
	}
	return fmt.Sprintf("Move the %s from %v to %v", name(c.Old), c.At, c.To)
}

// Between returns changes that lead from one position to another, in any order: pieces that stand
// elsewhere are moved, the others are replaced, taken away and added.
func Between(from, to *arimaa.Position) (all []Change) {
	gone := from.Occupied() &^ to.Occupied()
	for rest := to.Occupied(); rest != 0; rest = rest.Rest() {
		s := rest.First()
		old, now := from.At(s), to.At(s)
		switch {
		case old == now:
		case old != arimaa.Empty:
			all = append(all, Change{Old: old, At: s, New: now, To: s})
		default:
			change := add(now, s)
			for same := gone & from.Pieces(now.Side(), now.Kind()); same != 0; same = same.Rest() {
				if moved := move(from, same.First(), s); nearness(moved) < nearness(change) {
					change = moved
				}
			}
			if change.Old != arimaa.Empty {
				gone &^= change.At.Set()
			}
			all = append(all, change)
		}
	}
	for ; gone != 0; gone = gone.Rest() {
		all = append(all, remove(from, gone.First()))
	}
	slices.SortStableFunc(all, func(a, b Change) int { return cmp.Compare(nearness(a), nearness(b)) })
	return all
}

// changes lists all changes of a position: pieces taken away, replaced by weaker ones, moved by one
// square, and added.
func changes(p *arimaa.Position) (all []Change) {
	var squares []arimaa.Square
	for rest := p.Occupied(); rest != 0; rest = rest.Rest() {
		squares = append(squares, rest.First())
		all = append(all, remove(p, rest.First()))
	}
	for _, s := range squares {
		for kind := arimaa.Rabbit; kind < p.At(s).Kind(); kind++ {
			all = append(all, replace(p, s, kind))
		}
	}
	for _, s := range squares {
		for beside := s.Beside() &^ p.Occupied(); beside != 0; beside = beside.Rest() {
			all = append(all, move(p, s, beside.First()))
		}
	}
	for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
		for side := range arimaa.Side(2) {
			for rest := ^p.Occupied(); rest != 0; rest = rest.Rest() {
				all = append(all, add(arimaa.NewPiece(side, kind), rest.First()))
			}
		}
	}
	return all
}
