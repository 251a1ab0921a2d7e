package puzzles

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/puzzles/collection"
	"goalproof/solve/report"
)

func showCommand(t cli.Terminal) *cobra.Command {
	var solution, asJSON bool
	cmd := &cobra.Command{
		Use:   "show NUMBER...",
		Short: "Show puzzles with their boards",
		Long: `Shows puzzles with their boards, claims, themes, difficulties and origins, the
solution only with --solution.

See also: goalproof help json.`,
		Example: `  goalproof puzzles show 3
  goalproof puzzles show --solution 3 4
  goalproof puzzles show 1-5`,
		Args: cli.Args(1, cli.Many, "number"),
		RunE: func(_ *cobra.Command, args []string) error {
			var all []*collection.Puzzle
			for _, arg := range args {
				named, err := collection.Named(collection.Prefix + strings.TrimPrefix(arg, collection.Prefix))
				if err != nil {
					return err
				}
				all = append(all, named...)
			}
			for i, p := range all {
				if !asJSON {
					show(t, p, solution, i > 0)
					continue
				}
				if err := report.WriteJSON(t.Out, recordOf(p, solution)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&solution, "solution", false, "show the solution, too")
	cli.JSONFlag(cmd.Flags(), &asJSON, "each puzzle")
	return cmd
}

// show writes a puzzle, behind an empty line if something stands above.
func show(t cli.Terminal, p *collection.Puzzle, solution, more bool) {
	if more {
		fmt.Fprintln(t.Out)
	}
	fmt.Fprintf(t.Out, "%s\n%s\n", p.Name(), render.Board(notation.Diagram{Position: p.Position, Number: 2}, t.Styled))
	claim := "Claim: %v wins in %s and not sooner.\n"
	if p.Turns == 1 {
		claim = "Claim: %v wins in %s.\n"
	}
	fmt.Fprintf(t.Out, claim, p.Position.Side(), printable.Amount(p.Turns, "turn"))
	fmt.Fprintf(t.Out, "Themes: %v\n", p.Themes)
	if _, ok := p.Difficulty(); ok {
		fmt.Fprintf(t.Out, "Difficulty: %s\n", difficulty(p))
	}
	fmt.Fprintf(t.Out, "Origin: %s\n", p.Origin)
	if p.Idea != "" && solution { // it gives the solution away
		fmt.Fprintf(t.Out, "Idea: %s\n", p.Idea)
	}
	if solution {
		fmt.Fprintf(t.Out, "Solution: %s\n", p.Position.Notation(p.Solution))
	}
}
