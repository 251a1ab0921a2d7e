package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/endgame"
	"goalproof/internal/memory"
	"goalproof/render"
)

// endgameFlags say which tables are meant.
type endgameFlags struct {
	dir     string
	threads int
}

func (f *endgameFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.dir, "endgames", "", "`directory` of the tables (default: goalproof/endgames in your data folder)")
}

func (f *endgameFlags) registerThreads(flags *pflag.FlagSet) {
	flags.IntVar(&f.threads, "threads", runtime.GOMAXPROCS(0), "number of threads")
}

// check reads the flags.
func (f *endgameFlags) check() (err error) {
	if f.threads < 1 || f.threads > search.MaxThreads {
		return fmt.Errorf("--threads %d: the number of threads is 1 to %d", f.threads, search.MaxThreads)
	}
	if f.dir == "" {
		f.dir, err = endgame.DefaultDir()
	}
	return err
}

// open opens the tables.
func (f *endgameFlags) open() (*endgame.Tables, error) {
	ts, err := endgame.Open(f.dir, memory.Endgames)
	return ts, endgameExit(err)
}

// endgameExit gives an error about tables its exit code.
func endgameExit(err error) error {
	var path *fs.PathError
	var code *cli.ExitError
	switch {
	case err == nil || errors.As(err, &code):
		return err
	case errors.Is(err, context.Canceled):
		return cli.Exit(cli.Unknown, errors.New("interrupted"))
	case errors.Is(err, endgame.ErrFile), errors.Is(err, endgame.ErrUnknown):
		return cli.Exit(cli.BadInput, err)
	case errors.As(err, &path):
		return cli.Exit(cli.Internal, err)
	}
	return err
}

// endgameClasses reads the names of classes. Without any it returns those that full armies allow, up to some number of
// pieces.
func endgameClasses(args []string, pieces int) (all []endgame.Class, err error) {
	for _, arg := range args {
		c, err := endgame.ParseClass(arg)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	for n := 2; n <= pieces && len(args) == 0; n++ {
		all = append(all, endgame.Classes(n)...)
	}
	return all, nil
}

func endgameCommand(t cli.Terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "endgame",
		Short: "Build and read tables of all positions with few pieces",
		Long: `Builds and reads tables of all positions with few pieces. A table gives the
number of turns in which the side to move wins or loses with best play, or says
that neither side can force a win. The third repetition is set aside. The tables
of two and three pieces are part of the program.

A class is the material of both sides, such as ER-r or DCR-dr. Only relative
strength matters: DR-cr is the same class as ER-hr, and so is the class with the
colours exchanged.`,
		Example: `  goalproof endgame show 'g [        r                                                 R     ]'
  goalproof endgame build
  goalproof endgame stats ER-er`,
		Args: cobra.NoArgs, // a command that is none is an error
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(endgameBuildCommand(t), endgameVerifyCommand(t), endgameShowCommand(t), endgameStatsCommand(t))
	return cmd
}

func endgameBuildCommand(t cli.Terminal) *cobra.Command {
	var f endgameFlags
	var budget string
	var again bool
	cmd := &cobra.Command{
		Use:   "build [CLASS...]",
		Short: "Build tables",
		Long: `Builds the tables of classes, and first those of the smaller classes that they
need. The default is all classes with two to four pieces. It keeps tables that
exist. After an interruption the same command continues with the class that it
was building.

See also: goalproof endgame --help, about classes.`,
		Example: `  goalproof endgame build
  goalproof endgame build --endgames tables ER-er
  goalproof endgame build --endgames tables --memory 8GiB DCR-dr`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			classes, err := endgameClasses(args, 4)
			if err != nil {
				return err
			}
			limit, err := memory.Budget(budget)
			if err != nil {
				return err
			}
			memory.Limit(limit)
			fmt.Fprintf(t.Out, "Tables in %s\n", f.dir)
			return endgameExit(endgame.Build(cmd.Context(), classes, endgame.BuildOptions{
				Dir: f.dir, Threads: f.threads, Memory: limit, Again: again, Progress: buildProgress(t),
			}))
		},
	}
	f.register(cmd.Flags())
	f.registerThreads(cmd.Flags())
	cmd.Flags().StringVar(&budget, "memory", "", "memory for the whole process, for example 8GiB (default: a quarter of the machine's, at most 2GiB)")
	cmd.Flags().BoolVar(&again, "again", false, "build tables that exist again, too")
	return cmd
}

// buildProgress writes a line for each class, and on a terminal how far it has come.
func buildProgress(t cli.Terminal) func(endgame.Progress) {
	terminal := cli.IsTerminal(t.Err)
	return func(p endgame.Progress) {
		switch {
		case p.Kept:
			fmt.Fprintf(t.Out, "%-7v is there: %s\n", p.Class, humanize.IBytes(uint64(p.Size)))
		case p.Done:
			if terminal {
				fmt.Fprint(t.Err, "\r\033[K")
			}
			fmt.Fprintf(t.Out, "%-7v %s in %v\n", p.Class, humanize.IBytes(uint64(p.Size)), p.Took.Round(time.Millisecond))
		case terminal:
			fmt.Fprintf(t.Err, "\r\033[K%v: wins in %d", p.Class, p.N)
		}
	}
}

func endgameVerifyCommand(t cli.Terminal) *cobra.Command {
	var f endgameFlags
	var sample, slow int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "verify [CLASS...]",
		Short: "Check every value against those of the positions one turn later",
		Long: `Checks every value of a table against the values of the positions one turn
later. The default is all tables that exist. The turns come from code that takes
no part in building tables.

It also checks some positions by the slow rules of package referee, reads all of
each file and compares its checksums.

See also: goalproof endgame --help, about classes.`,
		Example: `  goalproof endgame verify R-r RR-r
  goalproof endgame verify --sample 10000
  goalproof endgame verify --sample 100000 --referee 1000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if sample < 0 || slow < 0 {
				return errors.New("--sample and --referee are 0 or more")
			}
			classes, err := endgameClasses(args, 0)
			if err != nil {
				return err
			}
			ts, err := f.open()
			if err != nil {
				return err
			}
			defer ts.Close()
			if len(args) == 0 {
				classes = ts.Classes()
			}
			var code cli.Code
			for _, c := range classes {
				start := time.Now()
				o := endgame.VerifyOptions{Threads: f.threads, Sample: sample, Referee: slow, Seed: seed}
				if cli.IsTerminal(t.Err) {
					o.Progress = func(n, of int) {
						fmt.Fprintf(t.Err, "\r\033[K%v: %s of %s boards", c, humanize.Comma(int64(n)), humanize.Comma(int64(of)))
					}
				}
				v, err := ts.Verify(cmd.Context(), c, o)
				if cli.IsTerminal(t.Err) {
					fmt.Fprint(t.Err, "\r\033[K")
				}
				if err != nil {
					return endgameExit(err)
				}
				fmt.Fprintf(t.Out, "%-7v %s positions, %s also by the slow rules: %s wrong (%v)\n", c, humanize.Comma(int64(v.Positions)),
					humanize.Comma(int64(v.Referee)), humanize.Comma(int64(v.Wrong)), time.Since(start).Round(time.Millisecond))
				for _, w := range v.Examples {
					fmt.Fprintf(t.Out, "  %v\n", w)
				}
				if v.Wrong > 0 {
					code = code.Worse(cli.Fails)
				}
			}
			return code.Finish()
		},
	}
	f.register(cmd.Flags())
	f.registerThreads(cmd.Flags())
	cmd.Flags().IntVar(&sample, "sample", 0, "number of boards of each class, drawn at random (0: all)")
	cmd.Flags().IntVar(&slow, "referee", 100, "number of positions of each class that the slow rules check as well")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the sample")
	return cmd
}

func endgameShowCommand(t cli.Terminal) *cobra.Command {
	var in inputs.Flags
	f := endgameFlags{threads: 1}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show INPUT...",
		Short: "Show the value of a position and of all its turns",
		Long: `Shows the value of a position for the side to move, and lists its turns with
their values, the best first. Turns with the same result are listed once. A turn
after which the opponent loses in N is a win in N+1.

See also: goalproof help formats, json.`,
		Example: `  goalproof endgame show 'g [        r                                                 R     ]'
  goalproof endgame show --json 's [  r                                                        RR   ]'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			items, err := in.Read(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			ts, err := f.open()
			if err != nil {
				return err
			}
			defer ts.Close()
			var code cli.Code
			err = items.Each(cmd.Context(), t, func(i int, it inputs.Item) error {
				if i > 0 && !asJSON {
					fmt.Fprintln(t.Out)
				}
				known, err := showEndgame(t, ts, it, asJSON)
				if !known {
					code = code.Worse(cli.Unknown)
				}
				return endgameExit(err)
			})
			if err != nil {
				return err
			}
			return code.Finish()
		},
	}
	in.Register(cmd.Flags())
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a line of JSON for each position (see goalproof help json)")
	return cmd
}

// shownEndgame is what show says about a position.
type shownEndgame struct {
	File     string      `json:"file"`
	Position string      `json:"position"`
	Value    string      `json:"value"`
	Turns    []shownTurn `json:"turns"`
}

type shownTurn struct {
	Turn  string `json:"turn"`
	Value string `json:"value"`
}

// showEndgame shows a position; known is false if no table has it.
func showEndgame(t cli.Terminal, ts *endgame.Tables, it inputs.Item, asJSON bool) (known bool, err error) {
	p := it.Diagram.Position
	v, known := ts.Probe(&p.Board, p.Side())
	if err := ts.Err(); err != nil {
		return false, err
	}
	s := shownEndgame{File: it.Name, Position: p.String(), Value: v.String()}
	var turns []endgame.TurnValue
	if known {
		if turns, err = ts.Turns(&p); err != nil {
			return false, err
		}
		for _, turn := range turns {
			s.Turns = append(s.Turns, shownTurn{p.Notation(turn.Turn), turn.Value.String()})
		}
	} else {
		s.Value = "unknown"
	}
	if asJSON {
		return known, cli.WriteJSON(t.Out, s)
	}
	fmt.Fprintf(t.Out, "%s\n%s\n", s.File, render.Board(it.Diagram, t.Styled))
	if !known {
		fmt.Fprintf(t.Out, "Unknown: %s.\n", whyUnknown(&p.Board, p.Side()))
		return false, nil
	}
	fmt.Fprintf(t.Out, "%s to move: %s.\n\n", p.Side(), s.Value)
	for i, turn := range s.Turns {
		at := ""
		if turns[i].Over {
			at = ", at once"
		}
		fmt.Fprintf(t.Out, "%-20s %s\n", turn.Value+at, turn.Turn)
	}
	return true, nil
}

// whyUnknown says why no table has a board.
func whyUnknown(b *arimaa.Board, side arimaa.Side) string {
	var pieces [2]strings.Builder
	for s := arimaa.Gold; s <= arimaa.Silver; s++ {
		for k := arimaa.Elephant; k >= arimaa.Rabbit; k-- {
			for range b.Pieces(s, k).Len() {
				pieces[s].WriteByte(arimaa.NewPiece(s, k).Letter())
			}
		}
	}
	switch n := b.Occupied().Len(); {
	case b.Ended(side.Other()).Over():
		return "the game is over"
	case b.Undefended() != 0:
		return "a piece stands undefended on a trap"
	case n > endgame.MaxPieces:
		return fmt.Sprintf("%d pieces are more than %d", n, endgame.MaxPieces)
	}
	c, err := endgame.ParseClass(pieces[0].String() + "-" + pieces[1].String())
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("there is no table of %v; goalproof endgame build %v makes it", c, c)
}
