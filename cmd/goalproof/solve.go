package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/pbnjay/memory"
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
	winIn  int
	time   time.Duration
	memory string
	json   bool
	quiet  bool
}

func (f *solveFlags) register(flags *pflag.FlagSet) {
	f.inputFlags.register(flags)
	flags.IntVar(&f.winIn, "win-in", 0, "is there a win within this many turns? (default: try 1, 2, 3)")
	flags.DurationVar(&f.time, "time", 60*time.Second, "time for each position, for example 10s or 5m")
	flags.StringVar(&f.memory, "memory", "", "memory for the search, for example 512MiB (default: a quarter of the machine's, at most 2GiB)")
	flags.BoolVar(&f.json, "json", false, "write one JSON object a line for each position")
	flags.BoolVar(&f.quiet, "quiet", false, "write one line for each position and no board")
}

func solveCommand(t terminal) *cobra.Command {
	var f solveFlags
	cmd := &cobra.Command{
		Use:   "solve INPUT...",
		Short: "Decide whether the side to move wins in N turns, and show how",
		Long: `Solve decides whether the side to move wins in N turns, whatever the opponent does.
It tries N = 1, 2, 3, so the first win it finds is the shortest, and shows a winning turn
and a line in which the defence holds out longest. "No win" is an answer too, and as
certain. A turn of a game is judged with the game's history (third repetition); for a
position without one the repetition rule is set aside.

` + inputHelp + `

With --json each object has the fields file, position (short form), side, verdict (win,
no-win, unknown, error), least (turns, or null), refuted (greatest N without a win),
turn (the winning turn, or null), ends_by (goal, elimination, ..., or null), line (list
of turns), repetition (set aside, counted), stopped (null, or why the answer is unknown),
nodes, seconds (both until the win was proved, without the line that shows it), error
(null, or the reason).

` + exitCodes,
		Example: `  goalproof solve examples/win-in-2.txt
  goalproof solve --win-in 2 --time 10s --quiet examples
  goalproof solve examples/game.turns --turn 24s
  goalproof solve 'g [                R                                r              ]'
  goalproof solve --json - < position.txt`,
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
	bytes, err := memoryBudget(f.memory)
	if err != nil {
		return err
	}
	solver, err := solve.New(bytes)
	if err != nil {
		return fmt.Errorf("--memory: %w", err)
	}
	debug.SetMemoryLimit(int64(bytes)) // what the search gives back is to be used again
	items, err := f.inputs(ctx, args, t)
	if err != nil {
		return err
	}
	deepest := f.winIn
	if deepest == 0 {
		deepest = solve.DefaultDeepest
	}
	var code status
	for i, it := range items {
		q := solve.Question{Position: it.diagram.Position, Deepest: deepest, Game: it.game}
		if it.err == nil {
			it.err = q.Check()
		}
		if it.err != nil {
			code = code.worse(exitBadInput)
			f.report(t, it, solve.Answer{}, i > 0)
			continue
		}
		a := f.solve(ctx, solver, q, it.name, t)
		f.report(t, it, a, i > 0)
		switch a.Verdict {
		case answer.Disproved:
			code = code.worse(exitFails)
		case answer.Unknown:
			code = code.worse(exitUnknown)
		}
	}
	return code.finish()
}

// solve answers one question within its time, with a progress bar on a terminal.
func (f *solveFlags) solve(ctx context.Context, solver *solve.Solver, q solve.Question, name string, t terminal) solve.Answer {
	ctx, cancel := context.WithTimeout(ctx, f.time)
	defer cancel()
	if isTerminal(t.err) && !f.json {
		stop := showProgress(t.err, name, f.time, solver)
		defer stop()
	}
	return solver.Solve(ctx, q)
}

// memoryBudget reads the --memory flag: bytes.
func memoryBudget(text string) (uint64, error) {
	if text == "" {
		return min(memory.TotalMemory()/4, 2<<30), nil
	}
	n, err := humanize.ParseBytes(text)
	if err != nil || n > math.MaxInt64 {
		return 0, fmt.Errorf("--memory %q: write a number of bytes such as 512MiB or 2GB", text)
	}
	return n, nil
}

// report writes what is known about one position.
func (f *solveFlags) report(t terminal, it item, a solve.Answer, more bool) {
	switch {
	case f.json:
		f.reportJSON(t, it, a)
	case it.err != nil:
		fmt.Fprintf(t.err, "goalproof: %v\n", it.err)
	case f.quiet:
		fmt.Fprintf(t.out, "%s: %s\n", it.name, summary(it, a))
	default:
		if more {
			fmt.Fprintln(t.out)
		}
		fmt.Fprintf(t.out, "%s\n%s\n%s\n", it.name, render.Board(it.diagram, t.styled), sentence(it, a))
		writeLine(t, it, a)
		fmt.Fprintf(t.out, "%s nodes in %v\n", humanize.Comma(int64(a.Nodes)), a.Time.Round(time.Millisecond))
	}
}

// sentence says the answer in one or two sentences.
func sentence(it item, a solve.Answer) string {
	side := it.diagram.Position.Side()
	aside := setAside(it, a) + "."
	switch a.Verdict {
	case answer.Proved:
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
func summary(it item, a solve.Answer) string {
	switch a.Verdict {
	case answer.Proved:
		return fmt.Sprintf("win in %d: %s", a.Least, notation(a.Line[0]))
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

// reportJSON writes one object on one line.
func (f *solveFlags) reportJSON(t terminal, it item, a solve.Answer) {
	record := struct {
		File       string   `json:"file"`
		Position   *string  `json:"position"`
		Side       *string  `json:"side"`
		Verdict    string   `json:"verdict"`
		Least      *int     `json:"least"`
		Refuted    int      `json:"refuted"`
		Turn       *string  `json:"turn"`
		EndsBy     *string  `json:"ends_by"`
		Line       []string `json:"line"`
		Repetition string   `json:"repetition"`
		Stopped    *string  `json:"stopped"`
		Nodes      uint64   `json:"nodes"`
		Seconds    float64  `json:"seconds"`
		Error      *string  `json:"error"`
	}{File: it.name, Line: []string{}, Refuted: a.Refuted, Nodes: a.Nodes, Seconds: a.Time.Seconds(), Repetition: "set aside"}
	if it.game != nil {
		record.Repetition = "counted"
	}
	if it.err != nil {
		record.Verdict, record.Error = "error", text(it.err.Error())
	} else {
		record.Position, record.Side = text(it.diagram.Position.String()), text(it.diagram.Position.Side().String())
		switch a.Verdict {
		case answer.Proved:
			record.Verdict, record.Least = "win", &a.Least
		case answer.Disproved:
			record.Verdict = "no-win"
		default:
			record.Verdict, record.Stopped = "unknown", text(a.Stop.String())
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

func text(s string) *string { return &s }
