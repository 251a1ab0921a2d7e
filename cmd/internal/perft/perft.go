// Package perft is the command perft: counts of the distinct results of a turn, and of its first
// options.
package perft

import (
	"fmt"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/solve/report"
)

// flags are the flags of the perft command.
type flags struct {
	inputs inputs.Flags
	json   bool
}

// Command returns the command perft.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "perft INPUT...",
		Short: "Count the distinct results of a turn, and its first options",
		Long: `Counts the distinct positions after one whole turn, and the steps, pushes and
pulls at its start. Authors of other programs compare these counts with their
own. The unchanged position does not count; captures and goals do.

See also: goalproof help formats, json.`,
		Example: `  goalproof perft examples/win-in-2.txt
  goalproof perft 'g [                R                                r              ]'
  goalproof perft --json examples`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := f.inputs.Read(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			var g arimaa.Generator
			if !f.json {
				fmt.Fprintf(t.Out, "%10s %8s %6s %7s %6s  position\n", "results", "options", "steps", "pushes", "pulls")
			}
			return in.Each(cmd.Context(), t, f.json, func(_ int, it inputs.Item) error {
				c := count(&g, it)
				if f.json {
					return report.WriteJSON(t.Out, c)
				}
				fmt.Fprintf(t.Out, "%10d %8d %6d %7d %6d  %s\n", c.Results, c.Options, c.Steps, c.Pushes, c.Pulls, c.File)
				return nil
			})
		},
	}
	f.inputs.Register(cmd.Flags())
	cli.JSONFlag(cmd.Flags(), &f.json, "each position")
	return cmd
}

// counts is the JSON of a position.
type counts struct {
	inputs.About
	Results int `json:"results"`
	Options int `json:"options"`
	Steps   int `json:"steps"`
	Pushes  int `json:"pushes"`
	Pulls   int `json:"pulls"`
}

func count(g *arimaa.Generator, it inputs.Item) counts {
	p := it.Diagram.Position
	c := counts{About: it.About(), Results: g.Generate(&p)}
	for _, o := range p.Options(nil) {
		c.Options++
		switch {
		case o.IsPush():
			c.Pushes++
		case o.IsPull():
			c.Pulls++
		default:
			c.Steps++
		}
	}
	return c
}
