// Package mine is the command mine: puzzles found in game records.
package mine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/mined"
	"goalproof/cmd/internal/search"
	"goalproof/internal/batch"
	"goalproof/internal/files"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// flags are the flags of the mine command.
type flags struct {
	search  search.Flags
	jobs    jobs.Flags
	reading inputs.Reading
	winIn   int
	unique  bool
	all     bool // every puzzle that shows an idea, not only the first
	themes  []string
	wanted  describe.Themes // that a solution must have
	game    string          // an id or a number; empty: all

	listing time.Duration
	as      string
	json    bool
	html    string // file to write
	out     string // directory or file to write
}

// Command returns the command mine.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "mine RECORDS...",
		Short: "Find puzzles in game records",
		Long: `Finds puzzles in game records: positions in which the side to move wins in
exactly N turns, and only one first turn keeps the win, or only one essential
one: the others begin with its steps. The column "winning" counts them all.

Puzzles that show one idea come once, the first that is met; equal and mirrored
positions do so, and the turns of a game through which a threat remains. The
summary on standard error counts them.

--theme asks for puzzles by what the solution does, "goalproof help search" says
which themes there are.

See also: goalproof help search, formats, json, clusters.`,
		Example: `  goalproof mine examples/game.turns > puzzles.tsv
  goalproof mine --win-in 3 --nodes 20000 --store facts examples/game.turns
  goalproof mine --as arimaa --out puzzles examples/game.turns
  goalproof mine --as 4steps --out puzzles.4steps examples/game.turns
  goalproof mine --html puzzles.html examples/game.turns > puzzles.tsv`,
		Args: cli.Args(1, cli.Many, "file of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if f.wanted, err = describe.ParseThemes(f.themes); err != nil {
				return fmt.Errorf("--theme: %w", err)
			}
			switch {
			case f.listing <= 0:
				return fmt.Errorf("--list-time %v: the time must be more than zero", f.listing)
			case f.as != "table" && f.json:
				return errors.New("--json and --as exclude each other")
			case f.search.Algorithm != "dfpns":
				return errors.New("mine needs --algorithm dfpns")
			}
			if cmd.Flags().Changed("list-time") && !cmd.Flags().Changed("time") {
				return errors.New("--list-time needs --time: without it the list of solutions is limited by --nodes")
			}
			if err := cmp.Or(mined.CheckForm(f.as, f.out), search.CheckTurns(cmd.Flags(), "win-in", 2), f.search.CheckLimits(), f.jobs.Check(&f.search), cli.Writable("html", f.html, args...)); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	flags := cmd.Flags()
	f.search.Register(flags, runtime.GOMAXPROCS(0))
	f.search.RegisterStore(flags, t)
	f.reading.Side.Register(flags)
	f.reading.Register(flags)
	flags.StringVar(&f.game, "game", "", "look only at the game with this id, or number in its file")
	flags.IntVar(&f.winIn, "win-in", 2, "number of turns to the win")
	flags.StringSliceVar(&f.themes, "theme", nil, "only puzzles whose solution has this `theme`, for example zugzwang; with several, all of them (see goalproof help search)")
	flags.BoolVar(&f.unique, "unique", false, "only puzzles with a single winning first turn")
	flags.BoolVar(&f.all, "all", false, "all puzzles, also those that show an idea met before")
	f.search.RegisterLimits(flags, answer.Limit{Nodes: mined.UsualNodes}, "each position, to find out how long its win is, and again for all its solutions")
	flags.DurationVar(&f.listing, "list-time", time.Minute, "with --time: time to list all solutions of a win of this length, or to find two that are essential")
	flags.StringVar(&f.as, "as", "table", "form of the puzzles: table, arimaa or 4steps")
	flags.StringVar(&f.out, "out", "", "write the puzzles to this `directory` (arimaa: a file for each) or file (4steps)")
	cli.JSONFlag(flags, &f.json, "each puzzle")
	flags.StringVar(&f.html, "html", "", "write the puzzles with diagrams as a web page to this `file`")
	f.jobs.Register(flags, t)
	help.Group(flags, help.Question, "game", "win-in", "theme", "unique", "all", "list-time")
	help.Group(flags, help.Output, "as", "out", "json", "html")
	return cmd
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	out, err := mined.NewOutputs(f.as, f.out, append(args, f.html)...)
	if err != nil {
		return err
	}
	screen := cli.NewScreen(t)
	m := mining{flags: f, t: t, out: out, screen: screen, tally: mined.NewTally(t, screen, f.winIn), sieve: puzzles.Sieve{Themes: f.wanted, Unique: f.unique, All: f.all},
		writer: mined.Writer{JSON: f.json}, page: puzzles.NewCollection("Puzzles from " + strings.Join(args, ", "))}
	source := t.Source(ctx)
	places := inputs.Peek(f.places(source, args, t, &m.games), inputs.LookAhead, inputs.One)
	defer places.Stop()
	if err := source.Interrupted(); err != nil {
		return err
	}
	f.jobs.Total = places.Total()
	bar := inputs.NewProgress(t, m.screen, "mining", places.Total(), args)
	err = f.search.WithJobs(len(places.First), f.jobs.Given(), func(workers int, o solve.Options) error {
		return m.mine(ctx, places.All, bar, workers, o)
	})
	bar.Finish()
	if err != nil {
		return err
	}
	if f.game != "" && m.games == 0 && ctx.Err() == nil && m.code == cli.Holds {
		return cli.Exit(cli.BadInput, fmt.Errorf("there is no game %s in %s", f.game, strings.Join(args, ", ")))
	}
	if err := m.finish(); err != nil {
		return err
	}
	f.search.ReportCuts(t)
	if ctx.Err() != nil {
		m.code = m.code.Worse(cli.Unknown)
	}
	return m.code.Finish()
}

// mining is the state of the command.
type mining struct {
	*flags
	t      cli.Terminal
	screen *cli.Screen
	out    *mined.Outputs // nil: the puzzles go to standard output
	writer mined.Writer
	page   *puzzles.Report

	sieve puzzles.Sieve
	tally mined.Tally
	games int
	code  cli.Code
}

// mine works on all places.
func (m *mining) mine(ctx context.Context, places iter.Seq[puzzles.Place], bar inputs.Progress, workers int, solving solve.Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	outcomes, closing, err := m.outcomes(ctx, places, workers, solving)
	if err != nil {
		return err
	}
	for o := range outcomes {
		bar.Advance(o.Job.Bytes)
		err := o.Err
		if err != nil {
			err = cli.Exit(cli.Internal, fmt.Errorf("%s: %w", o.Job.Name, err))
		} else {
			err = m.take(&o.Job, &o.Value)
		}
		if err != nil {
			cancel()
			return err
		}
	}
	return closing()
}

// outcomes returns what is seen in all places, by this machine or by a cluster, and what ends that.
func (m *mining) outcomes(ctx context.Context, places iter.Seq[puzzles.Place], workers int, solving solve.Options) (
	results iter.Seq[batch.Outcome[puzzles.Place, puzzles.Look]], closing func() error, err error) {
	if m.jobs.Given() {
		q := &jobs.Mine[puzzles.Place]{WinIn: m.winIn, Nodes: m.search.Limit().Nodes, Lines: m.html != "", Solving: solving,
			Position: func(p puzzles.Place) (*arimaa.Position, error) {
				if p.Err != nil {
					return nil, nil
				}
				return &p.Position, nil
			}}
		asker, end, err := q.Open(ctx, &m.jobs)
		if err != nil {
			return nil, nil, err
		}
		return jobs.Outcomes(ctx, asker, places, q, func(puzzles.Place) {}), end.Close, nil
	}
	limit := m.search.Limit()
	listing := limit
	if limit.Time > 0 {
		listing.Time = m.listing
	}
	start := func() (*puzzles.Miner, error) {
		s, err := solve.New(solving)
		return &puzzles.Miner{Solver: s, Turns: m.winIn, Lines: m.html != "", Limit: limit, Listing: listing}, err
	}
	look := func(ctx context.Context, miner *puzzles.Miner, p puzzles.Place) (l puzzles.Look, err error) {
		if p.Err == nil {
			l.Found, l.Judgement, err = miner.Look(ctx, p.Position)
		}
		return l, err
	}
	return batch.Run(ctx, places, workers, search.Ahead*workers, start, look), func() error { return nil }, nil
}

// take counts and prints the result for a place.
func (m *mining) take(p *puzzles.Place, l *puzzles.Look) error {
	if p.Err != nil {
		m.screen.Print(func() { fmt.Fprintf(m.t.Err, "goalproof: %s\n", notation.Explain(p.Err)) })
		m.code = m.code.Worse(cli.BadInput)
		return nil
	}
	m.tally.Look(p.Name, &l.Judgement)
	if l.Cut {
		m.screen.Print(func() { m.search.ReportCut(m.t, p.Name, l.Cut) })
	}
	if !m.sieve.Keep(l.Found) {
		return nil
	}
	if m.html != "" {
		m.page.AddMined(p, l.Found)
	}
	if m.out != nil {
		return m.out.Add(m.t, p.Name, l.Found)
	}
	var err error
	m.screen.Print(func() { err = m.writer.Row(m.t.Out, p.Name, l.Found, mined.RecordOf(p.Name, l.Found, p.Notes)) })
	return err
}

// finish writes the files, and the summary on standard error.
func (m *mining) finish() error {
	ideas := m.sieve.Found - m.sieve.Again
	summary := m.tally.Summary(m.games, m.sieve.Found, m.sieve.Single, ideas)
	if m.out != nil {
		if err := m.out.Finish(m.t); err != nil {
			return err
		}
	}
	if m.html != "" {
		if err := m.t.Durable(); err != nil {
			return err
		}
		shown := ideas
		if m.all {
			shown = m.sieve.Found
		}
		words := fmt.Sprintf("%s, each with a win in %d and one essential solution.", printable.Amount(shown, "puzzle"), m.winIn)
		if err := cli.WriteFile(m.html, func(file io.Writer) error { return m.page.Write(file, words, m.origin()) }); err != nil {
			return err
		}
	}
	fmt.Fprintln(m.t.Err, summary)
	return nil
}

// origin says how the page was made.
func (m *mining) origin() puzzles.Origin {
	limits := []string{fmt.Sprintf("wins in %s", printable.Amount(m.winIn, "turn"))}
	if m.search.Limit().Time > 0 {
		limits = append(limits, fmt.Sprintf("%v to list the solutions of a win", m.listing))
	}
	return m.search.Origin(m.t, m.tally.Start, limits...)
}

// places yields the positions of the records and counts their games. Unreadable ones do not stop
// the others.
func (f *flags) places(source *files.Source, args []string, t cli.Terminal, games *int) iter.Seq[puzzles.Place] {
	return func(yield func(puzzles.Place) bool) {
		for _, arg := range args {
			file, text, err := inputs.Open(t, source, arg)
			if err != nil {
				if source.Interrupted() != nil || !yield(puzzles.Place{Name: file, Err: err}) {
					return
				}
				continue
			}
			for p := range puzzles.Places(f.reading.Games(t, file, text, f.game), games) {
				p.Err = inputs.Advice(p.Err)
				if source.Interrupted() != nil || !yield(p) {
					text.Close()
					return
				}
			}
			text.Close()
		}
	}
}
