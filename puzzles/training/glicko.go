package training

import (
	"math"

	"goalproof/puzzles/describe"
)

// Rating is a rating by Glicko-2, on the scale of Glicko: 1500 is the middle.
type Rating struct {
	Rating     float64 `json:"rating"`
	Deviation  float64 `json:"deviation"` // of the rating: about 95% lie within two of them
	Volatility float64 `json:"volatility"`
}

// The parameters of Glicko-2. Names are those of Glickman's paper.
const (
	middle      = 1500
	scale       = 173.7178
	tau         = 0.5
	convergence = 1e-6

	mostDeviation = 350
	newVolatility = 0.06
)

// New is the rating of a person who begins.
var New = Rating{middle, mostDeviation, newVolatility}

// The ratings with which exercises begin.
const (
	middleDifficulty = 5   // of a win in two, has the rating 1500
	ratingPerPoint   = 120 // of difficulty
	ratingPerTurn    = 120 // of the win, beyond two
	mostRanked       = 3   // turns of wins that the difficulty ranks
	knownDeviation   = 200 // of an exercise with a difficulty that ranks it
	sureDeviation    = 165 // at most, of an exercise whose difficulty by the results is told
)

// RatingOf returns the rating with which an exercise begins, a win in so many turns; 0: not known.
// Its difficulty is 0 to describe.MaxDifficulty, or nil if it is not known. A win in one has none,
// whatever is given.
//
// Among wins of one length the order is that of the difficulty. It is argued for wins in two, and
// less for wins in three (docs/difficulty.md). Of longer wins the difficulty is a guess, so their
// deviation is that of an exercise about which nothing is known. That wins in one are easier and
// longer wins harder is argued, too: there is less and more to see. How much that is in ratings is a
// guess, as is what a point of difficulty is worth. Wins in one begin where [Next] looks first for a
// person who begins. All of this is only where an exercise begins; its games move it.
func RatingOf(winIn int, difficulty *float64) Rating {
	r := Rating{middleOf(winIn), mostDeviation, newVolatility}
	if difficulty == nil || winIn == 1 {
		return r
	}
	r.Rating += ratingPerPoint * (*difficulty - middleDifficulty)
	if winIn <= mostRanked {
		r.Deviation = knownDeviation
	}
	return r
}

// middleOf returns the rating of wins in so many turns with the middle difficulty, or with none that
// is known.
func middleOf(winIn int) float64 {
	if winIn == 1 {
		return middle - mostDeviation
	}
	return middle + ratingPerTurn*float64(max(winIn-2, 0))
}

// Difficulty returns the difficulty of an exercise by the results of this person, on the scale of
// [RatingOf] for its length, whose inverse it is; nil for a win in one, which has no difficulty, and
// while the rating is not sure enough. An exercise that begins with the deviation 200 is after two
// games where they are even and the person's deviation is at most 150, and mostly after three else;
// one that begins with 350 after four to six.
func (e *Exercise) Difficulty() *float64 {
	if e.WinIn == 1 || e.Rating == nil || e.Rating.Deviation > sureDeviation {
		return nil
	}
	d := middleDifficulty + (e.Rating.Rating-middleOf(e.WinIn))/ratingPerPoint
	return new(min(max(d, 0), describe.MaxDifficulty))
}

// Game is a game in a rating period.
type Game struct {
	Opponent Rating  // before the period
	Score    float64 // 1: won, 0: lost
}

// After returns the rating after a rating period with at least one game.
func (r Rating) After(games ...Game) Rating {
	mu, phi := (r.Rating-middle)/scale, r.Deviation/scale
	var information, surprise float64 // 1/v, and delta/v
	for _, game := range games {
		o := game.Opponent.Deviation / scale
		g := 1 / math.Sqrt(1+3*o*o/(math.Pi*math.Pi))
		e := 1 / (1 + math.Exp(-g*(mu-(game.Opponent.Rating-middle)/scale)))
		information += g * g * e * (1 - e)
		surprise += g * (game.Score - e)
	}
	v := 1 / information
	sigma := volatility(r.Volatility, phi, v, v*surprise)
	before := phi*phi + sigma*sigma
	after := 1 / (1/before + information)
	return Rating{middle + scale*(mu+after*surprise), min(mostDeviation, scale*math.Sqrt(after)), sigma}
}

// volatility returns the volatility after a period (step 5 of the paper, by the Illinois algorithm).
func volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	low, high := a, 0.0
	if rest := delta*delta - phi*phi - v; rest > 0 {
		high = math.Log(rest)
	} else {
		k := 1.0
		for ; f(a-k*tau) < 0; k++ {
		}
		high = a - k*tau
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > convergence {
		next := low + (low-high)*fLow/(fHigh-fLow)
		fNext := f(next)
		if fNext*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = next, fNext
	}
	return math.Exp(low / 2)
}
