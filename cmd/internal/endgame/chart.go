package endgame

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"goalproof/arimaa"
	"goalproof/internal/figure"
	"goalproof/tables/endgame"
)

// drawChart draws as SVG, for a class, the numbers of wins and losses of the side to move by their
// turns.
func drawChart(s *endgame.Stats) ([]byte, error) {
	p := figure.New("turns to the end", "positions, logarithmic")
	p.Title.Text = s.Class.String()
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(powersOfTen)
	p.Add(plotter.NewGrid())
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
			line.Color = figure.Colours[side]
			scatter.Color, scatter.Shape, scatter.Radius = line.Color, kind.shape, vg.Points(3)
			if kind.what == "losses" {
				line.Dashes = figure.Dashes
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
	return figure.Plot(p, 14*vg.Centimeter, 8*vg.Centimeter)
}

// powersOfTen returns the ticks of a logarithmic axis.
func powersOfTen(_, most float64) (all []plot.Tick) {
	for power := 0; math.Pow10(power) <= most; power++ {
		all = append(all, plot.Tick{Value: math.Pow10(power), Label: humanize.Comma(int64(math.Pow10(power)))})
	}
	return all
}
