package learn

import (
	"bytes"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Curve draws the loss by epoch as SVG.
func Curve(epochs []Epoch) ([]byte, error) {
	p := plot.New()
	sans := font.Font{Typeface: "Liberation", Variant: "Sans", Size: 10}
	p.X.Label.Text, p.Y.Label.Text = "epoch", "loss"
	for _, style := range []*font.Font{&p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font, &p.X.Tick.Label.Font,
		&p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		*style = sans
	}
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	for i, name := range []string{"learned from", "held out"} {
		var points plotter.XYs
		for _, e := range epochs {
			points = append(points, plotter.XY{X: float64(e.Number), Y: []float64{e.Train, e.Held}[i]})
		}
		line, scatter, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		// The colours are those of Okabe and Ito 2008.
		line.Color = []color.Color{color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}}[i]
		scatter.Color, scatter.Shape = line.Color, []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}}[i]
		p.Add(line, scatter)
		p.Legend.Add(name, line, scatter)
	}
	canvas := vgsvg.New(12*vg.Centimeter, 9*vg.Centimeter)
	whole := draw.New(canvas)
	whole.SetColor(color.White)
	whole.Fill(whole.Path())
	margin := vg.Points(6)
	p.Draw(draw.Crop(whole, margin, -margin, margin, -margin))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
