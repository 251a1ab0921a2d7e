// Package solve is the command solve: whether the side to move wins in N turns, with the line, the solutions and the certificate.
package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/goal"
	"goalproof/internal/batch"
	"goalproof/internal/files"
	"goalproof/solve"
)

// flags are the flags of the solve command.
type flags struct {
	inputs inputs.Flags
	search search.Flags
	pns    search.PNSFlags
	goal   string
	aim    goal.Aim // that goal
	winIn  int
	all    bool
	try    string
	json   bool
	quiet  bool
	many   bool // positions side by side

	certificate string // file to write one to
	svg         string // file to write
	check       bool
	describe    bool

	variations int    // groups of replies shown; 0: no variations
	annotated  string // file to write them to as a game
	html       string // file to write them to as a page
}

func (f *flags) register(flags *pflag.FlagSet, t cli.Terminal) {
	f.inputs.Register(flags)
	f.search.Register(flags, runtime.GOMAXPROCS(0))
	f.search.RegisterStore(flags, t)
	f.search.RegisterEndgames(flags, t)
	f.search.RegisterEpsilon(flags)
	f.pns.Register(flags)
	flags.StringVar(&f.goal, "goal", "win", "what to look for: win, capture, capture=e (an elephant), capture@f6 (on this trap), capture=e@f6 or rabbit=7 (a rabbit to this rank)")
	flags.IntVar(&f.winIn, "win-in", 0, "look for a win, or the goal, within this many turns (default: no limit)")
	flags.BoolVar(&f.all, "all", false, "list every first turn that keeps the shortest win")
	flags.StringVar(&f.try, "try", "", "say whether this first `turn` keeps the win, and show the reply that refutes it; without --win-in, the shortest win")
	flags.BoolVar(&f.describe, "describe", false, "also say what the turn is worth (threats, zugzwang), and themes and difficulty of the win")
	f.search.RegisterLimits(flags, answer.Limit{Time: 60 * time.Second}, "each position")
	flags.StringVar(&f.certificate, "certificate", "", "write the proof of a win, or of no win in 1 or 2, to this `file`, for goalproof check; compressed if the name ends in .gz")
	flags.StringVar(&f.svg, "svg", "", "write the win as an animated picture, or without one the board, to this `file`")
	flags.BoolVar(&f.check, "check", false, "check the proof of each win, or of no win in 1 or 2, by the plain rules before reporting it")
	flags.BoolVar(&f.json, "json", false, "write a line of JSON for each position (see goalproof help json)")
	flags.BoolVar(&f.quiet, "quiet", false, "write one line per position and no board")
	flags.IntVar(&f.variations, "variations", 0, "show what follows each reply, with at most this many answers beside the most frequent one, fewer further down")
	flags.Lookup("variations").NoOptDefVal = variationsWidth
	flags.StringVar(&f.annotated, "annotated", "", "write the variations as a game with variations to this `file`")
	flags.StringVar(&f.html, "html", "", "write the variations as a page with boards to this `file`")
	help.Group(flags, help.Question, "goal", "win-in", "all", "try", "describe")
	help.Group(flags, help.Output, "json", "quiet", "variations", "annotated", "html", "check", "certificate", "svg")
}

// Command returns the command solve.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "solve INPUT...",
		Short: "Decide whether the side to move wins in N turns, and show how",
		Long: `Decides whether the side to move wins in N turns, whatever the opponent does. It
shows the shortest win with the longest defence, or says that there is none.
--try says whether one first turn keeps the win, --variations shows the whole
tree, --goal asks for a capture or for a rabbit on a rank, and --describe says
what is threatened and how hard the win is to see.

See also: goalproof help search, certificates, formats, json, exit-codes.`,
		Example: `  goalproof solve examples/win-in-2.txt
  goalproof solve --all --describe examples/win-in-2.txt
  goalproof solve --try 'Ed6n Ed7w' examples/win-in-2.txt
  goalproof solve --variations --html variations.html examples/win-in-3.txt
  goalproof solve --goal capture=h --win-in 2 examples/win-in-2.txt
  goalproof solve examples/game.turns --turn 24s`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("win-in") && f.winIn < 1 {
				return fmt.Errorf("--win-in %d: the number of turns is 1 or more", f.winIn)
			}
			if cmd.Flags().Changed("variations") && f.variations < 1 {
				return fmt.Errorf("--variations=%d: the number of answers is 1 or more", f.variations)
			}
			if f.variations == 0 && (f.annotated != "" || f.html != "") {
				return errors.New("--annotated and --html need --variations")
			}
			if cmd.Flags().Changed("try") && f.try == "" {
				return errors.New("--try is empty: name a turn, for example 'Ed6n Ed7w'")
			}
			if err := f.strayNumber(args); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.register(cmd.Flags(), t)
	return cmd
}

// strayNumber finds a number among the inputs that was meant for --variations, whose value follows an equals sign.
func (f *flags) strayNumber(args []string) error {
	if f.variations == 0 {
		return nil
	}
	for _, arg := range args {
		if _, err := strconv.Atoi(arg); err != nil {
			continue
		}
		if _, err := os.Stat(arg); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no file %s; the number of variations follows an equals sign: --variations=%s", arg, arg)
		}
	}
	return nil
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	if err := f.search.CheckLimits(); err != nil {
		return err
	}
	if f.json && f.quiet {
		return errors.New("--json and --quiet exclude each other")
	}
	if f.all && f.search.Algorithm == "pns" {
		return errors.New("--all needs --algorithm dfpns")
	}
	if f.variations > 0 && (f.try != "" || f.search.Algorithm == "pns") {
		return errors.New("--variations needs --algorithm dfpns, and has no place beside --try")
	}
	if f.describe && (f.try != "" || f.quiet || f.search.Algorithm == "pns") {
		return errors.New("--describe needs --algorithm dfpns, and has no place beside --try and --quiet")
	}
	if f.try != "" && (f.all || f.check || f.certificate != "" || f.pns.Save != "" || f.pns.Resume != "") {
		return errors.New("--try answers about one turn: --all, --check, --certificate, --save and --resume have no place beside it")
	}
	if (f.check || f.certificate != "") && f.search.Algorithm == "pns" {
		return errors.New("--check and --certificate need --algorithm dfpns")
	}
	if err := f.checkGoal(); err != nil {
		return err
	}
	if err := f.pns.Check(f.search.Algorithm); err != nil {
		return err
	}
	if f.pns.Resume != "" {
		if _, err := os.Stat(f.pns.Resume); err != nil {
			return cli.Exit(cli.BadInput, err)
		}
		return f.search.WithSolver(func(solver *solve.Solver) error {
			it, err := f.resumed(ctx, solver, args)
			if err == nil {
				err = f.single(1, args)
			}
			if err != nil {
				return err
			}
			it.Err = f.refuse(&it)
			code, err := f.solveAll(ctx, solver, slices.Values([]inputs.Item{it}), 0, t)
			return cmp.Or(err, code.Finish())
		})
	}
	in, err := f.inputs.Read(ctx, args, t)
	if err != nil {
		return err
	}
	all := inputs.Peek(in.All, 2, inputs.One)
	defer all.Stop()
	if err := in.Source.Interrupted(); err != nil {
		return err
	}
	if err := f.single(len(all.First), args); err != nil {
		return err
	}
	questions := func(yield func(inputs.Item) bool) {
		for it := range all.All {
			if it.Err == nil {
				it.Err = f.refuse(&it)
			}
			if !yield(it) {
				return
			}
		}
	}
	next, stop := iter.Pull(questions)
	defer stop()
	var code cli.Code
	broken := 0
	it, ok := next()
	for ; ok && it.Err != nil; it, ok = next() {
		f.report(t, answered{Item: it}, solve.Answer{}, false)
		code = cli.BadInput
		broken++
	}
	if !ok {
		f.search.Store = "" // nothing will be known: no store is to be made for it
	}
	rest := func(yield func(inputs.Item) bool) {
		for ; ok && yield(it); it, ok = next() {
		}
	}
	if f.search.InNodes() && len(all.First) > 1 {
		return f.sideBySide(ctx, rest, broken, code, in.Source, t)
	}
	return f.search.WithSolver(func(solver *solve.Solver) error {
		solved, err := f.solveAll(ctx, solver, rest, broken, t)
		return cmp.Or(err, cli.Ended(in.Source, solved.Worse(code)))
	})
}

// solvedAhead times the number of workers is how many positions may have been answered before an earlier one is.
const solvedAhead = 64

// sideBySide answers the questions about items as solveAll does, each on one thread.
func (f *flags) sideBySide(ctx context.Context, all iter.Seq[inputs.Item], reported int, code cli.Code, source *files.Source, t cli.Terminal) error {
	f.many = true
	return f.search.WithWorkers(f.search.Threads, func(workers int, start func() (*solve.Solver, error)) error {
		work := func(ctx context.Context, solver *solve.Solver, it inputs.Item) (*solved, error) {
			return f.answer(ctx, solver, it, t)
		}
		tuned := func() (*solve.Solver, error) {
			s, err := start()
			if err == nil {
				err = s.Tune(f.pns.Parameters)
			}
			return s, err
		}
		for o := range batch.Run(ctx, all, workers, solvedAhead*workers, tuned, work) {
			if o.Err != nil {
				if e := (*cli.ExitError)(nil); errors.As(o.Err, &e) {
					return e
				}
				return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", o.Job.Name, o.Err))
			}
			if err := f.deliver(t, o.Value, reported > 0); err != nil {
				return err
			}
			code = code.Worse(o.Value.code)
			reported++
		}
		f.search.SayCut(t)
		if ctx.Err() != nil {
			code = code.Worse(cli.Unknown)
		}
		return cli.Ended(source, code)
	})
}

// checkGoal reads --goal and checks that no flag stands beside it that is about wins alone.
func (f *flags) checkGoal() (err error) {
	if f.aim, err = goal.ParseAim(f.goal); err != nil {
		return fmt.Errorf("--goal: %w", err)
	}
	if f.aim.Win() {
		return nil
	}
	for _, name := range []string{"try", "variations", "describe", "store", "endgames", "save", "resume"} {
		if f.pns.Given.Changed(name) {
			return fmt.Errorf("--goal %s: --%s is about wins alone", f.aim, name)
		}
	}
	return nil
}

// solveAll answers the questions about items, of which so many have been reported before.
func (f *flags) solveAll(ctx context.Context, solver *solve.Solver, all iter.Seq[inputs.Item], reported int, t cli.Terminal) (code cli.Code, err error) {
	if err := solver.Tune(f.pns.Parameters); err != nil {
		return code, err
	}
	saves := saves{err: t.Err, every: f.pns.SaveEvery}
	if f.pns.Save != "" {
		if err := solver.SaveTo(f.pns.Save, f.pns.SaveEvery, saves.report); err != nil {
			return code, err
		}
	}
	i := reported - 1
	for it := range all {
		if i++; i > reported && ctx.Err() != nil {
			code = code.Worse(cli.Unknown)
			break
		}
		known, err := f.answer(ctx, solver, it, t)
		saves.end(known.answer, err)
		if err == nil {
			err = f.deliver(t, known, i > 0)
		}
		if err != nil {
			return code, err
		}
		code = code.Worse(known.code)
	}
	f.search.SayCut(t)
	return code, nil
}

// answer finds out what is asked about an item.
func (f *flags) answer(ctx context.Context, solver *solve.Solver, it inputs.Item, t cli.Terminal) (known *solved, err error) {
	known = &solved{answered: answered{Item: it}}
	q := f.question(&it)
	if it.Err != nil {
		known.code = cli.BadInput
		return known, nil
	}
	known.answer, err = f.solve(ctx, solver, q, known, t)
	if bad := (*badTry)(nil); errors.As(err, &bad) {
		known.Err, known.code = bad, cli.BadInput
		return known, nil
	}
	if f.pns.Resume != "" && unusable(err) {
		return known, cli.Unwritten(err)
	}
	if err != nil {
		return known, cli.Exit(cli.Internal, fmt.Errorf("%s: %w", it.Name, err))
	}
	a := known.answer
	known.certificate, err = f.writeDown(ctx, solver, q, known, t)
	if unwritten := (*certificates.Unwritten)(nil); errors.As(err, &unwritten) {
		known.code = cli.CodeOf(err, cli.BadInput)
	} else if err != nil {
		return known, err
	}
	if known.certificate == "" && f.certifies(a) {
		known.code = known.code.Worse(cli.Unknown)
	}
	if known.variations, err = f.variationsOf(ctx, solver, q, known, t); err != nil {
		return known, err
	}
	if f.variations > 0 && known.variations == nil && a.Verdict == answer.Proved {
		known.code = known.code.Worse(cli.Unknown)
	}
	if known.description, err = f.description(ctx, solver, q, known); err != nil {
		return known, cli.Exit(cli.Internal, fmt.Errorf("%s: %w", it.Name, err))
	}
	switch a.Verdict {
	case answer.Disproved:
		known.code = known.code.Worse(cli.Fails)
	case answer.Unknown:
		known.code = known.code.Worse(cli.Unknown)
	}
	if a.Listing != answer.Finished {
		known.code = known.code.Worse(cli.Unknown)
	}
	return known, nil
}

// deliver prints the answer about an item and writes the files that were asked for.
func (f *flags) deliver(t cli.Terminal, known *solved, more bool) error {
	a := known.answer
	f.report(t, known.answered, a, more)
	f.search.Cut(t, known.Name, known.cut)
	if known.Err != nil {
		return nil
	}
	if err := f.saveVariations(t, known.answered, a); err != nil {
		return err
	}
	if err := f.draw(t, &known.Item, a); err != nil {
		return err
	}
	if a.Unsaved != nil {
		fmt.Fprintf(t.Err, "goalproof: --save: %v\n", a.Unsaved)
		if !errors.Is(a.Unsaved, solve.ErrRecalled) {
			known.code = known.code.Worse(cli.CodeOf(a.Unsaved, cli.BadInput))
		}
	}
	return nil
}

// single checks that there is one position where files are to be written about it, and that they can be
// without harm to the inputs.
func (f *flags) single(items int, files []string) error {
	if f.certificate != "" && items > 1 {
		return errors.New("--certificate takes one position, and there are more")
	}
	if f.try != "" && items > 1 {
		return errors.New("--try takes one position, and there are more")
	}
	if f.svg != "" && items > 1 {
		return errors.New("--svg takes one position, and there are more")
	}
	if (f.annotated != "" || f.html != "") && items > 1 {
		return errors.New("--annotated and --html take one position, and there are more")
	}
	if f.pns.Save != "" && items > 1 {
		return errors.New("--save takes one position, and there are more")
	}
	if err := cli.Writable("certificate", f.certificate, files...); err != nil {
		return err
	}
	if err := cli.Writable("svg", f.svg, append(slices.Clone(files), f.certificate, f.pns.Save)...); err != nil {
		return err
	}
	if err := cli.Writable("annotated", f.annotated, append(slices.Clone(files), f.certificate, f.svg)...); err != nil {
		return err
	}
	if err := cli.Writable("html", f.html, append(slices.Clone(files), f.certificate, f.svg, f.annotated)...); err != nil {
		return err
	}
	return cli.Writable("save", f.pns.Save, files...)
}

// question is what is asked about an item.
func (f *flags) question(it *inputs.Item) solve.Question {
	deepest := f.winIn
	if deepest == 0 {
		deepest = solve.MaxTurns
	}
	return solve.Question{
		Position: it.Diagram.Position, Aim: f.aim, Deepest: deepest, Game: it.Game,
		Number: it.Diagram.Number, All: f.all,
	}
}

// refuse returns an error, which names the item, if the question about it cannot be asked.
func (f *flags) refuse(it *inputs.Item) error {
	if err := f.question(it).Check(); err != nil {
		return fmt.Errorf("%s: %w", it.Name, err)
	}
	return nil
}

// solve answers one question within its limit, with a progress bar on a terminal.
func (f *flags) solve(ctx context.Context, solver *solve.Solver, q solve.Question, known *solved, t cli.Terminal) (a solve.Answer, err error) {
	ctx, cancel := f.search.Start(ctx, solver)
	defer cancel()
	defer known.ends(ctx)
	if cli.IsTerminal(t.Err) && !f.json && !f.many {
		stop := showProgress(t.Err, known.Name, f.goal, f.search.Limit(), solver)
		defer stop()
	}
	if f.try != "" {
		return f.tries(ctx, solver, q, &known.Item)
	}
	return solver.Solve(ctx, q)
}
