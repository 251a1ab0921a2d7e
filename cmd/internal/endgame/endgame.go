// Package endgame is the command endgame with its subcommands, which build, verify and show tables
// of positions with few pieces, and write statistics of them.
package endgame

import (
	"cmp"
	"context"
	"errors"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/internal/memory"
	"goalproof/tables/endgame"
)

// flags choose the tables.
type flags struct {
	search.EndgameFlags
	dir     string
	threads int
}

func (f *flags) registerThreads(flags *pflag.FlagSet) {
	flags.IntVar(&f.threads, "threads", runtime.GOMAXPROCS(0), "number of threads")
}

// check reads the flags.
func (f *flags) check() (err error) {
	f.dir, err = f.Dir()
	return cmp.Or(search.CheckThreads(f.threads), err)
}

// openClasses reads the flags, opens the tables, and returns the classes that the arguments name,
// or without arguments all classes with a table.
func (f *flags) openClasses(args []string) (*endgame.Tables, []endgame.Class, error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	classes, err := parseClasses(args, 0)
	if err != nil {
		return nil, nil, err
	}
	ts, err := f.open()
	if err == nil && len(args) == 0 {
		classes = ts.Classes()
	}
	return ts, classes, err
}

// open opens the tables.
func (f *flags) open() (*endgame.Tables, error) {
	ts, err := endgame.Open(f.dir, memory.Endgames)
	return ts, exitOf(err)
}

// exitOf gives an error about tables its exit code.
func exitOf(err error) error {
	if errors.Is(err, context.Canceled) {
		return cli.Exit(cli.Unknown, errors.New("interrupted"))
	}
	return search.EndgameExit(err)
}

// parseClasses reads the names of classes. Without any it returns all classes of full armies with
// up to the given number of pieces.
func parseClasses(args []string, pieces int) (all []endgame.Class, err error) {
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

// Command returns the command endgame.
func Command(t cli.Terminal) *cobra.Command {
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
  goalproof endgame stats ER-r`,
	}
	cmd.AddCommand(buildCommand(t), verifyCommand(t), showCommand(t), statsCommand(t))
	cli.Group(cmd)
	return cmd
}
