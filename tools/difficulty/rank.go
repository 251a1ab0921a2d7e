package main

import (
	"math"

	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/engine/ordering"
)

// rank returns the place of the likeliest solution among all distinct first turns of p, from 1, by
// the learned order of options. A turn is as likely as its likeliest sequence of options; the
// likelihood of an option is that of its score among the scores of all at its point.
func rank(p arimaa.Position, solutions []dfpns.Solution) (place int) {
	results := likelihoods(p)
	best := math.Inf(-1)
	for i := range solutions {
		best = max(best, results[solutions[i].After.Board])
	}
	place = 1
	for _, likely := range results {
		if likely > best {
			place++
		}
	}
	return place
}

// likelihoods returns the logarithm of the likelihood of each distinct result of a turn.
func likelihoods(p arimaa.Position) map[arimaa.Board]float64 {
	weights, context := ordering.Learned(), ordering.Context{}
	results := map[arimaa.Board]float64{}
	var points [arimaa.StepsPerTurn + 1]map[arimaa.Board]float64 // by the steps made
	for i := range points {
		points[i] = map[arimaa.Board]float64{}
	}
	raise := func(all map[arimaa.Board]float64, b arimaa.Board, likely float64) {
		if old, ok := all[b]; !ok || likely > old {
			all[b] = likely
		}
	}
	points[0][p.Board] = 0
	var scores []float64
	for made := range arimaa.StepsPerTurn {
		for board, likely := range points[made] {
			at := arimaa.NewPosition(board, p.Side()).WithStepsLeft(arimaa.StepsPerTurn - made)
			context.Set(&at, &p.Board, nil)
			scores = scores[:0]
			options := at.Options(nil)
			for _, o := range options {
				scores = append(scores, float64(weights.Score(&context, o))/ordering.One)
			}
			ends := board != p.Board
			if ends {
				scores = append(scores, float64(weights.End(&context))/ordering.One)
			}
			sum := 0.0
			for _, s := range scores {
				sum += math.Exp(s)
			}
			all := math.Log(sum)
			for i, o := range options {
				after := at.After(o)
				raise(points[made+o.Steps()], after.Board, likely+scores[i]-all)
			}
			if ends {
				raise(results, board, likely+scores[len(options)]-all)
			}
		}
	}
	for board, likely := range points[arimaa.StepsPerTurn] {
		if board != p.Board {
			raise(results, board, likely)
		}
	}
	return results
}
