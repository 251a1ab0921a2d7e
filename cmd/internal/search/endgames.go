package search

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/internal/memory"
	"goalproof/tables/endgame"
)

// EndgameFlags are the flag that names a directory of endgame tables.
type EndgameFlags struct {
	dir   string
	flags *pflag.FlagSet // that have it, or nil
}

func (f *EndgameFlags) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.dir, "endgames", "", "`directory` of endgame tables (default: goalproof/endgames in your data folder)")
	help.Group(flags, help.Search, "endgames")
	f.flags = flags
}

// Dir returns the directory. The error says that the data folder is unknown.
func (f *EndgameFlags) Dir() (string, error) {
	if f.dir != "" {
		return f.dir, nil
	}
	return endgame.DefaultDir()
}

// Open opens the tables for a command with this budget of memory in bytes, and returns the rest of
// it. A named directory must exist; without one there are the tables that are part of the program.
// A command without the flag has no tables, nil.
func (f *EndgameFlags) Open(budget uint64) (ts *endgame.Tables, rest uint64, err error) {
	if f.flags == nil {
		return nil, budget, nil
	}
	dir, err := f.Dir()
	info, missing := os.Stat(dir)
	switch named := f.flags.Changed("endgames"); {
	case named && missing != nil:
		return nil, 0, cli.Exit(cli.BadInput, fmt.Errorf("--endgames: %w", missing))
	case named && !info.IsDir():
		return nil, 0, cli.Exit(cli.BadInput, fmt.Errorf("--endgames: %s is not a directory", dir))
	case err != nil || missing != nil:
		dir = "" // there is no data folder, or it cannot be read
	}
	if ts, err = endgame.Open(dir, int(memory.EndgameCache(budget))); err != nil {
		return nil, 0, EndgameExit(err)
	}
	return ts, memory.BesideEndgames(budget, uint64(ts.Bytes())), nil
}

// EndgameExit gives an error about tables its exit code.
func EndgameExit(err error) error {
	switch {
	case err == nil || errors.As(err, new(*cli.ExitError)):
		return err
	case errors.Is(err, endgame.ErrFile), errors.Is(err, endgame.ErrUnknown):
		return cli.Exit(cli.BadInput, err)
	case errors.As(err, new(*fs.PathError)):
		return cli.Unwritten(err)
	}
	return err
}

// closeEndgames closes tables, with a message if a part of one could not be read.
func closeEndgames(t cli.Terminal, ts *endgame.Tables) {
	if err := ts.Err(); err != nil {
		fmt.Fprintf(t.Err, "goalproof: %v; the search went on without\n", err)
	}
	_ = ts.Close() // they were only read
}
