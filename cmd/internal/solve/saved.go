package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/solve"
)

// resume continues a saved search and answers its question.
func (f *flags) resume(ctx context.Context, args []string, t cli.Terminal) error {
	if _, err := os.Stat(f.pns.Resume); err != nil {
		return cli.Exit(cli.BadInput, err)
	}
	return f.search.WithSolver(func(solver *solve.Solver) error {
		it, err := f.resumed(ctx, solver, args)
		if err == nil {
			err = f.single(1, args)
		}
		w := writer{flags: f, t: t}
		if err == nil {
			err = w.prepare(solver)
		}
		if err != nil {
			return err
		}
		it.Err = f.refuse(&it)
		known, err := w.answer(ctx, solver, it)
		if err != nil {
			return err
		}
		code, err := w.deliver(known)
		f.search.ReportCuts(t)
		return cmp.Or(err, code.Finish())
	})
}

// resumed returns the question of the saved search as an input.
func (f *flags) resumed(ctx context.Context, solver *solve.Solver, args []string) (it inputs.Item, err error) {
	if len(args) > 0 {
		return it, errors.New("--resume takes its position from the file: name no INPUT")
	}
	if f.pns.Given.Changed("turn") || f.pns.Given.Changed("game") {
		return it, errors.New("--resume takes its position from the file: --turn and --game choose none")
	}
	q, err := solver.Resume(ctx, f.pns.Resume)
	if err != nil {
		return it, cli.Unreadable(err)
	}
	if f.winIn > 0 && f.winIn < q.Deepest {
		return it, fmt.Errorf("--win-in %d: the saved search asks for a win in %d", f.winIn, q.Deepest)
	}
	it = inputs.Item{Name: f.pns.Resume, Diagram: notation.Diagram{Position: q.Position, Number: cmp.Or(q.Number, arimaa.FirstTurn)}, Game: q.Game}
	if q.Game != nil {
		it.Diagram = notation.Diagram{Position: q.Game.Last(), Number: q.Game.Number(q.Game.Len())}
	}
	return it, nil
}

// saves reports failed saves of a running search: when they begin to fail, and at the end if the
// last one failed.
type saves struct {
	err     io.Writer
	every   time.Duration
	failure error // of the last one, or nil
}

// report records a save, which failed unless err is nil.
func (s *saves) report(err error) {
	if err != nil && s.failure == nil {
		fmt.Fprintf(s.err, "goalproof: --save: %v; the search continues, and saves again every %v\n", err, s.every)
	}
	s.failure = err
}

// end is called at the end of a search. As a rule the search has saved once more, and its answer
// has the error.
func (s *saves) end(a solve.Answer, err error) {
	if s.failure != nil && (err != nil || errors.Is(a.Unsaved, solve.ErrRecalled)) {
		fmt.Fprintf(s.err, "goalproof: --save: the last save has failed: %v\n", s.failure)
	}
	s.failure = nil
}

// unusable reports whether an error is that of a file that cannot be read or written.
func unusable(err error) bool {
	return errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.LinkError))
}
