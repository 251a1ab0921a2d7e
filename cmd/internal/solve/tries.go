package solve

import (
	"context"
	"fmt"
	"io"

	"goalproof/answer"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// addTries adds the phases of a position, with --tries, within the limit of a question. They are
// about the position without its history.
func (w *writer) addTries(ctx context.Context, s *solve.Solver, known *solved) error {
	if !w.tries {
		return nil
	}
	a, q := known.Answer, known.Question
	ctx, cancel := w.search.Limit().Start(ctx)
	defer cancel()
	defer known.ends(ctx)
	if a.Exact() && !q.All || q.Game != nil && a.Verdict != answer.Unknown {
		var err error
		if a, err = s.Solve(ctx, solve.Question{Position: q.Position, Deepest: q.Deepest, All: true, NoLine: true}); err != nil {
			return err
		}
	}
	d := describe.Describer{Solver: s}
	f, stop, err := d.Phases(ctx, q.Position, &a, w.winIn)
	if known.unlisted = stop; f != nil {
		known.phases = &puzzles.Phases{Phases: f, Position: q.Position, Claim: w.winIn}
	}
	return err
}

// writeTries writes the phases for people, if they were asked for.
func (s *solved) writeTries(w io.Writer, asked bool) {
	if !asked {
		return
	}
	if s.Question.Game != nil {
		fmt.Fprintln(w, "For tries and set play the history of the game does not count.")
	}
	if s.phases == nil {
		fmt.Fprintln(w, puzzles.Missing(s.unlisted))
	} else {
		s.phases.Write(w, "")
	}
	fmt.Fprintln(w)
}
