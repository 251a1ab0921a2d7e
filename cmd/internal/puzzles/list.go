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
			if asJSON {
				for p := range collection.Select(f.Filter) {
					if err := report.WriteJSON(t.Out, recordOf(p, false)); err != nil {
						return err
					}
				}
				return nil
			}
			return f.list(t)
		},
	}
	f.register(cmd.Flags())
	cli.JSONFlag(cmd.Flags(), &asJSON, "each puzzle")
	return cmd
}

// list writes a table for a person.
func (f *filter) list(t cli.Terminal) error {
	n := 0
	table := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	for p := range collection.Select(f.Filter) {
		if n++; n == 1 {
			fmt.Fprintln(table, "puzzle\twin in\tto move\tpieces\tdifficulty\tthemes")
		}
		fmt.Fprintf(table, "%d\t%d\t%v\t%d\t%s\t%v\n", p.Number, p.Turns, p.Position.Side(), p.Pieces, difficulty(p), p.Themes)
	}
	if n == 0 {
		none(t)
	}
	return table.Flush()
}
