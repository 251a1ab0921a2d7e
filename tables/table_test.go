package tables

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"goalproof/internal/boards"
	"goalproof/zobrist"
	"pgregory.net/rapid"
)

// TestLayout checks the sizes that the package documentation draws, which New counts
// with.
func TestLayout(t *testing.T) {
	if size := unsafe.Sizeof(slot{}); size != entrySize {
		t.Errorf("a slot takes %d bytes, not %d", size, entrySize)
	}
	for _, bytes := range []uint64{0, 1, 127, 128, 129, 1 << 10, 1<<20 - 1, 1 << 20, 3 << 20} {
		got := uint64(len(New(bytes).buckets)) * uint64(unsafe.Sizeof(bucket{}))
		least := uint64(unsafe.Sizeof(bucket{}))
		if got > max(bytes, least) || 2*got <= bytes {
			t.Errorf("a table of at most %d bytes takes %d", bytes, got)
		}
	}
}

// key draws a key out of a few, the zero key among them.
func key() *rapid.Generator[zobrist.Key] {
	return rapid.Custom(func(t *rapid.T) zobrist.Key {
		return zobrist.Key{Lo: rapid.Uint64Range(0, 3).Draw(t, "lo"), Hi: rapid.Uint64Range(0, 1).Draw(t, "hi")}
	})
}

// truth is a position's distance in turns, and the greatest number that is asked for:
// an entry is true of it if it proves and refutes accordingly.
type truth int

// entry draws an entry that is true of a position that is won in so many turns.
func (d truth) entry() *rapid.Generator[Entry] {
	return rapid.Custom(func(t *rapid.T) Entry {
		e := Entry{
			Proof:        rapid.Uint32().Draw(t, "proof number"),
			Disproof:     rapid.Uint32().Draw(t, "disproof number"),
			Work:         rapid.Uint32Range(0, 1000).Draw(t, "work"),
			N:            uint8(rapid.IntRange(1, 10).Draw(t, "N")),
			ProvedWithin: Unproved,
		}
		if rapid.Bool().Draw(t, "proves") {
			e.ProvedWithin = uint8(rapid.IntRange(int(d), 10).Draw(t, "proved within"))
		}
		if rapid.Bool().Draw(t, "refutes") {
			e.RefutedUpTo = uint8(rapid.IntRange(0, int(d)-1).Draw(t, "refuted up to"))
		}
		return e
	})
}

// leave leaves an entry that contradicts nothing.
func leave(t rapid.TB, table *Table, k zobrist.Key, e Entry) {
	t.Helper()
	if err := table.Leave(k, e); err != nil {
		t.Fatal(err)
	}
}

// TestMerge leaves entries in two tables, in the order drawn and in another one with
// some left twice: the facts are the least number of turns proved and the greatest
// refuted, whatever the order, and again and again. The numbers are those left last,
// and the work adds up.
func TestMerge(t *testing.T) {
	boards.Check(t, 500, 50_000, func(t *rapid.T) {
		distance := truth(rapid.IntRange(1, 10).Draw(t, "distance"))
		entries := rapid.SliceOfN(distance.entry(), 1, 8).Draw(t, "entries")
		k := key().Draw(t, "key")
		one, two := New(0), New(0)
		want := Entry{ProvedWithin: Unproved}
		for _, e := range entries {
			leave(t, one, k, e)
			want.ProvedWithin = min(want.ProvedWithin, e.ProvedWithin)
			want.RefutedUpTo = max(want.RefutedUpTo, e.RefutedUpTo)
			want.Proof, want.Disproof, want.N = e.Proof, e.Disproof, e.N
			want.Work += e.Work
		}
		if got := one.Get(k); got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
		for _, e := range append(rapid.Permutation(entries).Draw(t, "order"), entries[0]) {
			leave(t, two, k, e)
		}
		a, b := one.Get(k), two.Get(k)
		if a.ProvedWithin != b.ProvedWithin || a.RefutedUpTo != b.RefutedUpTo {
			t.Fatalf("in another order the facts are %+v, not %+v", b, a)
		}
		for n := 1; n <= 10; n++ {
			proved, ok := a.Solved(n)
			if ok && proved != (n >= int(distance)) {
				t.Fatalf("won in %d turns, and for %d turns the table says %t", distance, n, proved)
			}
			if known := int(a.ProvedWithin) <= n || int(a.RefutedUpTo) >= n; ok != known {
				t.Fatalf("%+v: solved for %d turns: %t", a, n, ok)
			}
		}
	})
}

// TestWorkStaysAtMost checks that work that no longer fits does not begin again at zero.
func TestWorkStaysAtMost(t *testing.T) {
	table, k := New(0), zobrist.Key{Lo: 1}
	for range 5 {
		before := table.Get(k).Work
		leave(t, table, k, Entry{ProvedWithin: Unproved, Work: 1 << 31})
		if after := table.Get(k).Work; after < before || after < 1<<31 {
			t.Fatalf("work %d after %d", after, before)
		}
	}
}

// TestContradiction leaves a fact that denies another one: the error says both, and the
// table still has what it had.
func TestContradiction(t *testing.T) {
	boards.Check(t, 500, 50_000, func(t *rapid.T) {
		table, k := New(0), key().Draw(t, "key")
		refuted := uint8(rapid.IntRange(1, 20).Draw(t, "refuted up to"))
		proved := uint8(rapid.IntRange(1, int(refuted)).Draw(t, "proved within"))
		facts := []Entry{
			{Proof: 3, Disproof: 4, N: refuted, ProvedWithin: Unproved, RefutedUpTo: refuted, Work: 7},
			{Proof: 5, Disproof: 6, N: proved, ProvedWithin: proved, Work: 8},
		}
		if rapid.Bool().Draw(t, "proved first") {
			slices.Reverse(facts)
		}
		leave(t, table, k, facts[0])
		before := table.Get(k)
		err := table.Leave(k, facts[1])
		var c *Contradiction
		if !errors.As(err, &c) {
			t.Fatalf("proved within %d and refuted up to %d: %v", proved, refuted, err)
		}
		if *c != (Contradiction{k, int(proved), int(refuted)}) {
			t.Fatalf("%+v, but it is proved within %d and refuted up to %d", c, proved, refuted)
		}
		if got := table.Get(k); got != before {
			t.Fatalf("%+v after the contradiction, %+v before", got, before)
		}
	})
}

// worth compares what two entries are worth by the documentation: facts before numbers,
// then more work before less.
func worth(a, b Entry) int {
	facts := func(e Entry) bool { return e.ProvedWithin != Unproved || e.RefutedUpTo > 0 }
	switch {
	case facts(a) != facts(b):
		if facts(a) {
			return 1
		}
		return -1
	case a.Work != b.Work:
		if a.Work > b.Work {
			return 1
		}
		return -1
	}
	return 0
}

// TestReplacement fills a table of one bucket, and then leaves entries for new keys: each
// takes the place of one that was worth no more than any other, and the others stay as
// they were. A key that is there replaces nothing.
func TestReplacement(t *testing.T) {
	boards.Check(t, 500, 50_000, func(t *rapid.T) {
		table := New(0)
		held := map[zobrist.Key]Entry{} // what the table must hold
		keys := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) zobrist.Key {
			return zobrist.Key{Lo: rapid.Uint64().Draw(t, "lo"), Hi: rapid.Uint64().Draw(t, "hi")}
		}), 1, 12, rapid.ID).Draw(t, "keys")
		for range rapid.IntRange(1, 40).Draw(t, "entries") {
			k := rapid.SampledFrom(keys).Draw(t, "key")
			e := truth(5).entry().Draw(t, "entry")
			e.Work++ // tells an entry from none
			leave(t, table, k, e)
			if old, ok := held[k]; ok {
				e.Work += old.Work
				e.ProvedWithin = min(e.ProvedWithin, old.ProvedWithin)
				e.RefutedUpTo = max(e.RefutedUpTo, old.RefutedUpTo)
			} else if len(held) == ways {
				var gone []zobrist.Key
				for o := range held {
					if table.Get(o).Work == 0 {
						gone = append(gone, o)
					}
				}
				if len(gone) != 1 {
					t.Fatalf("%d entries made room for one", len(gone))
				}
				for o, kept := range held {
					if worth(held[gone[0]], kept) > 0 {
						t.Fatalf("%+v went, %+v for %v stayed", held[gone[0]], kept, o)
					}
				}
				delete(held, gone[0])
			}
			held[k] = e
			for o, want := range held {
				if got := table.Get(o); got != want {
					t.Fatalf("%v: %+v, want %+v", o, got, want)
				}
			}
			for _, o := range keys {
				if _, ok := held[o]; !ok && table.Get(o) != (Entry{ProvedWithin: Unproved}) {
					t.Fatalf("%v: %+v, and it was never left or has gone", o, table.Get(o))
				}
			}
		}
		table.Clear()
		for _, k := range keys {
			if got := table.Get(k); got != (Entry{ProvedWithin: Unproved}) {
				t.Fatalf("%v: %+v in an empty table", k, got)
			}
		}
	})
}

// TestBusy counts workers in and out of positions.
func TestBusy(t *testing.T) {
	boards.Check(t, 500, 50_000, func(t *rapid.T) {
		table := New(0)
		keys := []zobrist.Key{{}, {Lo: 1}, {Hi: 1}}
		inside := map[zobrist.Key]int{}
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			k := rapid.SampledFrom(keys).Draw(t, "key")
			if rapid.IntRange(0, 2).Draw(t, "enters") > 0 {
				inside[k]++
				if got := table.Enter(k); int(got.Busy) != inside[k] {
					t.Fatalf("%d workers inside on entering, want %d", got.Busy, inside[k])
				}
			} else {
				leave(t, table, k, Entry{ProvedWithin: Unproved, Work: 1})
				inside[k] = max(inside[k]-1, 0)
			}
			for _, k := range keys {
				if got := table.Get(k); int(got.Busy) != inside[k] {
					t.Fatalf("%d workers inside, want %d", got.Busy, inside[k])
				}
			}
		}
	})
}

// TestBusyStaysAtMost checks that a count that no longer fits does not begin again at
// zero.
func TestBusyStaysAtMost(t *testing.T) {
	table := New(0)
	for i := 1; i <= 300; i++ {
		if got := table.Enter(zobrist.Key{}).Busy; int(got) != min(i, 255) {
			t.Fatalf("%d workers inside, %d came", got, i)
		}
	}
}

// TestTogether lets workers enter and leave few keys at once. No fact that a table has
// gets lost where nothing is replaced, none is invented where something is, and everyone
// is out in the end.
func TestTogether(t *testing.T) {
	const workers, calls = 8, 2_000
	for _, keys := range []uint64{ways, 40 * ways} {
		table := New(0)
		var all sync.WaitGroup
		for w := range uint64(workers) {
			all.Go(func() {
				random := rand.New(rand.NewPCG(5, w))
				for range calls {
					n := random.Uint64N(keys)
					k := zobrist.Key{Lo: n, Hi: ^n}
					distance := int(n%7) + 2
					if got := table.Enter(k); !consistent(got, distance) {
						t.Errorf("won in %d: %+v", distance, got)
					}
					e := Entry{ProvedWithin: uint8(distance + random.IntN(3)), Work: 1}
					if random.IntN(2) == 0 {
						e = Entry{ProvedWithin: Unproved, RefutedUpTo: uint8(distance - 1 - random.IntN(2)), Work: 1}
					}
					if err := table.Leave(k, e); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		work := 0
		for n := range keys {
			got := table.Get(zobrist.Key{Lo: n, Hi: ^n})
			if distance := int(n%7) + 2; !consistent(got, distance) {
				t.Errorf("won in %d: %+v", distance, got)
			} else if keys == ways && (int(got.ProvedWithin) != distance || int(got.RefutedUpTo) != distance-1 || got.Busy != 0) {
				t.Errorf("won in %d: %+v in the end", distance, got)
			}
			work += int(got.Work)
		}
		if keys == ways && work != workers*calls {
			t.Errorf("work %d, %d was done", work, workers*calls)
		}
	}
}

// consistent tells whether the facts of an entry are true of a position that is won in
// so many turns.
func consistent(e Entry, distance int) bool {
	return int(e.ProvedWithin) >= distance && int(e.RefutedUpTo) < distance
}
