package goal

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/published"
)

// checkThreatTurns compares ThreatTurns with all turns, asked about one by one.
func checkThreatTurns(t rapid.TB, d *Detector, p *arimaa.Position) (threats int) {
	t.Helper()
	want := map[arimaa.Board]bool{}
	var g arimaa.Generator
	for i := range g.Generate(p) {
		after := g.Position(i, p.Side())
		if after.Ended(p.Side()).Over() {
			continue
		}
		passed := after.EndTurn()
		if _, wins := d.CanWin(&passed, &passed.Board); wins {
			want[after.Board] = true
		}
	}
	d.ThreatTurns(p, func(result *arimaa.Position, turn arimaa.Turn) bool {
		if after, ok := p.Try(turn); !ok || after != *result {
			t.Fatalf("%v: %v does not lead to %v", p, turn, result)
		}
		if !want[result.Board] {
			t.Fatalf("%v: %v is no threat, or comes twice", p, turn)
		}
		delete(want, result.Board)
		threats++
		return true
	})
	for b := range want {
		t.Fatalf("%v: the threat that leads to %v is missing", p, b)
	}
	return threats
}

// TestThreatTurns lists the threats in published positions, some or all, and on random boards.
func TestThreatTurns(t *testing.T) {
	every := boards.Sized(100, 1)
	var positions []arimaa.Position
	for _, c := range load.Claims(t, load.WinsInTwo) {
		positions = append(positions, c.Position)
	}
	for _, row := range published.Rows(t, "late.tsv") {
		positions = append(positions, boards.Parse(t, row[3]))
	}
	var d Detector
	threats := 0
	for i := 0; i < len(positions); i += every {
		threats += checkThreatTurns(t, &d, &positions[i])
	}
	t.Logf("%d threats", threats)
	if threats == 0 {
		t.Error("no threats")
	}
	drawn := boards.Position()
	boards.Check(t, 2, 2_000, func(t *rapid.T) {
		p := boards.Parse(t, drawn.Draw(t, "position"))
		checkThreatTurns(t, &d, &p)
	})
}

// BenchmarkThreatTurns lists the threats in the positions of late.tsv that are 3 to 5 turns before
// the goal, and reports the median and the mean time for one of them in ms, beside those for
// listing all turns and asking about each.
func BenchmarkThreatTurns(b *testing.B) {
	var positions []arimaa.Position
	for _, row := range published.Rows(b, "late.tsv") {
		if row[1] >= "3" && row[1] <= "5" {
			positions = append(positions, boards.Parse(b, row[3]))
		}
	}
	var d Detector
	var g arimaa.Generator
	var times, all []time.Duration
	for b.Loop() {
		for i := range positions {
			p := &positions[i]
			start := time.Now()
			d.ThreatTurns(p, func(*arimaa.Position, arimaa.Turn) bool { return true })
			times = append(times, time.Since(start))
			start = time.Now()
			for k := range g.Generate(p) {
				after := g.Position(k, p.Side())
				if !after.Ended(p.Side()).Over() {
					d.Threat(&after)
				}
			}
			all = append(all, time.Since(start))
		}
	}
	report := func(name string, times []time.Duration) {
		slices.Sort(times)
		sum := time.Duration(0)
		for _, t := range times {
			sum += t
		}
		b.ReportMetric(times[len(times)/2].Seconds()*1000, name+"-median-ms")
		b.ReportMetric(sum.Seconds()*1000/float64(len(times)), name+"-mean-ms")
	}
	report("threats", times)
	report("all", all)
}
