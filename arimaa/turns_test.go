package arimaa

import (
	"strconv"
	"testing"

	"goalproof/internal/published"
)

// TestPerft holds the generators against the published counts.
func TestPerft(t *testing.T) {
	var g Generator
	for _, row := range published.Rows(t, "perft.tsv") {
		p, err := ParsePosition(row[0])
		if err != nil {
			t.Fatal(err)
		}
		got := []int{g.Generate(&p), 0, 0, 0, 0}
		for _, o := range p.Options(nil) {
			got[1]++
			switch {
			case o.IsPush():
				got[3]++
			case o.IsPull():
				got[4]++
			default:
				got[2]++
			}
		}
		for i, name := range []string{"distinct results", "options", "steps", "pushes", "pulls"} {
			if want, _ := strconv.Atoi(row[i+1]); got[i] != want {
				t.Errorf("%v: %d %s, want %d", p, got[i], name, want)
			}
		}
	}
}

// TestNoAllocation checks that a generator that has grown allocates nothing more.
func TestNoAllocation(t *testing.T) {
	p, err := ParsePosition("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")
	if err != nil {
		t.Fatal(err)
	}
	var g Generator
	if n := testing.AllocsPerRun(3, func() { g.Generate(&p) }); n != 0 {
		t.Errorf("%v allocations to list %d results", n, g.Len())
	}
}

// BenchmarkTurns lists the distinct results of a turn in the published perft
// positions; results/s is the figure to compare.
func BenchmarkTurns(b *testing.B) {
	var positions []Position
	for _, row := range published.Rows(b, "perft.tsv") {
		p, err := ParsePosition(row[0])
		if err != nil {
			b.Fatal(err)
		}
		positions = append(positions, p)
	}
	var g Generator
	results := 0
	b.ReportAllocs()
	for b.Loop() {
		for i := range positions {
			results += g.Generate(&positions[i])
		}
	}
	b.ReportMetric(float64(results)/b.Elapsed().Seconds(), "results/s")
}
