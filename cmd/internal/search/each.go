package search

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/batch"
	"goalproof/solve"
)

// Ahead times the number of workers is how many positions or puzzles may have begun whose results
// are still to come.
const Ahead = 64

// Each answers questions about positions and delivers the results in order; it returns the worst of
// the exit codes. One solver with all threads answers them one after the other. With a limit in
// nodes and several positions they are answered side by side, each on one thread:
// [Flags.SideBySide]. An interruption ends it after the current position. Prepare, unless it is
// nil, prepares a new solver.
func Each[R any](ctx context.Context, f *Flags, t cli.Terminal, all iter.Seq[inputs.Item], several bool, prepare func(*solve.Solver) error,
	answer func(context.Context, *solve.Solver, inputs.Item) (R, error), deliver func(R) (cli.Code, error)) (code cli.Code, err error) {
	take := func(r R, err error) error {
		if err == nil {
			var c cli.Code
			c, err = deliver(r)
			code = code.Worse(c)
		}
		return err
	}
	ready := func(s *solve.Solver, err error) (*solve.Solver, error) {
		if err == nil && prepare != nil {
			err = prepare(s)
		}
		return s, err
	}
	interrupted := false
	if f.SideBySide(several) {
		err = f.WithWorkers(f.Threads, func(workers int, start func() (*solve.Solver, error)) error {
			tuned := func() (*solve.Solver, error) { return ready(start()) }
			err := sideBySide(batch.Run(ctx, all, workers, Ahead*workers, tuned, answer), take)
			interrupted = ctx.Err() != nil
			return err
		})
	} else {
		err = f.WithSolver(func(s *solve.Solver) error {
			if _, err := ready(s, nil); err != nil {
				return err
			}
			interrupted, err = inTurn(ctx, all, func(it inputs.Item) error { return take(answer(ctx, s, it)) })
			return err
		})
	}
	f.ReportCuts(t)
	if interrupted {
		code = code.Worse(cli.Unknown)
	}
	return code, err
}

// sideBySide passes the outcomes of jobs on.
func sideBySide[R any](outcomes iter.Seq[batch.Outcome[inputs.Item, R]], take func(R, error) error) error {
	for o := range outcomes {
		if err := take(o.Value, jobError(o.Job.Name, o.Err)); err != nil {
			return err
		}
	}
	return nil
}

// inTurn calls do for each position until it is interrupted between two.
func inTurn(ctx context.Context, all iter.Seq[inputs.Item], do func(inputs.Item) error) (interrupted bool, err error) {
	more := false
	for it := range all {
		if more && ctx.Err() != nil {
			return true, nil
		}
		if err := do(it); err != nil {
			return false, err
		}
		more = true
	}
	return false, nil
}

// SideBySide reports whether [Each] answers several positions side by side.
func (f *Flags) SideBySide(several bool) bool { return several && f.InNodes() }

// jobError gives the error of a job its exit code.
func jobError(name string, err error) error {
	if err == nil || errors.As(err, new(*cli.ExitError)) {
		return err
	}
	return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", name, err))
}
