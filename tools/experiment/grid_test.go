package experiment

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"goalproof/internal/testkit/require"
)

// all says that every parameter means something.
func all(Cell, string) bool { return true }

func parseGrid(t testing.TB, texts ...string) Grid {
	t.Helper()
	g, err := ParseGrid(texts)
	require.NoError(t, err)
	return g
}

func TestParseGrid(t *testing.T) {
	got := parseGrid(t, "killers=0,1,4", "memory=1MiB")
	want := Grid{{"killers", []string{"0", "1", "4"}}, {"memory", []string{"1MiB"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.String() != "killers=0,1,4 memory=1MiB" {
		t.Errorf("%v", got)
	}
}

func TestParseGridBad(t *testing.T) {
	for text, want := range map[string]string{
		"":              "write a parameter and its values",
		"killers":       "write a parameter and its values",
		"=1":            "write a parameter and its values",
		"killers=":      "a value is missing",
		"killers=1,":    "a value is missing",
		"killers=,1":    "a value is missing",
		"killers=-":     "a value is missing",
		"killers=1,2,1": "the value 1 is given twice",
		"memory=1MiB":   "memory is given twice",
	} {
		if _, err := ParseGrid([]string{"memory=2MiB", text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// TestCells checks that a parameter without a meaning is left out, and the cells that become the
// same by that are one.
func TestCells(t *testing.T) {
	g := parseGrid(t, "killers=0,1", "algorithm=dfpns,pns")
	cells, err := g.Cells(func(c Cell, name string) bool { return name == "algorithm" || g.Value(c, "algorithm") == "pns" })
	require.NoError(t, err)
	var got []string
	for _, c := range cells {
		got = append(got, g.Describe(c))
	}
	want := []string{"algorithm=dfpns", "killers=0 algorithm=pns", "killers=1 algorithm=pns"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if v := g.Value(cells[0], "memory"); v != None {
		t.Errorf("memory is %q in a grid without it", v)
	}
	_, err = g.Cells(func(_ Cell, name string) bool { return name == "algorithm" })
	if err == nil || !strings.Contains(err.Error(), "killers has no meaning") {
		t.Errorf("error %v", err)
	}
}

// TestCellsAreTheProduct checks that every combination is there once, if all parameters mean
// something, and that each axis counts through its values faster than those before it.
func TestCellsAreTheProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g Grid
		product := 1
		for _, name := range "abc"[:rapid.IntRange(0, 3).Draw(t, "axes")] {
			values := []string{"1", "2", "3", "4"}[:rapid.IntRange(1, 4).Draw(t, "values")]
			g = append(g, Axis{string(name), values})
			product *= len(values)
		}
		cells, err := g.Cells(all)
		require.NoError(t, err)
		different := slices.CompactFunc(slices.Clone(cells), slices.Equal[Cell])
		if len(cells) != product || len(different) != product || !slices.IsSortedFunc(cells, slices.Compare[Cell]) {
			t.Fatalf("%v: %v", g, cells)
		}
	})
}
