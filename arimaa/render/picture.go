package render

import (
	"fmt"
	"math"
	"strings"

	"goalproof/arimaa"
)

// Picture is a board to be drawn.
type Picture struct {
	Position arimaa.Position
	Title    string          // for screen readers; "": says who is to move
	Turn     arimaa.Turn     // drawn with arrows from Position; may be empty
	Last     arimaa.Turn     // led to Position: its squares have a frame; may be empty
	Marked   arimaa.Bitboard // squares with a ring
	Pointers []Pointer       // drawn with arrows above all else
	Flipped  bool            // silver's home ranks are below
}

// Pointer is an arrow between two squares that stands for no step.
type Pointer struct{ From, To arimaa.Square }

// Lengths are in hundredths of a square. The board is 800 by 800, with a margin for the
// coordinates.
const (
	unit   = 100
	margin = 44 // to the left and below
	rim    = 8  // above and to the right
	extent = 8*unit + margin + rim
)

// element is something that is drawn: a path, a piece or a text, by the style of its class.
type element struct {
	class string
	path  string       // M, L, C and Z, absolute
	piece arimaa.Piece // if not Empty
	text  string
	x, y  float64 // of the upper left corner of a piece, and of the middle of a text
	// attributes are further ones of a piece or text in SVG, with a blank before each.
	attributes string
}

// style is how the elements of a class look, on a light and on a dark page.
type style struct {
	class                string
	fill, stroke         string // "" for none
	width                float64
	darkFill, darkStroke string  // "": as on a light page
	size                 float64 // of a text
}

// palette holds the styles. Gold is light with dark lines and silver is dark with light lines, so
// that the two differ in grey as well; the squares lie between them on light and dark pages.
var palette = []style{
	{class: "frame", fill: "#dccfb2", darkFill: "#2a2e33"},
	{class: "light", fill: "#f3ebdb", darkFill: "#a4aab0"},
	{class: "dark", fill: "#eae0ca", darkFill: "#989fa6"},
	{class: "trap", fill: "#d3ab97", darkFill: "#7d6660"},
	{class: "cross", stroke: "#a06a53", width: 6, darkStroke: "#54403b"},
	{class: "last", stroke: "#4f94d4", width: 7, darkStroke: "#2f6ea8"},
	{class: "ring", stroke: "#0b6e4f", width: 8},
	{class: "pointer", fill: "#0b6e4f", stroke: "#ffffff", width: 5},
	{class: "label", fill: "#3b3425", darkFill: "#d8dce0", size: 28},
	{class: "grip", stroke: "#e8730c", width: 30},
	{class: "own", fill: "#1659b8", stroke: "#ffffff", width: 5},
	{class: "forced", fill: "#ffffff", stroke: "#b4540a", width: 8},
	{class: "badge", fill: "#ffffff", stroke: "#1659b8", width: 4},
	{class: "number", fill: "#0d2f63", size: 25},
	{class: "lostEdge", stroke: "#ffffff", width: 22},
	{class: "lost", stroke: "#c4161c", width: 13},
}

// pieceColours holds the fill, the edge and the inner lines of each side's pieces.
var pieceColours = [2]struct{ class, fill, edge, line string }{
	arimaa.Gold:   {"gold", "#f6c83f", "#20180a", "#20180a"},
	arimaa.Silver: {"silver", "#3b4550", "#10151a", "#f4f4f4"},
}

// darkSquares holds every other square, a1 among them.
const darkSquares arimaa.Bitboard = 0xaa55aa55aa55aa55

// corner returns the upper left corner of a square.
func (p *Picture) corner(s arimaa.Square) (x, y float64) {
	file, rank := int(s)%8, int(s)/8
	if p.Flipped {
		file, rank = 7-file, 7-rank
	}
	return float64(file * unit), float64((7 - rank) * unit)
}

// middle returns the middle of a square.
func (p *Picture) middle(s arimaa.Square) point {
	x, y := p.corner(s)
	return point{x + unit/2, y + unit/2}
}

// elements returns everything that is drawn, from the bottom up.
func (p *Picture) elements() (all []element) {
	add := func(class, path string) {
		if path != "" {
			all = append(all, element{class: class, path: path})
		}
	}
	all = p.empty()
	add("last", p.squares(ends(p.Last), 5))
	add("ring", p.squares(p.Marked, 7))
	moves := Moves(p.Position, p.Turn)
	var grips strings.Builder
	for _, m := range moves {
		if m.Forced {
			grips.WriteString(fmt.Sprintf("M%vL%v", p.middle(m.Source), p.middle(m.From)))
		}
	}
	add("grip", grips.String())
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		for s := arimaa.Square(0); s < 64; s++ {
			if piece := p.Position.At(s); piece != arimaa.Empty && piece.Side() == side {
				x, y := p.corner(s)
				all = append(all, element{piece: piece, x: x, y: y})
			}
		}
	}
	all = append(all, p.arrows(moves)...)
	for _, a := range p.Pointers {
		add("pointer", arrow(p.middle(a.From), p.middle(a.To), 14, 9))
	}
	return all
}

// empty returns the board without pieces.
func (p *Picture) empty() (all []element) {
	add := func(class, path string) { all = append(all, element{class: class, path: path}) }
	add("frame", box(-margin, -rim, extent))
	add("light", box(0, 0, 8*unit))
	add("dark", p.squares(darkSquares, 0))
	add("trap", p.squares(arimaa.Traps, 0))
	var crosses strings.Builder
	for rest := arimaa.Traps; rest != 0; rest = rest.Rest() {
		crosses.WriteString(p.crossed(rest.First(), 34))
	}
	add("cross", crosses.String())
	for i := range 8 {
		file := arimaa.Square(i)
		rank := arimaa.Square(8 * i)
		if p.Flipped {
			file, rank = file+56, rank+7
		}
		x, _ := p.corner(file)
		_, y := p.corner(rank)
		all = append(all, element{class: "label", text: "abcdefgh"[i : i+1], x: x + unit/2, y: 8*unit + margin/2},
			element{class: "label", text: fmt.Sprint(i + 1), x: -margin / 2, y: y + unit/2})
	}
	return all
}

// arrows returns an arrow for each displacement, with its number, and a cross for each capture.
func (p *Picture) arrows(moves []Move) (all []element) {
	var badges []element
	again := map[[2]arimaa.Square]float64{} // how often an arrow has gone this way
	for i, m := range moves {
		a, b, way := p.middle(m.From), p.middle(m.To), [2]arimaa.Square{m.From, m.To}
		class := "own"
		if m.Forced {
			class = "forced"
		}
		all = append(all, element{class: class, path: arrow(a, b, 20, beside)})
		at := along(a, b, 38+36*again[way], beside)
		again[way]++
		badges = append(badges, element{class: "badge", path: circle(at, 17)},
			element{class: "number", text: fmt.Sprint(i + 1), x: at.x, y: at.y})
	}
	all = append(all, badges...)
	for _, m := range moves {
		for rest := m.Captured; rest != 0; rest = rest.Rest() {
			cross := p.crossed(rest.First(), 26)
			all = append(all, element{class: "lostEdge", path: cross}, element{class: "lost", path: cross})
		}
	}
	return all
}

// ends returns the squares on which the pieces that a turn moves began, and those on which they are
// after it.
func ends(t arimaa.Turn) (all arimaa.Bitboard) {
	var met arimaa.Bitboard
	for i := range t.Len() {
		from, to := t.Step(i).From().Set(), t.Step(i).To().Set()
		all = all&^(from&met) | from&^met | to
		met |= to
	}
	return all
}

// squares returns the outline of each square of a set, drawn in by inset on each side.
func (p *Picture) squares(set arimaa.Bitboard, inset float64) string {
	var b strings.Builder
	for ; set != 0; set = set.Rest() {
		x, y := p.corner(set.First())
		b.WriteString(box(x+inset, y+inset, unit-2*inset))
	}
	return b.String()
}

// crossed returns two diagonals across the middle of a square; r is half their width.
func (p *Picture) crossed(s arimaa.Square, r float64) string {
	c := p.middle(s)
	return fmt.Sprintf("M%vL%vM%vL%v", point{c.x - r, c.y - r}, point{c.x + r, c.y + r},
		point{c.x - r, c.y + r}, point{c.x + r, c.y - r})
}

// point is a place on the picture.
type point struct{ x, y float64 }

// String writes a point as in a path, rounded to a tenth of a unit.
func (p point) String() string {
	return fmt.Sprintf("%v %v", math.Round(10*p.x)/10, math.Round(10*p.y)/10)
}

// box returns the outline of a square.
func box(x, y, size float64) string {
	return fmt.Sprintf("M%vL%vL%vL%vZ", point{x, y}, point{x + size, y}, point{x + size, y + size}, point{x, y + size})
}

// circle returns a circle of four Bézier curves.
func circle(c point, r float64) string {
	k := 0.5523 * r
	return fmt.Sprintf("M%vC%v %v %vC%v %v %vC%v %v %vC%v %v %vZ", point{c.x + r, c.y},
		point{c.x + r, c.y + k}, point{c.x + k, c.y + r}, point{c.x, c.y + r},
		point{c.x - k, c.y + r}, point{c.x - r, c.y + k}, point{c.x - r, c.y},
		point{c.x - r, c.y - k}, point{c.x - k, c.y - r}, point{c.x, c.y - r},
		point{c.x + k, c.y - r}, point{c.x + r, c.y - k}, point{c.x + r, c.y})
}

// beside is how far the arrow of a displacement keeps to its right: beside the face of a piece, and
// so that arrows in opposite directions do not cover each other.
const beside = 30

// along returns the point that lies far units from a in the direction of b, and right units to the
// right of that line.
func along(a, b point, far, right float64) point {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	dx, dy := (b.x-a.x)/length, (b.y-a.y)/length
	return point{a.x + dx*far - dy*right, a.y + dy*far + dx*right}
}

// arrow returns the outline of an arrow from a square to another one, given their middles. It
// begins so far from the first, and keeps so far to its right.
func arrow(a, b point, start, aside float64) string {
	var out strings.Builder
	head := math.Hypot(b.x-a.x, b.y-a.y) - 40
	for i, at := range [...]point{{start, -8}, {head, -8}, {head, -24}, {head + 33, 0}, {head, 24}, {head, 8}, {start, 8}} {
		out.WriteByte("ML"[min(i, 1)])
		out.WriteString(along(a, b, at.x, at.y+aside).String())
	}
	return out.String() + "Z"
}
