package pns

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/internal/testkit/boards"
	"goalproof/tables"
)

// notes is a store in memory.
type notes struct {
	facts map[string]tables.Fact
	fail  func(what string) error // asked before each Get ("get") and Put ("put")
	gets  int
}

func newNotes() *notes {
	return &notes{facts: map[string]tables.Fact{}, fail: func(string) error { return nil }}
}

func (s *notes) Get(key []byte) (tables.Fact, error) {
	s.gets++
	if f, ok := s.facts[string(key)]; ok {
		return f, s.fail("get")
	}
	return tables.Nothing, s.fail("get")
}

func (s *notes) Put(key []byte, f tables.Fact) error {
	known, ok := s.facts[string(key)]
	if !ok {
		known = tables.Nothing
	}
	merged := known.Merge(f)
	if !merged.Possible() {
		return &tables.Contradiction{Key: slices.Clone(key), Known: known, New: f}
	}
	s.facts[string(key)] = merged
	return s.fail("put")
}

func (s *notes) Sync() error  { return nil }
func (s *notes) Close() error { return nil }

// keys returns the keys in a fixed order.
func (s *notes) keys() []string { return slices.Sorted(maps.Keys(s.facts)) }

// some returns about half of the facts, chosen by chance, without that about p.
func (s *notes) some(p arimaa.Position, seed uint64) *notes {
	random := rand.New(rand.NewPCG(seed, 1))
	half := newNotes()
	for _, key := range s.keys() {
		if random.IntN(2) == 0 && key != string(p.AppendPacked(nil)) {
			half.facts[key] = s.facts[key]
		}
	}
	return half
}

// other returns a solver of package dfpns, which knows nothing of this search.
func other() *dfpns.Solver { return dfpns.New(dfpns.Options{Facts: 1 << 20, Numbers: 1 << 20}) }

// checkFact checks a fact with the other search: the verdicts, and that the turn keeps the win.
func checkFact(t rapid.TB, s *dfpns.Solver, key string, f tables.Fact) {
	t.Helper()
	p, err := arimaa.UnpackPosition([]byte(key))
	if err != nil || string(p.AppendPacked(nil)) != key {
		t.Fatalf("%v has the key %x: %v", p, key, err)
	}
	if !f.Known() || !f.Possible() {
		t.Fatalf("%v: %v was put", p, f)
	}
	for n, want := range map[uint8]answer.Verdict{f.ProvedWithin: answer.Proved, f.RefutedUpTo: answer.Disproved} {
		if n == 0 || n == tables.Unproved {
			continue
		}
		q := dfpns.Question{Position: p, N: int(n)}
		if got, err := s.Solve(context.Background(), q); err != nil || got.Verdict != want {
			t.Fatalf("%v: %v was put; a win in %d is %v, %v", p, f, n, got.Verdict, err)
		}
		if want == answer.Disproved {
			continue
		}
		turn, _, legal := p.Decode(f.Turn)
		if got, err := s.SolveTurn(context.Background(), q, turn); !legal || err != nil || got.Verdict != answer.Proved {
			t.Fatalf("%v: %v was put with %v, legal: %v; it is %v, %v", p, f, turn, legal, got.Verdict, err)
		}
	}
}

// askWith asks a question with a store.
func askWith(t rapid.TB, s *Solver, store tables.Store, q Question) Result {
	t.Helper()
	s.UseStore(store)
	defer s.UseStore(nil)
	r := ask(s, q)
	if err := s.Err(); err != nil {
		t.Fatalf("%v: %v", q.Position, err)
	}
	return r
}

// checkSame compares an answer that was found with facts with the one without. Facts lead the
// search another way, on which memory that was enough without them may run out: that answer is
// open, not wrong, and it is counted.
func checkSame(t rapid.TB, q Question, facts string, got, want Result, tally map[string]int) {
	t.Helper()
	tally["compared"]++
	switch {
	case got.Verdict == want.Verdict:
	case got.Verdict == answer.Unknown && got.Stop == answer.Memory:
		tally["memory is full"]++
	default:
		t.Fatalf("%v: a win in %d is %v (%v) with %s, and %v without", q.Position, q.N, got.Verdict, got.Stop, facts, want.Verdict)
	}
}

// sameWithStore asks a question without a store, with an empty one, and with all or half of the
// facts that were put there, compares the answers with each other and some facts against the other
// search. An empty store changes nothing at all.
func sameWithStore(t rapid.TB, s *Solver, q Question, facts int, seed uint64, tally map[string]int) (full *notes) {
	t.Helper()
	truth := other()
	same := func(what string, store *notes, want Result) Result {
		got := askWith(t, s, store, q)
		checkSame(t, q, what, got, want, tally)
		if got.Verdict == answer.Proved {
			r, err := truth.SolveTurn(context.Background(), dfpns.Question{Position: q.Position, N: q.N}, got.Turn)
			if err != nil || r.Verdict != answer.Proved {
				t.Fatalf("%v: %v to win in %d with %s: %v, %v", q.Position, got.Turn, q.N, what, r.Verdict, err)
			}
		}
		return got
	}
	bare := ask(s, q)
	if bare.Verdict == answer.Unknown {
		tally["unknown"]++
		return nil
	}
	full = newNotes()
	if got := same("an empty store", full, bare); got != bare {
		t.Fatalf("%v: %+v with an empty store, %+v without", q.Position, got, bare)
	}
	if s.dropped > 0 && len(full.facts) > 0 {
		tally["dropped"]++
	}
	for _, i := range rand.New(rand.NewPCG(seed, 2)).Perm(len(full.facts))[:min(facts, len(full.facts))] {
		key := full.keys()[i]
		checkFact(t, truth, key, full.facts[key])
		tally["facts"]++
	}
	if _, ok := full.facts[string(q.Position.AppendPacked(nil))]; ok {
		if warm := same("a full store", full, bare); warm.Nodes != 1 {
			t.Fatalf("%v: %d nodes, and the root is stored", q.Position, warm.Nodes)
		}
		tally["warm root, "+bare.Verdict.String()]++
	} else if bare.Nodes > 1 && q.N > 1 {
		t.Fatalf("%v: a win in %d took %d nodes, and is not stored", q.Position, q.N, bare.Nodes)
	}
	half := full.some(q.Position, seed)
	before := len(half.facts)
	if got := same("a half-filled store", half, bare); before > 0 && got.Nodes < bare.Nodes {
		tally["warm inside"]++
	}
	for _, key := range half.keys()[:min(facts, len(half.facts))] { // found with the help of facts
		checkFact(t, truth, key, half.facts[key])
	}
	return full
}

// TestStore checks on random positions that a store changes no answer, that what is put there is
// true, and that a question whose answer is there takes no search. A deeper question with the facts
// of the one before it has the answer that it has without.
func TestStore(t *testing.T) {
	tally := map[string]int{}
	s := fresh(t, 2)
	boards.Check(t, 12, 800, func(t *rapid.T) {
		p := boards.Parse(t, rapid.OneOf(small(), jammed(), boards.Few(4)).Draw(t, "position"))
		if p.Board.Ended(p.Side().Other()).Over() {
			return
		}
		err := s.Tune(Parameters{
			Evaluation: Evaluation(rapid.IntRange(0, 1).Draw(t, "evaluation")),
			Widening:   rapid.SampledFrom([]int{0, 3}).Draw(t, "widening"),
		})
		require.NoError(t, err)
		seed := rapid.Uint64().Draw(t, "seed")
		for n := 1; n <= 3; n++ {
			full := sameWithStore(t, s, Question{Position: p, N: n}, 5, seed, tally)
			if full == nil || n == 3 {
				break
			}
			deeper := Question{Position: p, N: n + 1}
			if want := ask(s, deeper); want.Verdict != answer.Unknown {
				checkSame(t, deeper, "the facts of a smaller question", askWith(t, s, full, deeper), want, tally)
			}
		}
	})
	t.Log(tally)
	if tally["memory is full"] > tally["compared"]/20 {
		t.Errorf("of %d answers with facts %d are open", tally["compared"], tally["memory is full"])
	}
	boards.ExpectAll(t, tally, "facts", "warm root, proved", "warm root, disproved")
}

// TestStoreQuestions does the same with fixed questions, by several parameters.
func TestStoreQuestions(t *testing.T) {
	tally := map[string]int{}
	s := fresh(t, 64)
	for i, f := range quick() {
		if f.n == 2 && i != 1 && !boards.Deep {
			continue
		}
		q := Question{Position: boards.Parse(t, f.board), N: f.n}
		for _, v := range variants {
			if v.name != "default" && v.name != "collected" && !boards.Deep {
				continue
			}
			require.NoError(t, s.Tune(v.parameters))
			sameWithStore(t, s, q, 3, uint64(i), tally)
		}
	}
	boards.ExpectAll(t, tally, "facts", "warm root, proved", "warm root, disproved", "warm inside", "dropped")
}

// TestStoreWithGame asks with a game history: what holds for one game only is neither put nor
// asked.
func TestStoreWithGame(t *testing.T) {
	s, store := fresh(t, 16), newNotes()
	f := fixed[0]
	p := boards.Parse(t, f.board)
	q := Question{Position: p, N: f.n, Game: arimaa.NewGame(p, 2)}
	if got := askWith(t, s, store, q); got.Verdict != f.verdict || len(store.facts) > 0 || store.gets > 0 {
		t.Errorf("%+v; %d facts were put, %d were asked for", got, len(store.facts), store.gets)
	}
	// A win by the third repetition alone, while the store says the truth without it.
	p = drawn(t, arimaa.Gold, forcedReturn)
	store.facts[string(p.AppendPacked(nil))] = tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 2}
	q = Question{Position: p, N: 2, Game: arimaa.NewGame(p, 2)}
	if got := askWith(t, s, store, q); got.Verdict != answer.Proved {
		t.Errorf("with a game: %+v", got)
	}
	q.Game = nil
	if got := askWith(t, s, store, q); got.Verdict != answer.Disproved {
		t.Errorf("without: %+v", got)
	}
}

// TestStoreFails lets the store fail at some point: the search ends with that error, and the next
// one is as ever.
func TestStoreFails(t *testing.T) {
	s, f := fresh(t, 64), fixed[10]
	q := Question{Position: boards.Parse(t, f.board), N: f.n}
	broken := errors.New("the disk has gone")
	failed := 0
	for _, what := range []string{"get", "put"} {
		for _, after := range []int{0, 10} {
			store, calls := newNotes(), 0
			store.fail = func(w string) error {
				if w == what {
					if calls++; calls > after {
						return broken
					}
				}
				return nil
			}
			s.UseStore(store)
			ask(s, q)
			s.UseStore(nil)
			if calls <= after { // there are fewer calls
				continue
			}
			if failed++; calls != after+1 || !errors.Is(s.Err(), broken) {
				t.Errorf("%s fails after %d calls: %v after %d", what, after, s.Err(), calls)
			}
			if got := ask(s, q); s.Err() != nil || got.Verdict != f.verdict {
				t.Errorf("without the store: %+v, %v", got, s.Err())
			}
		}
	}
	if failed < 3 {
		t.Errorf("only %d searches failed", failed)
	}
}

// TestStoreContradicted meets facts that cannot be true, or that the search denies: it ends with an
// error, and the fact stays.
func TestStoreContradicted(t *testing.T) {
	win, none := fixed[0], fixed[1]
	three := fixed[10]
	s := fresh(t, 64)
	for _, tt := range []struct {
		name string
		f    question
		fact tables.Fact
	}{
		{"a win in two is denied", none, tables.Fact{ProvedWithin: 2}},
		{"a win in three is made too short", three, tables.Fact{ProvedWithin: 2}},
		{"a win in one", win, tables.Fact{ProvedWithin: 1}},
		{"a fact denies itself", three, tables.Fact{ProvedWithin: 3, RefutedUpTo: 3}},
		{"an illegal turn", win, tables.Fact{ProvedWithin: 2, Turn: 0xffffffff}},
	} {
		store := newNotes()
		p := boards.Parse(t, tt.f.board)
		key := string(p.AppendPacked(nil))
		store.facts[key] = tt.fact
		n := tt.f.n
		if tt.name == "a win in three is made too short" {
			n = 2
		}
		s.UseStore(store)
		got := ask(s, Question{Position: p, N: n})
		err := s.Err()
		s.UseStore(nil)
		var c *tables.Contradiction
		if err == nil || errors.As(err, &c) == (tt.fact.Turn != 0) {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
		if store.facts[key] != tt.fact {
			t.Errorf("%s: %v was stored, now it is %v", tt.name, tt.fact, store.facts[key])
		}
	}
}

// TestStoreContradictsGraph continues with a graph that is solved and a store that denies what it
// says.
func TestStoreContradictsGraph(t *testing.T) {
	none := fixed[1]
	p := boards.Parse(t, none.board)
	s := fresh(t, 64)
	if got := ask(s, Question{Position: p, N: none.n}); got.Verdict != answer.Disproved {
		t.Fatal(got)
	}
	store := newNotes()
	s.UseStore(store)
	if got := s.Continue(t.Context()); got.Verdict != answer.Disproved || s.Err() != nil {
		t.Errorf("%+v, %v", got, s.Err())
	}
	store.facts[string(p.AppendPacked(nil))] = tables.Fact{ProvedWithin: uint8(none.n)}
	got := s.Continue(t.Context())
	if c := (*tables.Contradiction)(nil); !errors.As(s.Err(), &c) {
		t.Errorf("%+v, %v", got, s.Err())
	}
}
