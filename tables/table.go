// Package tables holds the results of searches in memory, for all workers of a search: facts, proof
// and disproof numbers, and the scores of the engine.
//
// A [Table] is two tables of fixed size. The proof table holds facts about positions at turn
// boundaries, which are true for good. The transposition table holds proof and disproof numbers,
// which only guide the search. So numbers never replace a fact, and an answer depends neither on
// the sizes of the tables nor on the replacement scheme. A bucket is two cache lines, four entries
// of 32 bytes:
//
//	proof table                            transposition table
//	bytes  0..15  key, all 128 bits,       bytes  0..7   half of the key: enough to guide
//	              because proofs use it            8..11  proof number
//	      16..19  work, in nodes                  12..15  disproof number
//	      20..23  code of a winning turn          16..19  work, in nodes
//	          24  proved within                   20..23  code of the best child's turn
//	          25  refuted up to                       24  n that the numbers are for
//	          26  time stamp                          25  time stamp
//
// [Scores] is the transposition table of the engine: values of positions from depth-limited
// searches.
//
// Facts about one position are merged ([Fact.Merge]). Searches keep the numbers of the nodes on
// their path themselves; a lost entry costs time but never progress, so a full table never stops a
// search.
//
// # Replacement
//
// See [Scheme]. Keeping the greater subtrees takes the fewest nodes and is the default;
// docs/performance.md has the figures.
package tables

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"goalproof/zobrist"
)

// Entry is the content of both tables for a position.
type Entry struct {
	Fact
	Proof, Disproof uint32 // for N; both 0 if unknown
	Work            uint32 // nodes searched
	Best            uint32 // code of the turn to search first; 0: unknown
	N               uint8  // turns of the attacker that the numbers are for
	Busy            uint8  // approximate number of workers in its subtree
}

const (
	ways      = 4
	entrySize = 32
	locks     = 256
)

// fact is an entry of the proof table.
type fact struct {
	key     zobrist.Key
	work    uint32
	turn    uint32
	proved  uint8 // 0: never used
	refuted uint8
	stamp   uint8
}

// numbers are an entry of the transposition table.
type numbers struct {
	key             uint64
	proof, disproof uint32
	work            uint32
	best            uint32
	n               uint8 // 0: never used
	stamp           uint8
	_               [6]byte
}

// Table is a proof table and a transposition table. All its methods may be called by many
// goroutines.
type Table struct {
	facts   buckets[fact]
	numbers buckets[numbers]
	scheme  Scheme
	busy    [1 << 12]atomic.Int32 // workers in a subtree, by a part of the key
}

// buckets is one of the two tables.
type buckets[T any] struct {
	all   [][ways]T
	used  atomic.Bool // an entry was made since the last clear
	fresh atomic.Uint64
	locks [locks]struct {
		sync.Mutex
		_ [56]byte // a cache line each
	}
}

// New returns a table with at most the given bytes for facts and for numbers, but at least one
// bucket for each.
func New(facts, numbers uint64, scheme Scheme) *Table {
	t := &Table{scheme: scheme}
	t.facts.make(facts)
	t.numbers.make(numbers)
	return t
}

func (b *buckets[T]) make(bytes uint64) {
	b.all = make([][ways]T, max(1, bytes/(ways*entrySize)))
}

// lock returns the bucket of a key, locked; the caller unlocks it.
func (b *buckets[T]) lock(k zobrist.Key) (*[ways]T, *sync.Mutex) {
	i, _ := bits.Mul64(k.Lo, uint64(len(b.all)))
	lock := &b.locks[i%locks].Mutex
	lock.Lock()
	return &b.all[i], lock
}

// now returns the present time stamp: the number of entries made so far, in quarters of the table's
// size.
func (b *buckets[T]) now() uint8 {
	if !b.used.Load() {
		b.used.Store(true)
	}
	return uint8(b.fresh.Load() / uint64(len(b.all)*ways/4+1))
}

func (b *buckets[T]) clear() {
	if b.used.Swap(false) {
		clear(b.all)
		b.fresh.Store(0)
	}
}

// Clear empties the tables. No other method may run meanwhile. It does not touch an unused table,
// whose memory may not be mapped yet.
func (t *Table) Clear() {
	t.facts.clear()
	t.numbers.clear()
}

// Get returns the entry of a position. If there is none, its fact is Nothing.
func (t *Table) Get(k zobrist.Key) Entry {
	e := Entry{Fact: Nothing, Busy: uint8(min(max(t.inside(k).Load(), 0), 255))}
	facts, lock := t.facts.lock(k)
	for i := range facts {
		if f := &facts[i]; f.key == k && f.proved != 0 {
			e.Fact, e.Work = f.fact(), f.work
			break
		}
	}
	lock.Unlock()
	all, lock := t.numbers.lock(k)
	defer lock.Unlock()
	for i := range all {
		if n := &all[i]; n.key == k.Hi && n.n != 0 {
			e.Proof, e.Disproof, e.N, e.Best = n.proof, n.disproof, n.n, n.best
			e.Work = max(e.Work, n.work)
			break
		}
	}
	return e
}

func (t *Table) inside(k zobrist.Key) *atomic.Int32 { return &t.busy[k.Hi%uint64(len(t.busy))] }

// Enter counts a worker into the subtree of a position, and returns the position's entry.
func (t *Table) Enter(k zobrist.Key) Entry {
	t.inside(k).Add(1)
	return t.Get(k)
}

// Leave counts a worker out of the subtree of a position and enters its result: the fact of e or,
// if that says nothing, the numbers of e, whose N is at least 1 and which replace the old ones.
// Work adds up, separately for facts and numbers. The error is a Contradiction; the table then
// keeps its fact.
func (t *Table) Leave(k zobrist.Key, e Entry) error {
	t.inside(k).Add(-1)
	if e.Known() {
		return t.Learn(k, e.Fact, e.Work)
	}
	t.putNumbers(k, &e)
	return nil
}

// Learn merges a fact that took the given work, in nodes. The error is a Contradiction; the table
// then keeps its fact.
func (t *Table) Learn(k zobrist.Key, f Fact, work uint32) error {
	if !f.Known() {
		return nil
	}
	if !f.Possible() {
		return contradiction(k, Nothing, f)
	}
	all, lock := t.facts.lock(k)
	defer lock.Unlock()
	var old [ways]worth
	stamp := t.facts.now()
	slot := -1
	for i := range all {
		o := &all[i]
		if o.proved == 0 {
			slot = i
			break
		}
		if o.key == k {
			merged := o.fact().Merge(f)
			if !merged.Possible() {
				return contradiction(k, o.fact(), f)
			}
			o.set(merged)
			o.work, o.stamp = addWork(o.work, work), stamp
			return nil
		}
		old[i] = worth{o.work, o.turns(), stamp - o.stamp}
	}
	n := fact{key: k, work: work, stamp: stamp}
	n.set(f)
	if slot < 0 {
		if slot = t.scheme.victim(&old, worth{work, n.turns(), 0}); slot < 0 {
			return nil
		}
	}
	all[slot] = n
	t.facts.fresh.Add(1)
	return nil
}

// putNumbers enters numbers.
func (t *Table) putNumbers(k zobrist.Key, e *Entry) {
	all, lock := t.numbers.lock(k)
	defer lock.Unlock()
	var old [ways]worth
	n := numbers{key: k.Hi, proof: e.Proof, disproof: e.Disproof, work: e.Work, best: e.Best, n: e.N, stamp: t.numbers.now()}
	slot := -1
	for i := range all {
		o := &all[i]
		if o.n == 0 {
			slot = i
			break
		}
		if o.key == n.key {
			n.work = addWork(n.work, o.work)
			*o = n
			return
		}
		old[i] = worth{o.work, o.n, n.stamp - o.stamp}
	}
	if slot < 0 {
		if slot = t.scheme.victim(&old, worth{n.work, n.n, 0}); slot < 0 {
			return
		}
	}
	all[slot] = n
	t.numbers.fresh.Add(1)
}

// addWork adds work and saturates.
func addWork(a, b uint32) uint32 { return a + min(b, math.MaxUint32-a) }

func (f *fact) fact() Fact { return Fact{f.proved, f.refuted, f.turn} }

func (f *fact) set(to Fact) { f.proved, f.refuted, f.turn = to.ProvedWithin, to.RefutedUpTo, to.Turn }

// turns returns the greatest number of turns that the fact decides.
func (f *fact) turns() uint8 {
	if f.proved == Unproved {
		return f.refuted
	}
	return f.proved
}

func contradiction(k zobrist.Key, known, new Fact) error {
	key := binary.BigEndian.AppendUint64(nil, k.Hi)
	return &Contradiction{Key: binary.BigEndian.AppendUint64(key, k.Lo), Known: known, New: new}
}
