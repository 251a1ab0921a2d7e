package render

import "goalproof/arimaa"

// Shape is a part of a picture, for programs that draw it themselves. It is a path (M, L, C and Z,
// absolute), one of the Symbols with its upper left corner, or a text with its middle. Class names
// its style (Style); that of a symbol is the class of the group in which it belongs, gold or
// silver.
type Shape struct {
	Class  string  `json:"class"`
	Path   string  `json:"path,omitempty"`
	Symbol string  `json:"symbol,omitempty"`
	Text   string  `json:"text,omitempty"`
	X      float64 `json:"x,omitempty"`
	Y      float64 `json:"y,omitempty"`
}

// Shapes returns what the picture shows on an empty board without coordinates (Empty), from the
// bottom up.
func (p *Picture) Shapes() (all []Shape) {
	empty := len(p.empty())
	for i, e := range p.elements() {
		if i < empty && e.class != "label" {
			continue
		}
		s := Shape{Class: e.class, Path: e.path, Text: e.text, X: e.x, Y: e.y}
		if e.piece != arimaa.Empty {
			s.Class, s.Symbol = pieceColours[e.piece.Side()].class, symbol(e.piece.Kind())
		}
		all = append(all, s)
	}
	return all
}
