package describe

import (
	"math"

	"goalproof/arimaa"
	"goalproof/engine/ordering"
)

// Surprise returns how unlikely the engine takes a turn of p to be before it has searched anything,
// in bits: minus the binary logarithm of the product of what package ordering gives its options, in
// the order of the turn, among all options at their points, and the end of the turn among the
// options there. The turn must be legal.
func Surprise(p arimaa.Position, t arimaa.Turn) (bits float64) {
	var context ordering.Context
	var options []arimaa.Option
	weights, at := ordering.Learned(), arimaa.NewPosition(p.Board, p.Side())
	score := func(s int32) float64 { return float64(s) / ordering.One }
	for made := 0; ; {
		context.Set(&at, &p.Board, nil)
		options = at.Options(options[:0])
		next := arimaa.Option(0)
		sum, chosen := 0.0, 0.0
		for _, o := range options {
			s := score(weights.Score(&context, o))
			sum += math.Exp(s)
			if begins(t, made, o) && (next == 0 || o.Steps() > next.Steps()) {
				next, chosen = o, s
			}
		}
		if at.Board != p.Board {
			s := score(weights.End(&context))
			sum += math.Exp(s)
			if made == t.Len() {
				chosen = s
			}
		}
		bits += (math.Log(sum) - chosen) / math.Ln2
		if made == t.Len() {
			return bits
		}
		if next == 0 {
			panic("describe: the turn is not legal")
		}
		if made += next.Steps(); made == arimaa.StepsPerTurn {
			return bits
		}
		at = at.After(next)
	}
}

// begins reports whether a turn continues with an option after so many steps.
func begins(t arimaa.Turn, made int, o arimaa.Option) bool {
	if made+o.Steps() > t.Len() || t.Step(made) != o.First() {
		return false
	}
	return o.Steps() == 1 || t.Step(made+1) == o.Second()
}
