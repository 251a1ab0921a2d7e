// Package defend is the command defend: which turns of the side to move stop its opponent from
// winning within N turns.
package defend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/solve"
	"goalproof/solve/report"
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
	cli.JSONFlag(flags, &f.json, "each position")
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
			if err := cmp.Or(search.CheckTurns(cmd.Flags(), "win-in", 1), f.search.CheckLimits()); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.register(cmd.Flags(), t)
	return cmd
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
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
	several := len(all.First) > 1
	f.many = f.search.SideBySide(several)
	w := writer{flags: f, t: t}
	code, err := search.Each(ctx, &f.search, t, all.All, several, nil, w.answer, w.deliver)
	return cmp.Or(err, cli.Ended(in.Source, code))
}

// writer answers questions about positions and writes the answers.
type writer struct {
	*flags
	t    cli.Terminal
	more bool // something has been written
}

// result is the answer about a position.
type result struct {
	inputs.Item
	report.Defence
	code cli.Code
	cut  bool // time has ended a search that is limited in nodes
}

// ends records whether a limit ended the search; see [answer.Cut].
func (r *result) ends(ctx context.Context) { r.cut = r.cut || answer.Cut(ctx) }

// answer answers the question about one position.
func (w *writer) answer(ctx context.Context, solver *solve.Solver, it inputs.Item) (r *result, err error) {
	r = &result{Item: it}
	if r.Err == nil {
		r.Question = solve.Question{Position: it.Diagram.Position, Deepest: w.winIn, Game: it.Game, Number: it.Diagram.Number, All: w.all}
		if err := w.ask(ctx, solver, r); errors.Is(err, solve.ErrOver) || errors.Is(err, arimaa.ErrNoPosition) {
			r.Err = fmt.Errorf("%s: %w", it.Name, err)
		} else if err != nil {
			return r, cli.Exit(cli.Internal, fmt.Errorf("%s: %w", it.Name, err))
		}
	}
	switch {
	case r.Err != nil:
		r.code = cli.BadInput
		return r, nil
	case r.Undecided > 0:
		r.code = cli.Unknown
	case r.Verdict == answer.Disproved:
		r.code = cli.Fails
	}
	if r.Verdict == answer.Disproved && (w.check || w.certificate != "") {
		switch r.Certificate, err = w.writeDown(ctx, solver, r); {
		case errors.As(err, new(*certificates.Unwritten)):
			r.code = r.code.Worse(cli.CodeOf(err, cli.BadInput))
		case err != nil:
			return r, err
		case r.Certificate == "":
			r.code = r.code.Worse(cli.Unknown)
		}
	}
	return r, nil
}

// ask answers the question within its limit, with a progress bar on a terminal.
func (w *writer) ask(ctx context.Context, solver *solve.Solver, r *result) (err error) {
	ctx, cancel := w.search.Start(ctx, solver)
	defer cancel()
	defer r.ends(ctx)
	if r.Deepest == 0 {
		const longest = 2 // that is looked for without --win-in
		threat, err := solver.Threatened(ctx, r.Position, longest)
		if err != nil {
			return err
		}
		r.Deepest = max(threat.Within, 1)
	}
	if w.many {
		r.Defence.Defence, err = solver.Defend(ctx, r.Question, nil)
		return err
	}
	bar := cli.Counter(w.t, r.Name, 0)
	defer bar.Finish()
	r.Defence.Defence, err = solver.Defend(ctx, r.Question, func(n, decided, total int) {
		bar.Set("name", fmt.Sprintf("%s: which turns hold for %d?", r.Name, n))
		bar.SetTotal(int64(total))
		bar.SetCurrent(int64(decided))
	})
	return err
}

// writeDown makes the certificate of a loss and returns its state: "written", "accepted", or "" if
// there is none, with a message on standard error. The error is that of [certificates.Save].
func (w *writer) writeDown(ctx context.Context, s *solve.Solver, r *result) (state string, err error) {
	ctx, cancel := w.search.Limit().Start(ctx)
	defer cancel()
	defer r.ends(ctx)
	c, failed := s.CertificateOfLoss(ctx, r.Question, r.Within)
	state = "written"
	if failed == nil && w.check {
		state, failed = "accepted", certificates.Check(ctx, w.t, r.Name, c)
	}
	if ok, err := certificates.Save(w.t, r.Name, w.certificate, c, answer.Explain(ctx, failed)); !ok || err != nil {
		return "", err
	}
	return state, nil
}

// deliver prints the result for a position, with a message on standard error if the time was cut.
func (w *writer) deliver(r *result) (cli.Code, error) {
	w.print(r)
	w.more = true
	w.search.ReportCut(w.t, r.Name, r.cut)
	if w.certificate != "" && r.Err == nil && r.Verdict != answer.Disproved {
		fmt.Fprintf(w.t.Err, "goalproof: %s: no loss is proved, so no certificate is written\n", r.Name)
	}
	return r.code, nil
}

// print prints the answer about a position.
func (w *writer) print(r *result) {
	switch {
	case w.json:
		_ = report.WriteJSON(w.t.Out, r.object()) // the output remembers that it could not be written
	case r.Err != nil:
		fmt.Fprintf(w.t.Err, "goalproof: %s\n", notation.Explain(r.Err))
	case w.quiet:
		fmt.Fprintf(w.t.Out, "%s: %s\n", r.Name, r.Summary())
	default:
		r.Head(w.t, w.more)
		r.Write(w.t.Out)
		w.search.Took(w.t, r.Name, r.Nodes, r.Time, "")
	}
}

// object is the JSON of a result.
type object struct {
	inputs.About
	Side *string `json:"side"`
	report.Defences
	Certificate *string `json:"certificate"`
	Error       *string `json:"error"`
}

func (r *result) object() object {
	o := object{About: r.About(), Defences: r.JSON()}
	if r.Err != nil {
		o.WinIn, o.Threat, o.Verdict, o.Repetition, o.Error = nil, nil, "error", nil, new(r.Err.Error())
		return o
	}
	o.Side = new(r.Position.Side().String())
	if r.Certificate != "" {
		o.Certificate = &r.Certificate
	}
	return o
}
