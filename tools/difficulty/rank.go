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
	results := map[arimaa.Board]float64{}
	var points [arimaa.StepsPerTurn + 1]map[arimaa.Board]float64 // by the steps made
	for i := range points {
		points[i] = map[arimaa.Board]float64{}
	}
	points[0][p.Board] = 0
	var context ordering.Context
	for made := range arimaa.StepsPerTurn {
		for board, likely := range points[made] {
			at := arimaa.NewPosition(board, p.Side()).WithStepsLeft(arimaa.StepsPerTurn - made)
			context.Set(&at, &p.Board, nil)
			options, ends := at.Options(nil), board != p.Board
			scores, all := scored(&context, options, ends)
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

// scored returns the score of each option at a point, and last that of the end of the turn, if it may
// end. A score minus all is the logarithm of its likelihood.
func scored(context *ordering.Context, options []arimaa.Option, ends bool) (scores []float64, all float64) {
	weights := ordering.Learned()
	for _, o := range options {
		scores = append(scores, float64(weights.Score(context, o))/ordering.One)
	}
	if ends {
		scores = append(scores, float64(weights.End(context))/ordering.One)
	}
	sum := 0.0
	for _, s := range scores {
		sum += math.Exp(s)
	}
	return scores, math.Log(sum)
}

// raise enters a board that is so likely, unless it is there and is likelier.
func raise(all map[arimaa.Board]float64, b arimaa.Board, likely float64) {
	if old, ok := all[b]; !ok || likely > old {
		all[b] = likely
	}
}
