package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/cluster"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/joblevel"
	"goalproof/solve"
	"goalproof/tables"
)

// TestDecide has positions decided by answers that come in any order and are taken back now and then,
// with so few nodes for each that many are needed. The facts that are kept are true.
func TestDecide(t *testing.T) {
	nodes, memory := decidingNodes, decidingMemory
	decidingNodes, decidingMemory = 1<<13, 64<<20
	defer func() { decidingNodes, decidingMemory = nodes, memory }()
	for _, x := range []struct {
		position string
		least    int
	}{
		{"s [           R  r  e                               R   R          ]", 5},
		{"g [                E                      r              R  R  R   ]", 5},
		{"s [         R               r         e     R                 R    ]", 7},
	}[:boards.Sized(1, 3)] {
		stats := AnswerHere(t, nil)
		failed := 0
		stats.Fail = func() error {
			if failed == mostFailed || rand.IntN(8) > 0 {
				return nil
			}
			failed++
			return errors.New("processes died")
		}
		p := boards.Parse(t, x.position)
		found := NewFound()
		decided := map[int]answer.Verdict{}
		d := Decide{
			Position: p, Solving: solve.Options{Store: found},
			Wanted: func(n int, v answer.Verdict) int {
				decided[n] = v
				if v == answer.Proved {
					return 0
				}
				return n + 1
			},
			Progress: func(*joblevel.Graph) {},
		}
		require.NoError(t, d.Run(context.Background(), &Flags{}, 3))
		for n := 3; n <= x.least; n++ {
			want := answer.Disproved
			if n == x.least {
				want = answer.Proved
			}
			if decided[n] != want {
				t.Errorf("%s: a win in %d is %v", x.position, n, decided[n])
			}
		}
		for _, err := range stats.Errors {
			t.Error(err)
		}
		if failed == 0 {
			t.Errorf("%s: no question fails", x.position)
		}
		t.Logf("%s: %d answers, %d unproved, %d facts", x.position, stats.Answers, stats.Unproved, len(found.facts))
		f, err := found.Get(p.AppendPacked(nil))
		if err != nil || int(f.ProvedWithin) != x.least || int(f.RefutedUpTo) != x.least-1 {
			t.Errorf("%s: the fact is %v, %v", x.position, f, err)
		}
		s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
		require.NoError(t, err)
		checked := 0
		for key, f := range found.facts {
			c, err := s.Verify(context.Background(), solve.Stored{Key: []byte(key), Fact: f}, 0)
			if err != nil || c.Wrong != "" {
				t.Errorf("the fact %v of %x: %v, %v", f, key, c, err)
			}
			if checked++; checked == boards.Sized(50, 1000) {
				break
			}
		}
	}
}

// TestDecideFails has all questions fail: at last the command says so, and what to do.
func TestDecideFails(t *testing.T) {
	stats := AnswerHere(t, nil)
	died := errors.New("processes died")
	stats.Fail = func() error { return died }
	d := Decide{
		Position: boards.Parse(t, "s [           R  r  e                               R   R          ]"), Solving: solve.Options{Store: NewFound()},
		Wanted: func(int, answer.Verdict) int { return 0 }, Progress: func(*joblevel.Graph) {},
	}
	if err := d.Run(context.Background(), &Flags{}, 3); !errors.Is(err, died) || !strings.Contains(err.Error(), "--run") {
		t.Errorf("the error is %v", err)
	}
	if stats.Answers < 2 {
		t.Errorf("%d questions are asked", stats.Answers)
	}
}

// TestDecideFalseWins has all answers claim beside the truth, in their facts, that the position is won
// sooner: nothing of that is kept, since it has no certificate. What is proved is kept, with the turns.
func TestDecideFalseWins(t *testing.T) {
	p := boards.Parse(t, "s [           R  r  e                               R   R          ]")
	const least = 5
	var g arimaa.Generator
	g.Generate(&p)
	AnswerHere(t, func(_, answer []byte) []byte {
		var d decided
		require.NoError(t, unpack(answer, &d))
		d.Facts = Facts{Facts: []Fact{{p.AppendPacked(nil), tables.Fact{ProvedWithin: 2, RefutedUpTo: 1, Turn: g.Turn(0).Code()}}}}
		lie, err := pack(&d)
		require.NoError(t, err)
		return lie
	})
	found := NewFound()
	d := Decide{
		Position: p, Solving: solve.Options{Store: found},
		Wanted: func(n int, v answer.Verdict) int {
			if v == answer.Proved {
				return 0
			}
			return n + 1
		},
		Progress: func(*joblevel.Graph) {},
	}
	require.NoError(t, d.Run(context.Background(), &Flags{}, 3))
	f, err := found.Get(p.AppendPacked(nil))
	require.NoError(t, err)
	if f.ProvedWithin != least || f.RefutedUpTo != least-1 {
		t.Errorf("of the position is known: %v", f)
	}
	wins := 0
	for _, f := range found.facts {
		if f.ProvedWithin < tables.Unproved && f.Turn != 0 {
			wins++
		}
	}
	if wins < 3 {
		t.Errorf("of the win %d positions are known", wins)
	}
}

// inOrder is a store that knows which positions it was told of, in order.
type inOrder struct {
	*Found
	keys []string
}

func (s *inOrder) Put(key []byte, f tables.Fact) error {
	s.keys = append(s.keys, string(key))
	return s.Found.Put(key, f)
}

// TestDecideKeepsFirst has the position itself be the first that the store is told of: it may be full
// after so many facts of the answers.
func TestDecideKeepsFirst(t *testing.T) {
	AnswerHere(t, nil)
	store := &inOrder{Found: NewFound()}
	p := boards.Parse(t, "s [           R  r  e                               R   R          ]")
	d := Decide{
		Position: p, Solving: solve.Options{Store: store},
		Wanted: func(int, answer.Verdict) int { return 0 }, Progress: func(*joblevel.Graph) {},
	}
	require.NoError(t, d.Run(t.Context(), &Flags{}, 3))
	if len(store.keys) < 2 || store.keys[0] != string(p.AppendPacked(nil)) {
		t.Errorf("of %d facts the first is about %x", len(store.keys), store.keys[0])
	}
}

// TestDecideStore looks into the store while a position is decided: what workers find is there only
// at the end, since it is dropped if a worker proves to lie.
func TestDecideStore(t *testing.T) {
	nodes, memory := decidingNodes, decidingMemory
	decidingNodes, decidingMemory = 1<<13, 64<<20
	defer func() { decidingNodes, decidingMemory = nodes, memory }()
	AnswerHere(t, nil)
	found, answers := NewFound(), 0
	d := Decide{
		Position: boards.Parse(t, "s [           R  r  e                               R   R          ]"), Solving: solve.Options{Store: found},
		Wanted: func(n int, _ answer.Verdict) int { return 0 },
		Progress: func(*joblevel.Graph) {
			if answers++; len(found.facts) > 0 {
				t.Fatalf("%d facts are in the store after %d answers", len(found.facts), answers)
			}
		},
	}
	require.NoError(t, d.Run(t.Context(), &Flags{}, 4))
	if answers < 2 || len(found.facts) < 2 {
		t.Errorf("%d answers, and %d facts at the end", answers, len(found.facts))
	}
}

// TestDecideInterrupted stops a run: what was found until then is beside the store, and not in it, since a
// worker may still prove to have lied.
func TestDecideInterrupted(t *testing.T) {
	nodes, memory := decidingNodes, decidingMemory
	decidingNodes, decidingMemory = 1<<13, 64<<20
	defer func() { decidingNodes, decidingMemory = nodes, memory }()
	AnswerHere(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	store, beside := NewFound(), NewFound()
	d := Decide{
		Position: boards.Parse(t, "s [           R  r  e                               R   R          ]"), Solving: solve.Options{Store: store}, Unsure: beside,
		Wanted: func(n int, _ answer.Verdict) int { return n + 1 },
		Progress: func(g *joblevel.Graph) {
			if g.Turns() == 4 {
				cancel()
			}
		},
	}
	require.NoError(t, d.Run(ctx, &Flags{}, 3))
	f, err := beside.Get(d.Position.AppendPacked(nil))
	require.NoError(t, err)
	if len(store.facts) > 0 || f.RefutedUpTo < 3 {
		t.Errorf("%d facts are in the store, and beside it %v of the position", len(store.facts), f)
	}
}

// closed counts how often it is closed.
type closed int

func (c *closed) Close() error { *c++; return nil }

// TestDecideLate stops a run just when it is open: it is closed.
func TestDecideLate(t *testing.T) {
	before := open
	defer func() { open = before }()
	ctx, cancel := context.WithCancel(t.Context())
	var c closed
	open = func(context.Context, *Flags, cluster.Kind, func(cluster.Offerer) ([]byte, error)) (cluster.Asker, io.Closer, error) {
		cancel()
		return told{t: t}, &c, nil
	}
	d := Decide{
		Position: boards.Parse(t, "s [           R  r  e                               R   R          ]"), Unsure: NewFound(),
		Wanted: func(int, answer.Verdict) int { return 0 }, Progress: func(*joblevel.Graph) {},
	}
	require.NoError(t, d.Run(ctx, &Flags{}, 3))
	if c != 1 {
		t.Errorf("the run is closed %d times", c)
	}
}

// told is a run whose answers are all there, those about positions at the start first.
type told struct {
	t       *testing.T
	answers []cluster.Answer
}

func (x told) Ask(context.Context, iter.Seq[[]byte], func(question, answer []byte) error) iter.Seq[cluster.Answer] {
	return nil
}

// Talk gives all answers, and then has each question that is asked answered by none.
func (x told) Talk(ctx context.Context, questions func(context.Context) iter.Seq[[]byte], _ func(question, answer []byte) error) iter.Seq[cluster.Answer] {
	return func(yield func(cluster.Answer) bool) {
		for _, a := range x.answers {
			if !yield(a) {
				return
			}
		}
		for q := range questions(ctx) {
			x.t.Errorf("asked is %s", q)
		}
	}
}

// TestDecideTold has all answers there before anything is asked, in an order in which only the
// search for the next question sees that they are enough: then the questions end.
func TestDecideTold(t *testing.T) {
	const n = 4
	p := boards.Parse(t, "s [           R  r  e                               R   R          ]")
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
	require.NoError(t, err)
	var all []cluster.Answer
	g := joblevel.New(p, n)
	for g.Verdict() == answer.Unknown {
		q, ok := g.Next()
		if !ok {
			break
		}
		a, err := joblevel.Ask(t.Context(), s, 1, 1, &q)
		require.NoError(t, err)
		g.Take(q, a)
		question, err := json.Marshal(q)
		require.NoError(t, err)
		data, err := pack(&decided{Answer: a})
		require.NoError(t, err)
		all = append(all, cluster.Answer{Question: question, Bytes: data})
	}
	first := joblevel.New(p, n)
	slices.SortStableFunc(all, func(a, b cluster.Answer) int { return turnsLeft(t, b) - turnsLeft(t, a) })
	for _, a := range all {
		var q joblevel.Question
		var d decided
		require.NoError(t, read(a.Question, &q))
		require.NoError(t, unpack(a.Bytes, &d))
		first.Take(q, d.Answer)
	}
	if first.Verdict() != answer.Unknown {
		t.Fatal("the answers alone decide it")
	}
	before := open
	open = func(context.Context, *Flags, cluster.Kind, func(cluster.Offerer) ([]byte, error)) (cluster.Asker, io.Closer, error) {
		return told{t, all}, io.NopCloser(nil), nil
	}
	defer func() { open = before }()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var verdict answer.Verdict
	d := Decide{
		Position: p, Solving: solve.Options{Store: NewFound()},
		Wanted:   func(_ int, v answer.Verdict) int { verdict = v; return 0 },
		Progress: func(*joblevel.Graph) {},
	}
	require.NoError(t, d.Run(ctx, &Flags{}, n))
	if verdict != answer.Disproved {
		t.Errorf("a win in %d is %v", n, verdict)
	}
}

// turnsLeft returns how many turns the attacker has left in the question of an answer.
func turnsLeft(t *testing.T, a cluster.Answer) int {
	var q joblevel.Question
	require.NoError(t, read(a.Question, &q))
	return q.N
}
