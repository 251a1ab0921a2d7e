package main

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/engine/evaluation"
	"goalproof/render"
)

func evaluateCommand(t terminal) *cobra.Command {
	var f inputFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "evaluate INPUT...",
		Short: "Explain the static evaluation of a position, feature by feature",
		Long: `Evaluate judges positions without searching them and shows what each feature
adds: its value for Gold and for Silver, its weight, and weight times difference, in
centi-rabbits for Gold (a rabbit is worth 100 while both armies are complete). The last
feature, swindle, gives the chances of either side to end the game soon by a goal attack,
in hundredths; its points are what they change. A win that the side to move has this turn
is for a search to see: ask solve.

` + inputHelp + `

With --json there is one object a line with the fields file, position, side (to move),
gold (the score for Gold), mover (the score for the side to move) and features, a list of
objects with the fields feature, gold, silver, weight, points.

` + exitCodes,
		Example: `  goalproof evaluate examples/win-in-2.txt
  goalproof evaluate examples/game.turns --turn 12s
  goalproof evaluate --json examples`,
		RunE: func(cmd *cobra.Command, args []string) error {
			items, err := f.inputs(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			var code status
			e := evaluation.New(&evaluation.Default)
			for i, it := range items {
				if cmd.Context().Err() != nil {
					return code.worse(exitUnknown).finish()
				}
				if it.err != nil {
					fmt.Fprintf(t.err, "goalproof: %v\n", it.err)
					code = code.worse(exitBadInput)
					continue
				}
				r := explain(e, it)
				if asJSON {
					if err := json.NewEncoder(t.out).Encode(r); err != nil {
						return err
					}
					continue
				}
				if i > 0 {
					fmt.Fprintln(t.out)
				}
				r.write(t, it)
			}
			return code.finish()
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object a line for each position")
	return cmd
}

// explained is what evaluate says about a position.
type explained struct {
	File     string          `json:"file"`
	Position string          `json:"position"`
	Side     string          `json:"side"`
	Gold     int             `json:"gold"`
	Mover    int             `json:"mover"`
	Features []explainedTerm `json:"features"`
}

type explainedTerm struct {
	Feature string  `json:"feature"`
	Gold    float64 `json:"gold"`
	Silver  float64 `json:"silver"`
	Weight  float64 `json:"weight"`
	Points  float64 `json:"points"`
}

func explain(e *evaluation.Evaluator, it item) explained {
	p := it.diagram.Position
	score := e.Score(&p.Board, p.Side())
	r := explained{File: it.name, Position: p.String(), Side: p.Side().String(), Gold: score, Mover: score}
	if p.Side() == arimaa.Silver {
		r.Gold = -score
	}
	for _, term := range e.Explain(&p.Board, p.Side()) {
		r.Features = append(r.Features, explainedTerm{
			Feature: term.Feature.String(),
			Gold:    term.Gold,
			Silver:  term.Silver,
			Weight:  math.Round(term.Weight*1e6) / 1e6, // the table has fewer digits than float64 shows
			Points:  term.Points + 0,                   // no minus before zero
		})
	}
	return r
}

// write prints the board, a row for each feature, and the sum.
func (r *explained) write(t terminal, it item) {
	fmt.Fprintf(t.out, "%s\n%s\n", r.File, render.Board(it.diagram, t.styled))
	fmt.Fprintf(t.out, "%-16s %8s %8s %8s %9s\n", "feature", "gold", "silver", "weight", "points")
	for _, f := range r.Features {
		fmt.Fprintf(t.out, "%-16s %8.0f %8.0f %8.4g %9.1f\n", f.Feature, f.Gold, f.Silver, f.Weight, f.Points)
	}
	fmt.Fprintf(t.out, "%-16s %36d\n\n", "sum", r.Gold)
	fmt.Fprintf(t.out, "%s to move: %+d centi-rabbits for gold, %+d for the side to move.\n", r.Side, r.Gold, r.Mover)
}
