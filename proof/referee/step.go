package referee

import (
	"fmt"
	"strings"
)

// Step is one displacement: a piece of either side goes from a square to one next to it. A push or
// a pull is two of them.
type Step struct {
	Piece    byte // the piece's letter
	From, To int  // squares, 0 to 63
}

// String is the step in the notation of docs/rules.md, "Notation", for example "Ee2n". A Step
// between squares that are not next to each other, which no rule allows, is written with a hyphen:
// "Ee2-e4".
func (t Step) String() string {
	if !onBoard(t.From) || !onBoard(t.To) {
		return fmt.Sprintf("%c%s-%s", t.Piece, SquareName(t.From), SquareName(t.To))
	}
	d, ok := direction(t.From, t.To)
	if !ok {
		return fmt.Sprintf("%c%s-%s", t.Piece, SquareName(t.From), SquareName(t.To))
	}
	return string(t.Piece) + SquareName(t.From) + directions[d:d+1]
}

// ParseStep reads a step such as "Ee2n". It is an error if the text is not a piece, a square and a
// direction, or if the step would leave the board. Whether the step is legal is not asked here.
func ParseStep(text string) (Step, error) {
	if len(text) != 4 {
		return Step{}, fmt.Errorf("%q is not a step: want a piece, a square and a direction, such as Ee2n", text)
	}
	if !isPiece(text[0]) {
		return Step{}, fmt.Errorf("step %q: %q is not a piece", text, text[:1])
	}
	from, err := ParseSquare(text[1:3])
	if err != nil {
		return Step{}, fmt.Errorf("step %q: %w", text, err)
	}
	d := strings.IndexByte(directions, text[3])
	if d < 0 {
		return Step{}, fmt.Errorf("step %q: %q is not a direction (n, s, e or w)", text, text[3:])
	}
	to, ok := neighbour(from, d)
	if !ok {
		return Step{}, fmt.Errorf("step %q leaves the board", text)
	}
	return Step{Piece: text[0], From: from, To: to}, nil
}

// onBoard reports whether the number is that of a square.
func onBoard(square int) bool { return 0 <= square && square <= 63 }

// Capture is a piece removed from a trap.
type Capture struct {
	Piece  byte // the piece's letter
	Square int  // the trap, 0 to 63
}

// String is the capture in the notation of docs/rules.md, "Notation", for example "hc3x".
func (c Capture) String() string {
	return string(c.Piece) + SquareName(c.Square) + "x"
}
