package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"goalproof/engine/evaluation"
	"goalproof/engine/ordering"
)

// Part is a set of techniques that can be switched off, to measure what each is worth.
type Part uint16

// The techniques.
const (
	Probe      Part = 1 << iota // a proof-number search at the root
	Goal                        // win detection at the root of every turn
	Reductions                  // late move reductions
	Horizon                     // at the horizon, whether a threat of a goal can be stopped
	Killers                     // killer heuristic
	Hybrid                      // captures and tactical options before others (Wu 2015, section 5.4)
	Network                     // the network of the evaluation; without it the weights chosen by hand
	Futility                    // futility pruning
	Timing                      // time by need
	Ordering                    // the learned order of options, for reductions and pruning as well
)

var partNames = []string{
	"probe", "goal", "reductions", "horizon", "killers", "hybrid", "network", "futility", "timing", "ordering",
}

// allParts holds all of them.
const allParts Part = Ordering<<1 - 1

// parsePart returns the technique of a name, for example "killers". The error lists the names.
func parsePart(name string) (Part, error) {
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

// Vary changes options by a list of names separated by commas or spaces. It switches off a
// technique of the search, and sets the weight of a feature of the evaluation to zero or, given as
// frame=0.5, to another value. The error says what is wrong.
func (o *Options) Vary(list string) error {
	items := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	for _, item := range items {
		if part, err := parsePart(item); err == nil {
			o.Without |= part
		}
	}
	for _, item := range items {
		if _, err := parsePart(item); err == nil {
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
		weights := o.weights()
		weights[feature] = float32(weight)
		o.Weights = &weights
	}
	return nil
}

// network returns the network of the evaluation, nil without one.
func (o *Options) network() *evaluation.Network {
	switch {
	case o.Without&Network != 0:
		return nil
	case o.Network != nil:
		return o.Network
	}
	return evaluation.Learned()
}

// ordering returns the weights for the order of options, nil without one.
func (o *Options) ordering() *ordering.Weights {
	switch {
	case o.Without&Ordering != 0:
		return nil
	case o.Ordering != nil:
		return o.Ordering
	}
	return ordering.Learned()
}

// weights returns the weights of the features.
func (o *Options) weights() evaluation.Weights {
	if o.Weights != nil {
		return *o.Weights
	}
	if n := o.network(); n != nil {
		return n.Weights()
	}
	return evaluation.Default
}

// maxWeight bounds the weights that Vary accepts, in centi-rabbits per unit of the feature.
const maxWeight = 1000
