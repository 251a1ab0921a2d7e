package experiment

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
)

// Figure is a plot: a measure of all cells.
type Figure struct {
	Name string // of its file, without the ending
	SVG  []byte
}

// Figures draws what was solved, and mean time and nodes where some positions are commonly solved,
// against a parameter that varies: the first whose values are numbers, or else the first. The others
// that vary make the series. There are no figures if nothing varies. title returns what a parameter
// is called on an axis.
func (s *Summary) Figures(title func(name string) string) ([]Figure, error) {
	x := slices.IndexFunc(s.Plan.Grid, func(a Axis) bool { return len(a.Values) > 1 && numbers(a.Values) })
	if x < 0 {
		x = slices.IndexFunc(s.Plan.Grid, func(a Axis) bool { return len(a.Values) > 1 })
	}
	if x < 0 {
		return nil, nil
	}
	solved := fmt.Sprintf("Positions solved in %g s", s.Plan.Time.Seconds())
	of := fmt.Sprintf("Mean over the %s that all solve", count(s.Common, "position"))
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

// series is what one setting of the other parameters gives.
type series struct {
	name   string
	points []plotter.XY // X is the number of a value of the parameter
	level  bool         // the parameter means nothing to it: one number for all values
}

// series returns a measure against the parameter of an axis.
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
