package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/reviews"
	"goalproof/internal/batch"
	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/review"
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

See also: goalproof help reviews, library-filters, json.`,
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
	err = f.With(len(games), func(workers int, start func() (*reviews.Reviewer, error)) error {
		r, err := l.Reviews(library.Reviewing{WinIn: f.WinIn, Nodes: f.Search.Limit().Nodes, Effort: f.Effort, Defence: f.Defence,
			Algorithm: f.Search.Algorithm, Endgames: f.Endgames()})
		if err != nil {
			return err
		}
		bar := inputs.NewProgress(f.t, f.t.Err, "reviewing", positions, nil)
		code, err = f.review(ctx, l, r, games, workers, start, bar)
		bar.Finish()
		return cmp.Or(err, r.Close())
	})
	if err != nil {
		return err
	}
	return code.Finish()
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
	game   *library.Game
	review *review.Review
	kept   bool // it was in the library before
	latest bool // as the one that was asked for last
}

// review reviews games side by side, and keeps and writes each as soon as it and those before it
// are done.
func (f *reviewing) review(
	ctx context.Context, l *library.Library, r *library.Reviews, games []int64, workers int, start func() (*reviews.Reviewer, error), bar inputs.Progress,
) (code cli.Code, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	play := func(ctx context.Context, w *reviews.Reviewer, id int64) (reviewed, error) {
		return f.one(ctx, l, r, w, id, bar)
	}
	now, before, began, cut := 0, 0, time.Now(), false
	for done := range batch.Run(ctx, slices.Values(games), workers, reviews.Ahead*workers, start, play) {
		v := &done.Value
		switch {
		case cut || ctx.Err() != nil && (done.Err != nil || v.review == nil || v.review.Interrupted):
			cut = true // what comes behind a game that is missing is not written
			continue
		case errors.Is(done.Err, library.ErrDamaged) || done.Err != nil && f.denied != nil:
			return code, done.Err
		case done.Err != nil:
			fmt.Fprintf(f.t.Err, "goalproof: game %d: %v\n", done.Job, done.Err)
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
	if err := f.Finish(); err != nil {
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

// one finds the review of a game in the library, or makes it.
func (f *reviewing) one(ctx context.Context, l *library.Library, r *library.Reviews, w *reviews.Reviewer, id int64, bar inputs.Progress) (done reviewed, err error) {
	if done.game, err = l.Game(ctx, id); err != nil {
		return done, err
	}
	if done.review, done.latest, err = r.Review(ctx, done.game); err != nil {
		return done, err
	}
	if done.review == nil && f.denied != nil {
		return done, f.denied
	}
	if v := done.review; v != nil {
		done.kept = true
		for range v.Standings {
			bar.Advance(0)
		}
		if certify := f.Certifier(&v.Record); certify != nil {
			err = v.Certify(ctx, w.Solvers[0], f.Search.Limit(), certify)
		}
		return done, err
	}
	record, err := done.game.Record()
	if err != nil {
		return done, err
	}
	o := f.Options(w)
	o.Progress = func(int, int) { bar.Advance(0) }
	o.Certify = f.Certifier(&record)
	done.review, err = review.Game(ctx, w.Solvers, record, o)
	return done, err
}
