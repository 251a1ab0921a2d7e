package evaluation

import (
	"math"

	"goalproof/arimaa"
)

// Limit bounds every score, in centi-rabbits.
const Limit = 20000

// perCentiRabbit is the steepness of the logistic function between centi-rabbits and the chance
// to win: who is 100 ahead wins 54 games of 100, 1,000 ahead 82. This fits the results of the
// published games best.
const perCentiRabbit = 0.0015

// mixed replaces the sum of the linear terms, from Gold's view, by one that takes into account
// that goal attacks may end the game soon, won by Gold with chance g, by Silver with s. If
// neither happens the chance of Gold is p, the logistic function of the sum (Wu 2015, section
// 6.4.3):
//
//	g + p(1-g-s)
//
// What is returned is the sum that would have this chance by itself. It is at most Limit.
func (e *Evaluator) mixed(sum float64) float64 {
	sum = max(-Limit, min(Limit, sum))
	chance := func(side arimaa.Side) float64 { // at most half, for any weight
		return max(0, min(0.5, float64(e.weights[Swindle])*float64(e.values[side][Swindle])/100))
	}
	g, s := chance(arimaa.Gold), chance(arimaa.Silver)
	if g == 0 && s == 0 {
		return sum
	}
	// The odds of the mix, above and below multiplied by a+b, where p = a/(a+b).
	a, b := math.Exp(sum*perCentiRabbit/2), math.Exp(-sum*perCentiRabbit/2)
	rest := 1 - (g + s)
	won, lost := float64(g*(a+b))+float64(rest*a), float64(s*(a+b))+float64(rest*b)
	return max(-Limit, min(Limit, (math.Log(won)-math.Log(lost))/perCentiRabbit))
}
