package experiment

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/internal/testkit/require"
)

// measured returns a run with times in seconds.
func measured(position, cell int, v answer.Verdict, nodes uint64, seconds float64) Run {
	r := Run{Position: position, Cell: cell, Verdict: v, Nodes: nodes, Time: time.Duration(seconds * 1e9)}
	switch v {
	case answer.Proved:
		r.Within, r.Refuted = 2, 1
	case answer.Disproved:
		r.Refuted = 2
	}
	return r
}

// threeCells are runs of five positions with three cells. All of them solve the positions 0, 1 and
// 3; the middle one solves the hard 2 as well, the last one does not solve 4.
func threeCells(t testing.TB) (*Plan, []Run) {
	p := plan(t, "algorithm=pns", "killers=0,1,2")
	p.Positions = []string{"a", "b", "c", "d", "e"}
	const yes, no, open = answer.Proved, answer.Disproved, answer.Unknown
	return p, []Run{
		measured(0, 0, yes, 10, 1), measured(0, 1, yes, 20, 2), measured(0, 2, yes, 1, 0.5),
		measured(1, 0, yes, 30, 3), measured(1, 1, yes, 20, 2), measured(1, 2, yes, 2, 0.25),
		measured(2, 0, open, 9000, 60), measured(2, 1, yes, 8000, 50), measured(2, 2, open, 9000, 60),
		measured(3, 0, no, 80, 8), measured(3, 1, no, 20, 2), measured(3, 2, no, 3, 0.125),
		measured(4, 0, yes, 700, 7), measured(4, 1, yes, 800, 8), measured(4, 2, open, 9000, 60),
	}
}

// TestSummarise checks counts, and that times and nodes are those of the commonly solved positions.
func TestSummarise(t *testing.T) {
	p, runs := threeCells(t)
	s := Summarise(p, runs)
	want := []CellSummary{
		{Cell{"pns", "0"}, 5, 3, 1, 1, 4, 3, 40, 30},
		{Cell{"pns", "1"}, 5, 4, 1, 0, 2, 2, 20, 20},
		{Cell{"pns", "2"}, 5, 2, 1, 2, 0.875 / 3, 0.25, 2, 2},
	}
	near := cmp.Comparer(func(x, y float64) bool { return x-y < 1e-9 && y-x < 1e-9 })
	if diff := cmp.Diff(want, s.Cells, near); diff != "" {
		t.Error(diff)
	}
	if s.Common != 3 || s.Runs != 15 || len(s.Contradictions) != 0 {
		t.Errorf("%d commonly solved, %d runs, contradictions %v", s.Common, s.Runs, s.Contradictions)
	}
	if solved := s.Cells[1].Solved(); solved != 5 {
		t.Errorf("%d solved", solved)
	}
}

// TestPartly checks that a position which some cells have not run yet is not commonly solved.
func TestPartly(t *testing.T) {
	p, runs := threeCells(t)
	s := Summarise(p, runs[:5])
	if s.Common != 1 || s.Cells[0].MeanSeconds != 1 || s.Cells[0].Runs != 2 || s.Cells[2].Runs != 1 {
		t.Errorf("%+v", s)
	}
	if text := s.Markdown(); !strings.Contains(text, "algorithm=pns; 5 of 15 runs done. Times and nodes are of the 1 position that") {
		t.Error(text)
	} else if !strings.Contains(text, "\n| 0       |    2 |      2 |") {
		t.Errorf("the runs of each cell are missing:\n%s", text)
	}
}

// TestMedian checks the median of an even number of positions.
func TestMedian(t *testing.T) {
	if m := median([]float64{8, 1, 2, 4}); m != 3 {
		t.Errorf("median %g, want 3", m)
	}
}

// TestContradictions checks that cells which disagree are found: about whether there is a win, and
// about the shortest one.
func TestContradictions(t *testing.T) {
	p, runs := threeCells(t)
	runs[4] = measured(1, 1, answer.Disproved, 20, 2)
	runs[0].Within, runs[0].Refuted = 1, 0
	got := Summarise(p, runs).Contradictions
	if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdown(t *testing.T) {
	p, runs := threeCells(t)
	want := `5 positions, a win in 2 or less, 60 s each, algorithm=pns. Times and nodes are of the 3 positions that every cell solves.

| killers | solved | proved | disproved | unknown | mean time (s) | median (s) | mean nodes | median |
| ------- | -----: | -----: | --------: | ------: | ------------: | ---------: | ---------: | -----: |
| 0       |      4 |      3 |         1 |       1 |          4.00 |       3.00 |         40 |     30 |
| 1       |      5 |      4 |         1 |       0 |          2.00 |       2.00 |         20 |     20 |
| 2       |      3 |      2 |         1 |       2 |         0.292 |      0.250 |          2 |      2 |
`
	if diff := cmp.Diff(want, Summarise(p, runs).Markdown()); diff != "" {
		t.Error(diff)
	}
}

func TestCSV(t *testing.T) {
	p, runs := threeCells(t)
	runs[1].Verdict = answer.Unknown // the second position alone is left
	runs[10].Verdict = answer.Unknown
	want := `algorithm,killers,runs,solved,proved,disproved,unknown,commonly_solved,mean_seconds,median_seconds,mean_nodes,median_nodes
pns,0,5,4,3,1,1,1,3.000000,3.000000,30.0,30.0
pns,1,5,3,3,0,2,1,2.000000,2.000000,20.0,20.0
pns,2,5,3,2,1,2,1,0.250000,0.250000,2.0,2.0
`
	got, err := Summarise(p, runs).csv()
	require.NoError(t, err)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if got, err = Summarise(p, runs[:3]).csv(); err != nil || !strings.Contains(string(got), "pns,0,1,1,1,0,0,0,,,,\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestSeconds(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.000000", 0.0000004: "0.000000", 0.000012: "0.000012", 0.00123456: "0.00123",
		0.5: "0.500", 1.2345: "1.23", 59.94: "59.9", 1234.5: "1234",
	} {
		if got := seconds(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}
