package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/batch"
	"goalproof/puzzles"
	"goalproof/solve"
)

// mineFlags are the flags of the mine command.
type mineFlags struct {
	searchFlags
	winIn  int
	time   time.Duration
	format string
	json   bool
}

func mineCommand(t terminal) *cobra.Command {
	var f mineFlags
	cmd := &cobra.Command{
		Use:   "mine RECORDS...",
		Short: "Find puzzles in game records",
		Long: `Mine looks at every position of games, before each turn, and writes those that make a puzzle:
the side to move wins in exactly N turns, and only one first turn keeps the win. Positions
that are the same, or mirror images, are written once.

Records are archives of the game room, games as lists of turns, or positions. The output is a table
that goalproof verify reads, with the columns

  position, claim   the puzzle: a position in short form, and N
  solution          the first turn
  name              the game, and the turn to come
  pieces            on the board
  replies           distinct results of the opponent's turn after the solution
  tries             other first turns that threaten to win at once; all of them fail
  quiet             yes if the solution itself threatens nothing
  difficulty        log2(1+tries), and 3 more if the solution is quiet: an estimate for people

With --format arimaa it is the puzzle text of arimaa.com, which graphical clients open; with --json
there is one object a line with the same fields. A summary goes to standard error.

` + exitCodes,
		Example: `  goalproof mine archive.tsv > puzzles.tsv
  goalproof mine --win-in 3 --time 5s --store facts archive.tsv
  goalproof mine --format arimaa examples/game.turns`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.winIn < 2 || f.winIn > solve.MaxTurns:
				return fmt.Errorf("--win-in %d: the number of turns is 2 to %d", f.winIn, solve.MaxTurns)
			case f.time <= 0:
				return fmt.Errorf("--time %v: the time must be more than zero", f.time)
			case f.format != "table" && f.format != "arimaa":
				return fmt.Errorf("--format %q: it is table or arimaa", f.format)
			case f.algorithm != "dfpns":
				return errors.New("mine needs --algorithm dfpns")
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	flags := cmd.Flags()
	f.searchFlags.register(flags, runtime.GOMAXPROCS(0))
	f.searchFlags.registerStore(flags)
	flags.IntVar(&f.winIn, "win-in", 2, "the number of turns that the puzzles take")
	flags.DurationVar(&f.time, "time", 10*time.Second, "time for each position")
	flags.StringVar(&f.format, "format", "table", "how to write the puzzles: table or arimaa")
	flags.BoolVar(&f.json, "json", false, "write one JSON object a line for each puzzle")
	return cmd
}

// place is a position of a record.
type place struct {
	name     string
	position arimaa.Position
}

// mined is what a worker found at a place.
type mined struct {
	puzzle  *puzzles.Mined
	least   int
	verdict answer.Verdict
}

func (f *mineFlags) run(ctx context.Context, args []string, t terminal) error {
	places, games, code := f.places(args, t)
	start := time.Now()
	known := puzzles.Known{}
	wins := make([]int, f.winIn+1)
	looked, unique, undecided, again := 0, 0, 0, 0
	header := f.format == "table" && !f.json
	bar := counter(t, "mining", len(places))
	err := f.withWorkers(len(places), func(workers int, solver func() (*solve.Solver, error)) error {
		start := func() (*puzzles.Miner, error) {
			s, err := solver()
			return &puzzles.Miner{Solver: s, Turns: f.winIn}, err
		}
		look := func(ctx context.Context, m *puzzles.Miner, job int) (r mined, err error) {
			ctx, cancel := context.WithTimeout(ctx, f.time)
			defer cancel()
			r.puzzle, r.least, r.verdict, err = m.Look(ctx, places[job].position)
			return r, err
		}
		for o := range batch.Run(ctx, len(places), workers, start, look) {
			if o.Err != nil {
				return &exit{exitInternal, fmt.Errorf("%s: %w", places[o.Job].name, o.Err)}
			}
			looked++
			bar.Increment()
			r := o.Value
			if r.verdict == answer.Unknown {
				undecided++
				fmt.Fprintf(t.err, "%s: not decided in time\n", places[o.Job].name)
			} else {
				wins[r.least]++
			}
			if r.puzzle == nil {
				continue
			}
			unique++
			if !known.Add(&r.puzzle.Position) {
				again++
				continue
			}
			if header {
				header = false
				fmt.Fprintln(t.out, "position\tclaim\tsolution\tname\tpieces\treplies\ttries\tquiet\tdifficulty")
			}
			if err := f.write(t.out, places[o.Job].name, r.puzzle); err != nil {
				return err
			}
		}
		return nil
	})
	bar.Finish()
	if err != nil {
		return err
	}
	took := time.Since(start)
	fmt.Fprintf(t.err, "%s positions of %s games in %v (%.0f a second)", humanize.Comma(int64(looked)), humanize.Comma(int64(games)),
		took.Round(time.Millisecond), float64(looked)/max(took.Seconds(), 1e-9))
	for n := 1; n <= f.winIn; n++ {
		fmt.Fprintf(t.err, "; %d wins in %d", wins[n], n)
	}
	fmt.Fprintf(t.err, "; %d unique, %d of them met before; %d not decided in time\n", unique, again, undecided)
	if looked < len(places) || ctx.Err() != nil {
		code = code.worse(exitUnknown)
	}
	return code.finish()
}

// places reads the records. What cannot be read is reported, and does not stop the others.
func (f *mineFlags) places(args []string, t terminal) (all []place, games int, code status) {
	fail := func(err error) {
		fmt.Fprintf(t.err, "goalproof: %v\n", err)
		code = code.worse(exitBadInput)
	}
	add := func(name string, p arimaa.Position) {
		if p.Unusual() == nil {
			all = append(all, place{name, p})
		}
	}
	game := func(name string, g *arimaa.Game) {
		games++
		for i := range g.Len() + 1 {
			add(name+" "+g.Label(i), g.Position(i))
		}
	}
	for _, file := range args {
		text, err := os.ReadFile(file)
		if err != nil {
			fail(err)
			continue
		}
		doc, err := arimaa.Read(file, string(text))
		if err != nil {
			fail(err)
			continue
		}
		for _, d := range doc.Positions {
			add(fmt.Sprintf("%s:%d", file, d.Line), d.Position)
		}
		if doc.Game != nil {
			game(file, doc.Game)
		}
		for _, r := range doc.Archive {
			g, err := r.Game()
			if err != nil {
				fail(err)
				continue
			}
			game(r.ID, g)
		}
	}
	return all, games, code
}

// write writes a puzzle.
func (f *mineFlags) write(w io.Writer, name string, m *puzzles.Mined) (err error) {
	p := m.Position
	switch {
	case f.json:
		err = json.NewEncoder(w).Encode(struct {
			Position   string  `json:"position"`
			Claim      int     `json:"claim"`
			Solution   string  `json:"solution"`
			Name       string  `json:"name"`
			Pieces     int     `json:"pieces"`
			Replies    int     `json:"replies"`
			Tries      int     `json:"tries"`
			Quiet      bool    `json:"quiet"`
			Difficulty float64 `json:"difficulty"`
		}{p.String(), m.Turns, p.Notation(m.Solution), name, m.Pieces, m.Replies, m.Tries, m.Quiet, m.Difficulty()})
	case f.format == "arimaa":
		_, err = io.WriteString(w, arimaaText(name, m))
	default:
		quiet := "no"
		if m.Quiet {
			quiet = "yes"
		}
		_, err = fmt.Fprintf(w, "%v\t%d\t%s\t%s\t%d\t%d\t%d\t%s\t%.1f\n", p, m.Turns, p.Notation(m.Solution), name,
			m.Pieces, m.Replies, m.Tries, quiet, m.Difficulty())
	}
	return err
}

// arimaaText is a puzzle as arimaa.com writes them: fields with a percent sign before what would
// end them.
func arimaaText(name string, m *puzzles.Mined) string {
	p := m.Position
	lines := strings.Split(strings.TrimSpace(arimaa.NewGame(p, 2).Turns()), "\n")
	side, start := "w", lines[len(lines)-1]
	if p.Side() == arimaa.Silver {
		side = "b"
	}
	escape := strings.NewReplacer("%", "%25", "&", "%26", "=", "%3d", "\n", "%0d").Replace
	colour := strings.ToUpper(p.Side().String()[:1]) + p.Side().String()[1:]
	return fmt.Sprintf("mode=selfPlay\n&movelist=%s\n&chat=%s\n&title=%s\n&side=%s\n&startmove=%s\n\n",
		escape(strings.Join(lines, "\n")), escape(fmt.Sprintf("%s to win in %d", colour, m.Turns)),
		escape(fmt.Sprintf("%s: win in %d", name, m.Turns)), side, start)
}
