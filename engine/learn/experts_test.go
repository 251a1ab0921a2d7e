package learn

import (
	"math"
	"testing"

	"goalproof/arimaa"
	"goalproof/engine/ordering"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/zobrist"
)

// TestExpertTurns ranks the turns that players chose in published games among all turns, by the
// product of the probabilities of their options, and reports how often they are among the first,
// like tables 2.1 and 2.2 of Wu 2011. None of these games was learned from.
func TestExpertTurns(t *testing.T) {
	every := boards.Sized(2_000, 20)
	first, percent := []int{1, 2, 5, 10, 50, 100, 500, 1000}, []float64{0.5, 1, 5, 10, 20, 40, 60, 80}
	var amongFirst, amongPercent [8]int
	n, turns, number := 0, 0, 0
	for _, g := range games.All(t) {
		for i := 1; i < g.Len(); i++ {
			if number++; number%every != 0 {
				continue
			}
			p, before := g.Position(i), g.Position(i-1)
			r := ranking{start: &p.Board, before: &before.Board, best: map[zobrist.Key]float64{}}
			r.search(p, 0)
			after := g.Position(i + 1)
			played, ok := r.best[after.Key()]
			if !ok {
				t.Fatalf("%v: %v is not among the turns", p, g.Turn(i))
			}
			rank := 1
			for _, x := range r.best {
				if x > played {
					rank++
				}
			}
			n++
			turns += len(r.best)
			for k := range first {
				if rank <= first[k] {
					amongFirst[k]++
				}
				if float64(rank) <= math.Ceil(percent[k]/100*float64(len(r.best))) {
					amongPercent[k]++
				}
			}
		}
	}
	t.Logf("%d turns of players, of %d on average", n, turns/n)
	for k := range first {
		t.Logf("among the first %4d: %4.1f %%; in the first %4.1f %%: %4.1f %%", first[k], 100*float64(amongFirst[k])/float64(n),
			percent[k], 100*float64(amongPercent[k])/float64(n))
	}
	if 2*amongPercent[3] < n {
		t.Errorf("of %d turns %d are in the first tenth", n, amongPercent[3])
	}
}

// ranking finds for every position after a turn the greatest logarithm of the probability of a turn
// that leads to it.
type ranking struct {
	start, before *arimaa.Board
	best          map[zobrist.Key]float64
}

func (r *ranking) search(p arimaa.Position, sum float64) {
	if p.StepsLeft() == 0 {
		r.end(p, sum)
		return
	}
	var c ordering.Context
	c.Set(&p, r.start, r.before)
	w := ordering.Learned()
	options := p.Options(nil)
	scores := make([]float64, len(options))
	changed := p.Board != *r.start
	total, end := 0.0, 0.0
	if changed {
		end = float64(w.End(&c)) / ordering.One
		total = math.Exp(end)
	}
	for i, o := range options {
		scores[i] = float64(w.Score(&c, o)) / ordering.One
		total += math.Exp(scores[i])
	}
	total = math.Log(total)
	if changed {
		r.end(p, sum+end-total)
	}
	for i, o := range options {
		r.search(p.After(o), sum+scores[i]-total)
	}
}

// end adds the position after a turn that ends at p.
func (r *ranking) end(p arimaa.Position, sum float64) {
	if p.Board == *r.start {
		return
	}
	next := p.EndTurn()
	if old, ok := r.best[next.Key()]; !ok || sum > old {
		r.best[next.Key()] = sum
	}
}
