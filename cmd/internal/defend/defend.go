// Package defend is the command defend: which turns of the side to move stop its opponent from winning within N turns.
package defend

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/internal/batch"
	"goalproof/internal/files"
	"goalproof/solve"
)

// flags are the flags of the defend command.
type flags struct {
	inputs      inputs.Flags
	search      search.Flags
	winIn       int
	all         bool
	json        bool
	quiet       bool
	many        bool   // positions side by side
	certificate string // file to write one to
	check       bool
}

func (f *flags) register(flags *pflag.FlagSet, t cli.Terminal) {
	f.inputs.Ongoing = true
	f.inputs.Register(flags)
	f.search.Register(flags, runtime.GOMAXPROCS(0))
	f.search.RegisterStore(flags, t)
	f.search.RegisterEndgames(flags, t)
	f.search.RegisterEpsilon(flags)
	flags.IntVar(&f.winIn, "win-in", 0, "defend against a win of the opponent within this many of his turns (default: that of his threat, 1 or 2)")
	flags.BoolVar(&f.all, "all", false, "list every turn that holds, not only the essential ones")
	f.search.RegisterLimits(flags, answer.Limit{Time: 60 * time.Second}, "each position")
	flags.StringVar(&f.certificate, "certificate", "", "write the proof of a loss to this `file`, for goalproof check; compressed if the name ends in .gz")
	flags.BoolVar(&f.check, "check", false, "check the proof of each loss by the plain rules before reporting it")
	flags.BoolVar(&f.json, "json", false, "write a line of JSON for each position (see goalproof help json)")
	flags.BoolVar(&f.quiet, "quiet", false, "write one line per position and no board")
	help.Group(flags, help.Question, "win-in", "all")
	help.Group(flags, help.Output, "json", "quiet", "check", "certificate")
}

// Command returns the command defend.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "defend INPUT...",
		Short: "List the turns that stop the opponent's win in N turns",
		Long: `Lists the turns of the side to move after which its opponent does not win within
--win-in turns, whatever he plays; or says that there is none: the side to move
loses. A turn is essential, and marked *, if no shorter one that holds lies on
the way to it.

Without --win-in it asks about the win that the opponent would have if it were
his turn, in 1 or 2 turns; if there is none, about a win in 1.

See also: goalproof help search, certificates, formats, json, exit-codes.`,
		Example: `  goalproof defend examples/win-in-2.txt
  goalproof defend --all --win-in 2 examples/win-in-2.txt
  goalproof defend examples/game.turns --turn 26g
  goalproof defend --win-in 3 --certificate loss.proof examples/game.turns --turn 26g`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("win-in") && (f.winIn < 1 || f.winIn > solve.MaxTurns) {
				return fmt.Errorf("--win-in %d: the number of turns is 1 to %d", f.winIn, solve.MaxTurns)
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.register(cmd.Flags(), t)
	return cmd
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	if err := f.search.CheckLimits(); err != nil {
		return err
	}
	if f.json && f.quiet {
		return errors.New("--json and --quiet exclude each other")
	}
	if f.search.Algorithm == "pns" {
		return errors.New("defend needs --algorithm dfpns")
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
	if f.certificate != "" && len(all.First) > 1 {
		return errors.New("--certificate takes one position, and there are more")
	}
	if err := cli.Writable("certificate", f.certificate, args...); err != nil {
		return err
	}
	if f.search.InNodes() && len(all.First) > 1 {
		return f.sideBySide(ctx, all.All, in.Source, t)
	}
	return f.search.WithSolver(func(solver *solve.Solver) error {
		var code cli.Code
		more := false
		for it := range all.All {
			if more && ctx.Err() != nil {
				code = code.Worse(cli.Unknown)
				break
			}
			r, err := f.item(ctx, solver, it, t)
			if err != nil {
				return err
			}
			f.deliver(t, r, more)
			code = code.Worse(r.code)
			more = true
		}
		f.search.SayCut(t)
		return cli.Ended(in.Source, code)
	})
}

// answeredAhead times the number of workers is how many positions may have been answered before an earlier one is.
const answeredAhead = 64

// sideBySide answers about many positions, each on one thread.
func (f *flags) sideBySide(ctx context.Context, all iter.Seq[inputs.Item], source *files.Source, t cli.Terminal) error {
	f.many = true
	return f.search.WithWorkers(f.search.Threads, func(workers int, start func() (*solve.Solver, error)) error {
		var code cli.Code
		more := false
		for o := range batch.Run(ctx, all, workers, answeredAhead*workers, start,
			func(ctx context.Context, solver *solve.Solver, it inputs.Item) (*result, error) {
				return f.item(ctx, solver, it, t)
			}) {
			if o.Err != nil {
				if e := (*cli.ExitError)(nil); errors.As(o.Err, &e) {
					return e
				}
				return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", o.Job.Name, o.Err))
			}
			f.deliver(t, o.Value, more)
			code = code.Worse(o.Value.code)
			more = true
		}
		f.search.SayCut(t)
		if ctx.Err() != nil {
			code = code.Worse(cli.Unknown)
		}
		return cli.Ended(source, code)
	})
}

// item answers about one position.
func (f *flags) item(ctx context.Context, solver *solve.Solver, it inputs.Item, t cli.Terminal) (r *result, err error) {
	r = &result{Item: it, winIn: f.winIn}
	if r.Err == nil {
		if err := f.ask(ctx, solver, r, t); errors.Is(err, solve.ErrOver) || errors.Is(err, arimaa.ErrNoPosition) {
			r.Err = fmt.Errorf("%s: %w", it.Name, err)
		} else if err != nil {
			return r, cli.Exit(cli.Internal, fmt.Errorf("%s: %w", it.Name, err))
		}
	}
	switch {
	case r.Err != nil:
		r.code = cli.BadInput
	case r.answer.Undecided > 0:
		r.code = cli.Unknown
	case r.answer.Verdict == answer.Disproved:
		r.code = cli.Fails
	}
	if r.Err == nil && r.answer.Verdict == answer.Disproved && (f.check || f.certificate != "") {
		unwritten := (*certificates.Unwritten)(nil)
		switch r.certificate, err = f.writeDown(ctx, solver, r, t); {
		case errors.As(err, &unwritten):
			r.code = r.code.Worse(cli.CodeOf(err, cli.BadInput))
		case err != nil:
			return r, err
		case r.certificate == "":
			r.code = r.code.Worse(cli.Unknown)
		}
	}
	return r, nil
}

// deliver prints the result for a position and, on standard error, whether its time was cut.
func (f *flags) deliver(t cli.Terminal, r *result, more bool) {
	f.report(t, r, more)
	f.search.Cut(t, r.Name, r.cut)
	if f.certificate != "" && r.Err == nil && r.answer.Verdict != answer.Disproved {
		fmt.Fprintf(t.Err, "goalproof: %s: no loss is proved, so no certificate is written\n", r.Name)
	}
}

// result is what is known about a position.
type result struct {
	inputs.Item
	winIn       int // the opponent's turns that the question is about
	answer      solve.Defence
	certificate string // what became of the proof: written, accepted, or nothing
	code        cli.Code
	cut         bool // time has ended a search that is limited in nodes
}

// ends takes note of the end of a limit.
func (r *result) ends(ctx context.Context) { r.cut = r.cut || answer.Cut(ctx) }

// question is the question that was asked.
func (r *result) question() solve.Question {
	return solve.Question{Position: r.Diagram.Position, Deepest: r.winIn, Game: r.Game, Number: r.Diagram.Number}
}

// ask answers the question within its limit, with a progress bar on a terminal.
func (f *flags) ask(ctx context.Context, solver *solve.Solver, r *result, t cli.Terminal) (err error) {
	ctx, cancel := f.search.Start(ctx, solver)
	defer cancel()
	defer r.ends(ctx)
	if r.winIn == 0 {
		const longest = 2 // that is looked for without --win-in
		if _, r.winIn, _, err = solver.Threatened(ctx, r.Diagram.Position, longest); err != nil {
			return err
		}
		r.winIn = max(r.winIn, 1)
	}
	if f.many {
		r.answer, err = solver.Defend(ctx, r.question(), nil)
		return err
	}
	bar := cli.Counter(t, r.Name, 0)
	defer bar.Finish()
	r.answer, err = solver.Defend(ctx, r.question(), func(n, decided, total int) {
		bar.Set("name", fmt.Sprintf("%s: which turns hold for %d?", r.Name, n))
		bar.SetTotal(int64(total))
		bar.SetCurrent(int64(decided))
	})
	return err
}

// writeDown makes the certificate of a loss and says what became of it: "written", "accepted", or "" where there is none, which
// it says on standard error. The error is that of [certificates.Save].
func (f *flags) writeDown(ctx context.Context, s *solve.Solver, r *result, t cli.Terminal) (state string, err error) {
	ctx, cancel := f.search.Limit().Start(ctx)
	defer cancel()
	defer r.ends(ctx)
	c, failed := s.CertificateOfLoss(ctx, r.question(), r.answer.Within)
	state = "written"
	if failed == nil && f.check {
		state, failed = "accepted", certificates.Check(ctx, t, r.Name, c)
	}
	if ok, err := certificates.Save(t, r.Name, f.certificate, c, answer.Explain(ctx, failed)); !ok || err != nil {
		return "", err
	}
	return state, nil
}
