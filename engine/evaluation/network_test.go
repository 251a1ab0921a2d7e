package evaluation

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// randomNetwork returns the parameters of a network without sense, whose neurons are all in use.
func randomNetwork() *Parameters {
	random := rand.New(rand.NewPCG(1, 2))
	n := &Parameters{Features: Default}
	fill := func(list []float32, most float32) {
		for i := range list {
			list[i] = (2*random.Float32() - 1) * most
		}
	}
	for i := range n.In {
		fill(n.In[i][:], 0.3)
	}
	fill(n.Bias[:], 1)
	for i := range n.Out {
		fill(n.Out[i][:], 500)
	}
	return n
}

// written returns the network that the file of the parameters holds.
func written(t testing.TB, p *Parameters) *Network {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, p.Write(&file))
	n, err := ParseNetwork(file.Bytes())
	require.NoError(t, err)
	return n
}

// slow computes with floating-point numbers, one after the other, what Evaluator.network computes.
func (p *Parameters) slow(b *arimaa.Board, toMove arimaa.Side) float64 {
	own, foe := New(&Default, nil).Active(b, toMove, nil, nil)
	k := Bucket(b)
	sum := 0.0
	for i, list := range [2][]uint16{own, foe} {
		for j := range Hidden {
			v := math.Round(float64(p.Bias[j]) * One)
			for _, input := range list {
				v += math.Round(float64(p.In[input][j]) * One)
			}
			v = max(0, min(1, v/One))
			sum += v * v * float64(p.Out[k][j]) * float64(1-2*i)
		}
	}
	return sum
}

// TestNetwork compares the network on random positions, one after the other, with plain arithmetic
// and with a new evaluator, and checks the symmetries.
func TestNetwork(t *testing.T) {
	parameters := randomNetwork()
	n := written(t, parameters)
	if n.Weights() != Default {
		t.Errorf("the weights of the features are %v", n.Weights())
	}
	e := New(&Weights{}, n)
	boards.Check(t, 1500, 100000, func(t *rapid.T) {
		text := boards.Position().Draw(t, "position")
		p := boards.Parse(t, text)
		score := e.Score(&p.Board, p.Side())
		if slow := parameters.slow(&p.Board, p.Side()); math.Abs(slow-float64(score)) > 6 {
			t.Errorf("the score is %d, by plain arithmetic %.2f", score, slow)
		}
		if fresh := New(&Weights{}, n).Score(&p.Board, p.Side()); fresh != score {
			t.Errorf("a new evaluator gives %d, not %d", fresh, score)
		}
		mirrored := boards.Parse(t, boards.Mirror(text))
		if got := e.Score(&mirrored.Board, p.Side()); got != score {
			t.Errorf("the mirror image scores %d, not %d", got, score)
		}
		swapped := p.Board.Swapped()
		if got := e.Score(&swapped, p.Side().Other()); got != score {
			t.Errorf("turned over it scores %d, not %d", got, score)
		}
	})
}

// TestExplainNetwork checks that the terms and the correction add up to the score, and that the
// worth of a piece is the change without it.
func TestExplainNetwork(t *testing.T) {
	e := New(nil, Learned())
	for i, p := range gamePositions(t) {
		if i%97 > 0 {
			continue
		}
		score := e.Score(&p.Board, p.Side())
		gold := score
		if p.Side() == arimaa.Silver {
			gold = -score
		}
		sum := float64(e.Correction(&p.Board))
		for _, term := range e.Explain(&p.Board, p.Side()) {
			sum += term.Points
		}
		if math.Abs(max(-Limit, min(Limit, sum))-float64(gold)) > 0.5+1e-6 {
			t.Errorf("%v: the terms add up to %f, the score is %d", p, sum, gold)
		}
		worths := e.Worths(&p.Board, p.Side())
		if len(worths) != p.Occupied().Len() {
			t.Errorf("%v: %d pieces", p, len(worths))
		}
		for _, w := range worths {
			without := p.Board
			without.Put(w.Square, arimaa.Empty)
			fall := gold - New(nil, Learned()).forGold(&without, p.Side())
			if piece := p.At(w.Square); piece.Side() == arimaa.Silver {
				fall = -fall
			}
			if fall != w.Points {
				t.Errorf("%v: %v is worth %d, and the score falls by %d", p, w.Square, w.Points, fall)
			}
		}
	}
}

// forGold returns the score for Gold.
func (e *Evaluator) forGold(b *arimaa.Board, toMove arimaa.Side) int {
	if toMove == arimaa.Gold {
		return e.Score(b, toMove)
	}
	return -e.Score(b, toMove)
}

// TestParseNetwork checks what is no network.
func TestParseNetwork(t *testing.T) {
	if n := written(t, randomNetwork()); *written(t, n.Parameters()) != *n {
		t.Error("the parameters of a network make another one")
	}
	var file bytes.Buffer
	p := randomNetwork()
	require.NoError(t, p.Write(&file))
	if _, err := ParseNetwork(append(file.Bytes(), 0)); err == nil {
		t.Error("a byte too many is accepted")
	}
	p.In[5][7] = MostIn + 0.01
	file.Reset()
	require.NoError(t, p.Write(&file))
	if _, err := ParseNetwork(file.Bytes()); err == nil {
		t.Error("a weight is out of range, and accepted")
	}
	p.Out[0][0] = 1e6
	if err := p.Write(&file); err == nil {
		t.Error("a weight does not fit, and is written")
	}
}

// BenchmarkNetwork scores the positions of published games in their order by the network alone.
func BenchmarkNetwork(b *testing.B) {
	list := gamePositions(b)
	n := written(b, randomNetwork())
	e := New(&Weights{}, n)
	i := 0
	for b.Loop() {
		e.Score(&list[i].Board, list[i].Side())
		if i++; i == len(list) {
			i = 0
		}
	}
}
