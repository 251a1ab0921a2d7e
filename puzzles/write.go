package puzzles

import (
	"fmt"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/printable"
)

// MinedColumns is the header above the rows of mined puzzles.
const MinedColumns = "position\tclaim\tsolution\tname\tpieces\treplies\ttries\tquiet\tdifficulty\twinning\tthemes"

// Row returns the puzzle under a name as a row of a table with the columns [MinedColumns], without
// the end of the line. A win in one has no difficulty.
func (m *Mined) Row(name string) string {
	quiet := "no"
	if m.Quiet {
		quiet = "yes"
	}
	difficulty := ""
	if m.Turns > 1 {
		difficulty = fmt.Sprintf("%.1f", m.Difficulty())
	}
	p := m.Position
	return fmt.Sprintf("%v\t%d\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%d\t%v", p, m.Turns, p.Notation(m.Solution), printable.Cell(name),
		m.Pieces, m.Replies, m.Tries, quiet, difficulty, m.Solutions, m.Themes)
}

// ArimaaText returns the puzzle under a name as the text that arimaa.com publishes, the form puzzle
// of [notation.Forms].
func (m *Mined) ArimaaText(name string) string {
	form, _ := notation.FormNamed("puzzle")
	text, _ := form.Write(notation.Written{
		Game: notation.Line(arimaa.NewGame(m.Position, arimaa.FirstTurn)), Name: fmt.Sprintf("%s: win in %d", name, m.Turns),
		Claim: m.Turns, Solution: m.Position.Notation(m.Solution),
	})
	return text
}

// FourSteps returns the puzzle as a record in a puzzle file of the client 4steps, 36 bytes:
//
//	bytes 0 to 31   the board, two squares a byte, a1 in the low half of the first, then b1 ... h1, a2 ... h8: 15 for an
//	                empty square, otherwise 2 x kind + side (rabbit 0 ... elephant 5; gold 0, silver 1)
//	bytes 32 to 35  the solution, a step a byte: the square it leaves + 64 x direction (south 0, west 1, east 2, north 3);
//	                0 ends a shorter one
//
// Gold is to move in all of them: where it is Silver, the sides are exchanged and the board is
// turned by 180 degrees.
func (m *Mined) FourSteps() (record [36]byte) {
	turned := m.Position.Side() == arimaa.Silver
	for i := range 64 {
		s, exchange := arimaa.Square(i), 0
		if turned {
			s, exchange = 63-s, 1
		}
		half := byte(15)
		if p := m.Position.At(s); p != arimaa.Empty {
			half = byte(2*int(p.Kind()-arimaa.Rabbit) + (int(p.Side()) ^ exchange))
		}
		record[i/2] |= half << (4 * (i % 2))
	}
	for i := range m.Solution.Len() {
		step := m.Solution.Step(i)
		s, d := step.From(), step.Direction()
		if turned {
			s, d = 63-s, (d+2)%4
		}
		record[32+i] = byte(s) + 64*directions[d]
	}
	return record
}

// directions are the codes of 4steps.
var directions = [4]byte{arimaa.South: 0, arimaa.West: 1, arimaa.East: 2, arimaa.North: 3}
