// Package verify is the command verify: the claims and solutions of sets of puzzles, checked and
// reported.
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/search"
	"goalproof/internal/batch"
	"goalproof/internal/files"
	"goalproof/internal/printable"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/solve"
)

// flags are the flags of the verify command.
type flags struct {
	inputs inputs.Flags
	search search.Flags // without the choice of an algorithm: solutions are listed with dfpns
	jobs   jobs.Flags
	claim  int
	winIn  int
	check  bool
	all    bool
	json   bool
	themes bool
	tries  bool

	certificates string // directory to write them to
	html         string // file to write

	overridden int // puzzles with another claim than that of the flag
}

func (f *flags) register(flags *pflag.FlagSet, t cli.Terminal) {
	f.inputs.Register(flags)
	flags.IntVar(&f.claim, "claim", 0, "the claim of every puzzle, a win in this many turns; it overrides their own")
	flags.IntVar(&f.winIn, "win-in", 0, "look for a win within this many turns (default: the claim, and at least 2; without a claim no limit in turns)")
	f.search.RegisterLimits(flags, answer.Limit{Time: 60 * time.Second}, "each puzzle, and again for its certificate")
	flags.BoolVar(&f.check, "check", false, "check the proof of each win, or of no win in 1 or 2, by the plain rules")
	flags.StringVar(&f.certificates, "certificates", "", "write the proofs of wins and of false claims to this `directory`")
	flags.StringVar(&f.html, "html", "", "write a report with diagrams as a web page to this `file`")
	flags.BoolVar(&f.themes, "describe", false, "add the themes and the difficulty of each win, which takes several times as long")
	flags.BoolVar(&f.tries, "tries", false, "list near tries with their refutations, set play, duals and short solutions of each puzzle, within as much again")
	flags.Lookup("strict").Usage = "refuse texts that break the rules of their form, which are otherwise\nread with a note; exit with code 1 if a claim is false"
	flags.BoolVar(&f.all, "all", false, "list every winning first turn, with * before the essential ones")
	cli.JSONFlag(flags, &f.json, "each puzzle")
	f.search.Algorithm = "dfpns"
	flags.IntVar(&f.search.Threads, "threads", runtime.GOMAXPROCS(0), "number of puzzles to solve at the same time")
	cli.MemoryFlag(flags, &f.search.Memory, "memory for the whole process, for example 512MiB")
	help.Group(flags, help.Question, "claim", "win-in")
	help.Group(flags, help.Search, "threads", "memory")
	help.Group(flags, help.Output, "check", "certificates", "describe", "tries", "html", "all", "json")
	f.search.RegisterStore(flags, t)
	f.search.RegisterEndgames(flags, t)
	f.jobs.Register(flags, t)
}

// Command returns the command verify.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "verify SET...",
		Short: "Check the claims and solutions of sets of puzzles",
		Long: `Checks sets of puzzles: is the claim true, is the solution the only one, and is
the given solution right? A claim is true if it is the least number of turns.
The third repetition is set aside.

Of a puzzle without a claim it looks for the shortest win as deep as --nodes and
--time allow, by default for 60 seconds, and says up to where there is none.

Below a win it shows up to three other essential first turns, and a line with
the longest defence; below a wrong solution or a false claim a first turn that
does not win in so many turns, and the reply that shows it. A note says so if no
game leads to the position, as far as one turn back shows. What was not found
out is "open", with the reason. With --describe it names the themes of each win
and how hard it is to see; with --tries it lists near tries and what refutes
them, set play, duals, short solutions and short variations.

See also: goalproof help search, formats, certificates, json, exit-codes,
clusters.`,
		Example: `  goalproof verify examples/mined
  goalproof verify --claim 2 --check examples/win-in-2.txt
  goalproof verify --tries --claim 2 examples/win-in-2.txt
  goalproof verify --json --strict examples/mined
  goalproof verify --html report.html examples/mined
  goalproof verify --claim 2 --certificates proofs examples/no-win-in-2.txt`,
		Args: cli.Args(1, cli.Many, "set of puzzles"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(search.CheckTurns(cmd.Flags(), "claim", 1), search.CheckTurns(cmd.Flags(), "win-in", 1), f.search.CheckLimits(), f.jobs.Check(&f.search)); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.register(cmd.Flags(), t)
	return cmd
}

// limits describes the length of the wins to look for.
func (f *flags) limits() string {
	if f.winIn == 0 {
		return "wins within the claim, or within 2 turns if that is more; without a claim wins of any length"
	}
	return fmt.Sprintf("wins within the claim, or within %s if that is more", printable.Amount(f.winIn, "turn"))
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	switch {
	case f.json && f.all:
		return errors.New("--json and --all exclude each other")
	case f.tries && f.jobs.Given():
		return errors.New("--cluster and --tries exclude each other")
	}
	if err := cli.Writable("html", f.html, args...); err != nil {
		return err
	}
	source := t.Source(ctx)
	set := f.inputs.Puzzles(t, source, args)
	if f.inputs.Turn != "" || f.inputs.Game != "" {
		in, err := f.inputs.Read(ctx, args, t)
		if err != nil {
			return err
		}
		source, set = in.Source, chosen(in)
	}
	all := inputs.Peek(f.read(source, set), inputs.LookAhead, inputs.One)
	defer all.Stop()
	if err := source.Interrupted(); err != nil {
		return err
	}
	f.jobs.Total = all.Total()
	if f.certificates != "" {
		for i := range all.First {
			if err := all.First[i].Err; errors.As(err, new(*certificates.Twice)) {
				return err
			}
		}
		if err := os.MkdirAll(f.certificates, 0o777); err != nil {
			return cli.Unwritten(err)
		}
	}
	return f.search.WithJobs(len(all.First), f.jobs.Given(), func(workers int, o solve.Options) error {
		s := cli.NewScreen(t)
		bar := inputs.NewProgress(t, s, "verifying", all.Total(), args, ".txt", ".tsv")
		defer bar.Finish()
		report := newOutput(f, &all, t)
		if f.html != "" {
			report.page = puzzles.NewReport("Puzzles of " + strings.Join(args, ", "))
		}
		return f.verify(ctx, report, all.All, s, bar, workers, o)
	})
}

// chosen yields the positions of games that --turn and --game choose.
func chosen(in *inputs.Items) iter.Seq[puzzles.Puzzle] {
	return func(yield func(puzzles.Puzzle) bool) {
		for it := range in.All {
			name := filepath.Base(it.Name)
			p := puzzles.Puzzle{File: it.Name, Name: strings.TrimSuffix(name, filepath.Ext(name)), Position: it.Diagram.Position, Number: it.Diagram.Number,
				Notes: it.Entry.Sentences(), Err: it.Err}
			if !yield(p) {
				return
			}
		}
	}
}

// read yields puzzles with their claims, until it is interrupted.
func (f *flags) read(source *files.Source, all iter.Seq[puzzles.Puzzle]) iter.Seq[puzzles.Puzzle] {
	return func(yield func(puzzles.Puzzle) bool) {
		names := certificates.NewNames("puzzles")
		for p := range all {
			if f.claim > 0 && p.Claim != f.claim {
				if p.Claim > 0 {
					f.overridden++
				}
				p.Claim, p.ClaimFrom = f.claim, ""
			}
			if f.certificates != "" && p.Err == nil {
				p.Err = names.Take(puzzleFile(&p))
			}
			if source.Interrupted() != nil || !yield(p) {
				return
			}
		}
	}
}

// verify works on all puzzles and reports each one as soon as it and all earlier ones are done.
func (f *flags) verify(ctx context.Context, report *output, all iter.Seq[puzzles.Puzzle], s *cli.Screen,
	bar inputs.Progress, workers int, solving solve.Options) error {
	outcomes, closing, err := f.outcomes(ctx, all, bar, workers, solving)
	if err != nil {
		return err
	}
	s.Print(report.head)
	var code cli.Code
	for done := range outcomes {
		r := done.Value
		if done.Err != nil {
			err := fmt.Errorf("%s: internal error: %w", done.Job.Label(), done.Err)
			r = puzzles.Result{Puzzle: done.Job, Err: err}
			if p, ok := errors.AsType[*batch.Panic](done.Err); ok {
				s.Print(func() { fmt.Fprintf(report.t.Err, "goalproof: %v\n%s", err, p.Stack) })
			}
		}
		code = code.Worse(f.code(&r))
		s.Print(func() {
			report.add(&r)
			f.search.ReportCut(report.t, r.Puzzle.Label(), r.Cut)
		})
	}
	bar.Finish()
	finished := report.finish(ctx.Err() != nil)
	if err := cmp.Or(finished, closing()); err != nil { // the answers are kept until they have been written
		return err
	}
	f.search.ReportCuts(report.t)
	if f.overridden > 0 {
		fmt.Fprintf(report.t.Err, "goalproof: --claim %d overrides %s of the text\n", f.claim, printable.Amount(f.overridden, "other claim"))
	}
	if ctx.Err() != nil && report.counts.puzzles != report.total {
		code = code.Worse(cli.Unknown)
	}
	return code.Finish()
}

// outcomes returns the results of all puzzles, from this machine or from a cluster, and what ends
// that.
func (f *flags) outcomes(ctx context.Context, all iter.Seq[puzzles.Puzzle], bar inputs.Progress, workers int, solving solve.Options) (
	results iter.Seq[batch.Outcome[puzzles.Puzzle, puzzles.Result]], closing func() error, err error) {
	o := puzzles.Options{WinIn: f.winIn, Limit: f.search.Limit(), Unusual: f.inputs.Unusual, Describe: f.themes, Tries: f.tries}
	certify := f.check || f.certificates != ""
	if f.jobs.Given() {
		v := &jobs.Verify{Options: o, Certify: certify, Checked: f.check, Keep: f.keep, Solving: solving}
		asker, end, err := v.Open(ctx, &f.jobs)
		if err != nil {
			return nil, nil, err
		}
		return jobs.Outcomes(ctx, asker, all, v, func(p puzzles.Puzzle) { bar.Advance(p.Bytes) }), end.Close, nil
	}
	verify := func(ctx context.Context, solver *solve.Solver, p puzzles.Puzzle) (puzzles.Result, error) {
		defer bar.Advance(p.Bytes)
		o := o
		if certify {
			c := jobs.Certifier{Claim: p.Claim, Check: f.check, Keep: func(c certificates.Certificate, refutes string) error { return f.keep(&p, c, refutes) }}
			o.Certify = c.Certify
		}
		return puzzles.Verify(ctx, solver, p, o), nil
	}
	start := func() (*solve.Solver, error) { return solve.New(solving) }
	return batch.Run(ctx, all, workers, search.Ahead*workers, start, verify), func() error { return nil }, nil
}

// keep writes a certificate of a puzzle to its file, if files were asked for.
func (f *flags) keep(p *puzzles.Puzzle, c certificates.Certificate, refutes string) error {
	if f.certificates == "" {
		return nil
	}
	ending := ".proof"
	if refutes != "" {
		ending = ".proof.gz" // refutations are long
	}
	return cli.Unwritten(certificates.Write(filepath.Join(f.certificates, puzzleFile(p)+refutes+ending), c))
}

// puzzleFile returns the beginning of the names of a puzzle's certificate files.
func puzzleFile(p *puzzles.Puzzle) string { return certificates.FileName(p.Name) }

// code returns the exit code for a puzzle.
func (f *flags) code(r *puzzles.Result) cli.Code {
	yes, known := r.ClaimTrue()
	missing := f.check && r.Verdict == answer.Proved && r.Certificate == puzzles.NoCertificate
	if e, ok := errors.AsType[*cli.ExitError](r.Err); ok {
		return e.Code // a certificate could not be written to its file
	}
	switch {
	case r.Failed() && r.Puzzle.Err != nil:
		return cli.BadInput
	case errors.Is(r.Err, proof.ErrTooManyReplies):
		return cli.Unknown
	case r.Certificate == puzzles.Rejected || r.Failed() || r.Stop == answer.Finished && missing:
		return cli.Internal // a search or a certificate went wrong
	case r.Stop != answer.Finished || len(r.Open) > 0:
		return cli.Unknown
	case f.inputs.Strict && known && !yes:
		return cli.Fails
	}
	return cli.Holds
}
