// Package compose is the command compose: puzzles taken apart, made smaller or harder, and made
// unique.
package compose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/search"
	"goalproof/internal/batch"
	"goalproof/internal/files"
	"goalproof/puzzles"
	"goalproof/puzzles/compose"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// flags are the flags of the compose command.
type flags struct {
	search  search.Flags
	reading inputs.Reading
	claim   int
	aim     string
	themes  []string
	wanted  describe.Themes
	rounds  int
	seed    uint64
	save    string // file
	as      string
	json    bool
	tries   bool
	jobs    jobs.Flags
}

// Command returns the command compose.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "compose SET...",
		Short: "Make puzzles smaller, harder or unique",
		Long: `Makes other puzzles of puzzles, all of them verified:

  remove what is superfluous   --aim small, without --aim as well
  make it harder               --aim hard
  a win in one more turn       --aim longer
  a twin                       --aim twin

--aim small takes away the pieces that are superfluous and replaces others by
weaker ones. It says of each piece that is left what happens without it. The
solution stays. With --rounds it then changes the puzzle at random and keeps the
best. --aim hard changes it at random to make it more difficult, and any
solution will do; for wins in four and five the difficulty is a guess. --theme
asks for a solution with that theme (see goalproof help search).

The puzzle keeps its claim, the least number of turns of the win, and a single
solution: the only winning first turn, or the only essential one where it had
others. Each change is decided completely, and what is not decided is not made.
The third repetition is set aside.

Two aims leave the puzzle as it is and make others of it, at most five. --aim
twin changes one piece so that the win, in as many turns, has another solution;
the nearest changes come first. --aim longer takes back a turn of each side: the
win then takes a turn more, and leads to the puzzle, or to the puzzle with one
piece added. It often succeeds with wins in one, and seldom with longer ones.
Both say how many positions were tried, and why others were refused.

Of a position with several essential solutions it says which single change
leaves one. With --tries it lists near tries and what refutes them, set play,
duals and short solutions of what it made, or of a position that is no puzzle.

See also: goalproof help formats, json, clusters, exit-codes.`,
		Example: `  goalproof compose examples/win-in-2.txt
  goalproof compose --tries examples/win-in-2.txt
  goalproof compose --aim hard --nodes 20000 examples/win-in-2.txt
  goalproof compose --aim twin --nodes 20000 examples/win-in-2.txt
  goalproof compose --rounds 5000 --theme quiet examples/win-in-2.txt
  goalproof compose --aim longer --rounds 60 --nodes 20000 puzzle:4`,
		Args: cli.Args(1, cli.Many, "set of puzzles"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.validate(cmd.Flags(), args); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	flags := cmd.Flags()
	f.reading.Side.Register(flags)
	f.reading.Register(flags)
	flags.IntVar(&f.claim, "claim", 2, "the claim of puzzles that state none: a win in this many turns")
	f.search.RegisterLimits(flags, answer.Limit{Time: 10 * time.Second}, "the win of each position, and again for all its solutions")
	flags.StringVar(&f.aim, "aim", string(compose.Small), "what is made: the puzzle small or hard, longer ones, or a twin")
	flags.StringSliceVar(&f.themes, "theme", nil, "with --rounds or --aim hard: the solution is to have this `theme`, for example quiet; with several, all of them")
	flags.IntVar(&f.rounds, "rounds", 0, "number of random changes to try for each puzzle, with --aim hard 300 unless given; with --aim longer and twin, of positions to judge, 1000 unless given")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the random changes: the same seed gives the same puzzles")
	flags.StringVar(&f.save, "save", "", "keep the state of the random changes in this `file`; the same command continues from there")
	flags.StringVar(&f.as, "as", "text", "form of the puzzles: text, or table, as mine writes it and verify reads it")
	flags.BoolVar(&f.tries, "tries", false, "list near tries with their refutations, set play, duals and short solutions of the result")
	cli.JSONFlag(flags, &f.json, "each puzzle")
	f.search.Algorithm = "dfpns"
	flags.IntVar(&f.search.Threads, "threads", runtime.GOMAXPROCS(0), "number of puzzles to work on at the same time")
	cli.MemoryFlag(flags, &f.search.Memory, "memory for the whole process, for example 512MiB")
	f.jobs.Register(flags, t)
	help.Group(flags, help.Question, "claim", "aim", "theme", "rounds", "seed")
	help.Group(flags, help.Search, "threads", "memory")
	help.Group(flags, help.Output, "save", "as", "tries", "json")
	return cmd
}

// roundsOf is the number of rounds unless --rounds says another.
var roundsOf = map[compose.Aim]int{compose.Small: 0, compose.Hard: 300, compose.Longer: 1000, compose.Twin: 1000}

// validate checks the flags, reads --aim and --theme, and sets the rounds.
func (f *flags) validate(flags *pflag.FlagSet, args []string) error {
	aim, err := compose.ParseAim(f.aim)
	if err != nil {
		return fmt.Errorf("--aim %w", err)
	}
	if f.wanted, err = describe.ParseThemes(f.themes); err != nil {
		return fmt.Errorf("--theme: %w", err)
	}
	if !flags.Changed("rounds") {
		f.rounds = roundsOf[aim]
	}
	if aim.Varies() {
		err = f.checkVariants()
	}
	return cmp.Or(err, f.checkRounds(aim), f.checkOutput(flags.Changed("as")), search.CheckTurns(flags, "claim", 1), f.search.CheckLimits(),
		f.jobs.Check(&f.search), cli.Writable("save", f.save, args...))
}

// checkVariants returns an error if a flag has no meaning for aims that make other puzzles.
func (f *flags) checkVariants() error {
	switch {
	case f.wanted != 0, f.save != "":
		return fmt.Errorf("--aim %s takes no --theme and no --save: they are for random changes of the puzzle itself", f.aim)
	case f.tries:
		return fmt.Errorf("--aim %s and --tries exclude each other: ask compose --tries about the puzzles that it makes", f.aim)
	case f.jobs.Given():
		return fmt.Errorf("--aim %s and --cluster exclude each other: only puzzles made smaller or harder are sent to a cluster", f.aim)
	}
	return nil
}

// checkRounds returns an error if --rounds, or their lack, makes no sense.
func (f *flags) checkRounds(aim compose.Aim) error {
	switch {
	case f.rounds < 0:
		return fmt.Errorf("--rounds %d: it is 0 or more", f.rounds)
	case f.rounds > 0:
		return nil
	case aim != compose.Small:
		return fmt.Errorf("--rounds 0: --aim %s needs some, %d unless they are given", aim, roundsOf[aim])
	case f.wanted != 0:
		return errors.New("--theme is for --rounds: nothing else changes a solution")
	case f.save != "":
		return errors.New("--save is for --rounds: there is nothing else to continue")
	}
	return nil
}

// checkOutput returns an error if flags exclude each other that say what is written; as: the form was given.
func (f *flags) checkOutput(as bool) error {
	switch {
	case f.as != "text" && f.as != "table":
		return fmt.Errorf("--as %q: it is text or table", f.as)
	case f.json && as:
		return errors.New("--json and --as exclude each other")
	case f.tries && f.as == "table":
		return errors.New("--tries has no place in a table: leave --as out, or use --json")
	case f.tries && f.jobs.Given():
		return errors.New("--cluster and --tries exclude each other")
	case f.save != "" && f.jobs.Given():
		return errors.New("--cluster and --save exclude each other: --run keeps the puzzles that are done, and the same command continues")
	}
	return nil
}

// composed is the result of working on a puzzle.
type composed struct {
	compose.Made
	stopped bool // before the end
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	states, err := compose.OpenStates(f.save, compose.Aim(f.aim), f.wanted, f.rounds, f.seed)
	if err != nil {
		return cli.Exit(cli.BadInput, fmt.Errorf("--save: %w", err))
	}
	source := t.Source(ctx)
	all := inputs.Peek(f.read(source, args, t), inputs.LookAhead, inputs.One)
	defer all.Stop()
	if err := source.Interrupted(); err != nil {
		return err
	}
	f.jobs.Total = all.Total()
	return f.search.WithJobs(len(all.First), f.jobs.Given(), func(workers int, solving solve.Options) error {
		w := writer{flags: f, t: t, screen: cli.NewScreen(t), header: f.as == "table"}
		bar := inputs.NewProgress(t, w.screen, "composing", all.Total(), args, ".txt", ".tsv")
		defer bar.Finish()
		outcomes, closing, err := f.outcomes(ctx, all.All, workers, solving, states)
		if err != nil {
			return err
		}
		for o := range outcomes {
			bar.Advance(o.Job.Bytes)
			if err := w.take(&o.Job, &o.Value, o.Err); err != nil {
				return err
			}
		}
		if err := closing(); err != nil {
			return err
		}
		bar.Finish()
		f.search.ReportCuts(t)
		if err := states.Write(); err != nil {
			return cli.Unwritten(err)
		}
		if ctx.Err() != nil {
			w.code = w.code.Worse(cli.Unknown)
		}
		return w.code.Finish()
	})
}

// outcomes returns what is made of all puzzles, by this machine or by a cluster, and what ends that.
func (f *flags) outcomes(ctx context.Context, all iter.Seq[puzzles.Puzzle], workers int, solving solve.Options, states *compose.States) (
	results iter.Seq[batch.Outcome[puzzles.Puzzle, composed]], closing func() error, err error) {
	if f.jobs.Given() {
		q := &jobs.Compose[composed]{Task: f.task(), Nodes: f.search.Limit().Nodes, Solving: solving, Take: func(m compose.Made) composed { return composed{Made: m} }}
		asker, end, err := q.Open(ctx, &f.jobs)
		if err != nil {
			return nil, nil, err
		}
		return jobs.Outcomes(ctx, asker, all, q, func(puzzles.Puzzle) {}), end.Close, nil
	}
	start := func() (*compose.Composer, error) {
		s, err := solve.New(solving)
		return compose.New(s, f.search.Limit()), err
	}
	work := func(ctx context.Context, c *compose.Composer, p puzzles.Puzzle) (composed, error) {
		if p.Err != nil {
			return composed{}, nil
		}
		return f.compose(ctx, c, &p, states)
	}
	return batch.Run(ctx, all, workers, search.Ahead*workers, start, work), func() error { return nil }, nil
}

// read yields the puzzles of all sets, with their claims, until it is interrupted.
func (f *flags) read(source *files.Source, args []string, t cli.Terminal) iter.Seq[puzzles.Puzzle] {
	return func(yield func(puzzles.Puzzle) bool) {
		for p := range f.reading.Puzzles(t, source, args) {
			p.Claim = cmp.Or(p.Claim, f.claim)
			if p.Err == nil && p.Claim == 1 && compose.Aim(f.aim) == compose.Hard {
				p.Err = fmt.Errorf("%s: a win in 1 has no difficulty: --aim hard needs a longer one", p.Label())
			}
			if source.Interrupted() != nil || !yield(p) {
				return
			}
		}
	}
}

// writer writes the results.
type writer struct {
	*flags
	t      cli.Terminal
	screen *cli.Screen
	header bool // the header of the table is still to come
	code   cli.Code
}

// take counts and writes a result; failed is the error of working on the puzzle.
func (w *writer) take(p *puzzles.Puzzle, r *composed, failed error) (err error) {
	switch {
	case p.Err != nil:
		w.screen.Print(func() { fmt.Fprintf(w.t.Err, "goalproof: %s\n", notation.Explain(p.Err)) })
		w.code = w.code.Worse(cli.BadInput)
		return nil
	case failed != nil:
		if e, ok := errors.AsType[*cli.ExitError](failed); ok {
			return e
		}
		return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", p.Label(), failed))
	case r.stopped, w.tries && (r.Phases == nil || r.Phases.Stop() != answer.Finished), r.Mined == nil && (r.From.Turns > 0 || r.Finding.Verdict == answer.Unknown):
		w.code = w.code.Worse(cli.Unknown)
	case r.Mined == nil:
		w.code = w.code.Worse(cli.Fails)
	}
	w.screen.Print(func() {
		if w.header && r.Mined != nil {
			w.header = false
			fmt.Fprintln(w.t.Out, puzzles.MinedColumns)
		}
		err = w.write(w.t, p, r)
		w.search.ReportCut(w.t, p.Label(), r.Cut)
	})
	return err
}

// compose works on one puzzle. An interruption is not an error: results so far are kept.
func (f *flags) compose(ctx context.Context, c *compose.Composer, p *puzzles.Puzzle, states *compose.States) (r composed, err error) {
	r.Made, err = c.Make(ctx, f.task(), p.Position, p.Claim, states)
	if ctx.Err() != nil {
		return composed{r.Made, true}, nil
	}
	if e, ok := errors.AsType[*compose.SavedError](err); ok {
		err = cli.Exit(cli.BadInput, fmt.Errorf("--save %s: %w", f.save, e))
	}
	return r, err
}

// task is what is to be made of each puzzle.
func (f *flags) task() compose.Task {
	return compose.Task{Aim: compose.Aim(f.aim), Themes: f.wanted, Rounds: f.rounds, Seed: f.seed, Tries: f.tries}
}
