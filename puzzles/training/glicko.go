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
	middleDifficulty = 5   // has the rating 1500
	ratingPerPoint   = 120 // of difficulty
	knownDeviation   = 200 // of an exercise with a difficulty
)

// RatingOf returns the rating with which an exercise begins: its difficulty is 0 to
// describe.MaxDifficulty, nil if it is not known.
func RatingOf(difficulty *float64) Rating {
	if difficulty == nil {
		return New
	}
	return Rating{middle + ratingPerPoint*(*difficulty-middleDifficulty), knownDeviation, newVolatility}
}

// Difficulty returns the difficulty of an exercise by the results of this person, on the scale of
// [RatingOf], whose inverse it is; nil while its rating is less certain than one that a difficulty
// suggests.
func (e *Exercise) Difficulty() *float64 {
	if e.Rating == nil || e.Rating.Deviation > knownDeviation {
		return nil
	}
	d := middleDifficulty + (e.Rating.Rating-middle)/ratingPerPoint
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
