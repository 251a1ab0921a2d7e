package render

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"goalproof/arimaa"
	"goalproof/internal/printable"
)

// SVG returns the picture as a file of its own: it refers to nothing outside, and follows the
// reader's choice of a light or dark page.
func (p *Picture) SVG() string {
	var body strings.Builder
	writeElements(&body, p.elements())
	return fmt.Sprintf("%s<style>%s</style><defs>%s</defs>%s</svg>\n", p.head(true, extent), Style(), Symbols(), body.String())
}

// Inline returns the picture for a page that holds Style in a style sheet, and Symbols and Ground
// in an SVG of its own, each once.
func (p *Picture) Inline() string {
	var b strings.Builder
	all := p.elements()
	if !p.Flipped {
		all = all[len(p.empty()):]
		b.WriteString(`<use href="#ground"/>`)
	}
	writeElements(&b, all)
	return p.head(false, extent) + b.String() + "</svg>"
}

// escape returns a text from elsewhere as it stands in markup.
func escape(text string) string { return html.EscapeString(printable.Text(text)) }

// Ground returns the empty board as a group with the identifier ground, which pictures of a page
// share (Inline).
func Ground() string {
	var b strings.Builder
	writeElements(&b, (&Picture{}).empty())
	return `<g id="ground" class="board">` + b.String() + "</g>"
}

// Empty returns a board without pieces and coordinates for a page, with an identifier; content is
// drawn on it, in the units of pictures: squares of 100, a8 at the origin. Seen from the other side
// it is the same.
func Empty(id, content string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="board" id="%s" viewBox="%d %d %d %d" role="img" aria-label="board">`, id, -margin, -rim, extent, extent)
	for _, e := range (&Picture{}).empty() {
		if e.class != "label" {
			writeElements(&b, []element{e})
		}
	}
	return b.String() + content + "</svg>"
}

// head returns the opening tag of a picture of the given height, its title and its description.
func (p *Picture) head(alone bool, height int) string {
	name := ""
	if alone {
		name = ` xmlns="http://www.w3.org/2000/svg"`
	}
	title := escape(cmp.Or(p.Title, fmt.Sprintf("Arimaa board, %v to move", p.Position.Side())))
	return fmt.Sprintf(`<svg%s class="board" viewBox="%d %d %d %d" role="img" aria-label="%s"><title>%s</title><desc>%s</desc>`,
		name, -margin, -rim, extent, height, title, title, escape(p.Describe()))
}

// Describe says what the picture shows, for screen readers: the pieces of both sides, the turn that
// is drawn, and the marks.
func (p *Picture) Describe() string {
	text := describePieces(&p.Position.Board)
	if p.Turn.Len() > 0 {
		text += fmt.Sprintf(" %s plays: %s.", capital(p.Position.Side().String()), describe(p.Position, p.Turn))
	}
	var marks []string
	for rest := p.Marked; rest != 0; rest = rest.Rest() {
		marks = append(marks, rest.First().String())
	}
	for _, a := range p.Pointers {
		marks = append(marks, fmt.Sprintf("%v to %v", a.From, a.To))
	}
	if len(marks) > 0 {
		text += fmt.Sprintf(" Marks: %s.", strings.Join(marks, ", "))
	}
	return text
}

// writeElements writes elements; pieces of a side that follow each other are a group.
func writeElements(b *strings.Builder, all []element) {
	group := "" // the class of the open one
	for _, e := range all {
		class := ""
		if e.piece != arimaa.Empty {
			class = pieceColours[e.piece.Side()].class
		}
		if class != group {
			if group != "" {
				b.WriteString("</g>")
			}
			if group = class; group != "" {
				fmt.Fprintf(b, `<g class="%s">`, group)
			}
		}
		switch {
		case group != "":
			fmt.Fprintf(b, `<use href="#%s" x="%v" y="%v"%s/>`, symbol(e.piece.Kind()), e.x, e.y, e.attributes)
		case e.text != "":
			fmt.Fprintf(b, `<text class="%s" x="%v" y="%v"%s>%s</text>`, e.class, e.x, e.y, e.attributes, escape(e.text))
		default:
			fmt.Fprintf(b, `<path class="%s" d="%s"/>`, e.class, e.path)
		}
	}
	if group != "" {
		b.WriteString("</g>")
	}
}

// symbol returns the identifier of the drawing of a kind.
func symbol(k arimaa.Kind) string { return "piece-" + k.String() }

// Symbols returns the drawings of all kinds of pieces as groups with the identifiers piece-rabbit
// to piece-elephant, to be used within a group of class gold or silver (Style).
func Symbols() string {
	var b strings.Builder
	for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
		s := &shapes[kind]
		fmt.Fprintf(&b, `<g id="%s" stroke-width="%v" stroke-linecap="round" stroke-linejoin="round"><path d="%s"/>`,
			symbol(kind), edgeWidth, s.body)
		if s.pale != "" {
			fmt.Fprintf(&b, `<path d="%s" fill="#fff" stroke-width="%v"/>`, s.pale, paleWidth)
		}
		if s.line != "" {
			fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="currentColor" stroke-width="%v"/>`, s.line, lineWidth)
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="currentColor" stroke-width="%v"/></g>`, s.spot, spotWidth)
	}
	return b.String()
}

// Style returns the style sheet of pictures.
func Style() string {
	var light, dark strings.Builder
	rule := func(class, property, value, darkValue string) {
		if value == "" {
			value = "none"
		}
		fmt.Fprintf(&light, "%s:%s;", property, value)
		if darkValue != "" {
			fmt.Fprintf(&dark, ".board .%s{%s:%s}", class, property, darkValue)
		}
	}
	for _, s := range palette {
		fmt.Fprintf(&light, ".board .%s{", s.class)
		rule(s.class, "fill", s.fill, s.darkFill)
		if s.stroke != "" {
			rule(s.class, "stroke", s.stroke, s.darkStroke)
			fmt.Fprintf(&light, "stroke-width:%v;stroke-linejoin:round;stroke-linecap:round", s.width)
		}
		if s.size > 0 {
			fmt.Fprintf(&light, "font:bold %vpx sans-serif;text-anchor:middle;dominant-baseline:central", s.size)
		}
		light.WriteByte('}')
	}
	for _, c := range pieceColours {
		fmt.Fprintf(&light, ".board .%s{fill:%s;stroke:%s;color:%s}", c.class, c.fill, c.edge, c.line)
	}
	return light.String() + "@media screen and (prefers-color-scheme:dark){" + dark.String() + "}"
}
