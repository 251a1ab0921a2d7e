package engine

import (
	"fmt"
	"math"

	"goalproof/arimaa"
)

// Scale is the number of centi-rabbits that multiply the odds of winning by e. It was fitted to the
// results of published games (TestScale of package review; docs/engine.md, "What a score means").
const Scale = 620

// sure bounds estimates, which lie between 1-sure and sure: 0 and 1 are for what is proved.
const sure = 0.9999

// Chance returns the winning chance of a side, between 0 and 1, that its score in centi-rabbits
// stands for.
func Chance(score int) float64 {
	return min(max(1/(1+math.Exp(-float64(score)/Scale)), 1-sure), sure)
}

// Percent writes a chance in percent: 0% and 100% only if it is 0 or 1, which is proved.
func Percent(chance float64) string {
	percent := math.Round(100 * chance)
	if chance > 0 && chance < 1 {
		percent = min(max(percent, 1), 99)
	}
	return fmt.Sprintf("%.0f%%", percent)
}

// GoldScore converts the score of the side to move to Gold's, both in centi-rabbits.
func GoldScore(score int, mover arimaa.Side) int {
	if mover == arimaa.Silver {
		return -score
	}
	return score
}

// GoldChance returns Gold's winning chance, 0 to 1, of a report about a position where mover is to
// move: what is proved, or else that of the score.
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
