package joblevel

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/dfpns"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
	"goalproof/tables"
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

// TestKillers checks that the replies of an answer come with the next question, those of an answer
// about fewer turns in the place of their own, that a saved graph is without them, and that what is
// none is refused.
func TestKillers(t *testing.T) {
	reply := func(text string) uint64 {
		s := arimaa.NewState(boards.Parse(t, "s [                                                    r re        ]"))
		turn, err := notation.PlaySteps(&s, text)
		require.NoError(t, err)
		return numberOf(turn)
	}
	a, b, c := reply("re2s"), reply("rg2s eh2n"), reply("re2e")
	g := New(boards.Parse(t, long[0].position), 5)
	next := func() Question {
		q, ok := g.Next()
		if !ok {
			t.Fatal("nothing is asked")
		}
		return q
	}
	part := func(q *Question, k Killers) (a Answer) {
		if a = (Answer{Nodes: 1, Killers: k}); !q.Whole() {
			a.To = q.From + 1
		}
		return a
	}
	q := next()
	if len(q.Killers) > 0 {
		t.Errorf("nobody has answered, and known are %v", q.Killers)
	}
	first := part(&q, Killers{{a}, {b, c}, nil})
	require.NoError(t, first.Check(&q))
	g.Take(q, first)
	if q = next(); !slices.EqualFunc(q.Killers, Killers{{a}, {b, c}, nil}, slices.Equal) {
		t.Errorf("asked with %v", q.Killers)
	}
	g.Take(q, part(&q, Killers{{c}}))
	if q = next(); !slices.EqualFunc(q.Killers, Killers{{c}, {b, c}, nil}, slices.Equal) {
		t.Errorf("asked with %v", q.Killers)
	}
	for _, x := range g.all() {
		if len(x.q.Killers)+len(x.a.Killers) > 0 {
			t.Errorf("%+v is kept with them", x)
		}
	}
	step := func(piece arimaa.Piece, from arimaa.Square, d arimaa.Direction) uint64 {
		return uint64(arimaa.NewStep(piece, from, d))
	}
	for _, bad := range []uint64{0, a << 16, a | 1<<60, a | 1<<12, step(arimaa.Empty, 20, arimaa.North), step(7, 20, arimaa.North), step(1, 0, arimaa.South), step(1, 63, arimaa.East)} {
		if x := part(&q, Killers{{a, bad}}); x.Check(&q) == nil {
			t.Errorf("%x is taken for a reply", bad)
		}
	}
	if x := part(&q, Killers{slices.Repeat([]uint64{a}, dfpns.MostKillers+1)}); x.Check(&q) == nil {
		t.Error("any number of replies is taken")
	}
	if x := part(&q, make(Killers, dfpns.MaxTurns)); x.Check(&q) == nil {
		t.Error("replies before any number of turns are taken")
	}
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
	require.NoError(t, err)
	found, err := Ask(t.Context(), s, 1, 1<<14, &q)
	require.NoError(t, err)
	require.NoError(t, found.Check(&q))
	if len(found.Killers) != len(q.Killers) || len(found.Killers[0]) == 0 || !slices.Contains(found.Killers[1], b) {
		t.Errorf("asked with %v, it answers with %v", q.Killers, found.Killers)
	}
}

// TestManyOut goes on below the only reply there is, however many questions about it are out.
func TestManyOut(t *testing.T) {
	for _, dn := range []uint64{1, 1 << 20, tables.Infinity - 1} {
		for _, flight := range []int{0, 1, 1 << 16} {
			reply := or{numbers: numbers{pn: 1, dn: dn, asks: true, flight: flight}}
			g := &Graph{ors: []or{{}, reply}, ands: []and{{replies: []uint32{1}, tried: 1, index: []int32{1}}}}
			if _, next, ok := g.nextReply(0); ok || next != (node{i: 1}) {
				t.Errorf("disproof number %d, %d questions out: the search goes on at %+v", dn, flight, next)
			}
		}
	}
}

// TestHardForEver has every answer about a win in two say that all took long: that is no reason to ask
// about wins in one, which a detector decides.
func TestHardForEver(t *testing.T) {
	p := boards.Parse(t, "s [           R  r  e                               R   R          ]")
	g := New(p, 2)
	for asked := 0; g.Verdict() == answer.Unknown; asked++ {
		q, ok := g.Next()
		if !ok || asked == 100_000 {
			t.Fatalf("after %d questions there is no end", asked)
		}
		if q.N != 2 {
			t.Fatalf("question %d is about a win in %d", asked, q.N)
		}
		g.Take(q, q.Unanswered())
	}
	if g.Verdict() != answer.Disproved || g.Err() != nil {
		t.Errorf("the verdict is %v, %v", g.Verdict(), g.Err())
	}
}

// TestProvedAndRefuted has a first turn be refuted as a whole, after whose replies the attacker wins.
func TestProvedAndRefuted(t *testing.T) {
	g := New(boards.Parse(t, "s [           R  r  e                               R   R          ]"), 3)
	g.settle(0, 1, hard)
	g.ands[g.andOf(0, 1)].verdict = answer.Proved
	g.settle(0, 2, refuted)
	require.NoError(t, g.Err())
	if g.settle(0, 1, refuted); !errors.Is(g.Err(), ErrContradiction) {
		t.Errorf("the error is %v", g.Err())
	}
}
