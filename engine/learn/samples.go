package learn

import (
	"math"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/evaluation"
)

// Lambda is the weight of later positions and of the result in the targets (package documentation).
const Lambda float64 = 0.7

// sample is a position to learn from.
type sample struct {
	board  arimaa.Board
	values [evaluation.Features]float32 // side to move less opponent, divided by engine.Scale
	target float32                      // probability that the side to move wins
	won    float32                      // 1 if the side to move won the game, else 0
	side   arimaa.Side
}

// Samples are positions of games in two parts: those to learn from, and those of every twentieth
// game, held out to measure what was learned.
type Samples struct {
	train, held []sample
	games       int
	evaluator   *evaluation.Evaluator
}

// heldOut is the share of the games that are held out, as a divisor.
const heldOut = 20

// NewSamples returns an empty set.
func NewSamples() *Samples { return &Samples{evaluator: evaluation.New(nil, nil)} }

// Len returns the number of positions to learn from, and of those held out.
func (s *Samples) Len() (train, held int) { return len(s.train), len(s.held) }

// Games returns the number of games.
func (s *Samples) Games() int { return s.games }

// Add adds the positions of a game, except those that were not searched and those in which the
// search saw a win or a loss, which the static evaluation is not for.
func (s *Samples) Add(g *Game) error {
	to := &s.train
	if s.games++; s.games%heldOut == 0 {
		to = &s.held
	}
	targets := g.targets()
	i := 0
	for p, score := range g.All {
		target := targets[i]
		i++
		if score == NoScore || score >= engine.Won || score <= -engine.Won {
			continue
		}
		x := sample{board: p.Board, side: p.Side(), target: float32(target)}
		if p.Side() == arimaa.Silver {
			x.target = 1 - x.target
		}
		if g.Winner == p.Side() {
			x.won = 1
		}
		values := s.evaluator.Values(&p.Board, p.Side())
		for f := range x.values {
			x.values[f] = float32(values[p.Side()][f]-values[p.Side().Other()][f]) / engine.Scale
		}
		*to = append(*to, x)
	}
	return nil
}

// targets returns the probability that Gold wins, to be learned, for each position of a game.
func (g *Game) targets() []float64 {
	targets := make([]float64, len(g.Turns))
	later := 0.0
	if g.Winner == arimaa.Gold {
		later = 1
	}
	for i := len(g.Turns) - 1; i >= 0; i-- {
		if score := g.Turns[i].Score; score != NoScore {
			p := logistic(float64(score) / engine.Scale)
			if g.side(i) == arimaa.Silver {
				p = 1 - p
			}
			later = Lambda*later + (1-Lambda)*p
		}
		targets[i] = later
	}
	return targets
}

// side returns the side to move before turn i.
func (g *Game) side(i int) arimaa.Side { return g.Start.Side() ^ arimaa.Side(i%2) }

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
