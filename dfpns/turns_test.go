package dfpns

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/require"
)

// TestTurns asks about ranges of first turns, without a limit: those that are said to be refuted are
// not among the solutions, the one that wins is, and without one all are decided.
func TestTurns(t *testing.T) {
	tables, classes := endings.Open(t)
	for _, threads := range []int{1, 2} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			random := rand.New(rand.NewPCG(11, uint64(threads)))
			tally := map[string]int{}
			for range boards.Sized(300, 6000) {
				p, v := endings.Draw(t, tables, classes[random.IntN(len(classes))], random)
				n, wins := v.Win()
				if p.CheckStart() != nil || !wins || n < 2 || n > 4 {
					continue
				}
				keeps := map[arimaa.Position]bool{}
				for _, solution := range list(t, newSolver(32<<20, threads), p, n) {
					keeps[solution.After] = true
				}
				g := &arimaa.Generator{}
				turns := g.Generate(&p)
				from := random.IntN(turns)
				to := from + random.IntN(turns-from+1)
				r, err := newSolver(32<<20, threads).Turns(context.Background(), Question{Position: p, N: n}, from, to)
				require.NoError(t, err)
				checkRange(t, g, &p, keeps, &r, from, to, tally)
				if r.Win < 0 && (r.To != to || len(r.Open) > 0) {
					t.Fatalf("%v: %+v of the turns %d to %d are not all decided", p, r, from, to)
				}
			}
			boards.ExpectAll(t, tally, "win", "refuted")
		})
	}
}

// checkRange checks what is said of turns against those that keep the win.
func checkRange(t *testing.T, g *arimaa.Generator, p *arimaa.Position, keeps map[arimaa.Position]bool, r *Turns, from, to int, tally map[string]int) {
	t.Helper()
	if r.To < from || r.To > to {
		t.Fatalf("%v: the turns up to %d, of %d to %d", p, r.To, from, to)
	}
	open := map[int]bool{}
	for i, o := range r.Open {
		if o.Number < from || o.Number >= r.To || i > 0 && o.Number <= r.Open[i-1].Number {
			t.Fatalf("%v: the open turns %+v of %d to %d", p, r.Open, from, to)
		}
		open[o.Number] = true
	}
	for i := from; i < r.To; i++ {
		switch keep := keeps[g.Position(i, p.Side())]; {
		case i == r.Win:
			if !keep || r.Turn != g.Turn(i) {
				t.Fatalf("%v: %v does not keep the win", p, r.Turn)
			}
			tally["win"]++
		case open[i]:
		case keep:
			t.Fatalf("%v: %v is refuted, and keeps the win", p, g.Turn(i))
		default:
			tally["refuted"]++
		}
	}
}
