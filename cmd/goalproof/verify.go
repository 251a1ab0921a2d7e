package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/fatih/color"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/batch"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/internal/input"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/solve"
)

// verifyFlags are the flags of the verify command.
type verifyFlags struct {
	search  search.Flags // without the choice of an algorithm: solutions are listed with dfpns
	claim   int
	winIn   int
	time    time.Duration
	unusual bool
	check   bool
	strict  bool
	all     bool
	json    bool

	certificates string // directory to write them to
}

func (f *verifyFlags) register(flags *pflag.FlagSet, t cli.Terminal) {
	flags.IntVar(&f.claim, "claim", 0, "the claim assumed for puzzles that state none: a win in this many turns")
	flags.IntVar(&f.winIn, "win-in", 0, "look for a win within this many turns (default: the claim, and at least 2)")
	flags.DurationVar(&f.time, "time", 60*time.Second, "time for each puzzle, and again for its certificate")
	flags.BoolVar(&f.unusual, "unusual", false, "accept more pieces than a full army has, undefended pieces on traps, and finished games")
	flags.BoolVar(&f.check, "check", false, "check the proof of each win, or of no win in 1 or 2, by the plain rules")
	flags.StringVar(&f.certificates, "certificates", "", "write the proofs of wins and of false claims to this `directory`")
	flags.BoolVar(&f.strict, "strict", false, "exit with code 1 if a claim is false")
	flags.BoolVar(&f.all, "all", false, "list every winning first turn, with * before the essential ones")
	flags.BoolVar(&f.json, "json", false, "write a line of JSON for each puzzle (see goalproof help json)")
	f.search.Algorithm = "dfpns"
	flags.IntVar(&f.search.Threads, "threads", runtime.GOMAXPROCS(0), "number of puzzles to solve at the same time")
	search.MemoryFlag(flags, &f.search.Memory)
	help.Group(flags, help.Question, "claim", "win-in", "time", "unusual")
	help.Group(flags, help.Search, "threads", "memory")
	help.Group(flags, help.Output, "check", "certificates", "strict", "all", "json")
	f.search.RegisterStore(flags, t)
}

func verifyCommand(t cli.Terminal) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify SET...",
		Short: "Check the claims and solutions of sets of puzzles",
		Long: `Checks sets of puzzles: is the claim true, is the solution the only one, and is
the given solution right? A claim is true if it is the least number of turns.
The third repetition is set aside.

Below a win it shows up to three other essential first turns, and a line with
the longest defence.

See also: goalproof help formats, certificates, json, exit-codes.`,
		Example: `  goalproof verify examples/mined
  goalproof verify --claim 2 --check examples/win-in-2.txt
  goalproof verify --json --strict examples/mined
  goalproof verify --claim 2 --certificates proofs examples/no-win-in-2.txt`,
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
	f.register(cmd.Flags(), t)
	return cmd
}

func (f *verifyFlags) run(ctx context.Context, args []string, t cli.Terminal) error {
	if f.time <= 0 {
		return fmt.Errorf("--time %v: the time must be more than zero", f.time)
	}
	if f.json && f.all {
		return errors.New("--json and --all exclude each other")
	}
	source := t.Source(ctx)
	all := inputs.Peek(f.read(source, args), inputs.Known, inputs.One)
	defer all.Stop()
	if err := source.Interrupted(); err != nil {
		return err
	}
	if f.certificates != "" {
		for i := range all.First {
			if err := all.First[i].Err; errors.As(err, new(*twice)) {
				return err
			}
		}
		if err := os.MkdirAll(f.certificates, 0o777); err != nil {
			return err
		}
	}
	return f.search.WithWorkers(len(all.First), func(workers int, start func() (*solve.Solver, error)) error {
		s := newScreen(t, func(s *screen) inputs.Progress {
			return inputs.NewProgress(t, s, "verifying", all.Total(), source, args, ".txt", ".tsv")
		})
		defer s.close()
		return f.verify(ctx, newReport(f, &all, t), all.All, s, workers, start)
	})
}

// read yields the puzzles of all sets, until it is interrupted.
func (f *verifyFlags) read(source *input.Source, args []string) iter.Seq[puzzles.Puzzle] {
	return func(yield func(puzzles.Puzzle) bool) {
		named := map[string]bool{} // how the files of certificates are named
		for _, arg := range args {
			for p := range puzzles.Read(source, arg) {
				if p.Claim == 0 {
					p.Claim = f.claim
				}
				if f.certificates != "" && p.Err == nil {
					p.Err = apart(named, &p)
				}
				if source.Interrupted() != nil || !yield(p) {
					return
				}
			}
		}
	}
}

// verifiedAhead times the number of workers is how many puzzles may have been verified before an earlier one is done.
const verifiedAhead = 64

// verify works on all puzzles and reports each as soon as it and those before it are done.
func (f *verifyFlags) verify(ctx context.Context, report *report, all iter.Seq[puzzles.Puzzle], s *screen,
	workers int, start func() (*solve.Solver, error)) error {
	o := puzzles.Options{WinIn: f.winIn, Time: f.time, Unusual: f.unusual}
	s.write(report.head)
	var code cli.Code
	verify := func(ctx context.Context, solver *solve.Solver, p puzzles.Puzzle) (puzzles.Result, error) {
		defer s.progress.Advance()
		o := o
		if f.check || f.certificates != "" {
			o.Certify = func(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer) (puzzles.Certificate, error) {
				return f.certify(ctx, s, q, a, &p)
			}
		}
		return puzzles.Verify(ctx, solver, p, o), nil
	}
	for done := range batch.Run(ctx, all, workers, verifiedAhead*workers, start, verify) {
		r := done.Value
		if done.Err != nil {
			err := fmt.Errorf("%s: internal error: %w", done.Job.Label(), done.Err)
			r = puzzles.Result{Puzzle: done.Job, Verdict: puzzles.Error, Certificate: puzzles.NoCertificate, Err: err}
			if p := (*batch.Panic)(nil); errors.As(done.Err, &p) {
				s.write(func() { fmt.Fprintf(report.t.Err, "goalproof: %v\n%s", err, p.Stack) })
			}
		}
		code = code.Worse(f.code(&r))
		s.write(func() { report.add(&r) })
	}
	s.close()
	report.finish(ctx.Err() != nil)
	if ctx.Err() != nil && report.counts.puzzles != report.total {
		code = code.Worse(cli.Unknown)
	}
	return code.Finish()
}

// code is the exit code for a puzzle.
func (f *verifyFlags) code(r *puzzles.Result) cli.Code {
	yes, known := r.ClaimTrue()
	missing := f.check && r.Verdict == puzzles.Win && r.Certificate == puzzles.NoCertificate
	if e := (*cli.ExitError)(nil); errors.As(r.Err, &e) {
		return e.Code // a certificate could not be written to its file
	}
	switch {
	case r.Verdict == puzzles.Error && r.Puzzle.Err != nil:
		return cli.BadInput
	case errors.Is(r.Err, proof.ErrTooManyReplies):
		return cli.Unknown
	case r.Certificate == puzzles.Rejected || r.Stop == answer.Finished && (r.Verdict == puzzles.Error || missing):
		return cli.Internal // a search or a certificate went wrong
	case r.Stop != answer.Finished:
		return cli.Unknown
	case f.strict && known && !yes:
		return cli.Fails
	}
	return cli.Holds
}

// certify writes down the proof of a verdict, and if the claim is false because a win takes longer, that of this as
// well, and checks them or writes them to files, as asked.
func (f *verifyFlags) certify(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer, p *puzzles.Puzzle) (puzzles.Certificate, error) {
	state := puzzles.NoCertificate
	if a.Verdict == answer.Proved {
		c, err := s.Certificate(ctx, q, a)
		state = puzzles.Written
		if err == nil && f.check {
			state, err = puzzles.Accepted, c.Check(ctx, nil)
		}
		if err := f.keep(err, c, p, ""); err != nil {
			return rejection(err)
		}
	}
	// What is longer than the claim is as false as the claim, and says more.
	n := min(a.Refuted, proof.MaxRefuted)
	if n < max(p.Claim, 1) || p.Claim == 0 && a.Verdict == answer.Proved || a.Verdict == answer.Proved && a.Least <= p.Claim {
		return state, nil
	}
	r, done, err := search.Refute(ctx, q.Position, n, f.check)
	if err := f.keep(err, r, p, fmt.Sprintf("-no-win-in-%d", n)); err != nil {
		return rejection(err)
	}
	if a.Verdict == answer.Disproved && n == a.Refuted {
		state = done
	}
	return state, nil
}

// keep writes a certificate of a puzzle to its file, if it was made without an error and files are asked for.
func (f *verifyFlags) keep(err error, c interface{ WriteFile(string) error }, p *puzzles.Puzzle, what string) error {
	if err != nil || f.certificates == "" {
		return err
	}
	ending := ".proof"
	if what != "" {
		ending = ".proof.gz" // refutations are long
	}
	if err := c.WriteFile(filepath.Join(f.certificates, puzzleFile(p)+what+ending)); err != nil {
		return cli.Exit(cli.BadInput, err)
	}
	return nil
}

// rejection is what the error of a certificate says about it.
func rejection(err error) (puzzles.Certificate, error) {
	if certificates.Rejected(err) {
		return puzzles.Rejected, nil
	}
	return puzzles.NoCertificate, err
}

// puzzleFile is the name of a puzzle as the files of its certificates begin with it.
func puzzleFile(p *puzzles.Puzzle) string { return certificates.FileName(p.Name) }

// apart returns an error if a puzzle would write the certificates of an earlier one, and notes its name.
func apart(named map[string]bool, p *puzzles.Puzzle) error {
	name := puzzleFile(p)
	if named[name] {
		return &twice{name}
	}
	named[name] = true
	return nil
}

// twice is the error of a puzzle that would write the certificates of an earlier one.
type twice struct{ name string }

func (e *twice) Error() string {
	return fmt.Sprintf("--certificates: two puzzles are named %s, and so would their files be", e.name)
}

// screen keeps lines of a report and a progress bar apart, which may go to the same terminal.
type screen struct {
	mu       sync.Mutex
	err      io.Writer
	terminal bool // standard error is one
	progress inputs.Progress
}

// newScreen returns a screen with a bar, which draws to it.
func newScreen(t cli.Terminal, bar func(*screen) inputs.Progress) *screen {
	s := &screen{err: t.Err, terminal: cli.IsTerminal(t.Err)}
	s.progress = bar(s)
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
	if s.terminal {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
	lines()
}

func (s *screen) close() { s.progress.Finish() }

// report is the table for people, or the list of JSON objects.
type report struct {
	*verifyFlags
	t      cli.Terminal
	width  int  // of the column of puzzles, in characters
	given  bool // some puzzles give solutions
	start  time.Time
	total  int // puzzles; 0: not known
	counts struct {
		puzzles, claimTrue, unique, essentiallyUnique, unknown, errors, wrong, accepted, sampled int
	}
	falseClaims   []string // the first of them
	moreFalse     int      // further ones
	mostSolutions int
	most          string // the puzzle that has them
}

// newReport returns a report about puzzles; the first of them give the form of the table.
func newReport(f *verifyFlags, all *inputs.Peeked[puzzles.Puzzle], t cli.Terminal) *report {
	r := &report{verifyFlags: f, t: t, width: len("puzzle"), start: time.Now(), total: all.Total()}
	first := all.First
	for i := range first {
		r.width = min(max(r.width, utf8.RuneCountInString(first[i].Label())), 60)
		r.given = r.given || first[i].Solution != ""
	}
	return r
}

// row writes a line of the table.
func (r *report) row(puzzle, claim, verdict, solutions, essential, given, certificate, time, remarks string) {
	line := fmt.Sprintf("%-*s %5s  %-11s %9s %9s", r.width, puzzle, claim, verdict, solutions, essential)
	if r.given {
		line += fmt.Sprintf("  %-8s", given)
	}
	if r.check || r.certificates != "" {
		line += fmt.Sprintf("  %-11s", certificate)
	}
	fmt.Fprintln(r.t.Out, strings.TrimRight(line+fmt.Sprintf(" %8s  %s", time, remarks), " "))
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
		fmt.Fprintf(r.t.Out, "  %s %s%s\n", mark, s.Turn, given)
	}
	if more > 0 {
		fmt.Fprintf(r.t.Out, "    and %d more (--all lists them)\n", more)
	}
	if len(p.Line) > 1 {
		fmt.Fprintf(r.t.Out, "    longest defence: %s\n", strings.Join(p.Line, " / "))
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

// remarks says in a few words what is good or bad about a puzzle; on a terminal in colour.
func (r *report) remarks(p *puzzles.Result) string {
	var all []string
	note := func(c color.Attribute, format string, args ...any) {
		style := color.New(c)
		style.DisableColor()
		if r.t.Styled {
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

// falseShown is how many false claims are listed at the end.
const falseShown = 1000

// count adds a puzzle to the summary.
func (r *report) count(p *puzzles.Result) {
	c := &r.counts
	c.puzzles++
	switch yes, known := p.ClaimTrue(); {
	case known && yes:
		c.claimTrue++
	case known && len(r.falseClaims) == falseShown:
		r.moreFalse++
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
	add(&c.sampled, p.Certificate == puzzles.Sampled)
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
	fmt.Fprintf(r.t.Out, "\n%s; claims: %d true, %d false; %d unique, %d essentially unique (these included); %d unknown, %s",
		cli.Amount(c.puzzles, "puzzle"), c.claimTrue, len(r.falseClaims)+r.moreFalse, c.unique, c.essentiallyUnique, c.unknown, cli.Amount(c.errors, "error"))
	if r.given {
		fmt.Fprintf(r.t.Out, "; %s wrong", cli.Amount(c.wrong, "given solution"))
	}
	if r.check {
		fmt.Fprintf(r.t.Out, "; %s accepted", cli.Amount(c.accepted, "certificate"))
	}
	if c.sampled > 0 {
		fmt.Fprintf(r.t.Out, "; %d with a sample checked", c.sampled)
	}
	fmt.Fprintf(r.t.Out, "; %s\n", seconds(time.Since(r.start)))
	if len(r.falseClaims) > 0 {
		more := ""
		if r.moreFalse > 0 {
			more = fmt.Sprintf(", and %d more", r.moreFalse)
		}
		fmt.Fprintf(r.t.Out, "False claims: %s%s\n", strings.Join(r.falseClaims, ", "), more)
	}
	if r.mostSolutions > 1 {
		fmt.Fprintf(r.t.Out, "Most solutions: %d (%s)\n", r.mostSolutions, r.most)
	}
	switch {
	case interrupted && r.total > 0:
		fmt.Fprintf(r.t.Out, "Interrupted: %s not examined\n", cli.Amount(r.total-c.puzzles, "puzzle"))
	case interrupted:
		fmt.Fprintln(r.t.Out, "Interrupted: the other puzzles have not been examined")
	}
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
		record.Error = new(p.Err.Error())
	}
	_ = cli.WriteJSON(r.t.Out, record) // the output remembers that it could not be written
}
