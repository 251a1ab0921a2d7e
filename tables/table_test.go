package tables

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/zobrist"
)

// TestLayout checks the sizes with which New counts: a bucket is two cache lines.
func TestLayout(t *testing.T) {
	for what, got := range map[string]uintptr{"facts": unsafe.Sizeof([ways]fact{}), "numbers": unsafe.Sizeof([ways]numbers{})} {
		if got != ways*entrySize || ways*entrySize != 2*64 {
			t.Errorf("a bucket of %s has %d bytes", what, got)
		}
	}
}

// TestBudget: a table takes what it may take, except for less than a bucket.
func TestBudget(t *testing.T) {
	const bucket = ways * entrySize
	sizes := []uint64{0, 1, bucket - 1, bucket, bucket + 1, 1 << 10, 3<<10 + 5, 1<<20 - 1, 1 << 20, 1_000_000, 3 << 20}
	for _, facts := range sizes {
		for _, numbers := range sizes {
			table := New(facts, numbers, Greater)
			for what, c := range map[string]struct{ got, most uint64 }{
				"facts":   {uint64(cap(table.facts.all)) * uint64(unsafe.Sizeof(table.facts.all[0])), facts},
				"numbers": {uint64(cap(table.numbers.all)) * uint64(unsafe.Sizeof(table.numbers.all[0])), numbers},
			} {
				if c.got > max(c.most, bucket) || c.got+bucket <= c.most {
					t.Errorf("New(%d, %d): %d bytes for %s", facts, numbers, c.got, what)
				}
			}
		}
	}
}

// leave leaves an entry that contradicts nothing.
func leave(t rapid.TB, table *Table, k zobrist.Key, e Entry) {
	t.Helper()
	require.NoError(t, table.Leave(k, e))
}

// place is where numbers stand: in a bucket, under half of a key.
type place struct{ bucket, hi uint64 }

// roomy returns a table, and keys that fit in it whatever comes: no more in a bucket than it has
// entries. They differ in few bits.
func roomy(scheme Scheme) (table *Table, keys []zobrist.Key) {
	for bucket := range uint64(4) {
		for i := range uint64(ways) {
			keys = append(keys, zobrist.Key{Lo: bucket<<62 | i&1, Hi: i >> 1 << 63})
		}
	}
	return New(1000*ways*entrySize, 500*ways*entrySize, scheme), keys
}

// anyFact draws a fact that says something. Some contradict others, some themselves.
func anyFact() *rapid.Generator[Fact] {
	return rapid.Custom(func(t *rapid.T) Fact {
		f := Nothing
		kind := rapid.IntRange(0, 9).Draw(t, "kind")
		if kind < 5 || kind == 9 {
			f.ProvedWithin = uint8(rapid.IntRange(4, 9).Draw(t, "proved within"))
			f.Turn = rapid.Uint32Range(0, 3).Draw(t, "turn")
		}
		if kind >= 5 {
			f.RefutedUpTo = uint8(rapid.IntRange(1, 6).Draw(t, "refuted up to"))
		}
		return f
	})
}

// isContradiction checks the error of a fact that contradicts a known one.
func isContradiction(t rapid.TB, err error, k zobrist.Key, known, new Fact) {
	t.Helper()
	var c *Contradiction
	if !errors.As(err, &c) {
		t.Fatalf("%v, and then %v: the error is %v", known, new, err)
	}
	if key := fmt.Sprintf("%016x%016x", k.Hi, k.Lo); c.Known != known || c.New != new || hex.EncodeToString(c.Key) != key {
		t.Fatalf("position %s is known as %#v, then %#v came: %#v", key, known, new, *c)
	}
}

// TestMap uses a table in which nothing is replaced as a map from positions to all that was ever
// said about them.
func TestMap(t *testing.T) {
	boards.Check(t, 600, 100_000, func(t *rapid.T) {
		table, keys := roomy(rapid.SampledFrom(promises).Draw(t, "promise").scheme)
		facts := map[zobrist.Key][]Fact{}
		work := map[zobrist.Key]uint32{} // that the facts took
		numbers := map[place]Entry{}
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			k := rapid.SampledFrom(keys).Draw(t, "key")
			e := Entry{
				Fact:     Nothing,
				Proof:    rapid.Uint32().Draw(t, "proof number"),
				Disproof: rapid.Uint32().Draw(t, "disproof number"),
				Best:     rapid.Uint32().Draw(t, "best"),
				Work:     rapid.Uint32Range(0, 1000).Draw(t, "work"),
				N:        uint8(rapid.IntRange(1, 255).Draw(t, "N")),
			}
			switch call := rapid.IntRange(0, 20).Draw(t, "call"); {
			case call == 0:
				table.Clear()
				clear(facts)
				clear(work)
				clear(numbers)
			case call < 8:
				leave(t, table, k, e)
				at := place{k.Lo >> 62, k.Hi}
				e.Work += numbers[at].Work
				numbers[at] = e
			default:
				e.Fact = anyFact().Draw(t, "fact")
				var err error
				if call < 14 {
					err = table.Learn(k, e.Fact, e.Work)
				} else {
					err = table.Leave(k, e) // the numbers do not count
				}
				known := together(facts[k]...)
				switch all := together(known, e.Fact); {
				case e.ProvedWithin <= e.RefutedUpTo:
					isContradiction(t, err, k, Nothing, e.Fact)
				case all.ProvedWithin <= all.RefutedUpTo:
					isContradiction(t, err, k, known, e.Fact)
				case err != nil:
					t.Fatalf("%v, and then %v: %v", known, e.Fact, err)
				default:
					facts[k] = append(facts[k], e.Fact)
					work[k] += e.Work
				}
			}
			for _, k := range keys {
				want := Entry{Fact: Nothing}
				if e, ok := numbers[place{k.Lo >> 62, k.Hi}]; ok {
					want = e
				}
				want.Fact, want.Work = together(facts[k]...), max(want.Work, work[k])
				if got := table.Get(k); got != want {
					t.Fatalf("%v is %#v, want %#v", k, got, want)
				}
			}
		}
	})
}

// TestContradiction leaves a fact that denies another one, in a full table: the table then has what
// it had, to the last bit, and the worker is out.
func TestContradiction(t *testing.T) {
	proved, refuted := Fact{ProvedWithin: 4, Turn: 9}, Fact{ProvedWithin: Unproved, RefutedUpTo: 4}
	for _, p := range promises {
		for _, c := range []struct{ known, new Fact }{
			{proved, refuted},
			{refuted, proved},
			{Fact{5, 4, 9}, Fact{ProvedWithin: Unproved, RefutedUpTo: 200}},
			{Fact{5, 4, 9}, Fact{ProvedWithin: 1}},
			{Nothing, Fact{4, 4, 9}},
			{Nothing, Fact{4, 5, 9}},
			{Nothing, Fact{}},
			{Nothing, Fact{Unproved, Unproved, 0}},
		} {
			table, k := New(0, 0, p.scheme), zobrist.Key{Lo: 1, Hi: 2}
			for i := range uint64(ways - 1) {
				leave(t, table, zobrist.Key{Hi: 100 + i}, Entry{Fact: proved})
			}
			leave(t, table, k, Entry{Fact: Nothing, Proof: 3, Disproof: 5, Best: 7, N: 4, Work: 1})
			if c.known.Known() {
				leave(t, table, k, Entry{Fact: c.known, Work: 1})
			} else {
				leave(t, table, zobrist.Key{Hi: 200}, Entry{Fact: proved}) // the bucket is full either way
			}
			facts, numbers := table.facts.all[0], table.numbers.all[0]
			for table.Enter(k).Busy == 0 { // those who left did not enter
			}
			isContradiction(t, table.Learn(k, c.new, 1000), k, c.known, c.new)
			isContradiction(t, table.Leave(k, Entry{Fact: c.new, N: 9, Work: 1000}), k, c.known, c.new)
			if table.facts.all[0] != facts || table.numbers.all[0] != numbers {
				t.Errorf("%s: %v, and then %v: the table is not as it was", p.name, c.known, c.new)
			}
			if got := table.Get(k); got.Busy != 0 {
				t.Errorf("%d workers inside after a contradiction", got.Busy)
			}
		}
	}
}

// TestWorkStaysAtMost: work adds up as far as it can be counted, and then stays at most. What took
// most work would else be worth least.
func TestWorkStaysAtMost(t *testing.T) {
	some := []uint32{0, 1, 1000, 1<<31 - 1, 1 << 31, math.MaxUint32 - 1, math.MaxUint32}
	for _, f := range []Fact{Nothing, {ProvedWithin: 3}} {
		for _, one := range some {
			for _, two := range some {
				table, k := New(0, 0, Greater), zobrist.Key{Lo: 1}
				leave(t, table, k, Entry{Fact: f, N: 3, Work: one})
				leave(t, table, k, Entry{Fact: f, N: 3, Work: two})
				want := uint32(min(uint64(one)+uint64(two), math.MaxUint32))
				if got := table.Get(k).Work; got != want {
					t.Errorf("%v: work %d and then %d makes %d, want %d", f, one, two, got, want)
				}
			}
		}
	}
}

// TestBusy counts workers in and out of positions. Positions may share a count, so it is at least
// what it should be, and no more than all workers.
func TestBusy(t *testing.T) {
	boards.Check(t, 1_000, 50_000, func(t *rapid.T) {
		table := New(0, 0, Greater)
		keys := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) zobrist.Key {
			return zobrist.Key{Lo: rapid.Uint64().Draw(t, "lo"), Hi: rapid.Uint64().Draw(t, "hi")}
		}), 1, 5).Draw(t, "keys")
		var inside []zobrist.Key
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			if n := len(inside); n > 0 && rapid.IntRange(0, 2).Draw(t, "leaves") == 0 {
				at := rapid.IntRange(0, n-1).Draw(t, "who")
				e := Entry{Fact: Nothing, N: 3, Work: 1}
				if rapid.Bool().Draw(t, "solved") {
					e.Fact = Fact{ProvedWithin: 3}
				}
				leave(t, table, inside[at], e)
				inside[at] = inside[n-1]
				inside = inside[:n-1]
			} else {
				k := rapid.SampledFrom(keys).Draw(t, "key")
				inside = append(inside, k)
				if got, then := table.Enter(k), table.Get(k); got != then {
					t.Fatalf("%#v on entering, %#v then", got, then)
				}
			}
			for _, k := range keys {
				here := 0
				for _, o := range inside {
					if o == k {
						here++
					}
				}
				if got := int(table.Get(k).Busy); got < here || got > len(inside) {
					t.Fatalf("%d workers inside, want %d to %d", got, here, len(inside))
				}
			}
		}
	})
}

// TestBusyShared: few positions share a count.
func TestBusyShared(t *testing.T) {
	table, random := New(0, 0, Greater), rand.New(rand.NewPCG(1, 1))
	for range 100 {
		table.Enter(zobrist.Key{Lo: random.Uint64(), Hi: random.Uint64()})
	}
	busy := 0
	for range 1000 {
		if table.Get(zobrist.Key{Lo: random.Uint64(), Hi: random.Uint64()}).Busy > 0 {
			busy++
		}
	}
	if busy > 100 {
		t.Errorf("of 1000 positions that nobody entered %d are busy", busy)
	}
}

// TestBusyStaysInRange checks that a count that does not fit neither begins again at zero nor
// becomes a great one.
func TestBusyStaysInRange(t *testing.T) {
	table, k := New(0, 0, Greater), zobrist.Key{}
	for i := 1; i <= 600; i++ {
		if got := table.Enter(k).Busy; int(got) != min(i, 255) {
			t.Fatalf("%d workers inside, %d came", got, i)
		}
	}
	for i := 599; i >= -3; i-- { // more go than came
		leave(t, table, k, Entry{Fact: Nothing, N: 1})
		if got := table.Get(k).Busy; int(got) != min(max(i, 0), 255) {
			t.Fatalf("%d workers inside, want %d", got, i)
		}
	}
}

// TestTogether lets workers enter and leave positions at once. No fact or work gets lost where
// nothing is replaced, nothing is invented where something is, no entry is mixed from two, and
// everyone is out in the end.
func TestTogether(t *testing.T) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			table, keys := roomy(p.scheme)
			var each []zobrist.Key // keys with numbers of their own
			for _, k := range keys {
				if k.Lo&1 == 0 {
					each = append(each, k)
				}
			}
			together, facts, numbers := workTogether(t, table, each)
			for i, k := range each {
				want := Entry{Fact: together[i], Work: max(facts[i], numbers[i])}
				if got := table.Get(k); got.Fact != want.Fact || got.Work != want.Work || got.Busy != 0 {
					t.Errorf("%v is %#v in the end, want %#v", k, got, want)
				}
			}
			table = New(3*ways*entrySize, 2*ways*entrySize, p.scheme)
			random := rand.New(rand.NewPCG(4, 4))
			for each = nil; len(each) < 60; {
				each = append(each, zobrist.Key{Lo: random.Uint64(), Hi: random.Uint64()})
			}
			together, _, _ = workTogether(t, table, each)
			for i, k := range each {
				if got := table.Get(k); got.ProvedWithin < together[i].ProvedWithin || got.RefutedUpTo > together[i].RefutedUpTo || got.Busy != 0 {
					t.Errorf("%v is %#v in the end, and no more than %v was found out", k, got, together[i])
				}
			}
		})
	}
}

// workTogether returns what the workers found out about each key, and how much work of theirs went
// into facts and into numbers.
func workTogether(t *testing.T, table *Table, keys []zobrist.Key) (known []Fact, facts, numbers []uint32) {
	const workers, calls = 8, 1_500
	known, facts, numbers = make([]Fact, len(keys)), make([]uint32, len(keys)), make([]uint32, len(keys))
	for i := range known {
		known[i] = Nothing
	}
	var result sync.Mutex
	var all sync.WaitGroup
	for w := range uint64(workers) {
		all.Go(func() {
			random := rand.New(rand.NewPCG(5, w))
			for range calls {
				i := random.IntN(len(keys))
				k, distance := keys[i], i%7+2
				got := table.Enter(k)
				// Turns and numbers tell what they belong to.
				if !trueOf(got.Fact, distance) || got.Turn != 0 && got.Turn != uint32(1000*i)+uint32(got.ProvedWithin) {
					t.Errorf("won in %d: %#v", distance, got)
				}
				if got.N != 0 && (got.Proof != uint32(i) || got.Disproof != got.Best*3 || uint8(got.Best) != got.N) {
					t.Errorf("numbers of position %d are mixed: %#v", i, got)
				}
				if got.Busy == 0 {
					t.Error("nobody inside on entering")
				}
				e := Entry{Fact: Nothing, Work: 1}
				switch random.IntN(4) {
				case 0:
					e.ProvedWithin = uint8(distance + random.IntN(3))
					e.Turn = uint32(1000*i) + uint32(e.ProvedWithin)
				case 1:
					e.RefutedUpTo = uint8(distance - 1 - random.IntN(2))
				}
				if !e.Known() {
					e.Best = random.Uint32() | 1
					e.Proof, e.Disproof, e.N = uint32(i), e.Best*3, uint8(e.Best)
				}
				if err := table.Leave(k, e); err != nil {
					t.Error(err)
				}
				result.Lock()
				if known[i] = together(known[i], e.Fact); e.Known() {
					facts[i]++
				} else {
					numbers[i]++
				}
				result.Unlock()
			}
		})
	}
	all.Wait()
	return known, facts, numbers
}
