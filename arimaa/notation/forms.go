package notation

import (
	"cmp"
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// Form is a way to write a position, or a game with its position. All of them are read again by
// [Read].
type Form struct {
	Name  string
	About string // for a list of forms, in a few words
	Game  bool   // it holds the whole game; otherwise it holds its last position alone
	write func(d Diagram, g *arimaa.Game) string
}

// Write writes a game, or a position if there is no game, ending with a newline.
func (f Form) Write(d Diagram, g *arimaa.Game) string {
	if g != nil {
		d = Diagram{Position: g.Last(), Number: g.Number(g.Len())}
	}
	d.Number = cmp.Or(d.Number, arimaa.FirstTurn)
	return f.write(d, g)
}

// Forms returns the forms that are written, the one for people first.
func Forms() []Form {
	return []Form{
		{"board", "a board in long form, as most programs read it", false, writeBoard},
		{"short", "g [64 squares], a8 to h1", false, writeShort},
		{"ranks", "a turn such as 22g, then rrrddrrr/8/... in one line, as bot_sharp reads it", false, writeRanks},
		{"4steps", "pieces with their squares and the side to move, as the client 4steps pastes them", false, writePieces},
		{"turns", "a list of turns: the setup, or the pieces of the first position, then the turns", true, writeTurns},
		{"annotated", "a game in the shape of the PGN files of chess", true, writeAnnotated},
		{"aei", "the commands of the Arimaa Engine Interface that lead there", true, writeCommands},
	}
}

// FormNamed returns a form by its name.
func FormNamed(name string) (Form, bool) {
	for _, f := range Forms() {
		if f.Name == name {
			return f, true
		}
	}
	return Form{}, false
}

func writeBoard(d Diagram, _ *arimaa.Game) string { return d.Long() }

func writeShort(d Diagram, _ *arimaa.Game) string { return d.Position.String() + "\n" }

// writeTurns writes a list of turns. A position alone with Gold to move counts as that of turn 2:
// only a label without a turn could say another number, and pyrimaa fails on such a label.
func writeTurns(d Diagram, g *arimaa.Game) string {
	if g == nil && d.Position.Side() == arimaa.Gold {
		d.Number = arimaa.FirstTurn
	}
	return Turns(game(d, g))
}

// game returns a game without turns where there is none.
func game(d Diagram, g *arimaa.Game) *arimaa.Game {
	if g == nil {
		g = arimaa.NewGame(d.Position, d.Number)
	}
	return g
}

// writeRanks writes the ranks of a position with slashes between them, below the turn to come.
func writeRanks(d Diagram, _ *arimaa.Game) string {
	var b strings.Builder
	b.WriteString(arimaa.TurnLabel(d.Number, d.Position.Side()) + "\n")
	for rank := 8; rank >= 1; rank-- {
		empty := 0
		for file := range 8 {
			p := d.Position.At(arimaa.Square(8*(rank-1) + file))
			if p == arimaa.Empty {
				empty++
			}
			if empty > 0 && (p != arimaa.Empty || file == 7) {
				fmt.Fprint(&b, empty)
				empty = 0
			}
			if p != arimaa.Empty {
				b.WriteByte(p.Letter())
			}
		}
		if rank > 1 {
			b.WriteByte('/')
		}
	}
	return b.String() + "\n"
}

// writePieces writes the pieces of both sides and then the side to move.
func writePieces(d Diagram, _ *arimaa.Game) string {
	var words []string
	g := arimaa.NewGame(d.Position, d.Number)
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		for _, p := range g.Setup(side) {
			words = append(words, p.String())
		}
	}
	return strings.Join(append(words, string(d.Position.Side().Letter())), " ") + "\n"
}

// writeAnnotated writes a game with its result, without comments.
func writeAnnotated(d Diagram, g *arimaa.Game) string {
	g = game(d, g)
	result := "*"
	if o := g.Outcome(); o.Over() {
		result = [2]string{"1-0", "0-1"}[o.Winner]
	}
	return fmt.Sprintf("[Result %q]\n\n%s%s\n", result, Turns(g), result)
}

// writeCommands writes the commands that set a position up: newgame and the setups of an ordinary
// game, otherwise the first position; then the turns.
func writeCommands(d Diagram, g *arimaa.Game) string {
	g = game(d, g)
	var b strings.Builder
	first := g.Position(0)
	gold, silver := g.Setup(arimaa.Gold), g.Setup(arimaa.Silver)
	if g.Len() > 0 && g.Number(0) == arimaa.FirstTurn && first.Side() == arimaa.Gold && len(gold) > 0 && len(silver) > 0 {
		b.WriteString("newgame\n")
		for _, setup := range [][]arimaa.Placement{gold, silver} {
			b.WriteString("makemove")
			for _, p := range setup {
				b.WriteString(" " + p.String())
			}
			b.WriteByte('\n')
		}
	} else {
		fmt.Fprintf(&b, "setposition %v\n", first)
	}
	for i := range g.Len() {
		p := g.Position(i)
		fmt.Fprintf(&b, "makemove %s\n", p.Notation(g.Turn(i)))
	}
	return b.String()
}
