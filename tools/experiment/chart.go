package experiment

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"goalproof/internal/figure"
)

// chart is a plot of series against the values of a parameter, at equal distances.
type chart struct {
	title, x, y string // titles of the chart, and of the axes with their units
	values      []string
	series      []series
	most        int // the end of the axis of a count; otherwise 0
}

// The size of a figure without its legend, which is beside it.
const (
	figureWidth  = 12 * vg.Centimeter
	figureHeight = 9 * vg.Centimeter
)

// shapes are those of the points: series differ in colour and in shape.
var shapes = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.RingGlyph{},
	draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{},
}

// logarithmicFrom is the least ratio of the greatest to the smallest number for which an axis is
// logarithmic.
const logarithmicFrom = 20

// draw returns the chart as SVG.
func (c *chart) draw() ([]byte, error) {
	p := figure.New(c.x, c.y)
	p.Title.Text, p.Title.Padding = c.title, figure.Margin
	p.X.Label.Padding, p.Y.Label.Padding = figure.Margin, figure.Margin
	legend := p.Legend
	legend.Left, legend.Padding = true, vg.Points(4)
	grid := plotter.NewGrid()
	grid.Vertical.Color = nil
	p.Add(grid)
	if err := c.plot(p, &legend); err != nil {
		return nil, err
	}
	c.scale(p)
	const margin = figure.Margin
	size := vg.Point{X: figureWidth, Y: figureHeight}
	beside := vg.Length(0)
	if c.series[0].name != "" {
		r := legend.Rectangle(draw.Canvas{}).Size()
		beside = r.X + 2*margin
		size.X, size.Y = size.X+beside, max(size.Y, r.Y+4*margin)
	}
	return figure.SVG(size.X, size.Y, func(whole draw.Canvas) {
		if beside > 0 {
			legend.Draw(draw.Crop(whole, size.X-beside, 0, 0, -margin))
		}
		p.Draw(draw.Crop(whole, margin, -margin-beside, margin, -margin))
	})
}

// plot adds the series. Points at the same value are a little apart, so that equal ones are
// visible. Lines join numbers, but not names, which have no order.
func (c *chart) plot(p *plot.Plot, legend *plot.Legend) error {
	step := min(0.08, 0.6/float64(len(c.series)))
	for i, s := range c.series {
		aside := (float64(i) - float64(len(c.series)-1)/2) * step
		var points plotter.XYs
		for _, xy := range s.points {
			points = append(points, plotter.XY{X: xy.X + aside, Y: xy.Y})
		}
		line, scatter, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = figure.Colours[i%len(figure.Colours)], vg.Points(1.2)
		scatter.Color, scatter.Shape, scatter.Radius = line.Color, shapes[i%len(shapes)], vg.Points(3.2)
		drawn := []plot.Plotter{scatter}
		thumbnails := []plot.Thumbnailer{scatter}
		if s.level {
			line.Dashes = figure.Dashes
		}
		if s.level || numbers(c.values) {
			drawn, thumbnails = append(drawn, line), append(thumbnails, line)
		}
		p.Add(drawn...)
		legend.Add(s.name, thumbnails...)
	}
	return nil
}

// numbers reports whether all values are numbers, perhaps with a unit.
func numbers(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool {
		number := strings.TrimRightFunc(v, func(r rune) bool { return r < '0' || r > '9' })
		_, err := strconv.ParseFloat(number, 64)
		return err != nil
	})
}

// scale sets the axes.
func (c *chart) scale(p *plot.Plot) {
	letters := p.X.Tick.Label.Font
	p.NominalX(c.values...)
	p.X.Min, p.X.Max = -0.5, float64(len(c.values))-0.5
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Label.Font = letters
	widest := vg.Length(0)
	for _, v := range c.values {
		widest = max(widest, p.X.Tick.Label.Width(v+"  "))
	}
	if widest*vg.Length(len(c.values)) > figureWidth*3/4 {
		p.X.Tick.Label.Rotation = math.Pi / 4
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	}
	least, greatest := math.Inf(1), 0.0
	for _, s := range c.series {
		for _, xy := range s.points {
			least, greatest = min(least, xy.Y), max(greatest, xy.Y)
		}
	}
	finest := 0.0
	switch {
	case c.most > 0:
		p.Y.Min, p.Y.Max, finest = 0, float64(c.most)*1.04, 1
	case least > 0 && greatest >= logarithmicFrom*least:
		p.Y.Label.Text += ", logarithmic"
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logarithmicTicks)
		p.Y.Min, p.Y.Max = least/1.3, greatest*1.3
		return
	default:
		p.Y.Min, p.Y.Max = 0, max(greatest*1.05, 1e-6)
	}
	p.Y.Tick.Marker = plot.TickerFunc(func(_, most float64) []plot.Tick { return linearTicks(most, finest) })
}

// linearTicks returns four to ten ticks from 0 on, at multiples of 1, 2 or 5 times a power of ten;
// fewer if they would be closer than finest.
func linearTicks(most, finest float64) (all []plot.Tick) {
	power := math.Pow(10, math.Floor(math.Log10(most/4)))
	step := power
	for _, times := range []float64{2, 5} {
		if times*power <= most/4 {
			step = times * power
		}
	}
	step = max(step, finest)
	for i := 0.0; i*step <= most*(1+1e-9); i++ {
		all = append(all, plot.Tick{Value: i * step, Label: tickLabel(i*step, step)})
	}
	return all
}

// logarithmicTicks returns ticks at 1, 2 and 5 times the powers of ten, or only at these if they
// are many.
func logarithmicTicks(least, most float64) (all []plot.Tick) {
	marks := []float64{1, 2, 5}
	if most > 1e5*least {
		marks = marks[:1]
	}
	for power := math.Pow(10, math.Floor(math.Log10(least))); power <= most; power *= 10 {
		for _, times := range marks {
			if v := times * power; least <= v && v <= most {
				all = append(all, plot.Tick{Value: v, Label: tickLabel(v, v)})
			}
		}
	}
	return all
}

// tickLabel formats a multiple of a step.
func tickLabel(v, step float64) string {
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	if decimals == 0 {
		return humanize.Comma(int64(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}
