package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
)

func perftCommand(t terminal) *cobra.Command {
	var f inputFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "perft INPUT...",
		Short: "Count the distinct results of a turn, and the options at its start",
		Long: `Perft counts the distinct positions after one whole turn of the side to move (the
unchanged position is not one, captures and goals are), and the options at the start of
the turn: single steps, pushes and pulls. Authors of other programs compare these counts
with their own.

` + inputHelp + `

With --json each object has the fields file, position, results, options, steps, pushes, pulls.

` + exitCodes,
		Example: `  goalproof perft examples/win-in-2.txt
  goalproof perft 'g [                R                                r              ]'
  goalproof perft --json examples`,
		RunE: func(cmd *cobra.Command, args []string) error {
			items, err := f.inputs(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			var code status
			var g arimaa.Generator
			if !asJSON {
				fmt.Fprintf(t.out, "%10s %8s %6s %7s %6s  position\n", "results", "options", "steps", "pushes", "pulls")
			}
			for _, it := range items {
				if cmd.Context().Err() != nil {
					return code.worse(exitUnknown).finish()
				}
				if it.err != nil {
					fmt.Fprintf(t.err, "goalproof: %v\n", it.err)
					code = code.worse(exitBadInput)
					continue
				}
				c := count(&g, it)
				if !asJSON {
					fmt.Fprintf(t.out, "%10d %8d %6d %7d %6d  %s\n", c.Results, c.Options, c.Steps, c.Pushes, c.Pulls, c.File)
				} else if err := json.NewEncoder(t.out).Encode(c); err != nil {
					return err
				}
			}
			return code.finish()
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object a line for each position")
	return cmd
}

// counts is what perft says about a position.
type counts struct {
	File     string `json:"file"`
	Position string `json:"position"`
	Results  int    `json:"results"`
	Options  int    `json:"options"`
	Steps    int    `json:"steps"`
	Pushes   int    `json:"pushes"`
	Pulls    int    `json:"pulls"`
}

func count(g *arimaa.Generator, it item) counts {
	p := it.diagram.Position
	c := counts{File: it.name, Position: p.String(), Results: g.Generate(&p)}
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
