// Package solve is the command solve: whether the side to move wins in N turns, with the line, the
// solutions and the certificate.
package solve

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/search"
	"goalproof/goal"
	"goalproof/solve"
)

// flags are the flags of the solve command.
type flags struct {
	inputs inputs.Flags
	search search.Flags
	pns    search.PNSFlags
	jobs   jobs.Flags
	goal   string
	winIn  int
	all    bool
	try    string
	json   bool
	quiet  bool

	certificate string // file to write one to
	svg         string // file to write
	check       bool
	describe    bool
	tries       bool

	variations int    // groups of replies shown; 0: no variations
	annotated  string // file to write them to as a game
	html       string // file to write them to as a page

	aim  goal.Aim // that --goal names
	many bool     // several positions are answered side by side
}

func (f *flags) register(flags *pflag.FlagSet, t cli.Terminal) {
	f.inputs.Register(flags)
	f.search.Register(flags, runtime.GOMAXPROCS(0))
	f.search.RegisterStore(flags, t)
	f.search.RegisterEndgames(flags, t)
	f.search.RegisterEpsilon(flags)
	f.pns.Register(flags)
	f.jobs.Register(flags, t)
	flags.StringVar(&f.goal, "goal", "win", "what to look for: win, capture, capture=e (an elephant), capture@f6 (on this trap), capture=e@f6 or rabbit=7 (a rabbit to this rank)")
	flags.IntVar(&f.winIn, "win-in", 0, "look for a win, or the goal, within this many turns (default: no limit)")
	flags.BoolVar(&f.all, "all", false, "list every first turn that keeps the shortest win")
	flags.StringVar(&f.try, "try", "", "say whether this first `turn` keeps the win, and show the reply that refutes it; without --win-in, the shortest win")
	flags.BoolVar(&f.describe, "describe", false, "also say what the turn is worth (threats, zugzwang), and themes and difficulty of the win")
	flags.BoolVar(&f.tries, "tries", false, "also list near tries with their refutations, set play, and duals and short variations after the solution")
	f.search.RegisterLimits(flags, answer.Limit{Time: 60 * time.Second}, "each position")
	flags.StringVar(&f.certificate, "certificate", "", "write the proof of a win, or of no win in 1 or 2, to this `file`, for goalproof check; compressed if the name ends in .gz")
	flags.StringVar(&f.svg, "svg", "", "write the win as an animated picture, or without one the board, to this `file`")
	flags.BoolVar(&f.check, "check", false, "check the proof of each win, or of no win in 1 or 2, by the plain rules before reporting it")
	cli.JSONFlag(flags, &f.json, "each position")
	flags.BoolVar(&f.quiet, "quiet", false, "write one line per position and no board")
	flags.IntVar(&f.variations, "variations", 0, "show what follows each reply, with at most this many answers beside the most frequent one, fewer further down")
	flags.Lookup("variations").NoOptDefVal = variationsWidth
	flags.StringVar(&f.annotated, "annotated", "", "write the variations as a game with variations to this `file`")
	flags.StringVar(&f.html, "html", "", "write the variations as a page with boards to this `file`")
	help.Group(flags, help.Question, "goal", "win-in", "all", "try", "describe", "tries")
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
--try asks about one first turn, --variations shows the whole tree, --goal asks
for a capture or a rabbit on a rank, --describe says what is threatened and how
hard the win is to see, --tries lists near tries, set play and duals.

See also: goalproof help search, certificates, formats, json, exit-codes.`,
		Example: `  goalproof solve examples/win-in-2.txt
  goalproof solve --all --describe --tries examples/win-in-2.txt
  goalproof solve --try 'Ed6n Ed7w' examples/win-in-2.txt
  goalproof solve --variations --html variations.html examples/win-in-3.txt
  goalproof solve --goal capture=h --win-in 2 examples/win-in-2.txt
  goalproof solve examples/game.turns --turn 24s`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.validate(cmd.Flags(), args); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.register(cmd.Flags(), t)
	return cmd
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	if f.pns.Resume != "" {
		return f.resume(ctx, args, t)
	}
	in, err := f.inputs.Read(ctx, args, t)
	if err != nil {
		return err
	}
	all := inputs.Peek(in.All, 2, inputs.One)
	defer all.Stop()
	if err := cmp.Or(in.Source.Interrupted(), f.single(len(all.First), args)); err != nil {
		return err
	}
	several := len(all.First) > 1
	f.many = f.search.SideBySide(several)
	next, stop := iter.Pull(f.questions(all.All))
	defer stop()
	w := writer{flags: f, t: t}
	broken := cli.Code(cli.Holds)
	it, ok := next()
	for ; ok && it.Err != nil; it, ok = next() {
		if broken, err = w.deliver(&solved{Item: it, code: cli.BadInput}); err != nil {
			return err
		}
	}
	switch {
	case !ok:
		f.search.Store = "" // no fact will be found, so no store is created
	case f.jobs.Given():
		if err := f.jobs.Reach(ctx); err != nil {
			return err
		}
	}
	rest := func(yield func(inputs.Item) bool) {
		for ; ok && yield(it); it, ok = next() {
		}
	}
	code, err := search.Each(ctx, &f.search, t, rest, several, w.prepare, w.answer, w.deliver)
	return cmp.Or(err, cli.Ended(in.Source, code.Worse(broken)))
}

// questions yields items; one about which the question cannot be asked has an error.
func (f *flags) questions(all iter.Seq[inputs.Item]) iter.Seq[inputs.Item] {
	return func(yield func(inputs.Item) bool) {
		for it := range all {
			if it.Err == nil {
				it.Err = f.refuse(&it)
			}
			if !yield(it) {
				return
			}
		}
	}
}

// refuse returns an error that names the item if the question about it cannot be asked.
func (f *flags) refuse(it *inputs.Item) error {
	q := f.question(it)
	if err := q.Check(); err != nil {
		return fmt.Errorf("%s: %w", it.Name, err)
	}
	return nil
}

// question returns the question about an item.
func (f *flags) question(it *inputs.Item) solve.Question {
	return solve.Question{
		Position: it.Diagram.Position, Aim: f.aim, Deepest: cmp.Or(f.winIn, solve.MaxTurns), Game: it.Game,
		Number: it.Diagram.Number, All: f.all,
	}
}

// single returns an error if there are several positions for a flag that takes one, or if a file
// cannot be written or would overwrite an input.
func (f *flags) single(items int, inputs []string) error {
	others := slices.Clone(inputs)
	for _, o := range []struct{ flag, value string }{
		{"cluster", f.jobs.URL}, {"save", f.pns.Save}, {"certificate", f.certificate}, {"svg", f.svg}, {"annotated", f.annotated}, {"html", f.html}, {"try", f.try},
	} {
		if o.value != "" && items > 1 {
			return fmt.Errorf("--%s takes one position, and there are more", o.flag)
		}
		if o.flag == "try" || o.flag == "cluster" {
			continue
		}
		if err := cli.Writable(o.flag, o.value, others...); err != nil {
			return err
		}
		others = append(others, o.value)
	}
	return nil
}
