// Package puzzles is the command puzzles with its subcommands, which show the collection of puzzles
// that ships with the program.
package puzzles

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/selection"
	"goalproof/puzzles/collection"
)

// Command returns the command puzzles.
func Command(t cli.Terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "puzzles",
		Short: "Show the puzzles that ship with the program",
		Long: `Lists, shows and exports the puzzles that ship with the program: wins in at most
five turns with one essential solution, from games of the engine against itself,
composed, or drawn as endings.

Other commands read them by their number: puzzle:12, puzzle:1-20 for several,
puzzle:all for all. Write ./puzzle:12 for a file of that name.

See also: goalproof help search, training, json.`,
		Example: `  goalproof puzzles list --win-in 2 --difficulty 4..
  goalproof puzzles show 12
  goalproof solve puzzle:12
  goalproof verify puzzle:1-3
  goalproof train --theme pull`,
	}
	cmd.AddCommand(listCommand(t), showCommand(t), exportCommand(t))
	cli.Group(cmd)
	return cmd
}

// filter are the flags that select puzzles of the collection.
type filter struct{ selection.Flags }

// register adds the flags.
func (f *filter) register(flags *pflag.FlagSet) {
	f.Register(flags)
	flags.BoolVar(&f.Picked, "picked", false, "only those that were picked by hand")
	help.Group(flags, help.Question, "picked")
}

// record is a puzzle in JSON.
type record struct {
	Number     int      `json:"number"`
	Name       string   `json:"name"`
	Position   string   `json:"position"`
	Claim      int      `json:"claim"`
	Difficulty *float64 `json:"difficulty"` // null of a win in one
	Themes     []string `json:"themes"`
	Origin     string   `json:"origin"`
	Picked     bool     `json:"picked"`   // by hand
	Idea       *string  `json:"idea"`     // of one that was picked; null unless the solution is asked for
	Solution   *string  `json:"solution"` // null unless it is asked for
}

// recordOf returns a puzzle, with its solution and idea if that is asked for.
func recordOf(p *collection.Puzzle, solution bool) record {
	r := record{Number: p.Number, Name: p.Name(), Position: p.Position.String(), Claim: p.Turns, Themes: p.Themes.Names(), Origin: p.Origin, Picked: p.Idea != ""}
	if d, ok := p.Difficulty(); ok {
		r.Difficulty = &d
	}
	if solution {
		r.Solution = new(p.Position.Notation(p.Solution))
		if r.Picked {
			r.Idea = &p.Idea
		}
	}
	return r
}

// difficulty returns the difficulty of a puzzle in words.
func difficulty(p *collection.Puzzle) string {
	if d, ok := p.Difficulty(); ok {
		return fmt.Sprintf("%.1f", d)
	}
	return "-"
}

// selected returns the puzzles that the flags select. It is an error if there are none: which there are
// does not change, so the flags are wrong.
func (f *filter) selected() ([]*collection.Puzzle, error) {
	all := slices.Collect(collection.Select(f.Filter))
	if len(all) == 0 {
		return nil, errors.New("no puzzle is like that: leave out a flag")
	}
	return all, nil
}
