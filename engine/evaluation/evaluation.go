// Package evaluation judges a position without searching it: by how much the side to move is
// ahead, in centi-rabbits. A rabbit is worth 100 while both armies are complete.
//
// # How it is organised
//
// The score is a sum over the features of [Feature], each a whole number for either side, of
//
//	weight * (value for Gold - value for Silver)
//
// so it is linear in the weights, which stand in one table ([Default]) and can be learned. One
// feature is not linear and comes last: [Swindle] mixes the sum with the chances that a goal
// attack ends the game before the sum matters.
//
//   - army.go: what the features need to know about one side's pieces. The squares that they
//     reach in a few steps are found for all pieces of a kind at once, on sets of squares.
//   - material.go: the worth of the pieces on the board, and of each; kept in a small cache, as
//     it follows from the numbers of pieces.
//   - squares.go, traps.go, freedom.go, captures.go, goals.go, hostages.go, frames.go,
//     mobility.go, alignment.go: one group of features each.
//   - mix.go: the mix with the short-term chances, and the bound of the score.
//   - weights.go: the table of weights.
//
// Most features come from D. J. Wu, Designing a Winning Arimaa Program (2015), section 6; he
// describes what they look at, not their numbers. The others name their source. Values are
// estimates: a piece that seems capturable may be safe. What must be exact (a win this turn) is
// asked of package goal by the search.
//
// # Why it is right
//
// Each feature is a function of one side's army and its enemy's that is called once for either
// side, and what depends on the direction of play looks at the board as its owner does; trap
// control alone is found for both at once, from a table that is symmetric. So the score changes
// its sign when the board is turned over with the sides exchanged. Values are whole numbers, in
// which the order of a sum does not matter, so the score is the same on the board with the
// files reversed. The tests check both for each feature.
package evaluation

import (
	"math"

	"goalproof/arimaa"
)

// Feature is one thing that a position is judged by. The documentation of each gives the unit
// of its values; the weight is in centi-rabbits per unit.
type Feature uint8

// The features.
const (
	Material      Feature = iota // HarLog, in centi-rabbits
	PieceSquare                  // where the pieces stand, in centi-rabbits
	RabbitAdvance                // how far rabbits have gone, by what the enemy has left, in centi-rabbits
	TrapControl                  // thousandths of the four traps
	Freeing                      // frozen pieces, in centi-rabbits by the steps that free them
	Domination                   // pieces that a stronger enemy comes beside, in centi-rabbits by his steps
	CaptureNow                   // what the side to move can capture this turn, in centi-rabbits
	CaptureNext                  // what the other side could capture if it were its turn, in centi-rabbits
	GoalDistance                 // rabbits within eight steps of a goal, in centi-rabbits
	GoalThreat                   // the nearest of them, by whose turn it is, in centi-rabbits
	Hostage                      // enemy pieces held beside a trap, in centi-rabbits
	Frame                        // enemy pieces held on a trap, in centi-rabbits
	Mobility                     // what the elephant reaches, 0 to 100
	Blockade                     // how far the enemy's elephant is shut in, 0 to 100
	Alignment                    // pieces near those that they beat best, in centi-rabbits
	Imbalance                    // strong pieces that stand in each other's company, 0 and more
	Swindle                      // chance to end the game soon, in hundredths; not linear, see mix
	Features                     // their number
)

var featureNames = [Features]string{
	"material", "piece-square", "rabbit-advance", "trap-control", "freeing", "domination",
	"capture-now", "capture-next", "goal-distance", "goal-threat", "hostage", "frame",
	"mobility", "blockade", "alignment", "imbalance", "swindle",
}

// String returns the name of the feature, for example "trap-control".
func (f Feature) String() string {
	if f < Features {
		return featureNames[f]
	}
	return "unknown feature"
}

// Evaluator scores positions. It allocates nothing after New. It serves one goroutine.
type Evaluator struct {
	weights  Weights
	position position
	values   [2][Features]int // by side
	cache    [materialCache]material
}

// New returns an evaluator with the given weights, which it copies.
func New(w *Weights) *Evaluator { return &Evaluator{weights: *w} }

// Score returns by how much the side to move is ahead at the start of its turn, in
// centi-rabbits, from -Limit to Limit. The board may be any, also one that no game leads to;
// that somebody has won on it, or can this turn, is not seen as such.
func (e *Evaluator) Score(b *arimaa.Board, toMove arimaa.Side) int {
	e.evaluate(b, toMove)
	sum := 0.0
	for f := range Swindle {
		sum += e.points(f)
	}
	score := int(math.Round(e.mixed(sum)))
	if toMove == arimaa.Silver {
		return -score
	}
	return score
}

// Term is what one feature adds to a score.
type Term struct {
	Feature      Feature
	Gold, Silver float64 // its values, in the unit of the feature
	Weight       float64 // centi-rabbits per unit; for Swindle, of the chances
	Points       float64 // centi-rabbits for Gold
}

// Explain returns the terms of a score, one for each feature in their order. Their points add
// up to the score from Gold's view, before it is rounded. The last term, Swindle, is the change
// by the mix.
func (e *Evaluator) Explain(b *arimaa.Board, toMove arimaa.Side) []Term {
	e.evaluate(b, toMove)
	terms := make([]Term, Features)
	sum := 0.0
	for f := range Features {
		terms[f] = Term{
			Feature: f,
			Gold:    float64(e.values[arimaa.Gold][f]),
			Silver:  float64(e.values[arimaa.Silver][f]),
			Weight:  float64(e.weights[f]),
		}
		if f < Swindle {
			terms[f].Points = e.points(f)
			sum += terms[f].Points
		}
	}
	terms[Swindle].Points = e.mixed(sum) - sum
	return terms
}

// points returns what a linear feature adds to the score from Gold's view.
func (e *Evaluator) points(f Feature) float64 {
	// The conversion keeps it from being fused with a sum, which some processors do.
	return float64(float64(e.weights[f]) * float64(e.values[arimaa.Gold][f]-e.values[arimaa.Silver][f]))
}

// evaluate computes the values of all features for both sides.
func (e *Evaluator) evaluate(b *arimaa.Board, toMove arimaa.Side) {
	p := &e.position
	p.set(b)
	e.appraise(p)
	p.setControl()
	for side := range arimaa.Side(2) {
		own, foe := &p.armies[side], &p.armies[side.Other()]
		v := &e.values[side]
		*v = [Features]int{
			Material:      own.worth.harLog,
			PieceSquare:   own.squares,
			RabbitAdvance: own.advance(foe),
			TrapControl:   own.control[0] + own.control[1] + own.control[2] + own.control[3],
			Freeing:       own.freeing(),
			Domination:    own.dominated(foe),
			Mobility:      own.mobility(),
			Blockade:      own.blockade(foe),
			Alignment:     own.alignment(foe),
			Imbalance:     own.imbalance(),
		}
		captures := CaptureNow
		if side != toMove {
			captures = CaptureNext
		}
		v[captures] = p.captures(own, foe)
		v[Hostage] = own.hostages(foe)
		v[Frame] = p.frames(own, foe)
		nearest := 0
		v[GoalDistance], nearest = p.goalDistance(own, foe)
		v[GoalThreat], v[Swindle] = goalThreat(nearest, side == toMove)
	}
}
