package experiment

import (
	"fmt"
	"slices"
	"strings"

	"goalproof/internal/printable"

	"gonum.org/v1/plot/plotter"
)

// Figure is a plot of one measure of all cells.
type Figure struct {
	Name string // of its file, without the extension
	SVG  []byte
}

// figures plots the number of solved positions and, if some positions are commonly solved, mean
// time (unless the limit is in nodes) and nodes against a varying parameter: the first with numbers
// as values, or else the first. The other varying parameters make the series. There are no figures
// if nothing varies. Title returns the title of a parameter's axis.
func (s *Summary) figures(title func(name string) string) ([]Figure, error) {
	x := slices.IndexFunc(s.Plan.Grid, func(a Axis) bool { return len(a.Values) > 1 && numbers(a.Values) })
	if x < 0 {
		x = slices.IndexFunc(s.Plan.Grid, func(a Axis) bool { return len(a.Values) > 1 })
	}
	if x < 0 {
		return nil, nil
	}
	solved := "Positions solved in " + each(s.Plan.Limit)
	of := fmt.Sprintf("Mean over the %s that all solve", printable.Amount(s.Common, "position"))
	measures := []struct {
		name, title, axis string
		value             func(*CellSummary) float64
		counted           bool
	}{
		{"solved", solved, "positions", func(c *CellSummary) float64 { return float64(c.Solved()) }, true},
		{"time", of, "time (s)", func(c *CellSummary) float64 { return c.MeanSeconds }, false},
		{"nodes", of, "nodes", func(c *CellSummary) float64 { return c.MeanNodes }, false},
	}
	var figures []Figure
	for _, m := range measures {
		if m.name == "time" && !s.timed() {
			continue
		}
		a := s.Plan.Grid[x]
		c := chart{title: m.title, x: title(a.Name), y: m.axis, values: a.Values, series: s.series(x, m.value)}
		if m.counted {
			c.most = len(s.Plan.Positions)
		} else if s.Common == 0 {
			continue
		}
		svg, err := c.draw()
		if err != nil {
			return nil, err
		}
		figures = append(figures, Figure{m.name, svg})
	}
	return figures, nil
}

// series is the measure for one setting of the other parameters.
type series struct {
	name   string
	points []plotter.XY // X is the index of a value of the parameter
	level  bool         // independent of the parameter
}

// series returns a measure against the parameter of axis x.
func (s *Summary) series(x int, measure func(*CellSummary) float64) (all []series) {
	g := s.Plan.Grid
	var others []string
	for i, a := range g {
		if i != x && len(a.Values) > 1 {
			others = append(others, a.Name)
		}
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		rest := slices.Clone(c.Cell)
		for j, a := range g {
			if !slices.Contains(others, a.Name) {
				rest[j] = None
			}
		}
		name, level := g.Describe(rest), c.Cell[x] == None
		if name == "" && len(others) > 0 {
			name = "without " + strings.Join(others, ", ")
		}
		at := slices.IndexFunc(all, func(t series) bool { return t.name == name && t.level == level })
		if at < 0 {
			at = len(all)
			all = append(all, series{name: name, level: level})
		}
		y := measure(c)
		for j, value := range g[x].Values {
			if level || value == c.Cell[x] {
				all[at].points = append(all[at].points, plotter.XY{X: float64(j), Y: y})
			}
		}
	}
	return all
}
