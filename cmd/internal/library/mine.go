package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"

	"github.com/cheggaaa/pb/v3"
	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/mined"
	"goalproof/cmd/internal/search"
	"goalproof/internal/batch"
	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/puzzles"
	"goalproof/solve"
)

// mining is the command library mine.
type mining struct {
	filters
	search search.Flags
	jobs   jobs.Flags
	winIn  int
	writer mined.Writer

	t      cli.Terminal
	screen *cli.Screen
	bar    *pb.ProgressBar // of positions
	tally  mined.Tally
	passed int // positions of games that are done
	games  int // that are done
	found  int // puzzles that are new
	single int // those of them with a single winning turn
	ideas  int // and those that show a new idea
}

func mineCommand(t cli.Terminal) *cobra.Command {
	f := mining{t: t, screen: cli.NewScreen(t)}
	cmd := &cobra.Command{
		Use:   "mine LIBRARY",
		Short: "Find puzzles in the games of a library",
		Long: `Looks for puzzles in the games for which all flags hold, as "goalproof mine"
does, and adds them to the library. It writes those that show a new idea.

A game is mined once with the same --win-in and --nodes. After an interruption,
or when the program was killed, run the same command again: it mines the rest.
"goalproof library query --puzzles" finds puzzles by theme and difficulty.

See also: goalproof help library-filters, formats, json, clusters.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library mine games.db --number 9 --nodes 20000
  goalproof library mine games.db --ending goal --turns ..70 --nodes 2000
  goalproof library query games.db --puzzles --theme push --sort difficulty`,
		Args: needsLibrary,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(search.CheckTurns(cmd.Flags(), "win-in", 2), search.CheckThreads(f.search.Threads), f.search.CheckLimits(), f.jobs.Check(&f.search), f.read(cmd, t)); err != nil {
				return err
			}
			return exitOf(f.run(cmd.Context(), args[0]))
		},
	}
	flags := cmd.Flags()
	f.filters.register(flags, true)
	flags.IntVar(&f.winIn, "win-in", 2, "number of turns to the win")
	f.search.RegisterNodes(flags, mined.UsualNodes, "each position, to find out how long its win is, and again for all its solutions")
	f.search.Algorithm = "dfpns"
	flags.IntVar(&f.search.Threads, "threads", runtime.GOMAXPROCS(0), "number of positions to look at at the same time")
	cli.MemoryFlag(flags, &f.search.Memory, "memory for the whole process, for example 512MiB")
	cli.JSONFlag(flags, &f.writer.JSON, "each puzzle")
	f.jobs.Register(flags, t)
	help.Group(flags, help.Question, "win-in")
	help.Group(flags, help.Search, "threads", "memory")
	help.Group(flags, help.Output, "json")
	return cmd
}

// run mines the games.
func (f *mining) run(ctx context.Context, path string) error {
	l, err := library.Edit(ctx, path)
	if err != nil {
		return err
	}
	err = f.mine(ctx, l)
	return cmp.Or(err, l.Close())
}

func (f *mining) mine(ctx context.Context, l *library.Library) error {
	m, err := l.Mine(ctx, library.Mining{Games: f.Filter, WinIn: f.winIn, Nodes: f.search.Limit().Nodes})
	if err != nil {
		return err
	}
	f.tally = mined.NewTally(f.t, nil, f.winIn)
	f.bar = cli.NewBar(f.t, f.screen, "mining", m.Positions).Start()
	err = f.search.WithJobs(m.Positions, f.jobs.Given(), func(workers int, o solve.Options) error {
		if f.jobs.Given() {
			return f.asked(ctx, m, o)
		}
		return m.Run(ctx, m.Here(workers, func() (*solve.Solver, error) { return solve.New(o) }), f.looked, f.mined)
	})
	f.bar.Finish()
	if closing := m.Close(); err == nil || errors.Is(err, context.Canceled) {
		err = closing // an interruption is no error of the file
	}
	if errors.As(err, new(*batch.Panic)) {
		err = cli.Exit(cli.Internal, err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(f.t.Err, "%s; %s mined before", f.tally.Summary(f.games, f.found, f.single, f.ideas), printable.Amount(m.Before, "game"))
	if m.Known > 0 {
		fmt.Fprintf(f.t.Err, "; %s found again", printable.Amount(m.Known, "puzzle"))
	}
	fmt.Fprintln(f.t.Err)
	if ctx.Err() != nil {
		fmt.Fprintln(f.t.Err, interrupted)
		return cli.Exit(cli.Unknown, nil)
	}
	return nil
}

// asked has a cluster look at the positions.
func (f *mining) asked(ctx context.Context, m *library.Miner, o solve.Options) error {
	q := &jobs.Mine[library.Job]{WinIn: f.winIn, Nodes: f.search.Limit().Nodes, Solving: o,
		Position: func(j library.Job) (*arimaa.Position, error) { return j.Where() }}
	f.jobs.Total = m.Positions
	asker, end, err := q.Open(ctx, &f.jobs)
	if err != nil {
		return err
	}
	err = m.Run(ctx, func(ctx context.Context, all iter.Seq[library.Job]) iter.Seq[batch.Outcome[library.Job, puzzles.Look]] {
		return jobs.Outcomes(ctx, asker, all, q, func(library.Job) {})
	}, f.looked, f.mined)
	return cmp.Or(err, end.Close())
}

// looked counts a position.
func (f *mining) looked(p *library.Looked) {
	f.bar.SetCurrent(int64(f.passed + p.At + 1))
	f.tally.Look(p.Name, &p.Judgement)
}

// mined writes the puzzles of a game that show a new idea.
func (f *mining) mined(g *library.Game, found []library.Found) (err error) {
	f.games++
	f.passed += g.Turns + 1
	f.bar.SetCurrent(int64(f.passed))
	for _, p := range found {
		f.found++
		if p.Origin.Winning == 1 {
			f.single++
		}
		if p.Origin.Idea != 0 {
			continue
		}
		f.ideas++
		f.screen.Print(func() {
			err = f.writer.Row(f.t.Out, p.Name, p.Mined, struct {
				Number int64 `json:"number"`
				Game   int64 `json:"game_number"`
				mined.Record
			}{p.ID, g.ID, mined.RecordOf(p.Name, p.Mined, nil)})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
