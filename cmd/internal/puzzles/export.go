package puzzles

import (
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/mined"
	"goalproof/puzzles/collection"
)

func exportCommand(t cli.Terminal) *cobra.Command {
	var f filter
	var as, out string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the puzzles, with solutions, for other programs",
		Long: `Writes the puzzles with their solutions in the forms of mine: a table, puzzle
texts of arimaa.com, or a puzzle file of 4steps.

See also: goalproof help formats.`,
		Example: `  goalproof puzzles export > puzzles.tsv
  goalproof puzzles export --win-in 2 --as arimaa --out puzzles
  goalproof puzzles export --theme push --as 4steps --out push.4steps`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.Read(cmd.Flags()); err != nil {
				return err
			}
			if err := mined.CheckForm(as, out); err != nil {
				return err
			}
			all, err := f.selected()
			if err != nil {
				return err
			}
			return export(t, all, as, out)
		},
	}
	flags := cmd.Flags()
	f.register(flags)
	flags.StringVar(&as, "as", "table", "form of the puzzles: table, arimaa or 4steps")
	flags.StringVar(&out, "out", "", "write the puzzles to this `directory` (arimaa: a file for each) or file (4steps)")
	help.Group(flags, help.Output, "as", "out")
	return cmd
}

// export writes puzzles.
func export(t cli.Terminal, all []*collection.Puzzle, as, out string) error {
	files, err := mined.NewOutputs(as, out)
	if err != nil {
		return err
	}
	var table mined.Writer
	for _, p := range all {
		if files != nil {
			err = files.Add(t, p.Name(), &p.Mined)
		} else {
			err = table.Row(t.Out, p.Name(), &p.Mined, nil)
		}
		if err != nil {
			return err
		}
	}
	if files == nil {
		return nil
	}
	return files.Finish(t)
}
