// Package glicko is Glicko-2 written down plainly (Glickman 2013, "Example of the Glicko-2 system"), for
// tests of the ratings of package training.
package glicko

import (
	"math"

	"goalproof/puzzles/training"
)

// Game returns a rating after a game with an opponent: 1 for a win, 0 for a loss. It follows the paper,
// with another search for the volatility than package training: the interval around the zero nearest
// to the old volatility is halved.
func Game(r, o training.Rating, score float64) training.Rating {
	mu, phi, muO, phiO := (r.Rating-1500)/173.7178, r.Deviation/173.7178, (o.Rating-1500)/173.7178, o.Deviation/173.7178
	g := 1 / math.Sqrt(1+3*math.Pow(phiO/math.Pi, 2))
	e := 1 / (1 + math.Exp(-g*(mu-muO)))
	v := 1 / (g * g * e * (1 - e))
	delta := v * g * (score - e)
	a := math.Log(r.Volatility * r.Volatility)
	low, high := a-2, a+2
	for range 200 {
		x := (low + high) / 2
		ex := math.Exp(x)
		if ex*(delta*delta-phi*phi-v-ex)/(2*math.Pow(phi*phi+v+ex, 2))-(x-a)/0.25 > 0 {
			low = x
		} else {
			high = x
		}
	}
	sigma := math.Exp(low / 2)
	after := 1 / math.Sqrt(1/(phi*phi+sigma*sigma)+1/v)
	return training.Rating{Rating: 1500 + 173.7178*(mu+after*after*g*(score-e)), Deviation: min(350, 173.7178*after), Volatility: sigma}
}
