// Package review is the command review: the missed wins of finished games, and from when on they
// are won, as text, table, JSON or page.
package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/reviews"
	"goalproof/internal/batch"
	"goalproof/internal/printable"
	"goalproof/review"
	"goalproof/solve"
)

// flags are the flags of the review command.
type flags struct {
	reviews.Questions
	reviews.Outputs
	game      string
	reading   inputs.Reading
	keepGoing bool
}

// Command returns the command review.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "review GAMES...",
		Short: "Find the missed wins of finished games, and when they were won",
		Long: `Reviews finished games: who had a forced win and missed it, from when on the
game is proved to be won, and which turns hold against what. Proofs come first;
where there is none, it grades turns by the engine's evaluation. The same
command says the same on every machine.

See also: goalproof help reviews, formats, json, clusters.`,
		Example: `  goalproof review examples/game.turns
  goalproof review --html game.html --annotated game.txt examples/game.turns
  goalproof review --csv --nodes 20000 --store facts examples/game.turns > games.csv
  goalproof review --certificates proofs examples/game.turns
  goalproof review --summary --pages games examples/game.turns`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(f.Questions.Check(), f.Outputs.Check(&f.Questions)); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	flags := cmd.Flags()
	f.Questions.Register(flags, t)
	f.Search.RegisterStore(flags, t)
	f.Search.RegisterLimits(flags, answer.Limit{Nodes: review.UsualNodes}, "each turn, and again for each line and certificate")
	flags.StringVar(&f.game, "game", "", "review only the game with this id, or number in its file")
	f.reading.Register(flags)
	flags.BoolVar(&f.keepGoing, "keep-going", false, "review the readable part of a broken record")
	f.Outputs.Register(flags, false)
	help.Group(flags, help.Question, "game", "keep-going")
	return cmd
}

// run reviews all games.
func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if len(args) == 0 {
		if cli.IsTerminal(t.In) {
			return errors.New("no input: name a file with games, or - for standard input")
		}
		args = []string{"-"}
	}
	source := t.Source(ctx)
	all := inputs.Peek(f.read(source, args, t), inputs.LookAhead, record.positions)
	defer all.Stop()
	if err := source.Interrupted(); err != nil {
		return err
	}
	games, positions := 0, 0
	for _, r := range all.First {
		if errors.As(r.err, new(*certificates.Twice)) {
			return r.err
		}
		if r.game != nil {
			games++
			positions += r.positions()
		}
	}
	if err := f.Outputs.Begin(t, args, games, all.Whole); err != nil {
		return err
	}
	if f.Jobs.Total = games; !all.Whole {
		positions, f.Jobs.Total = 0, 0
	}
	var code cli.Code
	with := func(outcomes func(bar inputs.Progress) (outcomes, error)) (err error) {
		bar := inputs.NewProgress(t, t.Err, "reviewing", positions, args)
		defer bar.Finish()
		all, err := outcomes(bar)
		if err == nil {
			code, err = f.review(ctx, all, t)
		}
		if err != nil {
			cancel() // reading ends
		}
		return err
	}
	var err error
	if f.Jobs.Given() {
		err = f.Asked(func(o solve.Options) error {
			return with(func(bar inputs.Progress) (outcomes, error) { return f.asked(ctx, all.All, o, bar) })
		})
	} else {
		err = f.With(games, func(workers int, start func() (*reviews.Reviewer, error)) error {
			return with(func(bar inputs.Progress) (outcomes, error) { return f.here(ctx, all.All, workers, start, bar), nil })
		})
	}
	if err != nil {
		return err
	}
	return code.Finish()
}

// outcomes are the reviews of games, each as soon as it and those before it are there.
type outcomes struct {
	all iter.Seq[batch.Outcome[record, *review.Review]]
	end func() error // what is called when all are there
}

// here reviews games side by side.
func (f *flags) here(ctx context.Context, games iter.Seq[record], workers int, start func() (*reviews.Reviewer, error), bar inputs.Progress) outcomes {
	play := func(ctx context.Context, w *reviews.Reviewer, r record) (*review.Review, error) {
		if r.game == nil {
			return nil, nil
		}
		o := f.Options(w)
		o.Progress = func(_, turns int) { bar.Advance(r.bytes / int64(turns)) }
		o.Certify = f.Certifier(r.game)
		return review.Game(ctx, w.Solvers, *r.game, o)
	}
	return outcomes{batch.Run(ctx, games, workers, reviews.Ahead*workers, start, play), func() error { return nil }}
}

// asked has a cluster review games.
func (f *flags) asked(ctx context.Context, games iter.Seq[record], o solve.Options, bar inputs.Progress) (all outcomes, err error) {
	q := &jobs.Review[record, *review.Review]{Options: f.Options(&reviews.Reviewer{}), Solving: o,
		Record:    func(r record) (*review.Record, error) { return r.game, nil },
		Otherwise: func(record) (*review.Review, error) { return nil, nil },
		Take:      func(_ record, v *review.Review) (*review.Review, error) { return v, nil }}
	if f.Certificates != "" {
		q.Certifier = f.Certifier
	}
	asker, end, err := q.Open(ctx, &f.Jobs)
	if err != nil {
		return all, err
	}
	return outcomes{jobs.Outcomes(ctx, asker, games, q, func(r record) {
		for range r.positions() {
			bar.Advance(r.bytes / int64(r.positions()))
		}
	}), end.Close}, nil
}

// review writes the reviews.
func (f *flags) review(ctx context.Context, all outcomes, t cli.Terminal) (code cli.Code, err error) {
	reviewed, began := 0, time.Now()
	for done := range all.all {
		if err := done.Job.err; err != nil {
			fmt.Fprintf(t.Err, "goalproof: %s\n", notation.Explain(err))
			code = code.Worse(cli.BadInput)
		}
		if err := done.Err; err != nil {
			fmt.Fprintf(t.Err, "goalproof: %v\n", err)
			code = code.Worse(cli.CodeOf(err, cli.Internal))
			continue
		}
		if done.Value == nil || !f.Takes(done.Value) {
			continue
		}
		reviewed++
		if err := f.Add(done.Value); err != nil {
			return code, err
		}
	}
	if err := cmp.Or(f.Finish(), all.end()); err != nil {
		return code, err
	}
	if cli.IsTerminal(t.Err) {
		fmt.Fprintf(t.Err, "%s in %s\n", printable.Amount(reviewed, "game"), cli.Took(time.Since(began)))
	}
	f.ReportProofs()
	if ctx.Err() != nil {
		fmt.Fprintln(t.Err, "goalproof: interrupted")
		code = code.Worse(cli.Unknown)
	}
	return code, nil
}
