package match

import (
	"fmt"
	"math"
)

// Tally holds the number of games that each player has won.
type Tally [2]int

// Games returns the number of games.
func (t Tally) Games() int { return t[0] + t[1] }

// score returns the expected share of wins at a difference in Elo points, by the logistic curve
// (Elo, The Rating of Chessplayers, 1978).
func score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// elo is the inverse of score. It is infinite at 0 and 1.
func elo(score float64) float64 { return -400 * math.Log10(1/score-1) }

// z is the number of standard deviations for 95 % of a normal distribution.
const z = 1.959964

// Elo returns the lead of the first player in Elo points, and its 95 % interval. Without a win, or
// without a loss, one end is infinite. There must be a game.
//
// The interval is the score interval (Wilson, Probable Inference, 1927), whose coverage is also
// right for few games and near 0 and 1, unlike that of estimate and standard error (Brown, Cai and
// DasGupta, Interval Estimation for a Binomial Proportion, 2001).
func (t Tally) Elo() (difference, low, high float64) {
	a, b := wilson(t[0], t.Games())
	return elo(float64(t[0]) / float64(t.Games())), elo(a), elo(b)
}

// wilson returns the 95 % interval of the probability of an event that occurred times in n trials.
func wilson(times, n int) (low, high float64) {
	p, m := float64(times)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	if times == 0 {
		return 0, middle + half
	}
	if times == n {
		return middle - half, 1
	}
	return middle - half, middle + half
}

// String returns the wins of both players and the difference.
func (t Tally) String() string { return fmt.Sprintf("%d-%d, Elo %s", t[0], t[1], t.Difference()) }

// Difference returns the difference in Elo with its interval, such as "+12 [-5, +30]".
func (t Tally) Difference() string {
	if t.Games() == 0 {
		return "unknown"
	}
	difference, low, high := t.Elo()
	return fmt.Sprintf("%s [%s, %s]", points(difference), points(low), points(high))
}

// points writes a difference in Elo.
func points(elo float64) string {
	return fmt.Sprintf("%+.0f", math.Round(elo)+0) // no minus before zero
}
