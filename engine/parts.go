package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"goalproof/engine/evaluation"
)

// Part is a set of parts of the search that can be switched off, to measure what each is worth.
type Part uint16

// The parts of the search.
const (
	Probe         Part = 1 << iota // dfpns is asked at the root
	Goal                           // package goal is asked before each turn
	GoalRelevance                  // against a threat only steps that may stop it are tried
	NullMove                       // a turn left out that is still good enough
	Reductions                     // ordinary options are searched less deep
	Extensions                     // hard to stop threats are searched deeper
	Quiescence                     // captures and defences are searched behind the depth
	Killers                        // turns that were best beside this point are tried first
	History                        // options that were best elsewhere are tried first
	Hybrid                         // whole captures and tactical options come before other options
)

var partNames = []string{
	"probe", "goal", "goal-relevance", "null-move", "reductions", "extensions", "quiescence", "killers", "history", "hybrid",
}

// allParts is the set of all of them.
const allParts Part = Hybrid<<1 - 1

// ParsePart returns the part of a name, for example "null-move". The error lists the names.
func ParsePart(name string) (Part, error) {
	for i, n := range partNames {
		if n == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("%q is no part of the search; there are %v", name, allParts)
}

// String returns the names, separated by commas.
func (p Part) String() string {
	var names []string
	for i, n := range partNames {
		if p&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// Vary changes the engine by a list of names separated by commas or spaces: parts of the search, which it switches
// off; features of the evaluation, whose weight becomes zero, or that of "feature=weight", such as hostage=0.1. The error
// says what is wrong.
func (o *Options) Vary(list string) error {
	for _, item := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if part, err := ParsePart(item); err == nil {
			o.Without |= part
			continue
		}
		name, value, given := strings.Cut(item, "=")
		feature := evaluation.Feature(0)
		for feature < evaluation.Features && feature.String() != name {
			feature++
		}
		if feature == evaluation.Features {
			return fmt.Errorf("%q is no part of the search (%v) and no feature of the evaluation (goalproof evaluate lists them)", name, allParts)
		}
		weight := 0.0
		if given {
			var err error
			if weight, err = strconv.ParseFloat(value, 32); err != nil || !(math.Abs(weight) <= maxWeight) {
				return fmt.Errorf("%q: a weight is a number from -%v to %[2]v", item, maxWeight)
			}
		}
		weights := evaluation.Default
		if o.Weights != nil {
			weights = *o.Weights
		}
		weights[feature] = float32(weight)
		o.Weights = &weights
	}
	return nil
}

// maxWeight bounds the weights that Vary accepts, in centi-rabbits per unit of the feature.
const maxWeight = 1000
