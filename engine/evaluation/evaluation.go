// Package evaluation is the static evaluation: by how much the side to move is ahead, in
// centi-rabbits, without a search. A rabbit is worth 100 while both armies are complete.
//
// # Organisation
//
// The score is a sum over the features of [Feature], each a whole number for either side, of
//
//	weight * (value for Gold - value for Silver)
//
// and, with a [Network], of what that adds. The weights stand in one table: those that were learned
// with the network, or those chosen by hand ([Default]).
//
//   - army.go: bitboards of one side's pieces that several features share, such as the squares that
//     the pieces of a kind reach in a few steps, found for all of them at once.
//   - material.go: the value of the pieces on the board and of each one, cached by the numbers of
//     pieces.
//   - squares.go, traps.go, freedom.go, captures.go, goals.go, frames.go, mobility.go,
//     alignment.go: the other features.
//   - weights.go: the table of weights chosen by hand.
//   - network.go: the network, which corrects the sum of the features.
//   - networkfile.go: its file, and the one that is part of the program.
//   - explain.go: the score by feature, and what each piece is worth.
//
// Most features are those of D. J. Wu, Designing a Winning Arimaa Program (ICGA Journal, 2015),
// section 6, which describes them without their numbers; the others name their source. All values
// are estimates: a piece that seems capturable may be safe. Where the answer must be exact (is
// there a win this turn?), the search asks package goal.
//
// # The network
//
// It follows Y. Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
// Shogi (2018). Each side has a hidden layer of its own, of [Hidden] neurons. Their inputs are all
// pieces on their squares, as that side sees them, and the frozen pieces a second time. Pieces are
// distinguished by the number of stronger enemies, so a horse is as good as a camel once the
// stronger enemies are gone. A neuron's activation is the square of its sum, after that is clipped
// to the range from 0 to 1. The output is
//
//	sum over the neurons of weight * (activation for Gold - activation for Silver)
//
// with weights by the number of pieces on the board. It does not depend on the side to move: the
// search compares positions in which different sides are to move, as options take one to four steps
// of a turn, and a bonus for the side to move would make it prefer lines by where they end.
//
// From one position of a search to the next few pieces change, so the sums are updated for these
// alone. All numbers are integers. So sums do not depend on the order of the updates, and are the
// same on every machine.
//
// # Symmetry
//
// A feature is a function of one army and the enemy's that is called for both sides, and sees the
// board from its owner's side where the direction of play matters. Trap control alone is computed
// for both sides at once, with a symmetric table. So swapping the sides and turning the board over
// negates the score. Values are integers, whose sum does not depend on the order, so the score of
// the mirror image (files reversed) is the same. The network sees the board from each side in the
// same way, and mirrored if that puts the side's elephant on files a to d. The tests check both for
// each feature and for the network.
package evaluation

import (
	"math"

	"goalproof/arimaa"
)

// Feature is a term of the evaluation. Its comment gives the unit of its values; weights are in
// centi-rabbits per unit.
type Feature uint8

// The features.
const (
	Material      Feature = iota // HarLog, in centi-rabbits
	PieceSquare                  // piece-square tables, in centi-rabbits
	RabbitAdvance                // advance of the rabbits, by the enemy's pieces, in centi-rabbits
	TrapControl                  // control of the four traps, in thousandths of a trap
	Freeing                      // frozen pieces, in centi-rabbits, by the steps that unfreeze them
	Domination                   // pieces that a stronger enemy dominates or soon can, in centi-rabbits
	CaptureNow                   // captures that the side to move threatens, in centi-rabbits
	CaptureNext                  // captures that the other side threatens, in centi-rabbits
	GoalDistance                 // rabbits within eight steps of the goal, in centi-rabbits
	Frame                        // enemy pieces framed on a trap, in centi-rabbits
	Mobility                     // mobility of the elephant, 0 to 100
	Blockade                     // blockade of the enemy elephant, 0 to 100
	Alignment                    // pieces near those that they dominate, in centi-rabbits
	Imbalance                    // strong pieces close to each other, 0 or more
	Features                     // the number of features
)

var featureNames = [Features]string{
	"material", "piece-square", "rabbit-advance", "trap-control", "freeing", "domination",
	"capture-now", "capture-next", "goal-distance", "frame", "mobility", "blockade", "alignment", "imbalance",
}

// String returns the name of the feature, for example "trap-control".
func (f Feature) String() string {
	if f < Features {
		return featureNames[f]
	}
	return "unknown feature"
}

// Evaluator scores positions, without allocation. It serves one goroutine. It comes from [New]; the
// zero one weighs nothing, so every score is 0.
type Evaluator struct {
	weights  Weights
	position position
	values   [2][Features]int // by side
	cache    [materialCache]material

	net          *Network // nil: none
	planes       [2][sidePlanes]arimaa.Bitboard
	accumulators [2][2]accumulator // by side, and by whether it sees the board mirrored
}

// New returns an evaluator with a network; nil stands for none. It weighs the features by w; nil
// stands for the weights that were learned with the network or, without one, for [Default].
func New(w *Weights, n *Network) *Evaluator {
	switch {
	case w != nil:
	case n != nil:
		w = &n.weights
	default:
		w = &Default
	}
	e := &Evaluator{weights: *w, net: n}
	if n != nil {
		for i := range e.accumulators {
			for j := range e.accumulators[i] {
				e.accumulators[i][j].sums = n.bias
			}
		}
	}
	return e
}

// Limit bounds every score, in centi-rabbits.
const Limit = 20000

// Score returns by how much the side to move is ahead at the start of its turn, in centi-rabbits,
// from -Limit to Limit. The board need not be reachable in a game. A game that is over, or won this
// turn, gets no special score.
func (e *Evaluator) Score(b *arimaa.Board, toMove arimaa.Side) int {
	e.evaluate(b, toMove)
	sum := 0.0
	for f := range Features {
		sum += e.points(f)
	}
	if e.net != nil {
		sum += float64(e.network(b))
	}
	score := int(math.Round(max(-Limit, min(Limit, sum))))
	if toMove == arimaa.Silver {
		return -score
	}
	return score
}

// points returns the contribution of a feature to the score for Gold.
func (e *Evaluator) points(f Feature) float64 {
	// The conversion prevents a fused multiply-add, which rounds differently on some processors.
	return float64(float64(e.weights[f]) * float64(e.values[arimaa.Gold][f]-e.values[arimaa.Silver][f]))
}

// evaluate computes the values of all features for both sides.
func (e *Evaluator) evaluate(b *arimaa.Board, toMove arimaa.Side) {
	p := &e.position
	p.set(b)
	e.setMaterial(p)
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
		v[Frame] = p.frames(own, foe)
		v[GoalDistance] = p.goalDistance(own, foe)
	}
}

// Values returns the values of the features, by side.
func (e *Evaluator) Values(b *arimaa.Board, toMove arimaa.Side) [2][Features]int {
	e.evaluate(b, toMove)
	return e.values
}
