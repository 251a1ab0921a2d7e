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

// listTries adds the phases of a position, with --tries, within the limit of a question. They are
// about the position without its history.
func (w *writer) listTries(ctx context.Context, s *solve.Solver, known *solved) error {
	if !w.tries {
		return nil
	}
	a, q := known.Answer, known.Question
	ctx, cancel := w.search.Limit().Start(ctx)
	defer cancel()
	defer known.ends(ctx)
	if a.Exact() && !q.All || q.Game != nil {
		var err error
		deepest := q.Deepest
		if a.Verdict == answer.Unknown {
			deepest = max(a.Refuted, 1)
		}
		if a, err = s.Solve(ctx, solve.Question{Position: q.Position, Deepest: deepest, All: true, NoLine: true}); err != nil {
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
	switch {
	case !asked:
		return
	case s.phases == nil:
		fmt.Fprintln(w, puzzles.Missing(s.unlisted))
	default:
		s.phases.Write(w, "")
	}
	fmt.Fprintln(w)
}
