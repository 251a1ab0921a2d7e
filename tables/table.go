// Package tables keeps what searches have found out, in memory, for all workers of a
// run.
//
// A [Table] is two tables of fixed size. The proof table holds facts about positions at turn
// boundaries, which are true for good. The transposition table holds proof and disproof numbers,
// which only guide. So a fact is never replaced by numbers, whatever else the tables forget, and an
// answer depends neither on their sizes nor on the scheme by which entries are replaced. A bucket is
// two cache lines, four entries of 32 bytes:
//
//	proof table                            transposition table
//	bytes  0..15  key, all 128 bits: it    bytes  0..7   half of the key: enough to guide
//	              has to do for proofs             8..11  proof number
//	      16..19  work, in nodes                  12..15  disproof number
//	      20..23  code of a winning turn          16..19  work, in nodes
//	          24  proved within                   20..23  code of the best child's turn
//	          25  refuted up to                       24  n that the numbers are for
//	          26  time stamp                          25  time stamp
//
// [Scores] is the table of the engine, of another kind: what a depth-limited search thinks of positions.
//
// Facts about one position are merged ([Fact.Merge]). Searches keep the numbers of the children that
// they are working on themselves; a forgotten entry costs time and never progress, so a full
// table never stops a search.
//
// # Replacement
//
// See [Scheme]. Of the schemes of Majerech 2012, section 4.2.1, keeping the greater subtrees takes the fewest
// nodes, as it did there, and is the default. Millions of nodes for eight questions of four and five
// turns, with one worker (go test ./dfpns -bench Tables -benchtime 1x):
//
//	both tables   greater   deeper   newer   older   two-level   aged
//	4 KiB           62.0     64.6     64.4    62.8      62.9     63.8
//	32 KiB          42.8     49.1     43.6    47.1               42.1
//
// The sizes of the tables, each beside a large one of the other kind; questions of two turns do not need
// any, and of three hardly:
//
//	bytes                1 KiB   4 KiB   16 KiB   64 KiB   256 KiB   16 MiB
//	proof table           46.6    45.3     40.1     26.8      17.8     17.3
//	transposition table   32.3    30.8     27.7     23.0      19.1     17.3
package tables

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"goalproof/zobrist"
)

// Entry is what is known about a position.
type Entry struct {
	Fact
	Proof, Disproof uint32 // for N; both 0 where they are not known
	Work            uint32 // nodes searched
	Best            uint32 // code of the turn to search first; 0: not known
	N               uint8  // what the numbers are for, in turns of the attacker
	Busy            uint8  // workers searching the position now, roughly
}

const (
	ways      = 4
	entrySize = 32
	locks     = 256
)

// fact is an entry of the proof table.
type fact struct {
	key   zobrist.Key
	work  uint32
	turn  uint32
	prove uint8 // 0: never used
	refut uint8
	stamp uint8
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
	busy    [1 << 12]atomic.Int32 // workers inside, by a part of the key
}

// buckets are one of the two.
type buckets[T any] struct {
	all   [][ways]T
	used  atomic.Bool // since it was empty
	fresh atomic.Uint64
	locks [locks]struct {
		sync.Mutex
		_ [56]byte // a cache line each
	}
}

// New returns a table with so many bytes at most for facts and for numbers, at least one
// bucket each.
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

// now returns the time stamp of an entry that comes now, which counts quarters of the
// table that came before.
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

// Clear forgets everything. No other method may run meanwhile. A table in which nothing
// was entered is left as it is: its memory is perhaps not even there yet.
func (t *Table) Clear() {
	t.facts.clear()
	t.numbers.clear()
}

// Get returns what is known about a position; of one of which nothing is known the fact is
// Nothing.
func (t *Table) Get(k zobrist.Key) Entry {
	e := Entry{Fact: Nothing, Busy: uint8(min(max(t.inside(k).Load(), 0), 255))}
	facts, lock := t.facts.lock(k)
	for i := range facts {
		if f := &facts[i]; f.key == k && f.prove != 0 {
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

// Enter counts a worker into a position, and returns what is known about it.
func (t *Table) Enter(k zobrist.Key) Entry {
	t.inside(k).Add(1)
	return t.Get(k)
}

// Leave counts a worker out of a position and adds what it has found out: the fact of e, or
// where that says nothing, the numbers of e, whose N is at least 1 and which replace those known.
// Work adds up, for facts and numbers apart. The error is a Contradiction; the table then keeps
// what it had.
func (t *Table) Leave(k zobrist.Key, e Entry) error {
	t.inside(k).Add(-1)
	if e.Known() {
		return t.Learn(k, e.Fact, e.Work)
	}
	t.note(k, &e)
	return nil
}

// Learn adds a fact that took so much work. The error is a Contradiction; the table then
// keeps what it had.
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
		if o.prove == 0 {
			slot = i
			break
		}
		if o.key == k {
			merged := o.fact().Merge(f)
			if !merged.Possible() {
				return contradiction(k, o.fact(), f)
			}
			o.set(merged)
			o.work, o.stamp = sum(o.work, work), stamp
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

// note adds numbers.
func (t *Table) note(k zobrist.Key, e *Entry) {
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
			n.work = sum(n.work, o.work)
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

// sum adds work, as far as it can be counted.
func sum(a, b uint32) uint32 { return a + min(b, math.MaxUint32-a) }

func (f *fact) fact() Fact { return Fact{f.prove, f.refut, f.turn} }

func (f *fact) set(to Fact) { f.prove, f.refut, f.turn = to.ProvedWithin, to.RefutedUpTo, to.Turn }

// turns returns the most turns that the fact says something about.
func (f *fact) turns() uint8 {
	if f.prove == Unproved {
		return f.refut
	}
	return f.prove
}

func contradiction(k zobrist.Key, known, new Fact) error {
	key := binary.BigEndian.AppendUint64(nil, k.Hi)
	return &Contradiction{Key: binary.BigEndian.AppendUint64(key, k.Lo), Known: known, New: new}
}
