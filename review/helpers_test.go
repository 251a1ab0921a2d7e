package review_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/review"
	"goalproof/solve"
)

// unhurried lets a test decide everything on any machine.
var unhurried = answer.Limit{Time: time.Hour}

// solvers returns one solver, for a review.
func solvers(t testing.TB) []*solve.Solver {
	t.Helper()
	return []*solve.Solver{newSolver(t)}
}

func newSolver(t testing.TB) *solve.Solver {
	t.Helper()
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read reads a game from a list of turns.
func read(t testing.TB, turns string) review.Record {
	t.Helper()
	g, err := notation.ReadGame("test", turns)
	if err != nil {
		t.Fatal(err)
	}
	return review.NewRecord("test", g)
}

// play reviews a game.
func play(t testing.TB, r review.Record, winIn int) *review.Review {
	t.Helper()
	v, err := review.Game(t.Context(), solvers(t), r, review.Options{WinIn: winIn, Limit: unhurried})
	if err != nil {
		t.Fatal(err)
	}
	if v.Interrupted {
		t.Error("the review is said to have been interrupted")
	}
	return v
}

// playEvaluated reviews a game with evaluations.
func playEvaluated(t testing.TB, r review.Record, winIn int, effort uint64) *review.Review {
	t.Helper()
	o := review.Options{WinIn: winIn, Limit: unhurried, Engine: newEngine(t), Effort: effort}
	v, err := review.Game(t.Context(), solvers(t), r, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// describe writes what is known about each position in a line: the turn to come, then wins, is lost or
// threatened within how many turns, and what became of it.
func describe(v *review.Review) string {
	var b strings.Builder
	for i := range v.Standings {
		s := &v.Standings[i]
		b.WriteString(v.Record.Game.Label(i))
		for _, f := range []struct {
			name string
			fact review.Fact
		}{{"win", s.Win}, {"loss", s.Loss}, {"threat", s.Threat}} {
			switch {
			case f.fact.Proved() && f.fact.Deduced:
				fmt.Fprintf(&b, " %s %d deduced", f.name, f.fact.Within)
			case f.fact.Proved():
				fmt.Fprintf(&b, " %s %d", f.name, f.fact.Within)
			case f.fact.Verdict == answer.Unknown:
				fmt.Fprintf(&b, " %s ?", f.name)
			}
		}
		if i < len(v.Judgements) {
			if j := v.Judgements[i]; j.Mark != review.None || j.Gives > 0 {
				fmt.Fprintf(&b, ": %v, gives %d", j.Mark, j.Gives)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
