package render

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// Move is the displacement of one piece within a turn.
type Move struct {
	Piece    arimaa.Piece
	From, To arimaa.Square
	// Captured holds the squares of the pieces that are lost by the displacement: at most one,
	// unless it is the first on a board that is not settled.
	Captured arimaa.Bitboard
	before   arimaa.Board
	// Forced reports whether the piece is pushed or pulled. The piece that does so is By, which
	// stands on Source when the push or pull begins, beside its victim.
	Forced bool
	Pull   bool
	By     arimaa.Piece
	Source arimaa.Square
}

// Moves takes a turn apart, up to its first illegal step. Where a displacement of an enemy piece
// may belong to a pull or begin a push, it is taken for a pull, which every legal turn allows
// (package arimaa).
func Moves(p arimaa.Position, t arimaa.Turn) (all []Move) {
	side, s := p.Side(), arimaa.NewState(p)
	completes := false // the displacement completes a push
	for i := range t.Len() {
		step := t.Step(i)
		m := Move{Piece: step.Piece(), From: step.From(), To: step.To()}
		m.Forced = m.Piece.Side() != side
		m.before = s.Board
		captured, err := s.Play(step)
		if err != nil {
			return all
		}
		m.Captured = captured
		switch {
		case !m.Forced:
		case i > 0 && !completes && m.pulledBy(&all[i-1], side):
			m.Pull, m.By, m.Source = true, all[i-1].Piece, all[i-1].From
		case i+1 < t.Len():
			m.By, m.Source = t.Step(i+1).Piece(), t.Step(i+1).From()
		}
		completes = m.Forced && !m.Pull
		all = append(all, m)
	}
	return all
}

// Victim returns the piece that is captured on a square.
func (m *Move) Victim(s arimaa.Square) arimaa.Piece {
	if s == m.To {
		return m.Piece
	}
	return m.before.At(s)
}

// pulledBy reports whether a displacement completes a pull that the one before it began.
func (m *Move) pulledBy(before *Move, side arimaa.Side) bool {
	return before.Piece.Side() == side && before.From == m.To && before.Piece.Kind() > m.Piece.Kind()
}

// describe says in words what a turn does.
func describe(p arimaa.Position, t arimaa.Turn) string {
	var words []string
	for _, m := range Moves(p, t) {
		text := fmt.Sprintf("%v %v to %v", m.Piece.Kind(), m.From, m.To)
		switch {
		case m.Forced && m.Pull:
			text = fmt.Sprintf("pulling the %s", text)
		case m.Forced:
			text = fmt.Sprintf("the %v pushes the %s", m.By.Kind(), text)
		}
		for rest := m.Captured; rest != 0; rest = rest.Rest() {
			victim := m.Victim(rest.First())
			text += fmt.Sprintf(", the %v %v on %v is captured", victim.Side(), victim.Kind(), rest.First())
		}
		words = append(words, text)
	}
	return strings.Join(words, "; ")
}

// describePieces lists the pieces of both sides, the strongest first.
func describePieces(b *arimaa.Board) string {
	var sides []string
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		var words []string
		for kind := arimaa.Elephant; kind >= arimaa.Rabbit; kind-- {
			for rest := b.Pieces(side, kind); rest != 0; rest = rest.Rest() {
				words = append(words, fmt.Sprintf("%v %v", kind, rest.First()))
			}
		}
		if len(words) > 0 {
			sides = append(sides, fmt.Sprintf("%s: %s.", capital(side.String()), strings.Join(words, ", ")))
		}
	}
	return strings.Join(sides, " ")
}

// capital capitalises an English word.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
