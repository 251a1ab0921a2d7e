package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/reviews"
	"goalproof/internal/batch"
	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/review"
	"goalproof/solve"
)

// reviewing is the command library review.
type reviewing struct {
	filters
	reviews.Questions
	reviews.Outputs
	denied error // why nothing can be added to the library; nil: it can
	t      cli.Terminal
}

func reviewCommand(t cli.Terminal) *cobra.Command {
	f := reviewing{t: t}
	cmd := &cobra.Command{
		Use:   "review LIBRARY",
		Short: "Review games, keep the reviews, and write them",
		Long: `Reviews the games for which the flags hold, or all, keeps the reviews in the
library, and writes their totals, or all of them as the command review does. A
game that has been reviewed with the same flags is not reviewed again. After an
interruption, or when the program was killed, run the same command again: it
reviews what is missing. Of several reviews of a game the last one counts.

See also: goalproof help reviews, library-filters, json, clusters.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library review games.db --nodes 2000 --effort 100
  goalproof library review games.db --nodes 2000 --effort 100 --number 1 --text
  goalproof library findings games.db --finding missed`,
		Args: needsLibrary,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(f.Questions.Check(), f.Outputs.Check(&f.Questions), f.filters.read(cmd, t)); err != nil {
				return err
			}
			return exitOf(f.run(cmd.Context(), args[0]))
		},
	}
	flags := cmd.Flags()
	f.Questions.Register(flags, t)
	f.Search.RegisterNodes(flags, review.UsualNodes, "each turn, and again for each line and certificate")
	f.Outputs.Register(flags, true)
	f.filters.register(flags, true)
	return cmd
}

// run reviews the games.
func (f *reviewing) run(ctx context.Context, path string) (err error) {
	l, err := library.Edit(ctx, path)
	if errors.Is(err, syscall.EACCES) { // the reviews that the library has can still be written
		f.denied = err
		l, err = library.Open(ctx, path)
	}
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, l.Close()) }()
	games, positions, err := f.games(ctx, l)
	if err != nil {
		return err
	}
	if len(games) == 0 {
		fmt.Fprintln(f.t.Err, "goalproof: no game is found")
		return nil
	}
	if err := f.Begin(f.t, []string{path}, len(games), true); err != nil {
		return err
	}
	var code cli.Code
	with := func(outcomes func(*library.Reviews, inputs.Progress) (outcomes, error)) error {
		r, err := l.Reviews(library.Reviewing{WinIn: f.WinIn, Nodes: f.Search.Limit().Nodes, Effort: f.Effort, Defence: f.Defence,
			Algorithm: f.Search.Algorithm, Endgames: f.Endgames()})
		if err != nil {
			return err
		}
		bar := inputs.NewProgress(f.t, f.t.Err, "reviewing", positions, nil)
		all, err := outcomes(r, bar)
		if err == nil {
			code, err = f.review(ctx, r, all, bar)
		}
		bar.Finish()
		return cmp.Or(err, r.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if f.Jobs.Given() {
		err = f.Asked(func(o solve.Options) error {
			return with(func(r *library.Reviews, bar inputs.Progress) (outcomes, error) {
				return f.asked(ctx, l, r, games, o, bar)
			})
		})
	} else {
		err = f.With(len(games), func(workers int, start func() (*reviews.Reviewer, error)) error {
			return with(func(r *library.Reviews, bar inputs.Progress) (outcomes, error) {
				return f.here(ctx, l, r, games, workers, start, bar), nil
			})
		})
	}
	if err != nil {
		return err
	}
	return code.Finish()
}

// outcomes are the reviews of games, each as soon as it and those before it are there.
type outcomes struct {
	all iter.Seq[batch.Outcome[*reviewed, struct{}]]
	end func() error // what is called when all are there
}

// tasks yields games that are to be reviewed.
func tasks(games []int64) iter.Seq[*reviewed] {
	return func(yield func(*reviewed) bool) {
		for _, id := range games {
			if !yield(&reviewed{id: id}) {
				return
			}
		}
	}
}

// here reviews games side by side.
func (f *reviewing) here(ctx context.Context, l *library.Library, r *library.Reviews, games []int64, workers int, start func() (*reviews.Reviewer, error), bar inputs.Progress) outcomes {
	play := func(ctx context.Context, w *reviews.Reviewer, v *reviewed) (struct{}, error) {
		record, err := f.find(ctx, l, r, v)
		switch {
		case err != nil:
		case record == nil:
			err = f.again(ctx, w, v, bar)
		default:
			o := f.Options(w)
			o.Progress = func(int, int) { bar.Advance(0) }
			o.Certify = f.Certifier(record)
			v.review, err = review.Game(ctx, w.Solvers, *record, o)
		}
		return struct{}{}, err
	}
	return outcomes{batch.Run(ctx, tasks(games), workers, reviews.Ahead*workers, start, play), func() error { return nil }}
}

// asked has a cluster review games. The certificates of reviews that the library has are made here.
func (f *reviewing) asked(ctx context.Context, l *library.Library, r *library.Reviews, games []int64, o solve.Options, bar inputs.Progress) (all outcomes, err error) {
	var solver *solve.Solver
	q := &jobs.Review[*reviewed, struct{}]{Options: f.Options(&reviews.Reviewer{}), Solving: o,
		Record: func(v *reviewed) (*review.Record, error) { return f.find(ctx, l, r, v) },
		Otherwise: func(v *reviewed) (none struct{}, err error) {
			if solver == nil {
				if solver, err = solve.New(o.ForNodes(f.Search.Limit().Nodes, 1)); err != nil {
					return none, err
				}
			}
			return none, f.again(ctx, &reviews.Reviewer{Solvers: []*solve.Solver{solver}}, v, bar)
		},
		Take: func(v *reviewed, found *review.Review) (none struct{}, err error) {
			v.review = found
			for range found.Standings {
				bar.Advance(0)
			}
			return none, nil
		}}
	if f.Certificates != "" {
		q.Certifier = f.Certifier
	}
	f.Jobs.Total = len(games)
	asker, end, err := q.Open(ctx, &f.Jobs)
	if err != nil {
		return all, err
	}
	return outcomes{jobs.Outcomes(ctx, asker, tasks(games), q, func(*reviewed) {}), end.Close}, nil
}

// games returns the numbers of the games, and how many positions they have. The error may be that
// certificates of two games would have the same names.
func (f *reviewing) games(ctx context.Context, l *library.Library) (games []int64, positions int, err error) {
	names := certificates.NewNames("games")
	for g, err := range l.Games(ctx, &f.Filter, library.Sort{}) {
		if err == nil && f.Certificates != "" {
			var r review.Record
			if r, err = g.Record(); err == nil {
				err = names.Take(reviews.FileName(&r))
			}
		}
		if err != nil {
			return nil, 0, err
		}
		games = append(games, g.ID)
		positions += g.Turns + 1
	}
	return games, positions, nil
}

// reviewed is the review of a game.
type reviewed struct {
	id     int64
	record *review.Record // if there is no review of it yet
	game   *library.Game
	review *review.Review
	kept   bool // it was in the library before
	latest bool // as the one that was asked for last
}

// review keeps and writes the reviews.
func (f *reviewing) review(ctx context.Context, r *library.Reviews, all outcomes, bar inputs.Progress) (code cli.Code, err error) {
	now, before, began, cut := 0, 0, time.Now(), false
	for done := range all.all {
		v := done.Job
		switch {
		case cut || ctx.Err() != nil && (done.Err != nil || v.review == nil || v.review.Interrupted):
			cut = true // what comes behind a game that is missing is not written
			continue
		case errors.Is(done.Err, library.ErrDamaged) || done.Err != nil && f.denied != nil:
			return code, done.Err
		case done.Err != nil:
			fmt.Fprintf(f.t.Err, "goalproof: game %d: %v\n", v.id, done.Err)
			code = code.Worse(cli.CodeOf(done.Err, cli.Internal))
			continue
		}
		if err := f.take(ctx, r, v); errors.Is(err, context.Canceled) {
			cut = true
			continue
		} else if err != nil {
			return code, err
		}
		if v.kept {
			before++
		} else {
			now++
		}
	}
	if err := cmp.Or(f.Finish(), all.end()); err != nil {
		return code, err
	}
	bar.Finish()
	f.ReportProofs()
	fmt.Fprintf(f.t.Err, "goalproof: %s reviewed, %d before", printable.Amount(now, "game"), before)
	if cli.IsTerminal(f.t.Err) {
		fmt.Fprintf(f.t.Err, ", in %s", cli.Took(time.Since(began)))
	}
	fmt.Fprintln(f.t.Err)
	if ctx.Err() != nil {
		fmt.Fprintln(f.t.Err, interrupted)
		code = code.Worse(cli.Unknown)
	}
	return code, nil
}

// take adds a review to the library, unless it is there as the one that was asked for last, and
// writes it.
func (f *reviewing) take(ctx context.Context, r *library.Reviews, v *reviewed) error {
	if !v.latest && f.denied == nil {
		if err := r.Add(ctx, v.game, v.review); err != nil {
			return err
		}
	}
	return f.Add(v.review)
}

// find finds the game, and its review in the library; if there is none it returns the record of
// what is to be reviewed.
func (f *reviewing) find(ctx context.Context, l *library.Library, r *library.Reviews, v *reviewed) (record *review.Record, err error) {
	if v.game != nil {
		return v.record, nil
	}
	if v.game, err = l.Game(ctx, v.id); err != nil {
		return nil, err
	}
	if v.review, v.latest, err = r.Review(ctx, v.game); err != nil {
		return nil, err
	}
	switch v.kept = v.review != nil; {
	case v.kept:
		return nil, nil
	case f.denied != nil:
		return nil, f.denied
	}
	of, err := v.game.Record()
	v.record = &of
	return v.record, err
}

// again makes the certificates of a review that the library has.
func (f *reviewing) again(ctx context.Context, w *reviews.Reviewer, v *reviewed, bar inputs.Progress) error {
	for range v.review.Standings {
		bar.Advance(0)
	}
	if certify := f.Certifier(&v.review.Record); certify != nil {
		return v.review.Certify(ctx, w.Solvers[0], f.Search.Limit(), certify)
	}
	return nil
}
