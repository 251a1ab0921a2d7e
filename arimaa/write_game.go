package arimaa

import (
	"fmt"
	"strings"
)

// older writes a turn number with w or b, which every program reads.
func older(number int, side Side) string { return fmt.Sprintf("%d%c", number, "wb"[side]) }

// Turns writes the game as a list of turns, one a line, as [ReadGame] reads it and
// as the planning windows and files of other programs hold it: the setup, or the
// pieces of the first position, then the turns with their captures, and last the
// label of the turn to come. The sides are w and b.
func (g *Game) Turns() string {
	var b strings.Builder
	first := g.positions[0]
	for _, side := range []Side{Gold, Silver} {
		b.WriteString(older(1, side))
		for _, p := range g.placements(side) {
			b.WriteString(" " + p.String())
		}
		b.WriteByte('\n')
	}
	if first.side == Silver && g.first == defaultNumber {
		b.WriteString("2w pass\n")
	}
	for i, t := range g.turns {
		fmt.Fprintf(&b, "%s %s\n", older(g.number(i), g.positions[i].side), g.positions[i].Notation(t))
	}
	next := older(g.number(g.Len()), g.Last().side)
	if g.end != "" {
		next += " " + g.end
	}
	b.WriteString(next + "\n")
	return b.String()
}

// placements returns how the first position of side was set up.
func (g *Game) placements(side Side) []Placement {
	if len(g.setup[side]) > 0 {
		return g.setup[side]
	}
	var all []Placement
	first := &g.positions[0]
	for rest := first.Of(side); rest != 0; rest = rest.Rest() {
		s := rest.First()
		all = append(all, Placement{first.At(s), s})
	}
	return all
}
