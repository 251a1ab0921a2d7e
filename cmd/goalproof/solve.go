package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/render"
	"goalproof/solve"
)

// solveFlags are the flags of the solve command.
type solveFlags struct {
	inputs inputs.Flags
	search search.Flags
	pns    search.PNSFlags
	winIn  int
	all    bool
	time   time.Duration
	json   bool
	quiet  bool

	certificate string // file to write one to
	check       bool
}

func (f *solveFlags) register(flags *pflag.FlagSet, t cli.Terminal) {
	f.inputs.Register(flags)
	f.search.Register(flags, runtime.GOMAXPROCS(0))
	f.search.RegisterStore(flags, t)
	f.search.RegisterEpsilon(flags)
	f.pns.Register(flags)
	flags.IntVar(&f.winIn, "win-in", 0, "look for a win within this many turns (default: no limit)")
	flags.BoolVar(&f.all, "all", false, "list every first turn that keeps the shortest win")
	flags.DurationVar(&f.time, "time", 60*time.Second, "time for each position, for example 10s or 5m")
	flags.StringVar(&f.certificate, "certificate", "", "write the proof of a win, or of no win in 1 or 2, to this `file`, for goalproof check; compressed if the name ends in .gz")
	flags.BoolVar(&f.check, "check", false, "check the proof of each win, or of no win in 1 or 2, by the plain rules before reporting it")
	flags.BoolVar(&f.json, "json", false, "write a line of JSON for each position (see goalproof help json)")
	flags.BoolVar(&f.quiet, "quiet", false, "write one line per position and no board")
	help.Group(flags, help.Question, "win-in", "all", "time")
	help.Group(flags, help.Output, "json", "quiet", "check", "certificate")
}

func solveCommand(t cli.Terminal) *cobra.Command {
	var f solveFlags
	cmd := &cobra.Command{
		Use:   "solve INPUT...",
		Short: "Decide whether the side to move wins in N turns, and show how",
		Long: `Decides whether the side to move wins in N turns, whatever the opponent does. It
shows the shortest win with the longest defence, or says that there is no win
within --win-in turns.

See also: goalproof help search, certificates, formats, json, exit-codes.`,
		Example: `  goalproof solve examples/win-in-2.txt
  goalproof solve --all --win-in 2 examples/win-in-2.txt
  goalproof solve --quiet --win-in 2 --time 10s examples
  goalproof solve examples/game.turns --turn 24s
  goalproof solve --store facts --win-in 3 examples/win-in-3.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("win-in") && f.winIn < 1 {
				return fmt.Errorf("--win-in %d: the number of turns is 1 or more", f.winIn)
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.register(cmd.Flags(), t)
	return cmd
}

func (f *solveFlags) run(ctx context.Context, args []string, t cli.Terminal) error {
	if f.time <= 0 {
		return fmt.Errorf("--time %v: the time must be more than zero", f.time)
	}
	if f.json && f.quiet {
		return errors.New("--json and --quiet exclude each other")
	}
	if f.all && f.search.Algorithm == "pns" {
		return errors.New("--all needs --algorithm dfpns")
	}
	if (f.check || f.certificate != "") && f.search.Algorithm == "pns" {
		return errors.New("--check and --certificate need --algorithm dfpns")
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
			it.Err = f.question(&it).Check()
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
				it.Err = f.question(&it).Check()
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
		f.report(t, it, solve.Answer{}, false)
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
	return f.search.WithSolver(func(solver *solve.Solver) error {
		solved, err := f.solveAll(ctx, solver, rest, broken, t)
		return cmp.Or(err, cli.Ended(in.Source, solved.Worse(code)))
	})
}

// solveAll answers the questions about items, of which so many have been reported before.
func (f *solveFlags) solveAll(ctx context.Context, solver *solve.Solver, all iter.Seq[inputs.Item], reported int, t cli.Terminal) (code cli.Code, err error) {
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
			return code.Worse(cli.Unknown), nil
		}
		q := f.question(&it)
		if it.Err != nil {
			code = code.Worse(cli.BadInput)
			f.report(t, it, solve.Answer{}, i > 0)
			continue
		}
		a, err := f.solve(ctx, solver, q, it.Name, t)
		saves.end(a, err)
		if f.pns.Resume != "" && unusable(err) {
			return code, cli.Exit(cli.BadInput, err)
		}
		if err != nil {
			return code, cli.Exit(cli.Internal, fmt.Errorf("%s: %w", it.Name, err))
		}
		if it.Certificate, err = f.writeDown(ctx, solver, q, a, it.Name, t); err == errUnwritten {
			code = code.Worse(cli.Internal)
		} else if err != nil {
			return code, err
		}
		if it.Certificate == "" && f.certifies(a) {
			code = code.Worse(cli.Unknown)
		}
		f.report(t, it, a, i > 0)
		if a.Unsaved != nil {
			fmt.Fprintf(t.Err, "goalproof: --save: %v\n", a.Unsaved)
			if !errors.Is(a.Unsaved, solve.ErrRecalled) {
				code = code.Worse(cli.Internal)
			}
		}
		switch a.Verdict {
		case answer.Disproved:
			code = code.Worse(cli.Fails)
		case answer.Unknown:
			code = code.Worse(cli.Unknown)
		}
		if a.Listing != answer.Finished {
			code = code.Worse(cli.Unknown)
		}
	}
	return code, nil
}

// single checks that there is one position where files are to be written about it, and that they can be
// without harm to the inputs.
func (f *solveFlags) single(items int, files []string) error {
	if f.certificate != "" && items > 1 {
		return errors.New("--certificate takes one position, and there are more")
	}
	if f.pns.Save != "" && items > 1 {
		return errors.New("--save takes one position, and there are more")
	}
	if err := cli.Writable("certificate", f.certificate, files...); err != nil {
		return err
	}
	return cli.Writable("save", f.pns.Save, files...)
}

// question is what is asked about an item.
func (f *solveFlags) question(it *inputs.Item) solve.Question {
	deepest := f.winIn
	if deepest == 0 {
		deepest = solve.MaxTurns
	}
	return solve.Question{
		Position: it.Diagram.Position, Deepest: deepest, Game: it.Game,
		All: f.all,
	}
}

// solve answers one question within its time, with a progress bar on a terminal.
func (f *solveFlags) solve(ctx context.Context, solver *solve.Solver, q solve.Question, name string, t cli.Terminal) (solve.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, f.time)
	defer cancel()
	if cli.IsTerminal(t.Err) && !f.json {
		stop := showProgress(t.Err, name, f.time, solver)
		defer stop()
	}
	return solver.Solve(ctx, q)
}

// certifies tells whether the proof of an answer is to be written down. A file is asked for by name; else what
// cannot be written down is not missed.
func (f *solveFlags) certifies(a solve.Answer) bool {
	switch a.Verdict {
	case answer.Proved:
		return f.check || f.certificate != ""
	case answer.Disproved:
		return f.check && a.Refuted <= proof.MaxRefuted || f.certificate != ""
	}
	return false
}

// writeDown makes the certificate of an answer, if that is asked for, and says what became of it: "written",
// "accepted", "sampled", or "" where there is none, which it says on standard error. The error is that of a
// certificate that does not hold, or cannot be written to its file.
func (f *solveFlags) writeDown(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer, name string, t cli.Terminal) (state string, err error) {
	if !f.certifies(a) {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, f.time)
	defer cancel()
	var file interface{ WriteFile(string) error }
	if a.Verdict == answer.Proved {
		var c *proof.Certificate
		c, err = s.Certificate(ctx, q, a)
		if state = "written"; err == nil && f.check {
			state, err = "accepted", certificates.Check(ctx, t, name, c)
		}
		file = c
	} else {
		var done puzzles.Certificate
		file, done, err = search.Refute(ctx, q.Position, a.Refuted, f.check)
		state = string(done)
	}
	switch {
	case certificates.Rejected(err):
		return "", cli.Exit(cli.Internal, fmt.Errorf("%s: the proof does not hold: %w", name, err))
	case errors.Is(err, context.DeadlineExceeded):
		err = errors.New("time is up")
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintf(t.Err, "goalproof: %s: the proof is not written down or not checked: %v\n", name, err)
		return "", nil
	}
	if f.certificate != "" {
		if err := t.Durable(); err != nil {
			return "", err
		}
		if err := file.WriteFile(f.certificate); err != nil {
			fmt.Fprintf(t.Err, "goalproof: --certificate: %v\n", err)
			return "", errUnwritten
		}
	}
	return state, nil
}

// errUnwritten is the error of a certificate that its file did not take. The answer holds all the same.
var errUnwritten = errors.New("the certificate is not written")

// report writes what is known about one position.
func (f *solveFlags) report(t cli.Terminal, it inputs.Item, a solve.Answer, more bool) {
	switch {
	case f.json:
		f.reportJSON(t, it, a)
	case it.Err != nil:
		fmt.Fprintf(t.Err, "goalproof: %v\n", it.Err)
	case f.quiet:
		fmt.Fprintf(t.Out, "%s: %s\n", it.Name, f.summary(it, a))
	default:
		if more {
			fmt.Fprintln(t.Out)
		}
		fmt.Fprintf(t.Out, "%s\n%s\n%s\n", it.Name, render.Board(it.Diagram, t.Styled), sentence(it, a))
		writeLine(t, it, a)
		f.writeSolutions(t, it, a)
		fmt.Fprintf(t.Out, "%s nodes in %v\n", humanize.Comma(int64(a.Nodes)), a.Time.Round(time.Millisecond))
	}
}

// sentence says the answer in one or two sentences.
func sentence(it inputs.Item, a solve.Answer) string {
	side := it.Diagram.Position.Side()
	aside := setAside(it, a) + "."
	switch a.Verdict {
	case answer.Proved:
		if it.Certificate == "accepted" {
			return fmt.Sprintf("Proved, checked: %v wins in %s.", side, cli.Amount(a.Least, "turn"))
		}
		return fmt.Sprintf("Proved: %v wins in %s.", side, cli.Amount(a.Least, "turn"))
	case answer.Disproved:
		text := fmt.Sprintf("%s: %v has no win in %s%s", disproved(it), side, cli.Amount(a.Refuted, "turn"), aside)
		if it.Certificate != "" && it.Game != nil {
			text += " The certificate is of the position without its history, the third repetition set aside."
		}
		return text
	}
	s := fmt.Sprintf("Unknown: %v", a.Stop)
	if a.Stop == answer.Interrupted {
		s = "Unknown: interrupted"
	}
	s += fmt.Sprintf(" while looking for a win in %s.", cli.Amount(a.Refuted+1, "turn"))
	if a.Refuted > 0 {
		s += fmt.Sprintf(" There is none in %s%s", cli.Amount(a.Refuted, "turn"), aside)
	}
	return s
}

// disproved says how sure a "no" is.
func disproved(it inputs.Item) string {
	switch it.Certificate {
	case "accepted":
		return "Disproved, checked"
	case "sampled":
		return "Disproved, a sample checked"
	}
	return "Disproved"
}

// setAside labels a "no" that leaves the rule of the third repetition out. For one turn
// the rule changes nothing.
func setAside(it inputs.Item, a solve.Answer) string {
	if it.Game == nil && a.Refuted > 1 {
		return " (the third repetition set aside)"
	}
	return ""
}

// summary says the answer in a few words.
func (f *solveFlags) summary(it inputs.Item, a solve.Answer) string {
	switch a.Verdict {
	case answer.Proved:
		text := fmt.Sprintf("win in %d: %s", a.Least, written(a.Line[0]))
		if it.Certificate == "accepted" {
			text = "checked " + text
		}
		if f.all {
			text += " (" + uniqueness(a) + ")"
		}
		return text
	case answer.Disproved:
		return fmt.Sprintf("no win in %d%s", a.Refuted, setAside(it, a))
	}
	return fmt.Sprintf("unknown (%v), no win in %d%s", a.Stop, a.Refuted, setAside(it, a))
}

func written(p solve.Ply) string { return p.Before.Notation(p.Turn) }

// writeLine writes the winning turn and the line that it begins.
func writeLine(t cli.Terminal, it inputs.Item, a solve.Answer) {
	if len(a.Line) == 0 {
		return
	}
	fmt.Fprintf(t.Out, "\nWinning turn: %s\n", written(a.Line[0]))
	if len(a.Line) > 1 {
		fmt.Fprintln(t.Out, "With the longest defence:")
	}
	number := it.Diagram.Number
	for i, ply := range a.Line {
		if len(a.Line) > 1 {
			fmt.Fprintf(t.Out, "  %4s  %s\n", arimaa.TurnLabel(number, ply.Before.Side()), written(ply))
		}
		if ply.Outcome.Over() && i == len(a.Line)-1 {
			fmt.Fprintf(t.Out, "Ends by %v.\n", ply.Outcome.Reason)
		}
		if ply.Before.Side() == arimaa.Silver {
			number++
		}
	}
	if last := a.Line[len(a.Line)-1]; !last.Outcome.Over() {
		fmt.Fprintln(t.Out, "(The line breaks off: time was up, or it was interrupted.)")
	}
	fmt.Fprintln(t.Out)
}

// uniqueness says in a few words how many solutions there are.
func uniqueness(a solve.Answer) string {
	n, essential := len(a.Solutions), a.Essential()
	switch {
	case a.Listing != answer.Finished:
		return fmt.Sprintf("at least %d solutions: %v", n, a.Listing)
	case n == 0:
		return "not listed: that depends on the repetitions of this game"
	case n == 1:
		return "unique"
	case essential == 1:
		return fmt.Sprintf("essentially unique, %d solutions", n)
	}
	return fmt.Sprintf("%d solutions, %d essential", n, essential)
}

// writeSolutions lists the solutions, if that was asked for.
func (f *solveFlags) writeSolutions(t cli.Terminal, it inputs.Item, a solve.Answer) {
	if !f.all || a.Verdict != answer.Proved {
		return
	}
	aside := ""
	if it.Game != nil {
		aside = " (the third repetition set aside)"
	}
	fmt.Fprintf(t.Out, "First turns that win in %d%s: %s.\n", a.Least, aside, uniqueness(a))
	for _, s := range a.Solutions {
		mark := " "
		if s.Essential {
			mark = "*"
		}
		fmt.Fprintf(t.Out, "  %s %s\n", mark, a.Line[0].Before.Notation(s.Turn))
	}
	fmt.Fprintln(t.Out)
}

// solution is a first turn in JSON.
type solution struct {
	Turn      string `json:"turn"`
	Essential bool   `json:"essential"`
}

// reportJSON writes one object on one line.
func (f *solveFlags) reportJSON(t cli.Terminal, it inputs.Item, a solve.Answer) {
	record := struct {
		File     string   `json:"file"`
		Position *string  `json:"position"`
		Side     *string  `json:"side"`
		Verdict  string   `json:"verdict"`
		Least    *int     `json:"least"`
		Refuted  int      `json:"refuted"`
		Turn     *string  `json:"turn"`
		EndsBy   *string  `json:"ends_by"`
		Line     []string `json:"line"`

		Solutions         []solution `json:"solutions"`
		Unique            *bool      `json:"unique"`
		EssentiallyUnique *bool      `json:"essentially_unique"`

		Repetition  string  `json:"repetition"`
		Stopped     *string `json:"stopped"`
		Certificate *string `json:"certificate"`
		Nodes       uint64  `json:"nodes"`
		Seconds     float64 `json:"seconds"`
		Error       *string `json:"error"`
	}{File: it.Name, Line: []string{}, Refuted: a.Refuted, Nodes: a.Nodes, Seconds: a.Time.Seconds(), Repetition: "set aside"}
	if it.Game != nil {
		record.Repetition = "counted"
	}
	if it.Certificate != "" {
		record.Certificate = &it.Certificate
	}
	if it.Err != nil {
		record.Verdict, record.Error = "error", new(it.Err.Error())
	} else {
		record.Position, record.Side = new(it.Diagram.Position.String()), new(it.Diagram.Position.Side().String())
		record.Verdict = search.VerdictName(a.Verdict)
		switch a.Verdict {
		case answer.Proved:
			record.Least = &a.Least
		case answer.Unknown:
			record.Stopped = new(a.Stop.String())
		}
		if f.all && a.Verdict == answer.Proved {
			record.Solutions = []solution{}
			for _, s := range a.Solutions {
				record.Solutions = append(record.Solutions, solution{a.Line[0].Before.Notation(s.Turn), s.Essential})
			}
			if a.Listing == answer.Finished && len(a.Solutions) > 0 {
				one, essential := len(a.Solutions) == 1, a.Essential() == 1
				record.Unique, record.EssentiallyUnique = &one, &essential
			}
		}
		for i, ply := range a.Line {
			record.Line = append(record.Line, written(ply))
			if i == 0 {
				record.Turn = new(written(ply))
			}
			if ply.Outcome.Over() {
				record.EndsBy = new(ply.Outcome.Reason.String())
			}
		}
	}
	_ = cli.WriteJSON(t.Out, record) // the output remembers that it could not be written
}
