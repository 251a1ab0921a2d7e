package inputs

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"goalproof/arimaa/notation"
)

// FormNames returns the names of the notations with a word before the last one.
func FormNames(conjunction string) string {
	var all []string
	for _, f := range notation.Forms() {
		all = append(all, f.Name)
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " " + conjunction + " " + all[last]
}

// FormNamed returns the notation that --as names.
func FormNamed(name string) (notation.Form, error) {
	form, ok := notation.FormNamed(name)
	if !ok {
		return form, fmt.Errorf("--as %s: the notations are %s", name, FormNames("and"))
	}
	return form, nil
}

// Writer writes positions and games in a notation.
type Writer struct {
	Out     io.Writer
	Form    notation.Form
	Written int // entries
	lost    []loss
}

// loss is something that the notation does not hold.
type loss struct {
	what  string
	times int // entries that have it
}

// Write writes one position or game. A board is left to the function, which gets its text.
func (c *Writer) Write(w notation.Written, board func(text string)) {
	switch {
	case c.Written == 0:
		fmt.Fprint(c.Out, c.Form.Head)
	case c.Form.Name == "board" || c.Form.Name == "annotated" || c.Form.Name == "post":
		fmt.Fprintln(c.Out)
	}
	text, lost := c.Form.Write(w)
	if c.Form.Name == "board" {
		board(text)
	} else {
		fmt.Fprint(c.Out, text)
	}
	c.Written++
	for _, what := range lost {
		i := slices.IndexFunc(c.lost, func(l loss) bool { return l.what == what })
		if i < 0 {
			i = len(c.lost)
			c.lost = append(c.lost, loss{what: what})
		}
		c.lost[i].times++
	}
}

// Report names what the notation did not hold. The word is that for an entry.
func (c *Writer) Report(w io.Writer, entries string) {
	for _, l := range c.lost {
		of := ""
		if l.times < c.Written {
			of = fmt.Sprintf(" (%d of %d %s)", l.times, c.Written, entries)
		}
		fmt.Fprintf(w, "goalproof: --as %s leaves out %s%s\n", c.Form.Name, l.what, of)
	}
}
