//go:build large

package review_test

import (
	"fmt"
	"math"
	"testing"

	"goalproof/engine"
	"goalproof/internal/testkit/require"
)

// TestScale fits the scale to positions of the published games by maximum likelihood.
func TestScale(t *testing.T) {
	type sample struct {
		score float64
		won   bool
		left  int // turns to the end of the game
	}
	var samples []sample
	e := newEngine(t)
	for _, r := range archives(t, 1000) {
		if r.Ended != "goal" && r.Ended != "resignation" && r.Ended != "immobilisation" && r.Ended != "elimination" {
			continue // time tells little about the position
		}
		for i := 4; i < r.Game.Len(); i += 5 {
			e.Forget()
			report, err := e.Search(t.Context(), r.Game.At(i), engine.Limits{Nodes: 5000}, nil)
			require.NoError(t, err)
			p := r.Game.Position(i)
			if report.Score < engine.Won && report.Score > -engine.Won {
				samples = append(samples, sample{float64(report.Score), p.Side() == r.Winner, r.Game.Len() - i})
			}
		}
	}
	likelihood := func(scale float64) (sum float64) {
		for _, s := range samples {
			p := 1 / (1 + math.Exp(-s.score/scale))
			if !s.won {
				p = 1 - p
			}
			sum += math.Log(p)
		}
		return sum
	}
	best := 10.0
	for scale := 10.0; scale < 5000; scale *= 1.02 {
		if likelihood(scale) > likelihood(best) {
			best = scale
		}
	}
	t.Logf("%d positions: scale %.0f, log likelihood %.3f a position (%.3f at %v)", len(samples), best,
		likelihood(best)/float64(len(samples)), likelihood(engine.Scale)/float64(len(samples)), engine.Scale)
	// How often the side that is ahead won, by its chance and by how far the end is away.
	for _, low := range []float64{.5, .6, .7, .8, .9} {
		row := fmt.Sprintf("%.0f to %.0f %%", 100*low, 100*low+10)
		for _, turns := range [][2]int{{1, 10}, {11, 20}, {21, 40}, {41, 1000}, {1, 1000}} {
			won, all, expected := 0, 0, 0.0
			for _, s := range samples {
				p := 1 / (1 + math.Exp(-math.Abs(s.score)/engine.Scale))
				if p < low || p >= low+.1 && low < .9 || s.left < turns[0] || s.left > turns[1] {
					continue
				}
				all++
				expected += p
				if s.won == (s.score >= 0) {
					won++
				}
			}
			row += fmt.Sprintf(" | %d of %d (%.0f)", won, all, expected)
		}
		t.Log(row)
	}
	if best < engine.Scale*0.8 || best > engine.Scale*1.25 {
		t.Errorf("the scale that fits best is %.0f, not near %v", best, engine.Scale)
	}
}
