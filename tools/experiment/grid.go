package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Axis is a parameter with its values.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// String returns the axis in the form that parseAxis reads.
func (a Axis) String() string { return a.Name + "=" + strings.Join(a.Values, ",") }

// parseAxis reads an axis, name=value,value and so on. The error says what is wrong with it.
func parseAxis(text string) (Axis, error) {
	name, values, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return Axis{}, fmt.Errorf("%q: write a parameter and its values, for example killers=0,1,2", text)
	}
	a := Axis{Name: name}
	for value := range strings.SplitSeq(values, ",") {
		switch {
		case value == "" || value == None:
			return Axis{}, fmt.Errorf("%q: a value is missing", text)
		case slices.Contains(a.Values, value):
			return Axis{}, fmt.Errorf("%q: the value %s is given twice", text, value)
		}
		a.Values = append(a.Values, value)
	}
	return a, nil
}

// Grid stands for all combinations of the values of its axes, which have different names.
type Grid []Axis

// ParseGrid reads a grid, an axis from each text.
func ParseGrid(texts []string) (Grid, error) {
	var g Grid
	for _, text := range texts {
		a, err := parseAxis(text)
		if err != nil {
			return nil, err
		}
		if g.axis(a.Name) >= 0 {
			return nil, fmt.Errorf("%q: %s is given twice", text, a.Name)
		}
		g = append(g, a)
	}
	return g, nil
}

// String returns the axes with spaces between them.
func (g Grid) String() string {
	var all []string
	for _, a := range g {
		all = append(all, a.String())
	}
	return strings.Join(all, " ")
}

// axis returns the index of an axis, or -1.
func (g Grid) axis(name string) int {
	return slices.IndexFunc(g, func(a Axis) bool { return a.Name == name })
}

// constant returns the axes that have one value.
func (g Grid) constant() (same Grid) {
	for _, a := range g {
		if len(a.Values) == 1 {
			same = append(same, a)
		}
	}
	return same
}

// None is the value of a parameter that has no meaning in a cell.
const None = "-"

// Cell is one combination: a value for each axis of the grid.
type Cell []string

// Value returns the value of a parameter in a cell, or None if it is no axis of the grid.
func (g Grid) Value(c Cell, name string) string {
	if i := g.axis(name); i >= 0 {
		return c[i]
	}
	return None
}

// Describe returns a cell in the form name=value name=value.
func (g Grid) Describe(c Cell) string {
	var all []string
	for i, value := range c {
		if value != None {
			all = append(all, g[i].Name+"="+value)
		}
	}
	return strings.Join(all, " ")
}

// Cells returns the cells of a grid, in the order of the values. Meaningful reports whether a
// parameter has a meaning in a cell; otherwise its value there is None, and of cells that become
// equal only the first is kept. The error names a parameter that has no meaning in any cell.
func (g Grid) Cells(meaningful func(c Cell, name string) bool) ([]Cell, error) {
	cells := []Cell{{}}
	for _, a := range g {
		var longer []Cell
		for _, c := range cells {
			for _, value := range a.Values {
				longer = append(longer, append(slices.Clone(c), value))
			}
		}
		cells = longer
	}
	used := make([]bool, len(g))
	var different []Cell
	for _, c := range cells {
		plain := slices.Clone(c)
		for i, a := range g {
			if meaningful(c, a.Name) {
				used[i] = true
			} else {
				plain[i] = None
			}
		}
		if !slices.ContainsFunc(different, func(d Cell) bool { return slices.Equal(d, plain) }) {
			different = append(different, plain)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, errors.New(g[i].Name + " has no meaning in any cell of the grid")
	}
	return different, nil
}
