package referee

import (
	"fmt"
	"strings"
)

// ParsePosition reads a position in the short form of docs/rules.md, "Notation": the letter of the
// side to move, a blank and 64 characters in brackets, a8 to h8 first and a1 to h1 last, with a
// blank or a dot for an empty square. The letters w and b of older records are read as g and s. The
// result is the start of a turn. It is an error if the text has any other form.
func ParsePosition(text string) (State, error) {
	text = strings.TrimSpace(text)
	if len(text) != len("g []")+64 || text[1:3] != " [" || text[len(text)-1] != ']' {
		return State{}, fmt.Errorf("position %q: want the side to move and 64 squares in brackets, such as g [...]", text)
	}
	var side Side
	switch text[0] {
	case 'g', 'w':
		side = Gold
	case 's', 'b':
		side = Silver
	default:
		return State{}, fmt.Errorf("position %q: the side to move is g or s, not %q", text, text[:1])
	}
	squares := text[3 : 3+64]
	b := EmptyBoard()
	for i := range b {
		square := 8*(7-i/8) + i%8
		switch c := squares[i]; {
		case isPiece(c):
			b[square] = c
		case c == ' ' || c == '.':
		default:
			return State{}, fmt.Errorf("position %q: %q on %s is not a piece", text, squares[i:i+1], SquareName(square))
		}
	}
	return NewState(b, side), nil
}

// Position is the board and the side whose turn it is in the short form that [ParsePosition] reads,
// with blanks for empty squares. How far the turn has come is not part of it.
func (s State) Position() string {
	var text strings.Builder
	text.WriteString(s.Side.String() + " [")
	for rank := 7; rank >= 0; rank-- {
		text.Write(s.Board[8*rank : 8*rank+8])
	}
	text.WriteString("]")
	return text.String()
}
