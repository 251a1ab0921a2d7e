// Package figure draws plots as SVG, all with the same letters and colours.
package figure

import (
	"bytes"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colours are those of Okabe and Ito (2008), distinguishable with any colour vision, except black
// and yellow.
var Colours = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{230, 159, 0, 255}, color.RGBA{86, 180, 233, 255},
}

// Dashes are those of a broken line.
var Dashes = []vg.Length{vg.Points(4), vg.Points(3)}

// Margin is the space around a plot.
const Margin = vg.Length(6)

// letters is the font of all texts.
var letters = font.Font{Typeface: "Liberation", Variant: "Sans", Size: 10}

// New returns an empty plot with titles of its axes.
func New(x, y string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, style := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		*style = letters
	}
	p.Legend.Top = true
	return p
}

// SVG returns a picture of a size that a function draws on white.
func SVG(width, height vg.Length, picture func(draw.Canvas)) ([]byte, error) {
	canvas := vgsvg.New(width, height)
	whole := draw.New(canvas)
	whole.SetColor(color.White)
	whole.Fill(whole.Path())
	picture(whole)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	// Other systems have fonts of the same width under other names.
	const name, others = "font-family:Liberation Sans", ",Arial,Helvetica,sans-serif"
	return bytes.ReplaceAll(b.Bytes(), []byte(name), []byte(name+others)), nil
}

// Plot returns a picture of a plot with a margin around it.
func Plot(p *plot.Plot, width, height vg.Length) ([]byte, error) {
	return SVG(width, height, func(c draw.Canvas) { p.Draw(draw.Crop(c, Margin, -Margin, Margin, -Margin)) })
}
