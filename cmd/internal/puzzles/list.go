package puzzles

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/puzzles/collection"
	"goalproof/solve/report"
)

func listCommand(t cli.Terminal) *cobra.Command {
	var f filter
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the puzzles by theme, length and difficulty",
		Long: `Lists the puzzles, without their solutions.

See also: goalproof help search, json.`,
		Example: `  goalproof puzzles list
  goalproof puzzles list --theme push --win-in 2
  goalproof puzzles list --difficulty 4..5.5 --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.Read(cmd.Flags()); err != nil {
				return err
			}
			all, err := f.selected()
			if err != nil {
				return err
			}
			if asJSON {
				for _, p := range all {
					if err := report.WriteJSON(t.Out, recordOf(p, false)); err != nil {
						return err
					}
				}
				return nil
			}
			return list(t, all)
		},
	}
	f.register(cmd.Flags())
	cli.JSONFlag(cmd.Flags(), &asJSON, "each puzzle")
	return cmd
}

// list writes a table for a person.
func list(t cli.Terminal, all []*collection.Puzzle) error {
	table := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "puzzle\twin in\tto move\tpieces\tdifficulty\tthemes")
	for _, p := range all {
		fmt.Fprintf(table, "%d\t%d\t%v\t%d\t%s\t%v\n", p.Number, p.Turns, p.Position.Side(), p.Pieces, difficulty(p), p.Themes)
	}
	return table.Flush()
}
