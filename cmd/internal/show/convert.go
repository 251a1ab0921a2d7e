package show

import (
	"fmt"
	"slices"

	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
)

// converter writes positions and games in a notation.
type converter struct {
	t       cli.Terminal
	form    notation.Form
	written int // entries
	lost    []loss
}

// loss is something that the notation does not hold.
type loss struct {
	what  string
	times int // entries that have it
}

// write writes one position or game.
func (c *converter) write(it inputs.Item) error {
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
	switch {
	case c.written == 0:
		fmt.Fprint(c.t.Out, c.form.Head)
	case c.form.Name == "board" || c.form.Name == "annotated" || c.form.Name == "post":
		fmt.Fprintln(c.t.Out)
	}
	text, lost := c.form.Write(w)
	if c.form.Name == "board" {
		draw(c.t, it)
	} else {
		fmt.Fprint(c.t.Out, text)
	}
	c.written++
	for _, what := range lost {
		i := slices.IndexFunc(c.lost, func(l loss) bool { return l.what == what })
		if i < 0 {
			i = len(c.lost)
			c.lost = append(c.lost, loss{what: what})
		}
		c.lost[i].times++
	}
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

// report names what the notation did not hold.
func (c *converter) report() {
	for _, l := range c.lost {
		of := ""
		if l.times < c.written {
			of = fmt.Sprintf(" (%d of %d inputs)", l.times, c.written)
		}
		fmt.Fprintf(c.t.Err, "goalproof: --as %s leaves out %s%s\n", c.form.Name, l.what, of)
	}
}
