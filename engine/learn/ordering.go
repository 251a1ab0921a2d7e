package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/ordering"
)

// choice is a point within a turn that was played, with the options there. The last of them may be
// the end of the turn.
type choice struct {
	features []uint16 // of all options, one after the other
	ends     []uint16 // of each option in features
	good     uint64   // options of the turn that was played, as a set
}

// maxOptions bounds the options of a choice, so that a set of them fits into a word.
const maxOptions = 64

// Choices are points to learn the order of options from, in two parts as Samples.
type Choices struct {
	train, held []choice
	games       int
	context     ordering.Context
	options     []arimaa.Option
}

// Add adds the points of a game, except those of turns that were not searched or see a win or a
// loss.
func (c *Choices) Add(g *Game) error {
	to := &c.train
	if c.games++; c.games%heldOut == 0 {
		to = &c.held
	}
	var before *arimaa.Board
	p := g.Start
	for _, scored := range g.Turns {
		turn, after, ok := p.Decode(scored.Code)
		if !ok {
			break
		}
		start := p.Board
		if scored.Score != NoScore && scored.Score < engine.Won && scored.Score > -engine.Won {
			c.addTurn(to, p, &start, before, turn)
		}
		before, p = &start, after
	}
	return nil
}

// addTurn adds the points of a turn.
func (c *Choices) addTurn(to *[]choice, p arimaa.Position, start, before *arimaa.Board, turn arimaa.Turn) {
	played := optionsOf(turn)
	for i := 0; i <= len(played) && p.StepsLeft() > 0; i++ {
		c.context.Set(&p, start, before)
		c.options = p.Options(c.options[:0])
		var x choice
		add := func(good bool) {
			if good {
				x.good |= 1 << len(x.ends)
			}
			x.ends = append(x.ends, uint16(len(x.features)))
		}
		for _, o := range c.options[:min(len(c.options), maxOptions-1)] {
			x.features = c.context.Active(o, x.features)
			add(slices.Contains(played[i:], o))
		}
		if i > 0 {
			x.features = append(x.features, c.context.End())
			add(i == len(played))
		}
		if x.good != 0 && len(x.ends) > 1 {
			*to = append(*to, x)
		}
		if i < len(played) {
			p = p.After(played[i])
		}
	}
}

// optionsOf returns the options of a turn: two steps are a push or pull if they move pieces of both
// sides and the second enters the square that the first has left.
func optionsOf(t arimaa.Turn) (all []arimaa.Option) {
	for i := 0; i < t.Len(); i++ {
		first := t.Step(i)
		if i+1 < t.Len() {
			if second := t.Step(i + 1); first.Piece().Side() != second.Piece().Side() && second.To() == first.From() {
				all = append(all, arimaa.PushOrPull(first, second))
				i++
				continue
			}
		}
		all = append(all, arimaa.SingleStep(first))
	}
	return all
}

// TrainOrdering learns the weights of the features of options: stochastic gradient descent with
// rates for each feature (AdaGrad, Duchi, Hazan and Singer 2011) on the negated logarithm of the
// probability that an option of the turn is chosen. The error is that of the context.
func TrainOrdering(ctx context.Context, c *Choices, epochs int, seed uint64) (*[ordering.Features]float32, error) {
	random := rand.New(rand.NewPCG(seed, 1))
	var d descent
	order := make([]int32, len(c.train))
	for i := range order {
		order[i] = int32(i)
	}
	for range epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for k, n := range order {
			if k%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			d.step(&c.train[n])
		}
	}
	return &d.weights, nil
}

// descent is the state of TrainOrdering.
type descent struct {
	weights     [ordering.Features]float32
	squares     [ordering.Features]float32 // sums of the squared gradients
	gradient    [ordering.Features]float32 // zero between two steps
	probability [maxOptions]float64        // of the options of a choice
}

// step moves the weights against the gradient of a choice.
func (d *descent) step(x *choice) {
	const rate = 0.1
	good := x.predict(&d.weights, &d.probability)
	begin := uint16(0)
	for i, end := range x.ends {
		slope := d.probability[i]
		if x.good>>i&1 != 0 {
			slope -= d.probability[i] / good
		}
		for _, f := range x.features[begin:end] {
			d.gradient[f] += float32(slope)
		}
		begin = end
	}
	for _, f := range x.features {
		if g := d.gradient[f]; g != 0 {
			d.squares[f] += g * g
			d.weights[f] -= rate * g / float32(math.Sqrt(float64(d.squares[f])+1))
			d.gradient[f] = 0
		}
	}
}

// predict sets the probabilities of the options and returns the sum of those of the turn that was
// played.
func (x *choice) predict(w *[ordering.Features]float32, p *[maxOptions]float64) (good float64) {
	begin, most := uint16(0), math.Inf(-1)
	for i, end := range x.ends {
		sum := 0.0
		for _, f := range x.features[begin:end] {
			sum += float64(w[f])
		}
		p[i] = sum
		most = max(most, sum)
		begin = end
	}
	total := 0.0
	for i := range x.ends {
		p[i] = math.Exp(p[i] - most)
		total += p[i]
	}
	for i := range x.ends {
		p[i] /= total
		if x.good>>i&1 != 0 {
			good += p[i]
		}
	}
	return good
}

// Ranked measures how early the options of the turns that were played come in the order of the
// weights.
type Ranked struct {
	Points int
	First  [8]float64 // share of points with one of them the first, among the first two, ...
}

// Rank measures the order of some weights on the points held out.
func (c *Choices) Rank(w *[ordering.Features]float32) (r Ranked) {
	var p [maxOptions]float64
	for i := range c.held {
		x := &c.held[i]
		x.predict(w, &p)
		best := -1.0
		for i := range x.ends {
			if x.good>>i&1 != 0 {
				best = max(best, p[i])
			}
		}
		rank := 0
		for i := range x.ends {
			if x.good>>i&1 == 0 && p[i] >= best {
				rank++
			}
		}
		r.Points++
		for k := rank; k < len(r.First); k++ {
			r.First[k]++
		}
	}
	for k := range r.First {
		r.First[k] /= float64(max(1, r.Points))
	}
	return r
}
