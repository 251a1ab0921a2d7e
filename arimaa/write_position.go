package arimaa

import (
	"fmt"
	"strings"
)

// String writes the position in short form, with spaces for empty squares.
func (p Position) String() string {
	squares := make([]byte, 64)
	for n := range squares {
		squares[n] = p.At(squareInReadingOrder(n)).Letter()
	}
	return fmt.Sprintf("%c [%s]", p.side.Letter(), squares)
}

// Long writes the diagram in long form, ending with a newline; traps are shown as
// x when empty. A Number of 0 is written as 2, the first turn after the setup.
func (d Diagram) Long() string {
	var b strings.Builder
	number := d.Number
	if number == 0 {
		number = defaultNumber
	}
	fmt.Fprintf(&b, "%s\n +-----------------+\n", TurnLabel(number, d.Position.side))
	for rank := 8; rank >= 1; rank-- {
		fmt.Fprintf(&b, "%d|", rank)
		for file := range 8 {
			s := Square(8*(rank-1) + file)
			letter := d.Position.At(s).Letter()
			if letter == ' ' && Traps.Has(s) {
				letter = 'x'
			}
			b.WriteByte(' ')
			b.WriteByte(letter)
		}
		b.WriteString(" |\n")
	}
	b.WriteString(" +-----------------+\n   a b c d e f g h\n")
	return b.String()
}
