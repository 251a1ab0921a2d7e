package joblevel

import (
	"context"
	"math/rand/v2"
	"testing"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
)

// decide has some solvers answer the questions of a graph, in random order, until it is solved. It
// returns the questions with their answers.
func decide(t testing.TB, g *Graph, random *rand.Rand, workers int, nodes uint64) (all []answered) {
	t.Helper()
	var solvers []*solve.Solver
	for range workers {
		s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
		require.NoError(t, err)
		solvers = append(solvers, s)
	}
	var waiting []Question
	for g.Verdict() == answer.Unknown {
		for len(waiting) < 2*workers {
			q, ok := g.Next()
			if !ok {
				break
			}
			waiting = append(waiting, q)
		}
		if len(waiting) == 0 {
			t.Fatalf("nothing is asked, and nothing is known of %v", g.position)
		}
		i := random.IntN(len(waiting))
		q := waiting[i]
		waiting = append(waiting[:i], waiting[i+1:]...)
		a, err := Ask(context.Background(), solvers[random.IntN(workers)], 1, nodes, &q)
		require.NoError(t, err)
		require.NoError(t, a.Check(&q))
		all = append(all, answered{q, a})
		g.Take(q, a)
		require.NoError(t, g.Err())
	}
	return all
}

// long are positions whose shortest win takes so many turns: endgame tables of five pieces say the
// same.
var long = []struct {
	position string
	least    int
}{
	{"s [           R  r  e                               R   R          ]", 5},
	{"s [         R               r         e     R                 R    ]", 7},
	{"g [                E                      r              R  R  R   ]", 5},
	{"s [            R   r         e                             R    R  ]", 5},
}

// TestLong decides wins in many turns and in one less, with so few nodes for a question that the
// graph grows deep.
func TestLong(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	tally := map[string]int{}
	for _, x := range long[:boards.Sized(1, len(long))] {
		p := boards.Parse(t, x.position)
		for n := x.least - 1; n <= x.least; n++ {
			want := answer.Disproved
			if n == x.least {
				want = answer.Proved
			}
			g := New(p, n)
			all := decide(t, g, random, 3, 1)
			if g.Verdict() != want {
				t.Fatalf("%v: a win in %d is %v", p, n, g.Verdict())
			}
			t.Logf("%v, %d: %d questions, %d positions, %d turns that took long", p, n, len(all), len(g.ors), len(g.ands))
			tally[want.String()]++
			if len(g.ands) > 0 {
				tally["hard turns"]++
			}
			if len(g.ors) > 1 {
				tally["replies"]++
			}
			// The same answers in another order say the same.
			again := New(p, n)
			random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for _, x := range all {
				again.Take(x.q, x.a)
			}
			if q, ok := again.Next(); ok {
				t.Errorf("%v: %+v is asked again", p, q)
			}
			if again.Verdict() != want || again.Err() != nil {
				t.Fatalf("%v: a win in %d is %v when it is asked again, %v", p, n, again.Verdict(), again.Err())
			}
		}
	}
	boards.ExpectAll(t, tally, "proved", "disproved", "hard turns", "replies")
}
