package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"goalproof/engine"
	"goalproof/engine/evaluation"
)

// Settings of a training.
type Settings struct {
	Seed    uint64
	Epochs  int // how often each position is learned from
	Threads int
	Linear  bool // learn the weights of the features alone
	// From is where the training begins; nil: the weights chosen by hand, and a network that adds
	// nothing.
	From *evaluation.Parameters
}

const (
	batchSize = 1024
	shards    = 8 // parts of a batch, so that sums do not depend on the number of threads

	networkRate, linearRate = 0.001, 0.003 // of Adam, at the beginning; at the end lastRate of it
	lastRate                = 0.02
	fromRate                = 0.3 // of the rates, where a training goes on from another
)

// parameters are what is learned, or a gradient.
type parameters struct {
	in      [evaluation.Inputs][evaluation.Hidden]float32
	bias    [evaluation.Hidden]float32
	out     [evaluation.Buckets][evaluation.Hidden]float32 // in log-odds
	move    [evaluation.Buckets]float32                    // advantage of the side to move, in log-odds
	weights [evaluation.Features]float32
}

// list lists the parameters as slices, those of the features last.
func (n *parameters) list() [][]float32 {
	all := make([][]float32, 0, len(n.in)+len(n.out)+3)
	for i := range n.in {
		all = append(all, n.in[i][:])
	}
	all = append(all, n.bias[:])
	for i := range n.out {
		all = append(all, n.out[i][:])
	}
	return append(all, n.move[:], n.weights[:])
}

// start sets the parameters with which a training begins: the weights chosen by hand, and a hidden
// layer at random, which the output ignores.
func (n *parameters) start(random *rand.Rand) {
	for i := range n.in {
		for j := range n.in[i] {
			n.in[i][j] = (random.Float32()*2 - 1) * 0.12
		}
	}
	for j := range n.bias {
		n.bias[j] = 0.25
	}
	n.weights = evaluation.Default
}

// set is the inverse of result.
func (n *parameters) set(p *evaluation.Parameters) {
	n.weights, n.in, n.bias, n.out = p.Features, p.In, p.Bias, p.Out
	for k := range n.out {
		for j := range n.out[k] {
			n.out[k][j] /= engine.Scale
		}
	}
}

// result returns the parameters in the units of the evaluation.
func (n *parameters) result() *evaluation.Parameters {
	p := &evaluation.Parameters{Features: n.weights, In: n.in, Bias: n.bias, Out: n.out}
	for k := range p.Out {
		for j := range p.Out[k] {
			p.Out[k][j] *= engine.Scale
		}
	}
	return p
}

// worker computes gradients. Hidden is the hidden layer of a position, for the side to move and for
// its opponent.
type worker struct {
	linear    bool
	evaluator *evaluation.Evaluator
	active    [2][]uint16
	hidden    [2][evaluation.Hidden]float32
}

func newWorker(linear bool) *worker {
	return &worker{linear: linear, evaluator: evaluation.New(nil, nil)}
}

// forward returns the log-odds for the side to move.
func (w *worker) forward(n *parameters, x *sample) float32 {
	z := float32(0)
	for f, v := range x.values {
		z += n.weights[f] * v
	}
	if w.linear {
		return z
	}
	w.active[0], w.active[1] = w.evaluator.Active(&x.board, x.side, w.active[0][:0], w.active[1][:0])
	for i := range w.hidden {
		h := &w.hidden[i]
		*h = n.bias
		for _, input := range w.active[i] {
			for j, v := range &n.in[input] {
				h[j] += v
			}
		}
	}
	k := evaluation.Bucket(&x.board)
	z += n.move[k]
	for j, weight := range &n.out[k] {
		own, foe := clip(w.hidden[0][j]), clip(w.hidden[1][j])
		z += (own*own - foe*foe) * weight
	}
	return z
}

// clip limits the sum of a neuron to the range of its activation.
func clip(v float32) float32 { return min(max(v, 0), 1) }

// backward adds to a gradient what the position of the last call of forward contributes, given the
// derivative d of the loss by the log-odds.
func (w *worker) backward(n *parameters, x *sample, d float32, g *parameters) {
	for f, v := range x.values {
		g.weights[f] += d * v
	}
	if w.linear {
		return
	}
	k := evaluation.Bucket(&x.board)
	g.move[k] += d
	for i := range w.hidden {
		h := &w.hidden[i] // becomes the derivative of the loss
		for j, v := range h {
			h[j] = 0
			c := clip(v)
			g.out[k][j] += d * c * c
			if v > 0 && v < 1 {
				h[j] = d * n.out[k][j] * 2 * c
			}
		}
		for _, input := range w.active[i] {
			row := &g.in[input]
			for j, v := range h {
				row[j] += v
			}
		}
		d = -d // for the opponent
	}
	for j := range g.bias {
		g.bias[j] += w.hidden[0][j] + w.hidden[1][j]
	}
}

// Epoch is the state of a training: the mean loss over the positions held out, and over as many of
// those that are learned from.
type Epoch struct {
	Number int     `json:"epoch"` // 0 before the first
	Train  float64 `json:"loss"`
	Held   float64 `json:"held_out_loss"`
}

// Train learns an evaluation, and reports after each epoch, and before the first. The error is that
// of the context.
func Train(ctx context.Context, s *Samples, o Settings, report func(Epoch)) (*evaluation.Parameters, error) {
	random := rand.New(rand.NewPCG(o.Seed, 0))
	n := new(parameters)
	n.start(random)
	if o.From != nil {
		n.set(o.From)
	}
	t := newTraining(n, s, o)
	order := make([]int32, len(s.train))
	for i := range order {
		order[i] = int32(i)
	}
	steps := o.Epochs * (len(order) / batchSize)
	seen := s.train[:min(len(s.train), len(s.held))]
	report(Epoch{0, t.loss(seen), t.loss(s.held)})
	for epoch := range o.Epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for batch := range slices.Chunk(order, batchSize) {
			if len(batch) < batchSize {
				break // the others have their turn in another epoch
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t.gradients(batch)
			t.step(lastRate + (1-lastRate)*(1+math.Cos(math.Pi*float64(t.steps)/float64(steps)))/2)
		}
		report(Epoch{epoch + 1, t.loss(seen), t.loss(s.held)})
	}
	return n.result(), nil
}

// training is the state of Train.
type training struct {
	settings     Settings
	samples      *Samples
	n            *parameters
	learned      [][]float32 // the parameters that change
	shards       [shards]shard
	mean, square [][]float32 // of the gradient, decaying averages (Adam)
	decay        [2]float64  // how much of each average is still its value at the beginning
	steps        int
}

// shard computes a part of the gradient of each batch.
type shard struct {
	worker   *worker
	gradient *parameters
	parts    [][]float32 // of the gradient, as training.learned
}

// The decay of the averages of Adam.
const (
	meanDecay   = 0.9
	squareDecay = 0.999
)

func newTraining(n *parameters, s *Samples, o Settings) *training {
	t := &training{settings: o, samples: s, n: n, decay: [2]float64{1, 1}}
	learned := func(p *parameters) [][]float32 {
		list := p.list()
		if o.Linear {
			return list[len(list)-1:]
		}
		return list
	}
	t.learned, t.mean, t.square = learned(n), learned(new(parameters)), learned(new(parameters))
	for i := range t.shards {
		g := new(parameters)
		t.shards[i] = shard{newWorker(o.Linear), g, learned(g)}
	}
	return t
}

// gradients computes the gradient of a batch, in parts.
func (t *training) gradients(batch []int32) {
	t.parallel(func(k int) {
		s := &t.shards[k]
		*s.gradient = parameters{}
		for _, i := range batch[k*batchSize/shards : (k+1)*batchSize/shards] {
			x := &t.samples.train[i]
			p := float32(logistic(float64(s.worker.forward(t.n, x))))
			s.worker.backward(t.n, x, p-x.target, s.gradient)
		}
	})
}

// step makes a step of Adam, with a part of the rate of the beginning.
func (t *training) step(part float64) {
	t.steps++
	t.decay[0] *= meanDecay
	t.decay[1] *= squareDecay
	rate := networkRate * part
	if t.settings.Linear {
		rate = linearRate * part
	}
	if t.settings.From != nil {
		rate *= fromRate
	}
	byMean, bySquare := float32(rate/(1-t.decay[0])), float32(1/(1-t.decay[1]))
	t.parallel(func(k int) {
		for i := k; i < len(t.learned); i += shards {
			list, mean, square := t.learned[i], t.mean[i], t.square[i]
			for j := range list {
				g := float32(0)
				for s := range t.shards {
					g += t.shards[s].parts[i][j]
				}
				g /= batchSize
				mean[j] = meanDecay*mean[j] + (1-meanDecay)*g
				square[j] = squareDecay*square[j] + (1-squareDecay)*g*g
				list[j] -= byMean * mean[j] / (float32(math.Sqrt(float64(square[j]*bySquare))) + 1e-8)
				if !t.settings.Linear && i <= evaluation.Inputs { // the hidden layer
					list[j] = max(-evaluation.MostIn, min(evaluation.MostIn, list[j]))
				}
			}
		}
	})
}

// loss returns the mean loss over some positions.
func (t *training) loss(list []sample) float64 {
	if len(list) == 0 {
		return 0
	}
	var sums [shards]float64
	t.parallel(func(k int) {
		for i := k; i < len(list); i += shards {
			x := &list[i]
			z, target := float64(t.shards[k].worker.forward(t.n, x)), float64(x.target)
			sums[k] += target*math.Log1p(math.Exp(-z)) + (1-target)*math.Log1p(math.Exp(z))
		}
	})
	sum := 0.0
	for _, part := range sums {
		sum += part
	}
	return sum / float64(len(list))
}

// parallel calls do for each shard, on several goroutines.
func (t *training) parallel(do func(k int)) {
	var group sync.WaitGroup
	for first := range min(t.settings.Threads, shards) {
		group.Go(func() {
			for k := first; k < shards; k += t.settings.Threads {
				do(k)
			}
		})
	}
	group.Wait()
}
