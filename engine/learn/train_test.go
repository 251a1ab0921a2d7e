package learn

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/evaluation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// TestTargets computes the targets of a game of three turns by hand.
func TestTargets(t *testing.T) {
	start := arimaa.NewPosition(arimaa.Board{}, arimaa.Silver)
	g := &Game{Start: start, Turns: []Scored{{0, 0}, {0, NoScore}, {0, engine.Scale}}, Winner: arimaa.Gold}
	last := 0.7 + 0.3*(1-1/(1+math.Exp(-1)))
	want := []float64{0.7*last + 0.3*0.5, last, last}
	for i, got := range g.targets() {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("target %d is %f, not %f", i, got, want[i])
		}
	}
}

// TestGradient compares the gradient with differences of the loss.
func TestGradient(t *testing.T) {
	s := NewSamples()
	for _, g := range played(t, 2) {
		require.NoError(t, s.Add(g))
	}
	random := rand.New(rand.NewPCG(1, 1))
	n := new(parameters)
	n.start(random)
	for k := range n.out {
		for j := range n.out[k] {
			n.out[k][j] = random.Float32() - 0.5
		}
	}
	w := newWorker(false)
	for i := 0; i < len(s.train); i += 20 {
		x := &s.train[i]
		g := new(parameters)
		w.backward(n, x, derivative(w, n, x), g)
		list, gradient := n.list(), g.list()
		checked := 0
		for a := range list {
			for b := range list[a] {
				if gradient[a][b] == 0 || random.IntN(20) > 0 {
					continue
				}
				const h = 1.0 / 512
				was := list[a][b]
				list[a][b] = was + h
				up := w.forward(n, x)
				list[a][b] = was - h
				down := w.forward(n, x)
				list[a][b] = was
				// The derivative of the loss is that of the log-odds times d.
				want := float64(up-down) / (2 * h) * float64(derivative(w, n, x))
				if got := float64(gradient[a][b]); math.Abs(got-want) > 0.01*math.Abs(want)+2e-3 {
					t.Errorf("position %d, parameter %d %d: %g, by differences %g", i, a, b, got, want)
				}
				checked++
			}
		}
		if checked < 20 {
			t.Errorf("position %d: %d derivatives", i, checked)
		}
	}
}

// derivative returns the derivative of the loss of a position by its log-odds, and leaves the
// hidden layer as backward needs it.
func derivative(w *worker, n *parameters, x *sample) float32 {
	return float32(logistic(float64(w.forward(n, x)))) - x.target
}

// TestLearns learns from games of few nodes, and checks on games that it has not seen that the
// network learned more than the weights of the features can.
func TestLearns(t *testing.T) {
	s := NewSamples()
	for _, g := range played(t, boards.Sized(200, 2_000)) {
		require.NoError(t, s.Add(g))
	}
	train, held := s.Len()
	t.Logf("%d positions to learn from, %d held out", train, held)
	var first, network, linear float64
	report := func(to *float64) func(Epoch) {
		return func(e Epoch) {
			t.Logf("%+v", e)
			if *to = e.Held; e.Number == 0 {
				first = e.Held
			}
		}
	}
	p, err := Train(t.Context(), s, Settings{Seed: 1, Epochs: 3, Threads: 2}, report(&network))
	require.NoError(t, err)
	_, err = Train(t.Context(), s, Settings{Seed: 1, Epochs: 3, Threads: 2, Linear: true}, report(&linear))
	require.NoError(t, err)
	noise := 0.0 // what no prediction can be better than: the entropy of the targets
	for i := range s.held {
		target := max(1e-9, min(1-1e-9, float64(s.held[i].target)))
		noise -= target*math.Log(target) + (1-target)*math.Log(1-target)
	}
	noise /= float64(held)
	t.Logf("above the entropy of the targets, %.4f: at first %.4f, features %.4f, network %.4f", noise, first-noise, linear-noise, network-noise)
	if first-network < 1.5*(first-linear) {
		t.Errorf("the loss falls from %f to %f by the network, to %f by the features alone", first, network, linear)
	}
	var file bytes.Buffer
	require.NoError(t, p.Write(&file))
	n, err := evaluation.ParseNetwork(file.Bytes())
	require.NoError(t, err)
	hand, with := s.Measure(evaluation.New(nil, nil)), s.Measure(evaluation.New(nil, n))
	t.Logf("%+v\n%+v", hand[Phases], with[Phases])
}
