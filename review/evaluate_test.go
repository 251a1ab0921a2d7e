package review_test

import (
	"math"
	"testing"

	"goalproof/engine"
	"goalproof/internal/boards"
	"goalproof/review"
)

func newEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Options{Threads: 1, Memory: 8 << 20, Without: engine.Probe})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestEvaluations reviews a game with evaluations: what is proved overrides them, and the turns are
// graded by it.
func TestEvaluations(t *testing.T) {
	v, err := review.Play(t.Context(), newSolver(t), read(t, race), review.Options{WinIn: 2, Time: unhurried, Engine: newEngine(t), Effort: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 1, 0, 1, 0} {
		e := v.Evaluations[i]
		if e.Chance != want {
			t.Errorf("%s: chance %v, want %v", v.Record.Game.Label(i), e.Chance, want)
		}
		if over := i == v.Record.Game.Len(); len(e.Line) == 0 != over {
			t.Errorf("%s: line %v", v.Record.Game.Label(i), e.Line)
		}
	}
	for i, want := range []review.Grade{review.Blunder, review.Good, review.Good, review.Good} {
		if j := v.Judgements[i]; j.Grade != want {
			t.Errorf("%s: %v (%v), want %v", v.Record.Game.Label(i), j.Grade, j.Fall, want)
		}
	}
	quiet, err := review.Play(t.Context(), newSolver(t), read(t, "1w Ra1 Ee1\n1b ec8 rh7\n2w Ee1n\n"),
		review.Options{WinIn: 1, Time: unhurried, Engine: newEngine(t), Effort: 1000})
	if err != nil {
		t.Fatal(err)
	}
	e := quiet.Evaluations[0]
	if want := 1 / (1 + math.Exp(-float64(e.Score)/review.Scale)); e.Chance != want || want <= 0 || want >= 1 {
		t.Errorf("score %d: chance %v, want %v", e.Score, e.Chance, want)
	}
}

// TestScale fits the scale to positions of the published games by maximum likelihood.
func TestScale(t *testing.T) {
	if !boards.Large {
		t.Skip("skipped: the fit takes half a minute (-tags large)")
	}
	type sample struct {
		score float64
		won   bool
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
			if err != nil {
				t.Fatal(err)
			}
			p := r.Game.Position(i)
			if report.Score < engine.Won && report.Score > -engine.Won {
				samples = append(samples, sample{float64(report.Score), p.Side() == r.Winner})
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
		likelihood(best)/float64(len(samples)), likelihood(review.Scale)/float64(len(samples)), review.Scale)
	if best < review.Scale*0.8 || best > review.Scale*1.25 {
		t.Errorf("the scale that fits best is %.0f, not near %v", best, review.Scale)
	}
}
