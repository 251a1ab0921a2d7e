package learn

import (
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"goalproof/internal/figure"
)

// Curve draws the loss by epoch as SVG.
func Curve(epochs []Epoch) ([]byte, error) {
	p := figure.New("epoch", "loss")
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
		line.Color = figure.Colours[i]
		scatter.Color, scatter.Shape = line.Color, []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}}[i]
		p.Add(line, scatter)
		p.Legend.Add(name, line, scatter)
	}
	return figure.Plot(p, 12*vg.Centimeter, 9*vg.Centimeter)
}
