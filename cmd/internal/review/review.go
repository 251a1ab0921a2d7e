// Package review is the command review: the missed wins of finished games, and from when on they
// are won, as text, table, JSON or page.
package review

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/engine"
	"goalproof/internal/batch"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/proof"
	"goalproof/review"
	"goalproof/solve"
)

// flags are the flags of the review command.
type flags struct {
	search       search.Flags
	game         string
	reading      inputs.Reading
	winIn        int
	effort       uint64 // nodes
	defence      uint64 // nodes for each turn; 0: only wins in 1
	certificates string // directory to write them to
	annotated    string // file to write
	html         string // file to write
	open         bool   // the file, when it is written
	pages        string // directory to write them to
	keepGoing    bool
	summary      bool
	csv          bool
	json         bool
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

See also: goalproof help reviews, formats, json.`,
		Example: `  goalproof review examples/game.turns
  goalproof review --html game.html --annotated game.txt examples/game.turns
  goalproof review --csv --nodes 20000 --store facts examples/game.turns > games.csv
  goalproof review --certificates proofs examples/game.turns
  goalproof review --summary --pages games examples/game.turns`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.winIn < 1 || f.winIn > solve.MaxTurns:
				return fmt.Errorf("--win-in %d: the number of turns is 1 to %d", f.winIn, solve.MaxTurns)
			case f.summary && f.csv || f.summary && f.json || f.csv && f.json:
				return errors.New("--summary, --csv and --json exclude each other")
			case f.certificates != "" && f.search.Algorithm != "dfpns":
				return errors.New("--certificates needs --algorithm dfpns")
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	flags := cmd.Flags()
	f.search.Register(flags, runtime.GOMAXPROCS(0))
	f.search.RegisterStore(flags, t)
	f.search.RegisterEndgames(flags, t)
	flags.StringVar(&f.game, "game", "", "review only the game with this id, or number in its file")
	f.reading.Register(flags)
	flags.IntVar(&f.winIn, "win-in", 3, "look for wins within this many turns")
	flags.Uint64Var(&f.effort, "effort", 10_000, "nodes for each search of an evaluation; with 0 there are no evaluations")
	f.search.RegisterLimits(flags, answer.Limit{Nodes: review.UsualNodes}, "each turn, and again for each line and certificate")
	flags.Uint64Var(&f.defence, "defence-nodes", 0, "for each turn that gives a win in two turns or more, nodes to count the turns that would have stopped it (default: only those that stop a win in one)")
	flags.StringVar(&f.certificates, "certificates", "", "write the proofs of wins to this `directory`")
	flags.StringVar(&f.annotated, "annotated", "", "write the game with comments and variations to this `file`")
	flags.StringVar(&f.html, "html", "", "write the review as a web page with board and graph to this `file`")
	flags.StringVar(&f.pages, "pages", "", "write a web page for each game, and an index, to this `directory`")
	flags.BoolVar(&f.open, "open", false, "open the web page in a browser; without --html it is a temporary file")
	flags.BoolVar(&f.keepGoing, "keep-going", false, "review the readable part of a broken record")
	flags.BoolVar(&f.summary, "summary", false, "write one line per game, and totals")
	flags.BoolVar(&f.csv, "csv", false, "write the summary as a comma-separated table")
	flags.BoolVar(&f.json, "json", false, "write a line of JSON for each game (see goalproof help json)")
	help.Group(flags, help.Question, "game", "win-in", "defence-nodes", "keep-going")
	help.Group(flags, help.Search, "effort")
	help.Group(flags, help.Output, "certificates", "annotated", "html", "open", "pages", "summary", "csv", "json")
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
	if (f.annotated != "" || f.html != "" || f.open) && (games > 1 || !all.Whole) {
		return errors.New("--annotated, --html and --open take one game, and there are more")
	}
	if f.certificates != "" {
		if err := os.MkdirAll(f.certificates, 0o777); err != nil {
			return cli.Unwritten(err)
		}
	}
	if f.open && f.html == "" {
		directory, err := os.MkdirTemp("", "goalproof-review-")
		if err != nil {
			return cli.Unwritten(err)
		}
		f.html = filepath.Join(directory, "review.html")
	}
	if err := cli.Writable("annotated", f.annotated, args...); err != nil {
		return err
	}
	if err := cli.Writable("html", f.html, append(slices.Clone(args), f.annotated)...); err != nil {
		return err
	}
	if !all.Whole {
		positions = 0
	}
	pages, err := newPages(f.pages, args)
	if err != nil {
		return err
	}
	out := newOutput(f, t)
	var code cli.Code
	err = f.withReviewers(games, func(workers int, start func() (*reviewer, error)) (err error) {
		bar := inputs.NewProgress(t, t.Err, "reviewing", positions, args)
		defer bar.Finish()
		if code, err = f.review(ctx, all.All, workers, start, out, pages, bar, t); err != nil {
			cancel() // reading ends
		}
		return err
	})
	if err != nil {
		return err
	}
	return code.Finish()
}

// reviewer holds what a worker reviews a game with.
type reviewer struct {
	solvers []*solve.Solver
	engine  *engine.Engine // nil: there are no evaluations
	notes   review.Notes   // nil: there is no store
}

// withReviewers calls run with the number of workers, one for each thread, and what starts the
// reviewer of each. A single game gets the solvers of all threads. Solvers and engines take one
// thread each.
func (f *flags) withReviewers(games int, run func(workers int, start func() (*reviewer, error)) error) error {
	o, err := f.search.Options()
	if err != nil {
		return err
	}
	if f.effort > 0 {
		for range min(o.Threads, games) {
			o.Memory = memory.BesideEvaluation(o.Memory)
		}
	}
	solvers, o, err := f.search.Divide(o, o.Threads)
	if err != nil {
		return err
	}
	workers := max(1, min(solvers, games))
	return f.search.WithStore(o, func(o solve.Options) error {
		return run(workers, func() (r *reviewer, err error) {
			r = &reviewer{}
			r.notes, _ = o.Store.(review.Notes)
			if f.effort > 0 {
				r.engine, err = engine.New(engine.Options{Threads: 1, Memory: memory.Evaluation, Without: engine.Probe, Endgames: o.Endgames})
				if err != nil {
					return nil, err
				}
			}
			for range solvers / workers {
				s, err := solve.New(o)
				if err != nil {
					return nil, err
				}
				r.solvers = append(r.solvers, s)
			}
			return r, nil
		})
	})
}

// reviewedAhead is how many games for each worker may be reviewed before an earlier one is done.
const reviewedAhead = 4

// review reviews games side by side and writes each as soon as it and those before it are done.
func (f *flags) review(
	ctx context.Context, games iter.Seq[record], workers int, start func() (*reviewer, error),
	out output, pages *pages, bar inputs.Progress, t cli.Terminal,
) (code cli.Code, err error) {
	var proofs atomic.Int64
	wins, reviewed, cut, began := 0, 0, 0, time.Now()
	play := func(ctx context.Context, w *reviewer, r record) (*review.Review, error) {
		if r.game == nil {
			return nil, nil
		}
		o := review.Options{WinIn: f.winIn, Limit: f.search.Limit(), Defence: answer.Limit{Nodes: f.defence},
			Engine: w.engine, Effort: f.effort, Notes: w.notes}
		o.Progress = func(_, turns int) { bar.Advance(r.bytes / int64(turns)) }
		if f.certificates != "" {
			o.Certify = func(i int, c *proof.Certificate) error {
				proofs.Add(1)
				return f.certificate(r.game, i, c, t)
			}
		}
		return review.Game(ctx, w.solvers, *r.game, o)
	}
	for done := range batch.Run(ctx, games, workers, reviewedAhead*workers, start, play) {
		if err := done.Job.err; err != nil {
			fmt.Fprintf(t.Err, "goalproof: %s\n", notation.Explain(err))
			code = code.Worse(cli.BadInput)
		}
		if err := done.Err; err != nil {
			fmt.Fprintf(t.Err, "goalproof: %v\n", err)
			code = code.Worse(cli.CodeOf(err, cli.Internal))
			continue
		}
		if done.Value == nil || done.Value.Interrupted && (f.summary || f.csv) {
			continue // a part of a game is not to be counted as one
		}
		wins += done.Value.Wins()
		reviewed++
		cut += done.Value.Cut()
		out.add(done.Value)
		if err := f.files(done.Value, pages, t); err != nil {
			return code, err
		}
	}
	if pages != nil {
		if err := pages.finish(); err != nil {
			return code, err
		}
	}
	out.finish()
	if cut > 0 && (f.summary || f.csv) {
		fmt.Fprintf(t.Err, "goalproof: the time was up before the nodes were spent at %s\n", printable.Amount(cut, "position"))
	}
	if cli.IsTerminal(t.Err) {
		fmt.Fprintf(t.Err, "%s in %s\n", printable.Amount(reviewed, "game"), cli.Took(time.Since(began)))
	}
	if f.certificates != "" {
		fmt.Fprintf(t.Err, "goalproof: %s has the proofs of %d of %s\n", f.certificates, proofs.Load(), printable.Amount(wins, "win"))
	}
	if ctx.Err() != nil {
		fmt.Fprintln(t.Err, "goalproof: interrupted")
		code = code.Worse(cli.Unknown)
	}
	return code, nil
}

// files writes what goes into files of its own.
func (f *flags) files(r *review.Review, pages *pages, t cli.Terminal) error {
	if f.annotated == "" && f.html == "" && pages == nil {
		return nil
	}
	if err := t.Durable(); err != nil {
		return err
	}
	if pages != nil {
		if err := pages.add(r); err != nil {
			return err
		}
	}
	if f.annotated != "" {
		if err := cli.WriteText(f.annotated, r.Annotated()); err != nil {
			return err
		}
	}
	if f.html == "" {
		return nil
	}
	page, err := r.HTML()
	if err != nil {
		return err
	}
	if err := cli.WriteText(f.html, page); err != nil || !f.open {
		return err
	}
	return cli.Open(f.html)
}

// certificate writes the proof of the win before turn i.
func (f *flags) certificate(r *review.Record, i int, c *proof.Certificate, t cli.Terminal) error {
	if err := t.Durable(); err != nil {
		return err
	}
	return cli.Unwritten(certificates.Write(filepath.Join(f.certificates, fmt.Sprintf("%s-%s.proof", gameFile(r), r.Game.Label(i))), c))
}

// gameFile is the name of a game as the files of its certificates begin with it.
func gameFile(r *review.Record) string { return certificates.FileName(filepath.Base(r.Name)) }
