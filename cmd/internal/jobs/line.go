package jobs

import (
	"fmt"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// line is a game as it travels.
type line struct {
	Start  string // the first position
	Number int    // of the first turn
	Turns  []uint32
}

// lineOf returns the line of a game.
func lineOf(g *arimaa.Game) line {
	first := g.Last()
	if g.Len() > 0 {
		first = g.Position(0)
	}
	l := line{Start: first.String(), Number: g.Number(0)}
	for i := range g.Len() {
		t := g.Turn(i)
		l.Turns = append(l.Turns, t.Code())
	}
	return l
}

// played returns the game. The error says that a turn of it is not legal.
func (l *line) played() (*arimaa.Game, error) {
	first, err := notation.ParsePosition(l.Start)
	if err != nil {
		return nil, err
	}
	g := arimaa.NewGame(first, l.Number)
	for i, code := range l.Turns {
		p := g.Last()
		t, _, ok := p.Decode(code)
		if !ok {
			return nil, fmt.Errorf("turn %d of the game is not legal", i+1)
		}
		if err := g.Play(t); err != nil {
			return nil, fmt.Errorf("turn %d of the game: %w", i+1, err)
		}
	}
	return g, nil
}
