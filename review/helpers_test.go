package review_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/internal/testkit/require"
	"goalproof/review"
	"goalproof/solve"
)

// unhurried lets a test decide everything on any machine.
var unhurried = answer.Limit{Time: time.Hour}

func newSolver(t rapid.TB) *solve.Solver {
	t.Helper()
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
	require.NoError(t, err)
	return s
}

func newEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Options{Threads: 1, Memory: 8 << 20, Without: engine.Probe})
	require.NoError(t, err)
	return e
}

// reviewed reviews a game by some solvers, or by a new one.
func reviewed(t rapid.TB, r review.Record, o review.Options, by ...*solve.Solver) *review.Review {
	t.Helper()
	if len(by) == 0 {
		by = []*solve.Solver{newSolver(t)}
	}
	v, err := review.Game(context.Background(), by, r, o)
	require.NoError(t, err)
	if v.Interrupted {
		t.Error("the review is said to have been interrupted")
	}
	return v
}

// html returns the page of a review.
func html(t testing.TB, v *review.Review) string {
	t.Helper()
	page, err := v.HTML()
	require.NoError(t, err)
	return page
}

// archived returns the game of the only row of an archive.
func archived(t testing.TB, header, row string) review.Record {
	t.Helper()
	rows, err := notation.ReadArchive("test", header+"\n"+row+"\n")
	require.NoError(t, err)
	g, err := rows[0].Game()
	require.NoError(t, err)
	return review.FromArchive(rows[0], g)
}

// read reads a game from a list of turns.
func read(t testing.TB, turns string) review.Record {
	t.Helper()
	g, err := notation.ReadGame("test", turns)
	require.NoError(t, err)
	return review.NewRecord("test", g)
}

// play reviews a game.
func play(t testing.TB, r review.Record, winIn int) *review.Review {
	t.Helper()
	return reviewed(t, r, review.Options{WinIn: winIn, Limit: unhurried})
}

// playEvaluated reviews a game with evaluations.
func playEvaluated(t testing.TB, r review.Record, winIn int, effort uint64) *review.Review {
	t.Helper()
	return reviewed(t, r, review.Options{WinIn: winIn, Limit: unhurried, Engine: newEngine(t), Effort: effort})
}

// describe writes what is known about each position in a line: the turn to come, then wins, is lost
// or threatened within how many turns, and what became of it.
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
