// Package train is the command train: puzzles to solve in the terminal, with hints, a rating and a
// schedule. A session is one run of it, and a try one exercise in it.
package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/cmd/internal/selection"
	"goalproof/internal/files"
	"goalproof/puzzles"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/training"
	"goalproof/solve"
)

// flags are the flags of the train command.
type flags struct {
	reading   inputs.Reading
	selection selection.Flags
	search    search.Flags
	record    string
	count     int
	seed      uint64
	stats     bool
	json      bool
}

func (f *flags) register(flags *pflag.FlagSet) {
	f.reading.Side.Register(flags)
	f.reading.Register(flags)
	f.selection.Register(flags)
	flags.IntVar(&f.count, "count", 0, "end after this many exercises (default: when nothing is left)")
	flags.Uint64Var(&f.seed, "seed", 0, "number that chooses among new puzzles near your rating")
	flags.StringVar(&f.record, "record", "", "keep the record in this `file` (default: that of the studio)")
	flags.BoolVar(&f.stats, "stats", false, "show rating, streak, what is due, and the themes, and end")
	f.search.RegisterLimits(flags, answer.Limit{Time: 10 * time.Second}, "each turn that is judged, and each hint")
	cli.JSONFlag(flags, &f.json, "each attempt")
	f.search.Algorithm = "dfpns"
	flags.IntVar(&f.search.Threads, "threads", runtime.GOMAXPROCS(0), "number of threads")
	cli.MemoryFlag(flags, &f.search.Memory, "memory for the whole process, for example 512MiB")
	help.Group(flags, help.Question, "count", "seed")
	help.Group(flags, help.Search, "threads", "memory")
	help.Group(flags, help.Output, "record", "stats", "json")
}

// Command returns the command train.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "train [SET...]",
		Short: "Solve puzzles in the terminal, with a rating",
		Long: `Lets you solve puzzles: those of the collection that ships with goalproof, or
those of sets. You play each turn of the win. A wrong turn is refuted by a
reply, a right one is followed by the longest defence. Every verdict is proved
by a search, whatever a set claims. What you fail comes again. At the prompt,
"help" lists what you can type.

--theme, --win-in and --difficulty select puzzles. The collection knows its
themes and difficulties; those of other sets are computed when a puzzle comes.
The record is that of the studio unless --record names a file.

See also: goalproof help training, search, formats, json.`,
		Example: `  goalproof train
  goalproof train --theme zugzwang --win-in 2
  goalproof train --difficulty ..5 --count 10
  goalproof train --record mine.json examples/mined
  goalproof train puzzle:1-20
  goalproof train --stats`,
		Args: cli.Args(0, cli.Many, "set of puzzles"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd.Flags(), args); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

// check checks the flags.
func (f *flags) check(flags *pflag.FlagSet, args []string) error {
	switch {
	case flags.Changed("count") && f.count < 1:
		return fmt.Errorf("--count %d: the number of exercises is 1 or more", f.count)
	case slices.Contains(args, "-"):
		return errors.New("train reads what you type from standard input: name a file")
	case flags.Changed("record") && f.record == "":
		return errors.New("--record: name a file")
	}
	return cmp.Or(f.selection.Read(flags), f.search.CheckLimits())
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	source := t.Source(ctx)
	all, code, err := f.puzzles(source, args, t)
	if err != nil {
		return err
	}
	file, err := f.open()
	if err != nil {
		return err
	}
	defer file.Root.Close()
	s := &session{flags: f, t: t, out: t.Out, file: file, all: all, code: code, random: rand.New(rand.NewPCG(f.seed, 0)), passed: map[int]bool{}}
	if s.record, err = file.Read(); err != nil {
		return cli.Exit(cli.BadInput, fmt.Errorf("%s: %w; move it away, or name another file with --record FILE",
			filepath.Join(file.Root.Name(), file.Name), err))
	}
	if f.stats {
		return cmp.Or(s.writeStats(time.Now()), code.Finish())
	}
	if f.json {
		s.out = t.Err
	}
	err = f.search.WithSolver(func(solver *solve.Solver) error {
		s.solver = solver
		return s.run(ctx)
	})
	return cmp.Or(err, code.Finish())
}

// puzzles returns the puzzles to train on. Those that cannot be read are reported, and are left out.
func (f *flags) puzzles(source *files.Source, args []string, t cli.Terminal) (all []training.Puzzle, code cli.Code, err error) {
	if len(args) == 0 {
		all = training.Collection(collection.Filter{})
	}
	for p := range f.reading.Puzzles(t, source, args) {
		if source.Interrupted() != nil {
			break
		}
		if p.Err != nil {
			fmt.Fprintf(t.Err, "goalproof: %s\n", cli.Explain(p.Err))
			code = cli.BadInput
			continue
		}
		all = append(all, puzzleOf(&p))
	}
	if err := source.Interrupted(); err != nil {
		return nil, code, err
	}
	if len(all) == 0 {
		return nil, code, cli.Exit(cli.BadInput, errors.New("no puzzle can be read"))
	}
	found := slices.DeleteFunc(all, func(p training.Puzzle) bool { return !f.mayFit(&p) })
	if len(found) == 0 {
		return nil, code, errors.New("no puzzle is like that: leave out --theme, --win-in or --difficulty")
	}
	return found, code, nil
}

// puzzleOf returns a puzzle of a set, with what the collection knows of its own.
func puzzleOf(p *puzzles.Puzzle) training.Puzzle {
	if named, err := collection.Named(p.File); err == nil && len(named) == 1 {
		return training.Of(named[0])
	}
	return training.Puzzle{Name: p.Label(), Position: p.Position, Number: p.Number, WinIn: p.Claim}
}

// mayFit reports whether a puzzle may be among those that the flags select, as far as its length,
// themes and difficulty are at hand without a search.
func (f *flags) mayFit(p *training.Puzzle) bool {
	by := f.selection.Filter
	if p.WinIn == 0 {
		by.Turns = 0
	}
	if p.Themes == 0 {
		by.Themes, by.Difficulty = 0, nil
	}
	return by.Fits(p.WinIn, p.Themes, p.Difficulty)
}

// open opens the directory of the record. That of the studio is created if necessary.
func (f *flags) open() (file training.File, err error) {
	if info, err := os.Stat(f.record); err == nil && info.IsDir() {
		return file, fmt.Errorf("--record %s: it is a directory: name a file in it", f.record)
	}
	dir, name := filepath.Split(f.record)
	switch {
	case f.record == "":
		name = training.Name
		if dir, err = files.DataDir("studio"); err == nil {
			err = os.MkdirAll(dir, 0o700)
		}
		if err != nil {
			return file, cli.Unwritten(fmt.Errorf("the record cannot be in your data folder: %w; name another file with --record FILE", err))
		}
	case name == "":
		return file, fmt.Errorf("--record %s: there is no such directory: name a file in one", f.record)
	}
	root, err := os.OpenRoot(filepath.Clean(dir))
	if err != nil {
		return file, cli.Exit(cli.BadInput, fmt.Errorf("--record %s: %w", f.record, err))
	}
	return training.File{Root: root, Name: name}, nil
}
