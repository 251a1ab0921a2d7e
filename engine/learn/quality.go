package learn

import (
	"math"

	"goalproof/engine"
	"goalproof/engine/evaluation"
)

// Quality measures how well an evaluation predicts the results of games.
type Quality struct {
	Positions int
	Error     float64 // mean squared error of the probability
	Right     float64 // share of the positions in which the side that is ahead won
}

// Phases are the parts of a game, by the number of pieces: evaluation.Bucket. The last one is the
// beginning.
const Phases = evaluation.Buckets

// Measure measures the evaluation of the positions held out: for each phase, and then for all.
func (s *Samples) Measure(e *evaluation.Evaluator) (q [Phases + 1]Quality) {
	for i := range s.held {
		x := &s.held[i]
		p := logistic(float64(e.Score(&x.board, x.side)) / engine.Scale)
		for _, k := range [2]int{evaluation.Bucket(&x.board), Phases} {
			q[k].Positions++
			q[k].Error += math.Pow(p-float64(x.won), 2)
			if (p > 0.5) == (x.won > 0.5) {
				q[k].Right++
			}
		}
	}
	for k := range q {
		n := max(float64(q[k].Positions), 1)
		q[k].Error /= n
		q[k].Right /= n
	}
	return q
}
