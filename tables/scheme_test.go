package tables

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"goalproof/internal/testkit/boards"
	"goalproof/zobrist"
)

// item is an entry that a full table may have to let go.
type item struct {
	held  Entry // what Get returns of it
	turns uint8 // that it was searched for
	left  int   // entries that had come into the table when it was left last
	last  bool  // in the last entry of its bucket
	isNew bool
}

// promise is a claim of a scheme's documentation.
type promise struct {
	name   string
	scheme Scheme
	// broken says why an entry must not have gone while the other one stayed, when a new one came;
	// a quarter is that of the table, in entries.
	broken func(gone, stayed, came *item, quarter int) bool
}

var promises = []promise{
	{"Greater", Greater, func(gone, stayed, _ *item, _ int) bool { return gone.held.Work > stayed.held.Work }},
	{"Deeper", Deeper, func(gone, stayed, _ *item, _ int) bool { return gone.turns > stayed.turns }},
	{"Newer", Newer, func(gone, stayed, _ *item, quarter int) bool {
		return gone.isNew || gone.left-stayed.left > quarter // ages count quarters
	}},
	{"Older", Older, func(gone, _, _ *item, _ int) bool { return !gone.isNew }},
	{"TwoLevel", TwoLevel, func(gone, stayed, came *item, _ int) bool {
		switch {
		case gone.isNew:
			return true
		case gone.last: // then the new one is less than all the others
			return !stayed.isNew && stayed.held.Work < came.held.Work
		}
		return !stayed.last && gone.held.Work > stayed.held.Work
	}},
	{"Aged", Aged, func(gone, stayed, came *item, quarter int) bool {
		// An entry that is younger and greater is worth more. Of a great age any work counts
		// nothing.
		return !gone.isNew && !stayed.isNew && gone.left >= stayed.left && gone.held.Work > stayed.held.Work &&
			came.left-stayed.left <= 16*quarter
	}},
}

// unit is the least difference of work in these tests: it still shows at some age.
const unit = 1 << 20

// half is one of the two tables of a Table, as the documentation has it.
type half struct {
	promise
	table   *Table
	buckets uint64
	there   func(e Entry) bool // whether what Get returns is from this half
	items   map[zobrist.Key]*item
	came    int
}

// expect takes note that an entry was left that adds to the one that is there.
func (h *half) expect(t rapid.TB, k zobrist.Key, add func(old *item)) {
	if old, ok := h.items[k]; ok {
		add(old)
		old.left = h.came
		return // nothing may go: the caller looks at all keys
	}
	fresh := &item{isNew: true, left: h.came, held: Entry{Fact: Nothing}}
	add(fresh)
	bucket := map[zobrist.Key]*item{}
	for o, i := range h.items {
		if h.bucket(o) == h.bucket(k) {
			bucket[o] = i
		}
	}
	fresh.last = len(bucket) == ways-1
	if len(bucket) == ways {
		bucket[k] = fresh
		var gone []zobrist.Key
		for o := range bucket {
			if !h.there(h.table.Get(o)) {
				gone = append(gone, o)
			}
		}
		if len(gone) != 1 {
			t.Fatalf("%s: %d entries of a full bucket went for one", h.name, len(gone))
		}
		went := bucket[gone[0]]
		for o, stayed := range bucket {
			if o != gone[0] && h.broken(went, stayed, fresh, int(h.buckets*ways/4)) {
				t.Fatalf("%s: %+v went and %+v stayed when %+v came", h.name, *went, *stayed, *fresh)
			}
		}
		fresh.last = went.last
		delete(h.items, gone[0])
		if went == fresh {
			return
		}
	}
	fresh.isNew = false
	h.items[k] = fresh
	h.came++
}

// bucket returns the number of a key's bucket: buckets share the range of Lo evenly.
func (h *half) bucket(k zobrist.Key) uint64 {
	n, _ := bits.Mul64(k.Lo, h.buckets)
	return n
}

// TestReplacement leaves facts and numbers in small tables. Whatever goes is what the scheme's
// documentation says, from the half that the new one came into; all the rest stays as it was. A key
// that is there replaces nothing.
func TestReplacement(t *testing.T) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			boards.Check(t, 200, 50_000, func(t *rapid.T) { replace(t, p) })
		})
	}
}

func replace(t *rapid.T, p promise) {
	buckets := rapid.Uint64Range(1, 3).Draw(t, "buckets")
	table := New(buckets*ways*entrySize, buckets*ways*entrySize, p.scheme)
	facts := &half{p, table, buckets, func(e Entry) bool { return e.Known() }, map[zobrist.Key]*item{}, 0}
	numbers := &half{p, table, buckets, func(e Entry) bool { return e.N != 0 }, map[zobrist.Key]*item{}, 0}
	keys := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) zobrist.Key {
		return zobrist.Key{Lo: rapid.Uint64().Draw(t, "lo"), Hi: rapid.Uint64().Draw(t, "hi")}
	}), 4, 16, func(k zobrist.Key) uint64 { return k.Hi }).Draw(t, "keys")
	for range rapid.IntRange(10, 50).Draw(t, "entries") {
		k := rapid.SampledFrom(keys).Draw(t, "key")
		e := Entry{
			Fact:     Nothing,
			Proof:    rapid.Uint32().Draw(t, "proof number"),
			Disproof: rapid.Uint32().Draw(t, "disproof number"),
			Best:     rapid.Uint32().Draw(t, "best"),
			Work:     unit * rapid.Uint32Range(0, 50).Draw(t, "work"),
			N:        uint8(rapid.IntRange(1, 10).Draw(t, "N")),
		}
		switch rapid.IntRange(0, 3).Draw(t, "fact") {
		case 0: // a fact of a position that is won in 6
			e.Fact = Fact{uint8(rapid.IntRange(6, 10).Draw(t, "proved within")), 0, rapid.Uint32().Draw(t, "turn")}
		case 1:
			e.RefutedUpTo = uint8(rapid.IntRange(1, 5).Draw(t, "refuted up to"))
		}
		leave(t, table, k, e)
		if e.Known() {
			facts.expect(t, k, func(old *item) {
				old.held.Fact = together(old.held.Fact, e.Fact)
				old.held.Work += e.Work
				old.turns = old.held.RefutedUpTo
				if old.held.ProvedWithin != Unproved {
					old.turns = old.held.ProvedWithin
				}
			})
		} else {
			numbers.expect(t, k, func(old *item) {
				e.Work += old.held.Work
				old.held, old.turns = e, e.N
			})
		}
		for _, o := range keys {
			want := Entry{Fact: Nothing}
			if i, ok := numbers.items[o]; ok {
				want = i.held
			}
			if i, ok := facts.items[o]; ok {
				want.Fact, want.Work = i.held.Fact, max(want.Work, i.held.Work)
			}
			if got := table.Get(o); got.Fact != want.Fact || got.N != want.N || got.Proof != want.Proof ||
				got.Disproof != want.Disproof || got.Best != want.Best || got.Work != want.Work {
				t.Fatalf("%s: %v is %#v, want %#v", p.name, o, got, want)
			}
		}
	}
}

// TestOldAge lets small entries come after a great one: it stays for good where age does not count,
// and goes where it does.
func TestOldAge(t *testing.T) {
	for _, p := range promises {
		stays := map[string]bool{"Greater": true, "Deeper": true, "Older": true, "TwoLevel": true}[p.name]
		table := New(0, 0, p.scheme)
		leave(t, table, zobrist.Key{}, Entry{Fact: Nothing, Work: unit, N: 9})
		leave(t, table, zobrist.Key{}, Entry{Fact: Fact{ProvedWithin: 9}, Work: unit})
		for k := range uint64(200) {
			leave(t, table, zobrist.Key{Hi: k + 1}, Entry{Fact: Nothing, Work: 10, N: 3})
			leave(t, table, zobrist.Key{Hi: k + 1}, Entry{Fact: Fact{ProvedWithin: 3}, Work: 10})
		}
		if got := table.Get(zobrist.Key{}); got.Known() != stays || (got.N != 0) != stays {
			t.Errorf("%s: it is %#v in the end, and was to stay: %t", p.name, got, stays)
		}
	}
}

// TestWrappedStamps runs through all time stamps some times, while one bucket sleeps. Ages are then
// wrong, and nothing else is.
func TestWrappedStamps(t *testing.T) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			const low, high = 0, math.MaxUint64 // in the first bucket and in the second
			table := New(2*ways*entrySize, 2*ways*entrySize, p.scheme)
			random := rand.New(rand.NewPCG(7, 7))
			entries := [2]Entry{{Fact: Nothing, Proof: 1, N: 5}, {Fact: Fact{ProvedWithin: 5}}}
			for _, e := range entries {
				for k := range uint64(ways) {
					leave(t, table, zobrist.Key{Lo: low, Hi: k}, e)
				}
				for k := range uint64(5_000) {
					e.Work = random.Uint32()
					leave(t, table, zobrist.Key{Lo: high, Hi: k}, e)
					if got := table.Get(zobrist.Key{Lo: high, Hi: k}); p.name == "Newer" && got.Work < e.Work {
						t.Fatalf("entry %d did not stay", k)
					}
				}
				for k := range uint64(2 * ways) {
					leave(t, table, zobrist.Key{Lo: low, Hi: k}, e)
				}
			}
			for _, lo := range []uint64{low, high} {
				facts, numbers := 0, 0
				for k := range uint64(5_000) {
					e := table.Get(zobrist.Key{Lo: lo, Hi: k})
					if e.Known() {
						facts++
					}
					if e.N != 0 {
						numbers++
					}
					if e.Known() && e.Fact != entries[1].Fact || e.N != 0 && (e.N != 5 || e.Proof != 1) {
						t.Fatalf("%d: %#v", k, e)
					}
				}
				if facts != ways || numbers != ways {
					t.Errorf("a full bucket holds %d facts and %d entries with numbers", facts, numbers)
				}
			}
		})
	}
}

// TestAllEntriesUsed: a table that is not a power of two is used to its end.
func TestAllEntriesUsed(t *testing.T) {
	for _, buckets := range []uint64{1, 2, 3, 7, 100, 1000} {
		t.Run(fmt.Sprint(buckets), func(t *testing.T) {
			table := New(buckets*ways*entrySize, buckets*ways*entrySize, Older)
			random := rand.New(rand.NewPCG(3, buckets))
			keys := make([]zobrist.Key, 40*buckets)
			for i := range keys {
				keys[i] = zobrist.Key{Lo: random.Uint64(), Hi: random.Uint64()}
				leave(t, table, keys[i], Entry{Fact: Nothing, N: 3})
				leave(t, table, keys[i], Entry{Fact: Fact{ProvedWithin: 3}})
			}
			facts, numbers := uint64(0), uint64(0)
			for _, k := range keys {
				if e := table.Get(k); e.Known() {
					facts++
				}
				if e := table.Get(k); e.N != 0 {
					numbers++
				}
			}
			if facts != buckets*ways || numbers != buckets*ways {
				t.Errorf("%d facts and %d entries with numbers in %d buckets", facts, numbers, buckets)
			}
		})
	}
}
