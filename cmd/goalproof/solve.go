package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/render"
	"goalproof/solve"
)

// solveFlags are the flags of the solve command.
type solveFlags struct {
	inputFlags
	searchFlags
	pnsFlags
	winIn int
	all   bool
	time  time.Duration
	json  bool
	quiet bool

	certificate string // file to write one to
	check       bool
}

func (f *solveFlags) register(flags *pflag.FlagSet) {
	f.inputFlags.register(flags)
	f.searchFlags.register(flags, runtime.GOMAXPROCS(0))
	f.searchFlags.registerStore(flags)
	f.searchFlags.registerEpsilon(flags)
	f.pnsFlags.register(flags)
	flags.IntVar(&f.winIn, "win-in", 0, "is there a win within this many turns? (default: look for the least number)")
	flags.BoolVar(&f.all, "all", false, "list every first turn that keeps the shortest win")
	flags.DurationVar(&f.time, "time", 60*time.Second, "time for each position, for example 10s or 5m")
	flags.StringVar(&f.certificate, "certificate", "", "write the proof of the win to this file, for goalproof check (compressed if it ends in .gz)")
	flags.BoolVar(&f.check, "check", false, "write down the proof of each win and check it by the plain rules before reporting it")
	flags.BoolVar(&f.json, "json", false, "write one JSON object a line for each position")
	flags.BoolVar(&f.quiet, "quiet", false, "write one line for each position and no board")
}

func solveCommand(t terminal) *cobra.Command {
	var f solveFlags
	cmd := &cobra.Command{
		Use:   "solve INPUT...",
		Short: "Decide whether the side to move wins in N turns, and show how",
		Long: `Solve decides whether the side to move wins in N turns, whatever the opponent does.
It tries N = 1, 2, 3 and so on, so the first win it finds is the shortest, and shows a
winning turn and a line in which the defence holds out longest. With --win-in N it stops at
N: "no win in N" is an answer too, and as certain. Without it only time ends the search
where there is no win. A turn of a game is judged with the game's history (third repetition); for a
position without one the repetition rule is set aside.

` + inputHelp + `

With --all every first turn that keeps the shortest win is listed, two step orders with the same
result as one. A solution is essential (marked *) when no other one lies on the way to it: the
others are winning turns with idle steps added. One solution makes the puzzle unique, one
essential solution essentially unique. In a game the list sets the repetition rule aside,
and there is none where a position has occurred twice.

With --store DIR what is proved is kept in a directory: the next search for the same answers at
once, and deeper ones use it, by either algorithm. An interrupted search has kept what it proved. What
pns finds out with the history of a game holds for that game alone, and is not kept.

With --certificate FILE the proof of a win is written down, so that goalproof check, which shares no
code with the search, can check it. With --check that is done before the win is reported.

With --algorithm pns the flags marked so apply. --save keeps the graph of the search for the last N, every
--save-every and when it ends, decided or not; a save that is interrupted leaves the file as it was.
--resume goes on with one, by the flags of its own command line, after the smaller N, which are
asked again (with --store they are answered at once); --save may name the same file. Where the
store has the answer there is no graph, and the file stays as it was.

With --gc-high and --gc-low pns stays within so many nodes: the garbage collector deletes solved turns,
and then open ones, those first that are farthest from being searched next. dfpns takes no such marks:
its tables have a fixed size, and entries with little work in them make room for others.

With --json each object has the fields file, position (short form), side, verdict (win,
no-win, unknown, error), least (turns, or null), refuted (greatest N without a win),
turn (the winning turn, or null), ends_by (goal, elimination, ..., or null), line (list
of turns), solutions (null without --all, else a list of objects with turn and essential),
unique and essentially_unique (true, false, or null if not known), repetition (set aside, counted), stopped (null, or why the answer is unknown),
certificate (null, or accepted with --check, written without), nodes, seconds (both until the win was proved, without the line that shows it), error
(null, or the reason).

` + exitCodes,
		Example: `  goalproof solve examples/win-in-2.txt
  goalproof solve --win-in 2 --time 10s --quiet examples
  goalproof solve --all examples/win-in-2.txt
  goalproof solve examples/game.turns --turn 24s
  goalproof solve 'g [                R                                r              ]'
  goalproof solve --json - < position.txt
  goalproof solve --store facts --win-in 3 examples
  goalproof solve --certificate win.proof --check examples/win-in-3.txt
  goalproof solve --algorithm pns --save search.pns examples/win-in-3.txt
  goalproof solve --algorithm pns --resume search.pns --save search.pns --time 1h`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("win-in") && f.winIn < 1 {
				return fmt.Errorf("--win-in %d: the number of turns is 1 or more", f.winIn)
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *solveFlags) run(ctx context.Context, args []string, t terminal) error {
	if f.time <= 0 {
		return fmt.Errorf("--time %v: the time must be more than zero", f.time)
	}
	if f.json && f.quiet {
		return errors.New("--json and --quiet exclude each other")
	}
	if f.all && f.algorithm == "pns" {
		return errors.New("--all needs --algorithm dfpns")
	}
	if (f.check || f.certificate != "") && f.algorithm == "pns" {
		return errors.New("--check and --certificate need --algorithm dfpns")
	}
	if err := f.pnsFlags.check(f.algorithm); err != nil {
		return err
	}
	if f.resume != "" {
		if _, err := os.Stat(f.resume); err != nil {
			return &exit{exitBadInput, err}
		}
		return f.withSolver(func(solver *solve.Solver) error {
			items, err := f.resumed(solver, args, f.winIn)
			if err == nil {
				err = f.single(items, args)
			}
			if err != nil {
				return err
			}
			items[0].err = f.question(&items[0], t).Check()
			return f.solveAll(ctx, solver, items, t)
		})
	}
	items, err := f.inputs(ctx, args, t)
	if err != nil {
		return err
	}
	if err := f.single(items, args); err != nil {
		return err
	}
	for i := range items {
		if it := &items[i]; it.err == nil {
			it.err = f.question(it, t).Check()
		}
	}
	if !slices.ContainsFunc(items, func(it item) bool { return it.err == nil }) {
		f.store = "" // nothing will be known: no store is to be made for it
	}
	return f.withSolver(func(solver *solve.Solver) error { return f.solveAll(ctx, solver, items, t) })
}

func (f *solveFlags) solveAll(ctx context.Context, solver *solve.Solver, items []item, t terminal) error {
	if err := solver.Tune(f.parameters); err != nil {
		return err
	}
	var code status
	for i, it := range items {
		q := f.question(&it, t)
		if it.err != nil {
			code = code.worse(exitBadInput)
			f.report(t, it, solve.Answer{}, i > 0)
			continue
		}
		a, err := f.solve(ctx, solver, q, it.name, t)
		if f.resume != "" && unusable(err) {
			return &exit{exitBadInput, err}
		}
		if err != nil {
			return &exit{exitInternal, fmt.Errorf("%s: %w", it.name, err)}
		}
		if it.certificate, err = f.writeDown(ctx, solver, q, a, it.name, t); err != nil {
			return err
		}
		if it.certificate == "" && (f.check || f.certificate != "") && a.Verdict == answer.Proved {
			code = code.worse(exitUnknown)
		}
		f.report(t, it, a, i > 0)
		if a.Unsaved != nil {
			fmt.Fprintf(t.err, "goalproof: --save: %v\n", a.Unsaved)
			if !errors.Is(a.Unsaved, solve.ErrRecalled) {
				code = code.worse(exitBadInput)
			}
		}
		switch a.Verdict {
		case answer.Disproved:
			code = code.worse(exitFails)
		case answer.Unknown:
			code = code.worse(exitUnknown)
		}
		if a.Listing != answer.Finished {
			code = code.worse(exitUnknown)
		}
	}
	return code.finish()
}

// single checks that there is one position where files are to be written about it, and that they can be
// without harm to the inputs.
func (f *solveFlags) single(items []item, inputs []string) error {
	if f.certificate != "" && len(items) != 1 {
		return fmt.Errorf("--certificate takes one position, and there are %d", len(items))
	}
	if f.save != "" && len(items) != 1 {
		return fmt.Errorf("--save takes one position, and there are %d", len(items))
	}
	if err := writable("certificate", f.certificate, inputs...); err != nil {
		return err
	}
	return writable("save", f.save, inputs...)
}

// question is what is asked about an item.
func (f *solveFlags) question(it *item, t terminal) solve.Question {
	deepest := f.winIn
	if deepest == 0 {
		deepest = solve.MaxTurns
	}
	return solve.Question{
		Position: it.diagram.Position, Deepest: deepest, Game: it.game,
		All: f.all, Save: f.save, SaveEvery: f.saveEvery,
		SaveFailed: func(err error) {
			fmt.Fprintf(t.err, "goalproof: --save: %v; the search goes on, and it is tried again in %v\n", err, f.saveEvery)
		},
	}
}

// solve answers one question within its time, with a progress bar on a terminal.
func (f *solveFlags) solve(ctx context.Context, solver *solve.Solver, q solve.Question, name string, t terminal) (solve.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, f.time)
	defer cancel()
	if isTerminal(t.err) && !f.json {
		stop := showProgress(t.err, name, f.time, solver)
		defer stop()
	}
	return solver.Solve(ctx, q)
}

// writeDown makes the certificate of a win, if that is asked for, and says what became of it: "written",
// "accepted", or "" where there is none, which it says on standard error. The error is that of a
// certificate that does not hold, or cannot be written to its file.
func (f *solveFlags) writeDown(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer, name string, t terminal) (state string, err error) {
	if a.Verdict != answer.Proved || !f.check && f.certificate == "" {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, f.time)
	defer cancel()
	c, err := s.Certificate(ctx, q, a)
	if state = "written"; err == nil && f.check {
		state, err = "accepted", check(ctx, t, name, c)
	}
	switch {
	case rejected(err):
		return "", &exit{exitInternal, fmt.Errorf("%s: the proof does not hold: %w", name, err)}
	case errors.Is(err, context.DeadlineExceeded):
		err = errors.New("time is up")
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintf(t.err, "goalproof: %s: the proof is not written down or not checked: %v\n", name, err)
		return "", nil
	}
	if f.certificate != "" {
		if err := c.WriteFile(f.certificate); err != nil {
			return "", &exit{exitBadInput, err}
		}
	}
	return state, nil
}

// report writes what is known about one position.
func (f *solveFlags) report(t terminal, it item, a solve.Answer, more bool) {
	switch {
	case f.json:
		f.reportJSON(t, it, a)
	case it.err != nil:
		fmt.Fprintf(t.err, "goalproof: %v\n", it.err)
	case f.quiet:
		fmt.Fprintf(t.out, "%s: %s\n", it.name, f.summary(it, a))
	default:
		if more {
			fmt.Fprintln(t.out)
		}
		fmt.Fprintf(t.out, "%s\n%s\n%s\n", it.name, render.Board(it.diagram, t.styled), sentence(it, a))
		writeLine(t, it, a)
		f.writeSolutions(t, it, a)
		fmt.Fprintf(t.out, "%s nodes in %v\n", humanize.Comma(int64(a.Nodes)), a.Time.Round(time.Millisecond))
	}
}

// sentence says the answer in one or two sentences.
func sentence(it item, a solve.Answer) string {
	side := it.diagram.Position.Side()
	aside := setAside(it, a) + "."
	switch a.Verdict {
	case answer.Proved:
		if it.certificate == "accepted" {
			return fmt.Sprintf("Proved, checked: %v wins in %s.", side, turns(a.Least))
		}
		return fmt.Sprintf("Proved: %v wins in %s.", side, turns(a.Least))
	case answer.Disproved:
		return fmt.Sprintf("Disproved: %v has no win in %s%s", side, turns(a.Refuted), aside)
	}
	s := fmt.Sprintf("Unknown: %v", a.Stop)
	if a.Stop == answer.Interrupted {
		s = "Unknown: interrupted"
	}
	s += fmt.Sprintf(" while looking for a win in %s.", turns(a.Refuted+1))
	if a.Refuted > 0 {
		s += fmt.Sprintf(" There is none in %s%s", turns(a.Refuted), aside)
	}
	return s
}

// setAside labels a "no" that leaves the rule of the third repetition out. For one turn
// the rule changes nothing.
func setAside(it item, a solve.Answer) string {
	if it.game == nil && a.Refuted > 1 {
		return " (the third repetition set aside)"
	}
	return ""
}

func turns(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}

// summary says the answer in a few words.
func (f *solveFlags) summary(it item, a solve.Answer) string {
	switch a.Verdict {
	case answer.Proved:
		text := fmt.Sprintf("win in %d: %s", a.Least, notation(a.Line[0]))
		if it.certificate == "accepted" {
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

func notation(p solve.Ply) string { return p.Before.Notation(p.Turn) }

// writeLine writes the winning turn and the line that it begins.
func writeLine(t terminal, it item, a solve.Answer) {
	if len(a.Line) == 0 {
		return
	}
	fmt.Fprintf(t.out, "\nWinning turn: %s\n", notation(a.Line[0]))
	if len(a.Line) > 1 {
		fmt.Fprintln(t.out, "With the longest defence:")
	}
	number := it.diagram.Number
	for i, ply := range a.Line {
		if len(a.Line) > 1 {
			fmt.Fprintf(t.out, "  %4s  %s\n", arimaa.TurnLabel(number, ply.Before.Side()), notation(ply))
		}
		if ply.Outcome.Over() && i == len(a.Line)-1 {
			fmt.Fprintf(t.out, "Ends by %v.\n", ply.Outcome.Reason)
		}
		if ply.Before.Side() == arimaa.Silver {
			number++
		}
	}
	if last := a.Line[len(a.Line)-1]; !last.Outcome.Over() {
		fmt.Fprintln(t.out, "(The line breaks off: time was up, or it was interrupted.)")
	}
	fmt.Fprintln(t.out)
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
func (f *solveFlags) writeSolutions(t terminal, it item, a solve.Answer) {
	if !f.all || a.Verdict != answer.Proved {
		return
	}
	aside := ""
	if it.game != nil {
		aside = " (the third repetition set aside)"
	}
	fmt.Fprintf(t.out, "First turns that win in %d%s: %s.\n", a.Least, aside, uniqueness(a))
	for _, s := range a.Solutions {
		mark := " "
		if s.Essential {
			mark = "*"
		}
		fmt.Fprintf(t.out, "  %s %s\n", mark, a.Line[0].Before.Notation(s.Turn))
	}
	fmt.Fprintln(t.out)
}

// solution is a first turn in JSON.
type solution struct {
	Turn      string `json:"turn"`
	Essential bool   `json:"essential"`
}

// reportJSON writes one object on one line.
func (f *solveFlags) reportJSON(t terminal, it item, a solve.Answer) {
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
	}{File: it.name, Line: []string{}, Refuted: a.Refuted, Nodes: a.Nodes, Seconds: a.Time.Seconds(), Repetition: "set aside"}
	if it.game != nil {
		record.Repetition = "counted"
	}
	if it.certificate != "" {
		record.Certificate = &it.certificate
	}
	if it.err != nil {
		record.Verdict, record.Error = "error", text(it.err.Error())
	} else {
		record.Position, record.Side = text(it.diagram.Position.String()), text(it.diagram.Position.Side().String())
		record.Verdict = verdictName(a.Verdict)
		switch a.Verdict {
		case answer.Proved:
			record.Least = &a.Least
		case answer.Unknown:
			record.Stopped = text(a.Stop.String())
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
			record.Line = append(record.Line, notation(ply))
			if i == 0 {
				record.Turn = text(notation(ply))
			}
			if ply.Outcome.Over() {
				record.EndsBy = text(ply.Outcome.Reason.String())
			}
		}
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(record); err != nil {
		panic(err) // the record holds strings and numbers alone
	}
	fmt.Fprint(t.out, b.String())
}

// verdictName is the verdict in JSON.
func verdictName(v answer.Verdict) string {
	switch v {
	case answer.Proved:
		return "win"
	case answer.Disproved:
		return "no-win"
	}
	return "unknown"
}

func text(s string) *string { return &s }
