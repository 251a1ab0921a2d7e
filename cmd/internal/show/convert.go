package show

import (
	"fmt"

	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
)

// write writes one position or game.
func write(t cli.Terminal, c *inputs.Writer, it inputs.Item) error {
	w, err := it.Entry.Written()
	if err != nil {
		return err
	}
	if w.Name == "" {
		w.Name = it.Name
	}
	if it.Game != nil && it.Game.Len() < w.Game.Main.Len() { // by --turn: the claim is about another position
		w = notation.Written{Game: w.Game.At(it.Game.Len()), Name: w.Name}
	}
	c.Write(w, func(string) { draw(t, it) })
	return nil
}

// draw draws one position.
func draw(t cli.Terminal, it inputs.Item) {
	// The notes are comments, so that the output can be read again.
	fmt.Fprintf(t.Out, "# %s\n%s", it.Name, render.Board(it.Diagram, t.Styled))
	p := it.Diagram.Position
	outcome := p.Ended(p.Side().Other())
	if it.Game != nil {
		outcome = it.Game.Outcome()
		if end := it.Game.End(); end != "" {
			fmt.Fprintf(t.Out, "# the record ends: %v %s\n", p.Side(), end)
		}
	}
	if outcome.Over() {
		fmt.Fprintf(t.Out, "# the game is over: %v has won (%v)\n", outcome.Winner, outcome.Reason)
	}
}
