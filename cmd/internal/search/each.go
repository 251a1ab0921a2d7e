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

// answeredAhead times the number of workers is how many positions may have been answered before an
// earlier one is.
const answeredAhead = 64

// Each answers about positions and delivers each result in their order; it returns the worst of the
// exit codes. One solver with all threads answers one position after the other. With a limit in
// nodes and several positions they are answered side by side, each on one thread:
// [Flags.SideBySide]. An interruption ends it after the position under way. Prepare, unless it is
// nil, makes a solver ready.
func Each[R any](ctx context.Context, f *Flags, t cli.Terminal, all iter.Seq[inputs.Item], several bool, prepare func(*solve.Solver) error,
	answer func(context.Context, *solve.Solver, inputs.Item) (R, error), deliver func(R) (cli.Code, error)) (code cli.Code, err error) {
	ready := func(s *solve.Solver, err error) (*solve.Solver, error) {
		if err == nil && prepare != nil {
			err = prepare(s)
		}
		return s, err
	}
	take := func(r R) error {
		c, err := deliver(r)
		code = code.Worse(c)
		return err
	}
	end := func(interrupted bool) error {
		f.SayCut(t)
		if interrupted {
			code = code.Worse(cli.Unknown)
		}
		return nil
	}
	if f.SideBySide(several) {
		err = f.WithWorkers(f.Threads, func(workers int, start func() (*solve.Solver, error)) error {
			tuned := func() (*solve.Solver, error) { return ready(start()) }
			for o := range batch.Run(ctx, all, workers, answeredAhead*workers, tuned, answer) {
				err := jobError(o.Job.Name, o.Err)
				if err == nil {
					err = take(o.Value)
				}
				if err != nil {
					return err
				}
			}
			return end(ctx.Err() != nil)
		})
		return code, err
	}
	err = f.WithSolver(func(s *solve.Solver) error {
		if _, err := ready(s, nil); err != nil {
			return err
		}
		first := true
		for it := range all {
			if !first && ctx.Err() != nil {
				return end(true)
			}
			first = false
			r, err := answer(ctx, s, it)
			if err == nil {
				err = take(r)
			}
			if err != nil {
				return err
			}
		}
		return end(false)
	})
	return code, err
}

// SideBySide reports whether [Each] answers about so many positions side by side.
func (f *Flags) SideBySide(several bool) bool { return several && f.InNodes() }

// jobError gives the error of a job its exit code.
func jobError(name string, err error) error {
	if e := (*cli.ExitError)(nil); err == nil || errors.As(err, &e) {
		return err
	}
	return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", name, err))
}
