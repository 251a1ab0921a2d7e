// Package render draws boards for people: as text, as SVG and PNG with arrows for a turn, and lines
// of turns as animated SVG. The shapes of the pieces are paths of its own, which every output
// draws.
package render

import (
	"strings"

	"github.com/fatih/color"

	"goalproof/arimaa/notation"
)

// Board draws a position with the number of the next turn, in the long form that every Arimaa
// program reads. If styled, it adds colours for a terminal: Gold's pieces yellow, Silver's cyan,
// traps red.
func Board(d notation.Diagram, styled bool) string {
	text := d.Long()
	if !styled {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.Contains(line, "|") {
			lines[i] = paint(line)
		}
	}
	return strings.Join(lines, "")
}

// paint colours a rank of the board.
func paint(rank string) string {
	var b strings.Builder
	for _, c := range rank {
		switch {
		case c == 'x':
			b.WriteString(styles.trap.Sprint("x"))
		case c >= 'A' && c <= 'Z':
			b.WriteString(styles.gold.Sprintf("%c", c))
		case c >= 'a' && c <= 'z':
			b.WriteString(styles.silver.Sprintf("%c", c))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

var styles = struct{ gold, silver, trap *color.Color }{
	always(color.FgHiYellow, color.Bold), always(color.FgHiCyan, color.Bold), always(color.FgRed),
}

// always returns a colour that is used even if the output is no terminal.
func always(attributes ...color.Attribute) *color.Color {
	c := color.New(attributes...)
	c.EnableColor()
	return c
}
