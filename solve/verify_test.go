package solve

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/internal/testkit/boards"
	"goalproof/tables"
)

// verify checks a fact about a position, with plenty of time.
func verify(t rapid.TB, s *Solver, p arimaa.Position, f tables.Fact) Check {
	t.Helper()
	c, err := s.Verify(context.Background(), Stored{p.AppendPacked(nil), f}, time.Minute)
	if err != nil {
		t.Fatalf("%v: %v: %v", p, f, err)
	}
	if c.Position != p || c.Stop != answer.Finished {
		t.Fatalf("%v: %v: %+v", p, f, c)
	}
	return c
}

// TestVerify checks on small boards that true facts are confirmed and false ones named.
func TestVerify(t *testing.T) {
	s := newSolver(t)
	tally := map[string]int{}
	var g arimaa.Generator
	boards.Check(t, 60, 1_500, func(t *rapid.T) {
		p := drawn(t, boards.Few(3))
		if p.Unusual() != nil {
			return
		}
		a := solved(t, s, context.Background(), Question{Position: p, Deepest: 2, NoLine: true})
		right := func(f tables.Fact) {
			c := verify(t, s, p, f)
			if c.Wrong != "" {
				t.Fatalf("%v: %v is true, and is called wrong: %s", p, f, c.Wrong)
			}
			if tally["true"]++; c.Referee {
				tally["enumerated"]++
			}
		}
		wrong := func(why string, f tables.Fact, says string) {
			c := verify(t, s, p, f)
			if !strings.Contains(c.Wrong, f.String()) || !strings.Contains(c.Wrong, says) {
				t.Fatalf("%v: %v, with the turn %x, is wrong: %s; Verify says %q", p, f, f.Turn, why, c.Wrong)
			}
			tally[why]++
		}
		if a.Verdict == answer.Disproved {
			right(tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 2})
			right(tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 1})
			wrong("proved, and there is no win", tables.Fact{ProvedWithin: 2}, "for 2 the answer is: disproved")
			return
		}
		n, turn := uint8(a.Within), a.Line[0].Turn.Code()
		right(tables.Fact{ProvedWithin: n, RefutedUpTo: n - 1, Turn: turn})
		right(tables.Fact{ProvedWithin: n})
		right(tables.Fact{ProvedWithin: 2, Turn: turn})
		if n == 2 {
			right(tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 1})
			wrong("proved too early", tables.Fact{ProvedWithin: 1}, "for 1 the answer is: disproved")
			wrong("a turn that wins later", tables.Fact{ProvedWithin: 1, Turn: turn}, p.Notation(a.Line[0].Turn))
		}
		wrong("refuted, and there is a win", tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: n}, "the answer is: proved")
		wrong("refuted beyond", tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 2}, "for 2 the answer is: proved")
		wrong("no turn has this code", tables.Fact{ProvedWithin: n, Turn: 1}, "not legal")
		solutions := solved(t, s, context.Background(), Question{Position: p, Deepest: 2, NoLine: true, All: true}).Solutions
		for i := range g.Generate(&p) {
			bad, after := g.Turn(i), g.Position(i, p.Side())
			if !slices.ContainsFunc(solutions, func(s dfpns.Solution) bool { return s.After == after }) {
				wrong("a turn that does not keep the win", tables.Fact{ProvedWithin: n, RefutedUpTo: n - 1, Turn: bad.Code()}, p.Notation(bad))
				break
			}
		}
	})
	t.Log(tally)
	for _, what := range []string{"true", "enumerated", "proved, and there is no win", "proved too early", "a turn that wins later",
		"refuted, and there is a win", "refuted beyond", "no turn has this code", "a turn that does not keep the win"} {
		if tally[what] == 0 {
			t.Errorf("%s: not met once", what)
		}
	}
}

// TestVerifyThree does the same with a win in three, most of which is too large to enumerate.
func TestVerifyThree(t *testing.T) {
	s := newSolver(t)
	p := exampleOf(t, "win-in-3.txt")
	turn := solved(t, s, t.Context(), Question{Position: p, Deepest: 3, NoLine: true}).Line[0].Turn
	for _, tt := range []struct {
		name  string
		f     tables.Fact
		wrong string
	}{
		{"true", tables.Fact{ProvedWithin: 3, RefutedUpTo: 2, Turn: turn.Code()}, ""},
		{"true without a turn", tables.Fact{ProvedWithin: 3, RefutedUpTo: 2}, ""},
		{"true, in more turns", tables.Fact{ProvedWithin: 4, Turn: turn.Code()}, ""},
		{"true, up to fewer turns", tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 1}, ""},
		{"too early", tables.Fact{ProvedWithin: 2, RefutedUpTo: 1}, "stored: proved within 2, refuted up to 1; for 2 the answer is: disproved"},
		{"too early, with a turn", tables.Fact{ProvedWithin: 2, Turn: turn.Code()}, "stored: proved within 2 with " + p.Notation(turn) + "; it is not so"},
		{"too late", tables.Fact{ProvedWithin: 4, RefutedUpTo: 3}, "stored: proved within 4, refuted up to 3; for 3 the answer is: proved"},
		{"refuted", tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 3}, "stored: refuted up to 3; for 3 the answer is: proved"},
		{"no such turn", tables.Fact{ProvedWithin: 3, Turn: 1}, "stored: proved within 3 with a turn that is not legal"},
	} {
		if c := verify(t, s, p, tt.f); c.Wrong != tt.wrong {
			t.Errorf("%s: %+v, want %q", tt.name, c, tt.wrong)
		}
	}
}

// TestVerifyFromNothing checks a fact twice: the second time takes what the first took, a node or
// two more or less.
func TestVerifyFromNothing(t *testing.T) {
	s := newSolver(t)
	p := exampleOf(t, "win-in-3.txt")
	var nodes [2]uint64
	for i := range nodes {
		verify(t, s, p, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 2})
		nodes[i] = s.depthFirst.Nodes()
	}
	if nodes[0] < 100 || nodes[1] < nodes[0]-nodes[0]/10 {
		t.Errorf("%d nodes, and then %d", nodes[0], nodes[1])
	}
}

// TestVerifyStopped lets time run out, and interrupts: the fact is neither confirmed nor wrong.
func TestVerifyStopped(t *testing.T) {
	s := newSolver(t)
	p := parse(t, "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")
	for _, f := range []tables.Fact{{ProvedWithin: 5}, {ProvedWithin: tables.Unproved, RefutedUpTo: 5}} {
		stored := Stored{p.AppendPacked(nil), f}
		begin := time.Now()
		c, err := s.Verify(t.Context(), stored, 50*time.Millisecond)
		if err != nil || c.Wrong != "" || c.Stop != answer.Time || c.Referee {
			t.Errorf("%v, without time: %+v, %v", f, c, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		c, err = s.Verify(ctx, stored, time.Hour)
		if err != nil || c.Wrong != "" || c.Stop != answer.Interrupted || c.Referee {
			t.Errorf("%v, interrupted: %+v, %v", f, c, err)
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("stopped after %v", took)
		}
	}
}

// sampled offers numbered facts to a sample, always in the same buffer, and returns
// the numbers of those in it.
func sampled(t testing.TB, size, facts int, seed uint64) []int {
	t.Helper()
	s := NewSample(size, seed)
	key := make([]byte, 8)
	for i := range facts {
		binary.BigEndian.PutUint64(key, uint64(i))
		s.Add(key, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: uint8(i%200) + 1})
	}
	clear(key)
	var numbers []int
	for _, f := range s.Facts {
		i := int(binary.BigEndian.Uint64(f.Key))
		if f.Fact.RefutedUpTo != uint8(i%200)+1 {
			t.Fatalf("key %d comes with the fact of another", i)
		}
		numbers = append(numbers, i)
	}
	slices.Sort(numbers)
	if want := min(size, facts); len(numbers) != want || len(slices.Compact(slices.Clone(numbers))) != want {
		t.Fatalf("of %d facts %v, want %d different ones", facts, numbers, want)
	}
	return numbers
}

// TestSample takes many samples: each fact is in as many as it should be, and so is each pair of
// neighbours. The same seed takes the same sample.
func TestSample(t *testing.T) {
	const size, facts, seeds = 10, 50, 20_000
	var single, pair [facts]int
	for seed := range uint64(seeds) {
		in := [facts + 1]bool{}
		for _, i := range sampled(t, size, facts, seed) {
			single[i]++
			in[i] = true
		}
		for i := range facts {
			if in[i] && in[i+1] {
				pair[i]++
			}
		}
	}
	for i := range facts {
		// 20,000 × 10/50 = 4,000, and 20,000 × 10/50 × 9/49 = 735, five standard deviations around.
		if single[i] < 3_717 || single[i] > 4_283 {
			t.Errorf("fact %d is in %d samples of %d", i, single[i], seeds)
		}
		if i < facts-1 && (pair[i] < 602 || pair[i] > 868) {
			t.Errorf("facts %d and %d are in %d samples of %d", i, i+1, pair[i], seeds)
		}
	}
	if a, b := sampled(t, size, facts, 7), sampled(t, size, facts, 7); !slices.Equal(a, b) {
		t.Errorf("the same seed takes %v and %v", a, b)
	}
	if a, b := sampled(t, size, facts, 7), sampled(t, size, facts, 8); slices.Equal(a, b) {
		t.Errorf("two seeds take %v", a)
	}
	for _, few := range []int{0, 1, 9, 10} {
		sampled(t, size, few, 1)
		sampled(t, 0, few, 1)
	}
	for name, s := range map[string]*Sample{"zero": {}, "of less": NewSample(-1, 1)} {
		if s.Add([]byte{1}, tables.Fact{ProvedWithin: 2}); len(s.Facts) != 0 {
			t.Errorf("the sample %s holds %d facts", name, len(s.Facts))
		}
	}
}

// brokenStore fails at everything.
type brokenStore struct{ error }

func (b brokenStore) Get([]byte) (tables.Fact, error) { return tables.Nothing, b.error }
func (b brokenStore) Put([]byte, tables.Fact) error   { return b.error }
func (b brokenStore) Sync() error                     { return b.error }
func (b brokenStore) Close() error                    { return b.error }

// TestBrokenStore checks that an error of the store is the search's, and that there is no answer
// then.
func TestBrokenStore(t *testing.T) {
	broken := errors.New("the disk has gone")
	s := solverWith(t, Options{Memory: 16 << 20, Threads: 2, Store: brokenStore{broken}})
	for _, all := range []bool{false, true} {
		a, err := s.Solve(t.Context(), Question{Position: exampleOf(t, "win-in-3.txt"), Deepest: 3, All: all})
		if !errors.Is(err, broken) || a.Verdict != answer.Unknown || a.Line != nil {
			t.Errorf("all %v: %+v, %v", all, a, err)
		}
	}
}
