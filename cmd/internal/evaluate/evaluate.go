// Package evaluate is the command evaluate: the static evaluation of a position, feature by
// feature.
package evaluate

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/engine"
	"goalproof/engine/evaluation"
	"goalproof/solve/report"
)

// flags are the flags of the evaluate command.
type flags struct {
	inputs inputs.Flags
	json   bool
}

// Command returns the command evaluate.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "evaluate INPUT...",
		Short: "Explain the static evaluation of a position, feature by feature",
		Long: `Shows how the engine evaluates a position before it searches: each feature's
value for Gold and for Silver, its weight, and its points for Gold in
centi-rabbits; and gold's chance in percent, by the sum. It does not see a win
that the side to move has in this turn; "goalproof solve" does.

The points are the weight times the difference of the values. A rabbit is worth
100 while both armies are complete. The network that was learned from games adds
its own points.

Below, each piece has its worth for its owner: by how much the score falls when
the piece is taken off the board. As pieces depend on each other, these do not
add up to the score.

See also: goalproof help formats, json.`,
		Example: `  goalproof evaluate examples/win-in-2.txt
  goalproof evaluate examples/game.turns --turn 12s
  goalproof evaluate --json examples`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := f.inputs.Read(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			e := evaluation.New(nil, evaluation.Learned())
			return in.Each(cmd.Context(), t, f.json, func(i int, it inputs.Item) error {
				r := explain(e, it)
				if f.json {
					return report.WriteJSON(t.Out, r)
				}
				it.Head(t, i > 0)
				r.write(t)
				return nil
			})
		},
	}
	f.inputs.Register(cmd.Flags())
	cli.JSONFlag(cmd.Flags(), &f.json, "each position")
	return cmd
}

// explained is the JSON of a position.
type explained struct {
	inputs.About
	Side     string          `json:"side"`
	Gold     int             `json:"gold"`
	Mover    int             `json:"mover"`
	Chance   float64         `json:"gold_chance"`
	Features []explainedTerm `json:"features"`
	Network  int             `json:"network"`
	Pieces   []worth         `json:"pieces"`

	worths [64]*int
}

// worth is the worth of a piece for its owner.
type worth struct {
	Square string `json:"square"`
	Worth  int    `json:"worth"`
}

type explainedTerm struct {
	Feature string  `json:"feature"`
	Gold    float64 `json:"gold"`
	Silver  float64 `json:"silver"`
	Weight  float64 `json:"weight"`
	Points  float64 `json:"points"`
}

func explain(e *evaluation.Evaluator, it inputs.Item) explained {
	p := it.Diagram.Position
	score := e.Score(&p.Board, p.Side())
	r := explained{About: it.About(), Side: p.Side().String(), Gold: engine.GoldScore(score, p.Side()), Mover: score}
	r.Chance = engine.Chance(r.Gold)
	for _, term := range e.Explain(&p.Board, p.Side()) {
		r.Features = append(r.Features, explainedTerm{
			Feature: term.Feature.String(),
			Gold:    term.Gold,
			Silver:  term.Silver,
			Weight:  math.Round(term.Weight*1e6) / 1e6, // the weights have no more digits
			Points:  term.Points + 0,                   // no minus before zero
		})
	}
	r.Network = e.Correction(&p.Board)
	for _, w := range e.Worths(&p.Board, p.Side()) {
		r.Pieces = append(r.Pieces, worth{w.Square.String(), w.Points})
		r.worths[w.Square] = &w.Points
	}
	return r
}

// write prints a row for each feature, the sum, and the worth of each piece.
func (r *explained) write(t cli.Terminal) {
	fmt.Fprintf(t.Out, "%-16s %8s %8s %8s %9s\n", "feature", "gold", "silver", "weight", "points")
	for _, f := range r.Features {
		fmt.Fprintf(t.Out, "%-16s %8.0f %8.0f %8.4g %9.1f\n", f.Feature, f.Gold, f.Silver, f.Weight, f.Points)
	}
	fmt.Fprintf(t.Out, "%-16s %36d\n", "network", r.Network)
	fmt.Fprintf(t.Out, "%-16s %36d\n\n", "sum", r.Gold)
	fmt.Fprintln(t.Out, "worth of each piece")
	for rank := 7; rank >= 0; rank-- {
		fmt.Fprintf(t.Out, "%d|", rank+1)
		for file := range 8 {
			if w := r.worths[8*rank+file]; w != nil {
				fmt.Fprintf(t.Out, "%6d", *w)
			} else {
				fmt.Fprintf(t.Out, "%6s", ".")
			}
		}
		fmt.Fprintln(t.Out)
	}
	fmt.Fprintf(t.Out, "  %6s%6s%6s%6s%6s%6s%6s%6s\n\n", "a", "b", "c", "d", "e", "f", "g", "h")
	fmt.Fprintf(t.Out, "%s to move: gold's chance is %s (%+d centi-rabbits for gold), without a search.\n", r.Side, engine.Percent(r.Chance), r.Gold)
}
