package endgame

import (
	"bytes"
	"fmt"
	"image/color"
	"math"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"goalproof/arimaa"
	"goalproof/tables/endgame"
)

// drawChart draws, as SVG, how many positions of a class are wins and losses of the side to move in how many turns.
func drawChart(s *endgame.Stats) ([]byte, error) {
	sans := font.Font{Typeface: "Liberation", Variant: "Sans", Size: 10}
	p := plot.New()
	p.Title.Text = s.Class.String()
	p.X.Label.Text, p.Y.Label.Text = "turns to the end", "positions, logarithmic"
	for _, style := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		*style = sans
	}
	p.Legend.Top = true
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(powersOfTen)
	p.Add(plotter.NewGrid())
	blue, orange := color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255} // of Okabe and Ito (2008)
	longest, most := 1, 10
	for side := range s.ToMove {
		mover := arimaa.Side(side).String()
		if len(s.ToMove) == 1 {
			mover = "the side"
		}
		for _, kind := range []struct {
			what   string
			counts []int
			shape  draw.GlyphDrawer
		}{{"wins", s.ToMove[side].Wins[:], draw.CircleGlyph{}}, {"losses", s.ToMove[side].Losses[:], draw.RingGlyph{}}} {
			var points plotter.XYs
			for n, count := range kind.counts {
				if count > 0 {
					points = append(points, plotter.XY{X: float64(n), Y: float64(count)})
					longest, most = max(longest, n), max(most, count)
				}
			}
			line, scatter, err := plotter.NewLinePoints(points)
			if err != nil {
				continue // no points
			}
			line.Color = []color.Color{blue, orange}[side]
			scatter.Color, scatter.Shape, scatter.Radius = line.Color, kind.shape, vg.Points(3)
			if kind.what == "losses" {
				line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
			}
			p.Add(line, scatter)
			p.Legend.Add(fmt.Sprintf("%s to move: %s", mover, kind.what), line, scatter)
		}
	}
	p.X.Min, p.X.Max = 0.5, float64(longest)+0.5
	p.Y.Min, p.Y.Max = 0.7, 2*float64(most)
	p.X.Tick.Marker = plot.TickerFunc(func(_, _ float64) (all []plot.Tick) {
		for n := 1; n <= longest; n++ {
			all = append(all, plot.Tick{Value: float64(n), Label: fmt.Sprint(n)})
		}
		return all
	})
	canvas := vgsvg.New(14*vg.Centimeter, 8*vg.Centimeter)
	whole := draw.New(canvas)
	whole.SetColor(color.White)
	whole.Fill(whole.Path())
	p.Draw(draw.Crop(whole, vg.Points(6), -vg.Points(6), vg.Points(6), -vg.Points(6)))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	const name, others = "font-family:Liberation Sans", ",Arial,Helvetica,sans-serif"
	return bytes.ReplaceAll(b.Bytes(), []byte(name), []byte(name+others)), nil
}

// powersOfTen marks a logarithmic axis.
func powersOfTen(_, most float64) (all []plot.Tick) {
	for power := 0; math.Pow10(power) <= most; power++ {
		all = append(all, plot.Tick{Value: math.Pow10(power), Label: humanize.Comma(int64(math.Pow10(power)))})
	}
	return all
}
