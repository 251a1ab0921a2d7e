package proof

import (
	"fmt"
	"strings"
)

// Hole is where a certificate proves nothing: the reason why [Certificate.Check] rejects it.
type Hole struct {
	// Line is where the entry, or the line of the game, stands in its file, from 1; 0 when the
	// certificate was built in memory or the hole is in neither.
	Line     int
	Position string // the position of the entry, or before the turn of the game, in short form
	Reply    string // a turn of the defender's that is not met, in notation, if that is the hole
	After    string // the position after Reply
	Reason   string // what is wrong
}

// Error names the place, as far as it is known, and the reason.
func (h *Hole) Error() string {
	var b strings.Builder
	b.WriteString(place(h.Line, h.Position))
	if h.Reply != "" {
		fmt.Fprintf(&b, "the reply %s is not met: ", h.Reply)
	}
	b.WriteString(h.Reason)
	if h.After != "" {
		fmt.Fprintf(&b, "; it leads to %s", h.After)
	}
	return b.String()
}

// place names a line of the file and a position, as far as they are known.
func place(line int, position string) (text string) {
	if line > 0 {
		text = fmt.Sprintf("line %d: ", line)
	}
	if position != "" {
		text += fmt.Sprintf("at %s: ", position)
	}
	return text
}

// hole is a hole in this entry.
func (e *Entry) hole(format string, args ...any) *Hole {
	return &Hole{Line: e.line, Position: e.Position, Reason: fmt.Sprintf(format, args...)}
}
