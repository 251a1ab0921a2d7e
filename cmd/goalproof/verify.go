package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/cheggaaa/pb/v3"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/batch"
	"goalproof/puzzles"
	"goalproof/solve"
)

// verifyFlags are the flags of the verify command.
type verifyFlags struct {
	searchFlags // without the choice of an algorithm: solutions are listed with dfpns
	claim       int
	winIn       int
	time        time.Duration
	unusual     bool
	check       bool
	strict      bool
	all         bool
	json        bool
}

func (f *verifyFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.claim, "claim", 0, "what the puzzles claim that claim nothing themselves: a win in this many turns")
	flags.IntVar(&f.winIn, "win-in", 0, "look for a win within this many turns (default: the claim, and at least 2)")
	flags.DurationVar(&f.time, "time", 60*time.Second, "time for each puzzle, and again for its certificate")
	flags.BoolVar(&f.unusual, "unusual", false, "accept more pieces than a full army has, undefended pieces on traps, and finished games")
	flags.BoolVar(&f.check, "check", false, "write down the proof of each win and check it by the plain rules")
	flags.BoolVar(&f.strict, "strict", false, "a false claim makes the exit code 1")
	flags.BoolVar(&f.all, "all", false, "list every solution in the table, not only second ones")
	flags.BoolVar(&f.json, "json", false, "write one JSON object a line for each puzzle")
	f.algorithm = "dfpns"
	flags.IntVar(&f.threads, "threads", runtime.GOMAXPROCS(0), "puzzles to work on at the same time")
	flags.StringVar(&f.memory, "memory", "", "memory for all of them, for example 512MiB (default: a quarter of the machine's, at most 2GiB)")
	f.registerStore(flags)
}

func verifyCommand(t terminal) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify SET...",
		Short: "Find out what is true about sets of puzzles",
		Long: `Verify reads sets of puzzles and says for each of them what it claims, in how many turns the
side to move wins in truth, how many first turns keep that, how many of them are essential (no other
one lies on the way to them), and whether the given solution is right. A claim is true if it is the
least number of turns. The third repetition is set aside.

Under a win stand its second solutions, if it has any: the essential first turns besides the given
one, at the most three. With --all every first turn that wins stands there, * before the essential
ones. Then follows a win against the longest defence, turn by turn, if there is a defence.

A set is a file, or a directory: all *.txt and *.tsv files below it. A file holds positions, in long
form one after the other or in short form one a line; or a table with columns separated by tabs and a header,
with a column position (or movelist, as in the game room's archive) and perhaps claim, name
and solution; or the puzzle text of arimaa.com. Claims come from the table, from a title such as "Gold
to win in two", or from --claim. A broken entry is reported and does not stop the others.

With --check the proof of every win is written down and checked, as by goalproof check. With --store DIR what is
proved is kept, so that a run that was interrupted can be repeated and takes less.

With --json each object has the fields file, name, claim (turns, or null), verdict (win, no-win, unknown,
error), least (turns, or null), solutions and essential (how many there are), unique, solution_ok (is the
given solution right?), winning_turns (a list of objects with turn, essential and given: all that were found,
and there are no others unless solutions is null), line (a list of turns: a win against the longest
defence), certificate (accepted, rejected, none), seconds, error. What is not known is null.

` + exitCodes + `
False claims count with --strict only.`,
		Example: `  goalproof verify puzzles.tsv
  goalproof verify --claim 2 --check examples/win-in-2.txt
  goalproof verify --win-in 3 --time 5m --store facts puzzles
  goalproof verify --json --strict puzzles.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"claim", "win-in"} {
				if n, _ := cmd.Flags().GetInt(name); cmd.Flags().Changed(name) && (n < 1 || n > solve.MaxTurns) {
					return fmt.Errorf("--%s %d: the number of turns is 1 to %d", name, n, solve.MaxTurns)
				}
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *verifyFlags) run(ctx context.Context, args []string, t terminal) error {
	if f.time <= 0 {
		return fmt.Errorf("--time %v: the time must be more than zero", f.time)
	}
	if f.json && f.all {
		return errors.New("--json and --all exclude each other")
	}
	all, err := f.read(ctx, args)
	if err != nil {
		return err
	}
	return f.withWorkers(len(all), func(workers int, start func() (*solve.Solver, error)) error {
		return f.verify(ctx, all, workers, start, t)
	})
}

// read reads all sets. An interruption does not wait for a slow file.
func (f *verifyFlags) read(ctx context.Context, args []string) ([]puzzles.Puzzle, error) {
	done := make(chan []puzzles.Puzzle, 1)
	go func() {
		var all []puzzles.Puzzle
		for _, arg := range args {
			all = append(all, puzzles.Read(arg)...)
		}
		done <- all
	}()
	select {
	case all := <-done:
		for i := range all {
			if all[i].Claim == 0 {
				all[i].Claim = f.claim
			}
		}
		return all, nil
	case <-ctx.Done():
		return nil, &exit{exitUnknown, errors.New("interrupted while reading the sets")}
	}
}

// verify works on all puzzles and reports each as soon as it and those before it are done.
func (f *verifyFlags) verify(ctx context.Context, all []puzzles.Puzzle, workers int, start func() (*solve.Solver, error), t terminal) error {
	o := puzzles.Options{WinIn: f.winIn, Time: f.time, Unusual: f.unusual}
	if f.check {
		o.Certify = certify
	}
	s := newScreen(t, len(all))
	defer s.close()
	report := newReport(f, all, t)
	s.write(report.head)
	var code status
	for done := range batch.Run(ctx, len(all), workers, start, func(ctx context.Context, solver *solve.Solver, i int) (puzzles.Result, error) {
		defer s.advance()
		return puzzles.Verify(ctx, solver, all[i], o), nil
	}) {
		r := done.Value
		if done.Err != nil {
			err := fmt.Errorf("%s: internal error: %w", all[done.Job].Label(), done.Err)
			r = puzzles.Result{Puzzle: all[done.Job], Verdict: puzzles.Error, Certificate: puzzles.NoCertificate, Err: err}
			if p := (*batch.Panic)(nil); errors.As(done.Err, &p) {
				s.write(func() { fmt.Fprintf(t.err, "goalproof: %v\n%s", err, p.Stack) })
			}
		}
		code = code.worse(f.code(&r))
		s.write(func() { report.add(&r) })
	}
	s.close()
	report.finish(ctx.Err() != nil)
	if report.counts.puzzles < len(all) {
		code = code.worse(exitUnknown)
	}
	return code.finish()
}

// code is the exit code for a puzzle.
func (f *verifyFlags) code(r *puzzles.Result) int {
	yes, known := r.ClaimTrue()
	missing := f.check && r.Verdict == puzzles.Win && r.Certificate == puzzles.NoCertificate
	switch {
	case r.Verdict == puzzles.Error && r.Puzzle.Err != nil:
		return exitBadInput
	case r.Certificate == puzzles.Rejected || r.Stop == answer.Finished && (r.Verdict == puzzles.Error || missing):
		return exitInternal // a search or a certificate went wrong
	case r.Stop != answer.Finished:
		return exitUnknown
	case f.strict && known && !yes:
		return exitFails
	}
	return exitHolds
}

// certify writes down the proof of a win and checks it by the plain rules.
func certify(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer) (accepted bool, err error) {
	c, err := s.Certificate(ctx, q, a)
	if err == nil {
		err = c.Check(ctx, nil)
	}
	if rejected(err) {
		return false, nil
	}
	return err == nil, err
}

// screen keeps lines of a report and a progress bar apart, which may go to the same terminal.
type screen struct {
	mu  sync.Mutex
	err io.Writer
	bar *pb.ProgressBar // nil: standard error is no terminal
}

func newScreen(t terminal, total int) *screen {
	s := &screen{err: t.err}
	if isTerminal(t.err) {
		s.bar = pb.New(total).SetTemplateString(`verifying: {{counters . }} {{bar . }} {{etime . }}`)
		s.bar.Set(pb.CleanOnFinish, true).Set(pb.Terminal, true).SetWriter(s).SetRefreshRate(200 * time.Millisecond).Start()
	}
	return s
}

// Write draws the bar.
func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err.Write(b)
}

// write takes the bar away and writes lines, below which it comes again.
func (s *screen) write(lines func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bar != nil {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
	lines()
}

// advance counts a puzzle; workers call it.
func (s *screen) advance() {
	if s.bar != nil {
		s.bar.Increment()
	}
}

func (s *screen) close() {
	if s.bar != nil && !s.bar.IsFinished() {
		s.bar.Finish()
	}
}

// report is the table for people, or the list of JSON objects.
type report struct {
	*verifyFlags
	t      terminal
	width  int  // of the column of puzzles, in characters
	given  bool // some puzzles give solutions
	start  time.Time
	total  int
	counts struct {
		puzzles, claimTrue, unique, essentiallyUnique, unknown, errors, wrong, accepted int
	}
	falseClaims   []string
	mostSolutions int
	most          string // the puzzle that has them
}

func newReport(f *verifyFlags, all []puzzles.Puzzle, t terminal) *report {
	r := &report{verifyFlags: f, t: t, width: len("puzzle"), start: time.Now(), total: len(all)}
	for i := range all {
		r.width = min(max(r.width, utf8.RuneCountInString(all[i].Label())), 60)
		r.given = r.given || all[i].Solution != ""
	}
	return r
}

// row writes a line of the table.
func (r *report) row(puzzle, claim, verdict, solutions, essential, given, certificate, time, remarks string) {
	line := fmt.Sprintf("%-*s %5s  %-11s %9s %9s", r.width, puzzle, claim, verdict, solutions, essential)
	if r.given {
		line += fmt.Sprintf("  %-8s", given)
	}
	if r.check {
		line += fmt.Sprintf("  %-11s", certificate)
	}
	fmt.Fprintln(r.t.out, strings.TrimRight(line+fmt.Sprintf(" %8s  %s", time, remarks), " "))
}

func (r *report) head() {
	if !r.json {
		r.row("puzzle", "claim", "truth", "solutions", "essential", "given", "certificate", "time", "")
	}
}

// add reports a puzzle.
func (r *report) add(p *puzzles.Result) {
	r.count(p)
	if r.json {
		r.object(p)
		return
	}
	claim, verdict, solutions, essential, given := "-", string(p.Verdict), "-", "-", "-"
	if p.Puzzle.Claim > 0 {
		claim = fmt.Sprint(p.Puzzle.Claim)
	}
	switch p.Verdict {
	case puzzles.Win:
		verdict = fmt.Sprintf("win in %d", p.Least)
		solutions, essential = fmt.Sprintf("%d or more", len(p.Solutions)), "?"
		if p.Listed {
			solutions, essential = fmt.Sprint(len(p.Solutions)), fmt.Sprint(p.Essential())
		}
	case puzzles.NoWin:
		verdict = fmt.Sprintf("no win in %d", p.Refuted)
	}
	if p.SolutionOK != nil {
		given = map[bool]string{true: "right", false: "wrong"}[*p.SolutionOK]
	}
	r.row(p.Puzzle.Label(), claim, verdict, solutions, essential, given, string(p.Certificate), seconds(p.Time), r.remarks(p))
	if p.Verdict == puzzles.Win {
		r.turns(p)
	}
}

// secondShown is how many second solutions the table has without --all.
const secondShown = 3

// turns writes the solutions of a win under its row, and the line of the longest defence.
func (r *report) turns(p *puzzles.Result) {
	shown, more := p.Solutions, 0
	if !r.all {
		shown = p.Second()
		more = max(len(shown)-secondShown, 0)
		shown = shown[:len(shown)-more]
	}
	for _, s := range shown {
		mark, given := " ", ""
		if s.Essential {
			mark = "*"
		}
		if s.Given {
			given = "  (given)"
		}
		fmt.Fprintf(r.t.out, "  %s %s%s\n", mark, s.Turn, given)
	}
	if more > 0 {
		fmt.Fprintf(r.t.out, "    and %d more (--all lists them)\n", more)
	}
	if len(p.Line) > 1 {
		fmt.Fprintf(r.t.out, "    longest defence: %s\n", strings.Join(p.Line, " / "))
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

// remarks says in a few words what is good or bad about a puzzle; on a terminal in colour.
func (r *report) remarks(p *puzzles.Result) string {
	var all []string
	note := func(c color.Attribute, format string, args ...any) {
		style := color.New(c)
		style.DisableColor()
		if r.t.styled {
			style.EnableColor()
		}
		all = append(all, style.Sprintf(format, args...))
	}
	if yes, known := p.ClaimTrue(); known && !yes {
		note(color.FgRed, "false claim")
	}
	if p.SolutionOK != nil && !*p.SolutionOK {
		note(color.FgRed, "wrong solution")
	}
	if p.Certificate == puzzles.Rejected {
		note(color.FgRed, "certificate rejected: this is a bug")
	}
	if yes, known := p.Unique(); known && yes {
		note(color.FgGreen, "unique")
	} else if yes, known := p.EssentiallyUnique(); known && yes {
		note(color.FgGreen, "essentially unique")
	} else if p.Verdict == puzzles.Win && p.Listed {
		note(color.FgYellow, "second solutions")
	}
	switch {
	case p.Verdict == puzzles.Unknown && p.Refuted > 0:
		note(color.FgYellow, "%v, no win in %d", p.Stop, p.Refuted)
	case p.Stop != answer.Finished:
		note(color.FgYellow, "%v", p.Stop)
	}
	if p.Err != nil {
		note(color.FgRed, "%v", p.Err)
	}
	return strings.Join(all, ", ")
}

// count adds a puzzle to the summary.
func (r *report) count(p *puzzles.Result) {
	c := &r.counts
	c.puzzles++
	switch yes, known := p.ClaimTrue(); {
	case known && yes:
		c.claimTrue++
	case known:
		r.falseClaims = append(r.falseClaims, p.Puzzle.Label())
	}
	add := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	yes, known := p.Unique()
	add(&c.unique, yes && known)
	yes, known = p.EssentiallyUnique()
	add(&c.essentiallyUnique, yes && known)
	add(&c.unknown, p.Verdict == puzzles.Unknown)
	add(&c.errors, p.Verdict == puzzles.Error)
	add(&c.wrong, p.SolutionOK != nil && !*p.SolutionOK)
	add(&c.accepted, p.Certificate == puzzles.Accepted)
	if n := len(p.Solutions); n > r.mostSolutions {
		r.mostSolutions, r.most = n, p.Puzzle.Label()
	}
}

// finish writes the summary.
func (r *report) finish(interrupted bool) {
	if r.json {
		return
	}
	c := &r.counts
	fmt.Fprintf(r.t.out, "\n%s; claims: %d true, %d false; %d unique, %d essentially unique (these included); %d unknown, %s",
		amount(c.puzzles, "puzzle"), c.claimTrue, len(r.falseClaims), c.unique, c.essentiallyUnique, c.unknown, amount(c.errors, "error"))
	if r.given {
		fmt.Fprintf(r.t.out, "; %s wrong", amount(c.wrong, "given solution"))
	}
	if r.check {
		fmt.Fprintf(r.t.out, "; %s accepted", amount(c.accepted, "certificate"))
	}
	fmt.Fprintf(r.t.out, "; %s\n", seconds(time.Since(r.start)))
	if len(r.falseClaims) > 0 {
		fmt.Fprintf(r.t.out, "False claims: %s\n", strings.Join(r.falseClaims, ", "))
	}
	if r.mostSolutions > 1 {
		fmt.Fprintf(r.t.out, "Most solutions: %d (%s)\n", r.mostSolutions, r.most)
	}
	if interrupted {
		fmt.Fprintf(r.t.out, "Interrupted: %s not looked at\n", amount(r.total-c.puzzles, "puzzle"))
	}
}

func amount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// winningTurn is a winning first turn in JSON.
type winningTurn struct {
	Turn      string `json:"turn"`
	Essential *bool  `json:"essential"`
	Given     bool   `json:"given"`
}

// object writes a puzzle as a JSON object on one line.
func (r *report) object(p *puzzles.Result) {
	record := struct {
		File         string        `json:"file"`
		Name         string        `json:"name"`
		Claim        *int          `json:"claim"`
		Verdict      string        `json:"verdict"`
		Least        *int          `json:"least"`
		Solutions    *int          `json:"solutions"`
		Essential    *int          `json:"essential"`
		Unique       *bool         `json:"unique"`
		SolutionOK   *bool         `json:"solution_ok"`
		WinningTurns []winningTurn `json:"winning_turns"`
		Line         []string      `json:"line"`
		Certificate  string        `json:"certificate"`
		Seconds      float64       `json:"seconds"`
		Error        *string       `json:"error"`
	}{File: p.Puzzle.File, Name: p.Puzzle.Name, Verdict: string(p.Verdict), SolutionOK: p.SolutionOK, Line: p.Line,
		Certificate: string(p.Certificate), Seconds: p.Time.Seconds()}
	if p.Puzzle.Claim > 0 {
		record.Claim = &p.Puzzle.Claim
	}
	if p.Verdict == puzzles.Win {
		record.Least = &p.Least
	}
	if p.Verdict == puzzles.Win && p.Listed {
		n, essential := len(p.Solutions), p.Essential()
		record.Solutions, record.Essential = &n, &essential
	}
	for i := range p.Solutions {
		s := &p.Solutions[i]
		turn := winningTurn{Turn: s.Turn, Given: s.Given}
		if p.Listed {
			turn.Essential = &s.Essential
		}
		record.WinningTurns = append(record.WinningTurns, turn)
	}
	if yes, known := p.Unique(); known {
		record.Unique = &yes
	}
	if p.Err != nil {
		record.Error = text(p.Err.Error())
	}
	e := json.NewEncoder(r.t.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(record); err != nil {
		return // the output remembers that it could not be written
	}
}
