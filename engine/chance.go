package engine

import (
	"math"

	"goalproof/arimaa"
)

// Scale is the number of centi-rabbits that multiply the odds of winning by e. It was fitted to the results of published
// games (TestScale of package review; docs/engine.md, "What a score means").
const Scale = 620

// Chance returns the winning chance of a side, 0 to 1, that its score in centi-rabbits stands for.
func Chance(score int) float64 { return 1 / (1 + math.Exp(-float64(score)/Scale)) }

// GoldScore returns Gold's score where the side to move has a score, both in centi-rabbits.
func GoldScore(score int, mover arimaa.Side) int {
	if mover == arimaa.Silver {
		return -score
	}
	return score
}

// GoldChance returns Gold's winning chance, 0 to 1, of a report about a position where mover is to move: what is proved,
// or else that of the score.
func (r *Report) GoldChance(mover arimaa.Side) float64 {
	chance := Chance(r.Score)
	switch _, lost := r.Value.Loss(); {
	case r.Win > 0:
		chance = 1
	case r.Loss > 0, r.Tabled && lost:
		chance = 0
	}
	if mover == arimaa.Silver {
		return 1 - chance
	}
	return chance
}
