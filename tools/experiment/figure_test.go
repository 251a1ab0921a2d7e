package experiment

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/figure"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot"

	"goalproof/internal/testkit/require"
)

// drawing holds the elements of a figure that a test looks at.
type drawing struct {
	texts []string
	paths []string // their styles
}

// parseSVG reads a figure, which must be XML with one root, svg, that has a size.
func parseSVG(t *testing.T, text []byte) (d drawing) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(string(text)))
	depth, roots, inText := 0, 0, false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			attribute := func(name string) string {
				i := slices.IndexFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == name })
				if i < 0 {
					return ""
				}
				return e.Attr[i].Value
			}
			if depth == 0 {
				roots++
				if e.Name.Local != "svg" || attribute("viewBox") == "" {
					t.Errorf("the root is <%s> with the size %q", e.Name.Local, attribute("viewBox"))
				}
			}
			depth++
			inText = e.Name.Local == "text"
			if e.Name.Local == "path" {
				d.paths = append(d.paths, attribute("style"))
			}
		case xml.EndElement:
			depth--
			inText = false
		case xml.CharData:
			if inText {
				d.texts = append(d.texts, string(e))
			}
		}
	}
	if roots != 1 {
		t.Errorf("%d roots", roots)
	}
	return d
}

// filled counts the paths that are filled with a colour of the list, and joined those that are
// drawn with it as a line.
func (d drawing) filled(colour int) (n int) { return d.count("fill:"+hex(colour), "") }
func (d drawing) joined(colour int) (n int) { return d.count("fill:none", "stroke:"+hex(colour)) }

func (d drawing) count(styles ...string) (n int) {
	for _, p := range d.paths {
		if !slices.ContainsFunc(styles, func(s string) bool { return !strings.Contains(p, s) }) {
			n++
		}
	}
	return n
}

func hex(colour int) string {
	r, g, b, _ := figure.Colours[colour].RGBA()
	return fmt.Sprintf("#%02X%02X%02X", r>>8, g>>8, b>>8)
}

func title(name string) string { return "the " + name + " (unit)" }

// figures draws the runs and returns the figures by their names.
func figures(t *testing.T, p *Plan, runs []Run) map[string]drawing {
	t.Helper()
	all, err := Summarise(p, runs).figures(title)
	require.NoError(t, err)
	found := map[string]drawing{}
	for _, f := range all {
		found[f.Name] = parseSVG(t, f.SVG)
	}
	return found
}

func (d drawing) wantTexts(t *testing.T, all ...string) {
	t.Helper()
	for _, text := range all {
		if !slices.Contains(d.texts, text) {
			t.Errorf("the text %q is missing from %q", text, d.texts)
		}
	}
}

// TestFigures checks titles, values and points of an experiment with one parameter.
func TestFigures(t *testing.T) {
	p, runs := threeCells(t)
	found := figures(t, p, runs)
	if len(found) != 3 {
		t.Fatalf("%d figures", len(found))
	}
	found["solved"].wantTexts(t, "Positions solved in 60 s", "positions", "the killers (unit)", "0", "1", "2", "5")
	found["time"].wantTexts(t, "Mean over the 3 positions that all solve", "time (s)", "the killers (unit)")
	found["nodes"].wantTexts(t, "Mean over the 3 positions that all solve", "nodes, logarithmic", "10", "20")
	for name, d := range found {
		if points, lines := d.filled(0), d.joined(0); points != 3 || lines != 1 {
			t.Errorf("%s: %d points and %d lines, want 3 and 1 and no legend", name, points, lines)
		}
	}
}

// TestFigureSeries checks that the other parameters make the series, and that one to which the
// first means nothing is a level.
func TestFigureSeries(t *testing.T) {
	p := plan(t, "algorithm=pns,dfpns", "memory=1MiB", "killers=0,1,2,4")
	var err error
	p.Cells, err = p.Grid.Cells(func(c Cell, name string) bool { return name != "killers" || c[0] == "pns" })
	require.NoError(t, err)
	var runs []Run
	for n := range p.Runs() {
		runs = append(runs, example(n/len(p.Cells), n%len(p.Cells)))
	}
	d := figures(t, p, runs)["time"]
	d.wantTexts(t, "the killers (unit)", "algorithm=pns", "algorithm=dfpns", "4")
	if points, lines := d.filled(0), d.joined(0); points != 4+1 || lines != 1+1 {
		t.Errorf("%d points and %d lines of pns, want one of each in the legend besides 4 and 1", points, lines)
	}
	if n := d.count("stroke:"+hex(1), "stroke-dasharray"); n != 1+1 {
		t.Errorf("%d dashed lines of dfpns, want 2", n)
	}
	if n := d.count("stroke:" + hex(1)); n != 2+4+1 {
		t.Errorf("%d lines and hollow points of dfpns, want 7", n)
	}
}

// TestFigureSeriesWithout checks the name of a series to which no other parameter means anything.
func TestFigureSeriesWithout(t *testing.T) {
	p := plan(t, "high=0,5", "low=1,2")
	var err error
	p.Cells, err = p.Grid.Cells(func(c Cell, name string) bool { return name == "high" || c[0] == "5" })
	require.NoError(t, err)
	figures(t, p, nil)["solved"].wantTexts(t, "without low", "low=1", "low=2")
}

// TestFigureOfNames checks that names are not joined by lines.
func TestFigureOfNames(t *testing.T) {
	p, runs := threeCells(t)
	p.Grid[1].Values = []string{"one", "two", "three"}
	for i, name := range p.Grid[1].Values {
		p.Cells[i] = Cell{"pns", name}
	}
	d := figures(t, p, runs)["solved"]
	d.wantTexts(t, "one", "two", "three")
	if points, lines := d.filled(0), d.joined(0); points != 3 || lines != 0 {
		t.Errorf("%d points and %d lines, want 3 and 0", points, lines)
	}
}

// TestNumbers checks which values are numbers on an axis.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]bool{
		"0,1,20": true, ".1,.5": true, "1e-3,2.": true, "-1,+1": true, "1MiB,64MiB": true, "20%,80%": true,
		"pns,dfpns": false, "1,one": false, "inf,nan": false, "v1,v2": false, ".": false,
	} {
		if got := numbers(strings.Split(text, ",")); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestNoFigures checks that nothing is drawn where nothing varies, and no mean of nothing.
func TestNoFigures(t *testing.T) {
	p := plan(t, "algorithm=pns")
	if found := figures(t, p, []Run{example(0, 0)}); len(found) != 0 {
		t.Errorf("%d figures of one cell", len(found))
	}
	p, _ = threeCells(t)
	found := figures(t, p, nil)
	if _, ok := found["solved"]; !ok || len(found) != 1 {
		t.Errorf("figures without runs: %v", found)
	}
}

// TestTicks checks where an axis has marks.
func TestTicks(t *testing.T) {
	for name, c := range map[string]struct {
		got  []plot.Tick
		want string
	}{
		"tenths":      {linearTicks(0.5, 0), "0.0 0.1 0.2 0.3 0.4 0.5"},
		"hundredths":  {linearTicks(0.12, 0), "0.00 0.02 0.04 0.06 0.08 0.10 0.12"},
		"thousands":   {linearTicks(2100, 0), "0 500 1,000 1,500 2,000"},
		"few counted": {linearTicks(2, 1), "0 1 2"},
		"counted":     {linearTicks(51, 1), "0 10 20 30 40 50"},
		"powers":      {logarithmicTicks(0.5, 1e5), "1 10 100 1,000 10,000 100,000"},
		"decades":     {logarithmicTicks(0.04, 12), "0.05 0.1 0.2 0.5 1 2 5 10"},
	} {
		var labels []string
		for _, tick := range c.got {
			labels = append(labels, tick.Label)
		}
		if diff := cmp.Diff(c.want, strings.Join(labels, " ")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
