package render

import (
	"fmt"
	"image/color"
	"image/png"
	"io"
	"strconv"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"git.sr.ht/~sbinet/gg"

	"goalproof/arimaa"
)

// The least and the greatest size of a square in a bitmap, in pixels.
const (
	MinSquare = 8
	MaxSquare = 512
)

// PNG writes the picture, as on a light page. The side of a square is given in pixels, MinSquare to
// MaxSquare.
func (p *Picture) PNG(w io.Writer, square int) error {
	if square < MinSquare || square > MaxSquare {
		return fmt.Errorf("squares of %d pixels: they have %d to %d", square, MinSquare, MaxSquare)
	}
	scale := float64(square) / unit
	size := int(extent*scale + .5)
	c := gg.NewContext(size, size)
	c.Scale(scale, scale)
	c.Translate(margin, rim)
	c.SetLineCapRound()
	c.SetLineJoinRound()
	classes := map[string]style{}
	for _, s := range palette {
		classes[s.class] = s
	}
	for _, e := range p.elements() {
		var err error
		switch s := classes[e.class]; {
		case e.piece != arimaa.Empty:
			err = drawPiece(c, e, scale)
		case e.text != "":
			err = drawText(c, e, s, scale)
		default:
			err = draw(c, e.path, s.fill, s.stroke, s.width*scale)
		}
		if err != nil {
			return err
		}
	}
	return png.Encode(w, c.Image())
}

// drawPiece draws a piece.
func drawPiece(c *gg.Context, e element, scale float64) error {
	c.Push()
	defer c.Pop()
	c.Translate(e.x, e.y)
	s, colours := shapes[e.piece.Kind()], pieceColours[e.piece.Side()]
	for _, layer := range []struct {
		path, fill, stroke string
		width              float64
	}{
		{s.body, colours.fill, colours.edge, edgeWidth},
		{s.pale, "#ffffff", colours.edge, paleWidth},
		{s.line, "", colours.line, lineWidth},
		{s.spot, "", colours.line, spotWidth},
	} {
		if err := draw(c, layer.path, layer.fill, layer.stroke, layer.width*scale); err != nil {
			return err
		}
	}
	return nil
}

// drawText draws a text around its middle.
func drawText(c *gg.Context, e element, s style, scale float64) error {
	if err := c.LoadFontFaceFromBytes(liberationsansbold.TTF, s.size*scale); err != nil {
		return err
	}
	rgb, err := colour(s.fill)
	if err != nil {
		return err
	}
	x, y := c.TransformPoint(e.x, e.y)
	c.Push()
	defer c.Pop()
	c.Identity()
	c.SetColor(rgb)
	c.DrawStringAnchored(e.text, x, y, .5, .4)
	return nil
}

// draw fills and strokes a path; the width of the stroke is in pixels.
func draw(c *gg.Context, path, fill, stroke string, width float64) error {
	if err := trace(c, path); err != nil {
		return err
	}
	if fill != "" {
		rgb, err := colour(fill)
		if err != nil {
			return err
		}
		c.SetColor(rgb)
		c.FillPreserve()
	}
	if stroke != "" {
		rgb, err := colour(stroke)
		if err != nil {
			return err
		}
		c.SetColor(rgb)
		c.SetLineWidth(width)
		c.StrokePreserve()
	}
	c.ClearPath()
	return nil
}

// trace adds a path.
func trace(c *gg.Context, path string) error {
	for path != "" {
		command := path[0]
		path = path[1:]
		var at [6]float64
		n := map[byte]int{'M': 2, 'L': 2, 'C': 6, 'Z': 0}[command]
		for i := range n {
			end := 0
			for end < len(path) && (path[end] == '-' || path[end] == '.' || path[end] >= '0' && path[end] <= '9') {
				end++
			}
			var err error
			if at[i], err = strconv.ParseFloat(path[:end], 64); err != nil {
				return fmt.Errorf("path: %w", err)
			}
			if path = path[end:]; path != "" && path[0] == ' ' {
				path = path[1:]
			}
		}
		switch command {
		case 'M':
			c.MoveTo(at[0], at[1])
		case 'L':
			c.LineTo(at[0], at[1])
		case 'C':
			c.CubicTo(at[0], at[1], at[2], at[3], at[4], at[5])
		case 'Z':
			c.ClosePath()
		default:
			return fmt.Errorf("path: command %q", command)
		}
	}
	return nil
}

// colour reads a colour of the form #rrggbb.
func colour(text string) (color.Color, error) {
	rgb, err := strconv.ParseUint(text[1:], 16, 24)
	return color.RGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}, err
}
