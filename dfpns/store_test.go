package dfpns

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/tables"
)

// notes is a store in memory.
type notes struct {
	mu    sync.Mutex
	facts map[string]tables.Fact
	// know, if not nil, answers for positions that are not in facts.
	know func(key []byte) tables.Fact
	// fail, if not nil, is asked before each Get ("get") and Put ("put").
	fail func(what string) error
	gets int
}

func newNotes() *notes { return &notes{facts: map[string]tables.Fact{}} }

func (s *notes) Get(key []byte) (tables.Fact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gets++
	if s.fail != nil {
		if err := s.fail("get"); err != nil {
			return tables.Nothing, err
		}
	}
	if f, ok := s.facts[string(key)]; ok {
		return f, nil
	}
	if s.know != nil {
		return s.know(key), nil
	}
	return tables.Nothing, nil
}

func (s *notes) Put(key []byte, f tables.Fact) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		if err := s.fail("put"); err != nil {
			return err
		}
	}
	known, ok := s.facts[string(key)]
	if !ok {
		known = tables.Nothing
	}
	merged := known.Merge(f)
	if !merged.Possible() {
		return &tables.Contradiction{Key: slices.Clone(key), Known: known, New: f}
	}
	s.facts[string(key)] = merged
	return nil
}

func (s *notes) Sync() error  { return nil }
func (s *notes) Close() error { return nil }

// keys returns the keys in a fixed order.
func (s *notes) keys() []string { return slices.Sorted(maps.Keys(s.facts)) }

// withStore returns a fresh solver with a store.
func withStore(s tables.Store, threads int) *Solver {
	return New(Options{Facts: 1 << 19, Numbers: 1 << 19, Threads: threads, Store: s})
}

// unpacked reads a key.
func unpacked(t rapid.TB, key string) arimaa.Position {
	t.Helper()
	p, err := arimaa.UnpackPosition([]byte(key))
	if err != nil {
		t.Fatalf("the key %x is no position: %v", key, err)
	}
	return p
}

// checkTurn checks that a turn is legal and keeps a win in n; s has no store.
func checkTurn(t rapid.TB, s *Solver, p arimaa.Position, n int, turn arimaa.Turn) {
	t.Helper()
	if _, ok := p.Try(turn); !ok {
		t.Fatalf("%v: %v is not legal", p, turn)
	}
	r, err := s.SolveTurn(context.Background(), Question{Position: p, N: n}, turn)
	if err != nil || r.Verdict != answer.Proved {
		t.Fatalf("%v: %s to win in %d: %v, %v", p, p.Notation(turn), n, r.Verdict, err)
	}
}

// checkFact checks a fact with a solver that has no store.
func checkFact(t rapid.TB, s *Solver, key string, f tables.Fact) {
	t.Helper()
	p := unpacked(t, key)
	if back := p.AppendPacked(nil); string(back) != key {
		t.Fatalf("%v has the keys %x and %x", p, key, back)
	}
	if !f.Known() || !f.Possible() {
		t.Fatalf("%v: %v was put", p, f)
	}
	if n := int(f.ProvedWithin); n != tables.Unproved {
		if got := ask(t, s, p, n); got.Verdict != answer.Proved {
			t.Fatalf("%v: %v was put; a win in %d is %v", p, f, n, got.Verdict)
		}
		turn, _, ok := p.Decode(f.Turn)
		if !ok {
			t.Fatalf("%v: %v was put with the turn %x, which is none", p, f, f.Turn)
		}
		checkTurn(t, s, p, n, turn)
	}
	if n := int(f.RefutedUpTo); n > 0 {
		if got := ask(t, s, p, n); got.Verdict != answer.Disproved {
			t.Fatalf("%v: %v was put; a win in %d is %v", p, f, n, got.Verdict)
		}
	}
}

// some returns a part of the facts of a store, chosen by chance.
func some(s *notes, seed uint64) *notes {
	random := rand.New(rand.NewPCG(seed, 1))
	half := newNotes()
	for _, key := range s.keys() {
		if random.IntN(2) == 0 {
			half.facts[key] = s.facts[key]
		}
	}
	return half
}

// soon asks a question for which there is little time: the verdict may be unknown.
func soon(t rapid.TB, s *Solver, p arimaa.Position, n int) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second/5)
	defer cancel()
	r, err := s.Solve(ctx, Question{Position: p, N: n})
	if err != nil {
		t.Fatalf("%v: a win in %d: %v", p, n, err)
	}
	return r
}

// oracle returns a store that knows a part of the truth about every position: either number or
// none, the win in more turns than it takes, with a turn or without. What it knows follows from the
// seed and the position. The facts that searches of small boards put are few; with this store they
// meet facts everywhere.
func oracle(t rapid.TB, s *Solver, deepest int, seed uint64) *notes {
	known := map[string]tables.Fact{}
	o := newNotes()
	o.know = func(key []byte) tables.Fact {
		if f, ok := known[string(key)]; ok {
			return f
		}
		if len(known) == 100 { // each takes some time
			return tables.Nothing
		}
		h := seed
		for _, b := range key {
			h = (h ^ uint64(b)) * 0x100000001b3
		}
		random := rand.New(rand.NewPCG(h, seed))
		f := tables.Nothing
		p := unpacked(t, string(key))
		for n := 2; n <= deepest && random.IntN(3) > 0; n++ {
			r := soon(t, s, p, n)
			if r.Verdict == answer.Unknown {
				break
			}
			if r.Verdict == answer.Disproved {
				f.RefutedUpTo = uint8(n)
				continue
			}
			f.ProvedWithin = uint8(n + random.IntN(2))
			if random.IntN(3) > 0 {
				f.Turn = r.Turn.Code()
			}
			if random.IntN(2) == 0 {
				f.RefutedUpTo = 0
			}
			break
		}
		known[string(key)] = f
		return f
	}
	return o
}

// sameWithStore asks about a win in n without a store, with an empty one, a full one and others,
// and compares the answers with each other and every fact against a solver without a store. It
// returns the facts that were put, or nil where the search takes long.
func sameWithStore(t rapid.TB, p arimaa.Position, n, threads int, seed uint64, tally map[string]int) *notes {
	t.Helper()
	bare := newSolver(1<<20, 1)
	want := soon(t, bare, p, n)
	if want.Verdict == answer.Unknown {
		tally["too long"]++
		return nil
	}
	answers := func(what string, s tables.Store) Result {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // more than enough
		defer cancel()
		got, err := withStore(s, threads).Solve(ctx, Question{Position: p, N: n})
		if err != nil {
			t.Fatalf("%v: a win in %d %s: %v", p, n, what, err)
		}
		if got.Verdict != want.Verdict {
			t.Fatalf("%v: a win in %d is %v %s, and %v without a store", p, n, got.Verdict, what, want.Verdict)
		}
		if got.Verdict == answer.Proved {
			checkTurn(t, bare, p, n, got.Turn)
		}
		return got
	}
	full := newNotes()
	if cold := answers("with an empty store", full); cold.Nodes < tables.WorthStoring {
		if tally["little work"]++; len(full.facts) > 1 {
			t.Fatalf("%v: a win in %d took %d nodes, and left %d facts", p, n, cold.Nodes, len(full.facts))
		}
	}
	for _, key := range full.keys() {
		checkFact(t, bare, key, full.facts[key])
		tally["facts"]++
	}
	before := maps.Clone(full.facts)
	warm := answers("with a full store", full)
	f, ok := before[string(p.AppendPacked(nil))]
	if detected := ask(t, bare, p, 1).Verdict == answer.Proved; ok == detected {
		t.Fatalf("%v: a win in %d took %d nodes; %v is stored: %v", p, n, want.Nodes, f, ok)
	}
	if ok {
		if _, solved := f.Solved(n); !solved || warm.Nodes > 1 {
			t.Fatalf("%v: %v is stored, and a win in %d took %d nodes", p, f, n, warm.Nodes)
		}
		tally["warm root, "+warm.Verdict.String()]++
	}
	if warm.Nodes > 1 {
		tally["warm inside"]++
	}
	half := some(full, seed)
	delete(half.facts, string(p.AppendPacked(nil)))
	answers("with a half-filled store", half)
	for _, key := range half.keys() { // what was found with the help of facts is true as well
		checkFact(t, bare, key, half.facts[key])
	}
	much := oracle(t, bare, n, seed)
	answers("with a store that knows much", much)
	for _, key := range much.keys() {
		checkFact(t, bare, key, much.facts[key])
	}
	if much.gets > 1 {
		tally["much known"]++
	}
	tally[want.Verdict.String()+" in "+string(rune('0'+n))]++
	return full
}

// TestStore checks on small boards that a store changes no answer, whatever is in it, and that only
// what is true is put into it. A deeper question with the facts of the one before it has the answer
// that it has without.
func TestStore(t *testing.T) {
	alone(t)
	var g arimaa.Generator
	tally := map[string]int{}
	drawings := rapid.OneOf(boards.Few(0), boards.Few(1), boards.Few(3), crowded())
	boards.Check(t, 40, 2_000, func(t *rapid.T) {
		p := boards.Parse(t, drawings.Draw(t, "position"))
		if size(&g, p) > 120 || p.Board.Ended(p.Side().Other()).Over() {
			return
		}
		threads := rapid.IntRange(1, 2).Draw(t, "threads")
		seed := rapid.Uint64().Draw(t, "seed")
		for n := 2; n <= 4; n++ {
			facts := sameWithStore(t, p, n, threads, seed, tally)
			if facts == nil || n == 4 {
				break
			}
			want := soon(t, newSolver(1<<20, 1), p, n+1).Verdict
			if want == answer.Unknown {
				break
			}
			if got := ask(t, withStore(facts, threads), p, n+1).Verdict; got != want {
				t.Fatalf("%v: a win in %d is %v with the facts of %d, %v without", p, n+1, got, n, want)
			}
		}
	})
	boards.ExpectAll(t, tally, "proved in 2", "disproved in 2", "proved in 3", "disproved in 3", "proved in 4", "disproved in 4",
		"facts", "little work", "warm root, disproved", "much known")
}

// deepened is a question and the greatest N to ask it for.
type deepened struct {
	question
	n int
}

// stored are positions that take some work and leave facts.
func stored(t *testing.T) map[string]deepened {
	all := map[string]deepened{
		"win-in-3.txt":    {question{load.Example(t, "win-in-3.txt").String(), 3}, 3},
		"no-win-in-2.txt": {question{load.Example(t, "no-win-in-2.txt").String(), 0}, 3},
	}
	for i, q := range slices.Concat(two, three, listed) {
		n := 3
		if slices.Contains(two, q) {
			n = 2 // three take long
		}
		all["question "+string(rune('a'+i))] = deepened{q, n}
	}
	return all
}

// TestStoreExamples does the same as TestStore with larger positions. Of many facts some are
// checked.
func TestStoreExamples(t *testing.T) {
	tally := map[string]int{}
	for name, q := range stored(t) {
		t.Run(name, func(t *testing.T) {
			p := boards.Parse(t, q.board)
			for n := 2; n <= q.n; n++ {
				want := verdict(q.least > 0 && n >= q.least)
				for threads := 1; threads <= 2; threads++ {
					full := newNotes()
					if got := ask(t, withStore(full, threads), p, n); got.Verdict != want {
						t.Fatalf("a win in %d is %v, want %v", n, got.Verdict, want)
					}
					bare, most := newSolver(1<<20, 1), 40
					if boards.Deep {
						most = len(full.facts)
					}
					for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(full.facts))[:min(most, len(full.facts))] {
						key := full.keys()[i]
						checkFact(t, bare, key, full.facts[key])
						tally["fact checked"]++
					}
					for what, s := range map[string]*notes{"warm": full, "half-filled": some(full, 1)} {
						_, root := s.facts[string(p.AppendPacked(nil))]
						got := ask(t, withStore(s, threads), p, n)
						if got.Verdict != want {
							t.Fatalf("a win in %d is %v with a %s store, want %v", n, got.Verdict, what, want)
						}
						if root && got.Nodes > 1 {
							t.Errorf("the root is stored, and a win in %d took %d nodes", n, got.Nodes)
						}
						if root {
							tally["warm root, "+got.Verdict.String()]++
						}
						if got.Verdict == answer.Proved {
							checkTurn(t, bare, p, n, got.Turn)
						}
					}
				}
			}
		})
	}
	boards.ExpectAll(t, tally, "fact checked", "warm root, proved", "warm root, disproved")
}

// TestStoreKeepsLittleWork checks that what takes next to no work is not stored.
func TestStoreKeepsLittleWork(t *testing.T) {
	s := newNotes()
	p := boards.Parse(t, "g [                R                                r              ]")
	if got := ask(t, withStore(s, 1), p, 3); got.Verdict != answer.Proved {
		t.Fatal(got.Verdict)
	}
	if s.gets > 0 || len(s.facts) > 0 {
		t.Errorf("a win in one was looked up %d times, and %d facts stored", s.gets, len(s.facts))
	}
}

// TestStoreFails lets the store fail at some point: the search ends with that error, and continues
// as before when the store works again.
func TestStoreFails(t *testing.T) {
	broken := errors.New("the disk has gone")
	tests := []struct {
		name string
		p    arimaa.Position
		n    int
	}{
		{"two", boards.Parse(t, two[0].board), 2},
		{"three", load.Example(t, "no-win-in-2.txt"), 3},
	}
	tally := map[string]int{}
	for _, tt := range tests {
		want := ask(t, newSolver(1<<20, 2), tt.p, tt.n).Verdict
		for _, what := range []string{"get", "put"} {
			for _, after := range []int{0, 10} {
				for threads := 1; threads <= 2; threads++ {
					calls := 0
					s := newNotes()
					s.fail = func(w string) error {
						if w != what {
							return nil
						}
						if calls++; calls > after {
							return broken
						}
						return nil
					}
					solver := withStore(s, threads)
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					_, err := solver.Solve(ctx, Question{Position: tt.p, N: tt.n})
					if ctx.Err() != nil {
						t.Fatalf("%s: the search did not end when %s failed", tt.name, what)
					}
					cancel()
					if calls <= after { // there are not that many calls
						if err != nil {
							t.Fatalf("%s: %v, and nothing has failed", tt.name, err)
						}
						continue
					}
					tally[what]++
					if !errors.Is(err, broken) {
						t.Fatalf("%s: %v after call %d of %s failed, %d workers", tt.name, err, after+1, what, threads)
					}
					s.fail = nil
					if got := ask(t, solver, tt.p, tt.n).Verdict; got != want {
						t.Fatalf("%s: %v after a failure, want %v", tt.name, got, want)
					}
				}
			}
		}
	}
	if t.Log(tally); tally["get"] < 6 || tally["put"] < 6 {
		t.Errorf("%v: too few failures to say much", tally)
	}
}

// TestStoreFailsInKeeps does the same to a search about one turn.
func TestStoreFailsInKeeps(t *testing.T) {
	broken := errors.New("the disk has gone")
	p := load.Example(t, "win-in-3.txt")
	turn := ask(t, newSolver(1<<20, 1), p, 3).Turn
	s := newNotes()
	s.fail = func(string) error { return broken }
	if _, err := withStore(s, 2).SolveTurn(t.Context(), Question{Position: p, N: 3}, turn); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// TestStoreDenied gives the solver facts that are not true, and that it finds out about: the search
// ends with an error. (Others it must believe: that is what they are for.)
func TestStoreDenied(t *testing.T) {
	none := boards.Parse(t, two[1].board) // no win in 2
	three := load.Example(t, "win-in-3.txt")
	long := load.Example(t, "no-win-in-2.txt")
	legal := ask(t, newSolver(1<<20, 1), three, 3).Turn.Code()
	var g arimaa.Generator
	g.Generate(&none)
	anyTurn := g.Turn(0).Code()
	tests := []struct {
		name string
		p    arimaa.Position
		n    int
		f    tables.Fact
	}{
		{"proved in 2 without a turn, none in 2", none, 2, tables.Fact{ProvedWithin: 2}},
		{"proved in 2 without a turn, none in 3", long, 3, tables.Fact{ProvedWithin: 2}},
		{"proved in 3 without a turn, none in 3", long, 3, tables.Fact{ProvedWithin: 3}},
		{"proved in 1 without a turn", none, 2, tables.Fact{ProvedWithin: 1}},
		{"proved in 1 with a turn", none, 2, tables.Fact{ProvedWithin: 1, Turn: anyTurn}},
		{"proved in 1 without a turn, a win in 3", three, 3, tables.Fact{ProvedWithin: 1}},
		{"proved in 1 with a turn, a win in 3", three, 3, tables.Fact{ProvedWithin: 1, Turn: legal}},
		{"denies itself", three, 3, tables.Fact{ProvedWithin: 3, RefutedUpTo: 3}},
	}
	for _, tt := range tests {
		for threads := 1; threads <= 2; threads++ {
			s := newNotes()
			s.facts[string(tt.p.AppendPacked(nil))] = tt.f
			got, err := withStore(s, threads).Solve(t.Context(), Question{Position: tt.p, N: tt.n})
			var c *tables.Contradiction
			if !errors.As(err, &c) {
				t.Errorf("%s: %v, %v, want a contradiction", tt.name, got.Verdict, err)
			}
			if f := s.facts[string(tt.p.AppendPacked(nil))]; f != tt.f {
				t.Errorf("%s: %v was stored, now it is %v", tt.name, tt.f, f)
			}
		}
	}
	// The same inside the tree: every position is said to be won in one.
	s := newNotes()
	s.know = func([]byte) tables.Fact { return tables.Fact{ProvedWithin: 1, Turn: anyTurn} }
	s.facts[string(long.AppendPacked(nil))] = tables.Nothing
	var c *tables.Contradiction
	if got, err := withStore(s, 2).Solve(t.Context(), Question{Position: long, N: 3}); !errors.As(err, &c) {
		t.Errorf("all won in 1: %v, %v", got.Verdict, err)
	}
}

// TestStoreIllegalTurn gives the solver a fact whose turn cannot be played. Such a fact is wrong,
// and the search says so: it neither plays the turn nor calls the answer unknown.
func TestStoreIllegalTurn(t *testing.T) {
	for file, n := range map[string]int{"win-in-2.txt": 2, "win-in-3.txt": 3} {
		p := load.Example(t, file)
		s := newNotes()
		s.facts[string(p.AppendPacked(nil))] = tables.Fact{ProvedWithin: uint8(n), Turn: 0xffffffff}
		if got, err := withStore(s, 1).Solve(t.Context(), Question{Position: p, N: n}); err == nil {
			t.Errorf("%s: %+v, want an error", file, got)
		}
	}
}

// TestKeeps compares what Keeps says about turns with complete enumeration by the referee.
func TestKeeps(t *testing.T) {
	alone(t)
	var g, turns arimaa.Generator
	s := newSolver(1<<20, 2)
	tally := map[string]int{}
	compare := func(t rapid.TB, p arimaa.Position, n, most int, seed uint64) {
		st := load.State(t, p)
		keep := solutions(st, n)
		order := rand.New(rand.NewPCG(seed, 1)).Perm(turns.Generate(&p))
		asked := map[bool]int{}
		for _, i := range order {
			after := turns.Position(i, p.Side())
			_, want := keep[load.State(t, after).Board]
			if asked[want]++; asked[want] > most {
				continue
			}
			turn := turns.Turn(i)
			got, err := s.SolveTurn(context.Background(), Question{Position: p, N: n}, turn)
			if err != nil || got.Verdict != verdict(want) || got.Turn != turn {
				t.Fatalf("%v: %s to win in %d: %+v, %v; the referee says %v", p, p.Notation(turn), n, got, err, want)
			}
			tally[got.Verdict.String()+" in "+string(rune('0'+n))]++
		}
	}
	drawings := rapid.OneOf(boards.Few(0), boards.Few(2), crowded(), crowded())
	boards.Check(t, 10, 500, func(t *rapid.T) {
		p := boards.Parse(t, drawings.Draw(t, "position"))
		seed := rapid.Uint64().Draw(t, "seed")
		work := size(&g, p)
		for n := 1; n <= 3 && work <= affordable[n]; n++ {
			compare(t, p, n, 30, seed)
		}
	})
	// Wins in three are rare among the others.
	compare(t, boards.Parse(t, "s [  r                                                       R     ]"), 3, 10, 1)
	boards.ExpectAll(t, tally, "proved in 1", "disproved in 1", "proved in 2", "disproved in 2", "proved in 3", "disproved in 3")
}

// TestKeepsNothing asks Keeps about turns that are none, and stops it.
func TestKeepsNothing(t *testing.T) {
	s := newSolver(1<<20, 2)
	p := load.Example(t, "win-in-3.txt")
	turn := ask(t, s, p, 3).Turn
	for what, bad := range map[string]arimaa.Turn{
		"no turn": {}, "a turn of another position": ask(t, s, load.Example(t, "win-in-2.txt"), 2).Turn,
	} {
		if got, err := s.SolveTurn(t.Context(), Question{Position: p, N: 3}, bad); err != nil || got.Verdict != answer.Disproved {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
	}
	for n, want := range []answer.Verdict{1: answer.Disproved, 2: answer.Disproved, 3: answer.Proved} {
		if n == 0 {
			continue
		}
		if got, err := s.SolveTurn(t.Context(), Question{Position: p, N: n}, turn); err != nil || got.Verdict != want {
			t.Errorf("in %d: %+v, %v", n, got, err)
		}
	}
	for _, q := range long {
		p := boards.Parse(t, q.board)
		var g arimaa.Generator
		g.Generate(&p)
		for _, wait := range []time.Duration{-1, 5 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			begin := time.Now()
			got, err := s.SolveTurn(ctx, Question{Position: p, N: q.n + 2}, g.Turn(0))
			cancel()
			if err != nil || got.Verdict != answer.Unknown || got.Stop != answer.Time {
				t.Errorf("%s: %+v, %v, want it unknown because of time", q.board, got, err)
			}
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("%s: stopped after %v", q.board, took)
			}
		}
	}
}
