package review_test

import (
	"math"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/internal/testkit/require"
	"goalproof/review"
	"goalproof/solve"
)

// TestEvaluations reviews a game with evaluations: proofs override them, and the turns are
// graded by it.
func TestEvaluations(t *testing.T) {
	v := playEvaluated(t, read(t, race), 2, 1000)
	for i, want := range []float64{1, 1, 0, 1, 0} {
		e := v.Evaluations[i]
		if e.Chance != want {
			t.Errorf("%s: chance %v, want %v", v.Record.Game.Label(i), e.Chance, want)
		}
		if over := i == v.Record.Game.Len(); over != (len(e.Best) == 0) || !over && e.Best[0].Chance != want {
			t.Errorf("%s: best %v", v.Record.Game.Label(i), e.Best)
		}
	}
	for i, want := range []review.Grade{review.Blunder, review.Good, review.Good, review.Good} {
		if j := v.Judgements[i]; j.Grade != want {
			t.Errorf("%s: %v (%v), want %v", v.Record.Game.Label(i), j.Grade, j.Fall, want)
		}
	}
	quiet := playEvaluated(t, read(t, "1w Ra1 Ee1\n1b ec8 rh7\n2w Ee1n\n"), 1, 1000)
	e := quiet.Evaluations[0]
	if want := 1 / (1 + math.Exp(-float64(e.Score)/engine.Scale)); e.Chance != want || want <= 0 || want >= 1 {
		t.Errorf("score %d: chance %v, want %v", e.Score, e.Chance, want)
	}
}

// TestCandidates looks at the three best turns of positions where nothing is proved, and of one in
// which some turns are proved to lose.
func TestCandidates(t *testing.T) {
	for _, turns := range []string{
		"1w Ra1 Ee1\n1b ec8 rh7\n2w Ee1n\n",
		waits,
		race,
	} {
		v := playEvaluated(t, read(t, turns), 2, 1000)
		g := v.Record.Game
		for i, e := range v.Evaluations {
			s, left := &v.Standings[i], 0.0 // the chance that the turn that was played leaves
			if i < g.Len() {
				left = 1 - v.Evaluations[i+1].Chance
			}
			want := 3
			switch {
			case i == g.Len() && g.Outcome().Over():
				want = 0
			case s.Win.Proved() || s.Loss.Proved():
				want = 1
			}
			if len(e.Best) != want {
				t.Fatalf("%s: %d turns, want %d", g.Label(i), len(e.Best), want)
			}
			met := map[arimaa.Position]bool{}
			for k, c := range e.Best {
				if k > 0 && c.Chance > e.Best[k-1].Chance {
					t.Errorf("%s: turn %d is better than the one before it", g.Label(i), k+1)
				}
				line, p := g.At(i), g.Position(i)
				for _, turn := range c.Line {
					if err := line.Play(turn); err != nil {
						t.Fatalf("%s: %v: %v", g.Label(i), c.Line, err)
					}
				}
				after, _ := p.Try(c.Turn())
				if met[after] {
					t.Errorf("%s: %v is listed twice", g.Label(i), c.Turn())
				}
				met[after] = true
				if i < g.Len() && after == g.Position(i+1) && !s.Win.Proved() && c.Chance != left {
					t.Errorf("%s: the turn that was played has the chance %v, and leaves %v", g.Label(i), c.Chance, left)
				}
			}
			if i < g.Len() && len(e.Best) > 0 && (v.Judgements[i].Fall > 1e-9) != (e.Best[0].Chance > left+1e-9) {
				t.Errorf("%s: fall %v, from %v to %v", g.Label(i), v.Judgements[i].Fall, e.Best[0].Chance, left)
			}
		}
	}
}

// TestLosingCandidates evaluates a position in which turns that the engine likes are proved to
// lose: the candidates are turns that hold. It does so again by what a store knows. It has so few
// nodes that the weights do not matter.
func TestLosingCandidates(t *testing.T) {
	facts := newStore(t)
	for range 2 {
		o := review.Options{WinIn: 3, Limit: unhurried, Engine: newEngine(t), Effort: 5}
		v := playStored(t, read(t, "1w Rh1 He4\n1b eh5 rb8\n2w pass\n2b rb8w\n3w Rh1w Rg1w\n"), facts, o)
		s, best := &v.Standings[1], v.Evaluations[1].Best
		if s.Loss.Proved() || len(s.Saving) == 0 || len(best) != len(s.Saving) {
			t.Fatalf("%+v, candidates %+v", s, best)
		}
		p, solver := v.Record.Game.Position(1), newSolver(t)
		wins := func(turn arimaa.Turn) bool {
			a, err := solver.Solve(t.Context(), solve.Question{Position: p.AfterTurn(turn), Deepest: 3})
			require.NoError(t, err)
			return a.Verdict == answer.Proved
		}
		for k, c := range best {
			if c.Turn() != s.Saving[k].Turn || wins(c.Turn()) {
				t.Errorf("%v is no turn that holds: %+v", c.Turn(), s.Saving)
			}
		}
		lost, limits := 0, engine.Limits{Nodes: o.Effort}
		o.Engine.Forget()
		for range 3 {
			r, err := o.Engine.Search(t.Context(), v.Record.Game.At(1), limits, nil)
			require.NoError(t, err)
			limits.Exclude = append(limits.Exclude, r.Turn)
			if wins(r.Turn) {
				lost++
			}
		}
		if lost == 0 {
			t.Error("none of the engine's turns loses")
		}
	}
}
