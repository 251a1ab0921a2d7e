// Package tables keeps what searches have found out, in memory, for all workers of a
// run.
//
// A [Table] maps positions at turn boundaries to entries of 32 bytes: facts, which are
// true for good, and proof and disproof numbers, which only guide. The layout of a
// bucket, two cache lines, four entries:
//
//	bytes  0..15  key, 128 bits: enough for proofs
//	      16..19  proof number        20..23  disproof number
//	      24..27  work, in nodes          28  n that the numbers are for
//	          29  proved within           30  refuted up to      31  workers inside
//
// Facts about one position are merged: the least n proved, the greatest refuted. They
// hold whatever else the table forgets, so an answer never depends on its size.
//
// When a bucket is full the entry that took least work goes, one without facts before
// one with. Searches keep the numbers of the children that they are working on
// themselves; a forgotten entry costs time and never progress.
package tables

import (
	"fmt"
	"sync"
	"sync/atomic"

	"goalproof/zobrist"
)

// Unproved is the value of Entry.ProvedWithin where nothing is proved.
const Unproved = 255

// Entry is what is known about a position.
type Entry struct {
	Proof, Disproof uint32 // for N; both 0 where they are not known
	Work            uint32 // nodes searched
	N               uint8  // what the numbers are for, in turns of the attacker
	ProvedWithin    uint8  // the least number of turns proved, or Unproved
	RefutedUpTo     uint8  // the greatest number of turns refuted, or 0
	Busy            uint8  // workers searching the position now
}

// Solved tells whether the facts answer the question for n turns, and how.
func (e *Entry) Solved(n int) (proved, ok bool) {
	return int(e.ProvedWithin) <= n, int(e.ProvedWithin) <= n || int(e.RefutedUpTo) >= n
}

// Contradiction is the error of a fact that another one denies.
type Contradiction struct {
	Key          zobrist.Key
	ProvedWithin int // turns
	RefutedUpTo  int // turns
}

func (c *Contradiction) Error() string {
	return fmt.Sprintf("contradiction: position %016x%016x is proved within %d turns and refuted up to %d",
		c.Key.Hi, c.Key.Lo, c.ProvedWithin, c.RefutedUpTo)
}

const (
	ways      = 4
	entrySize = 32
	locks     = 256
)

type slot struct {
	key zobrist.Key
	Entry
}

type bucket [ways]slot

// Table is a table of fixed size. All its methods may be called by many goroutines.
type Table struct {
	buckets []bucket
	used    atomic.Bool // since it was empty
	locks   [locks]struct {
		sync.Mutex
		_ [56]byte // a cache line each
	}
}

// New returns a table of at most so many bytes, at least one bucket.
func New(bytes uint64) *Table {
	n := uint64(1)
	for 2*n*ways*entrySize <= bytes {
		n *= 2
	}
	return &Table{buckets: make([]bucket, n)}
}

// Clear forgets everything. No other method may run meanwhile. A table in which nothing
// was entered is left as it is: its memory is perhaps not even there yet.
func (t *Table) Clear() {
	if t.used.Swap(false) {
		clear(t.buckets)
	}
}

// Get returns what is known about a position; a position that is not in the table has
// an entry without facts and numbers.
func (t *Table) Get(k zobrist.Key) Entry {
	b, lock := t.bucket(k)
	lock.Lock()
	defer lock.Unlock()
	for i := range b {
		if b[i].key == k && b[i].ProvedWithin != 0 {
			return b[i].Entry
		}
	}
	return Entry{ProvedWithin: Unproved}
}

// Enter counts a worker into a position, and returns what is known about it.
func (t *Table) Enter(k zobrist.Key) Entry {
	t.used.Store(true)
	b, lock := t.bucket(k)
	lock.Lock()
	defer lock.Unlock()
	s := b.claim(k)
	if s.Busy < 255 {
		s.Busy++
	}
	return s.Entry
}

// Leave counts a worker out of a position and merges what it has found out: the facts
// of e, which add to those known; its numbers, which replace them; its work, which adds up. The error is a
// Contradiction; the table then keeps what it had.
func (t *Table) Leave(k zobrist.Key, e Entry) error {
	if e.ProvedWithin <= e.RefutedUpTo {
		return &Contradiction{k, int(e.ProvedWithin), int(e.RefutedUpTo)}
	}
	t.used.Store(true)
	b, lock := t.bucket(k)
	lock.Lock()
	defer lock.Unlock()
	s := b.claim(k)
	if s.Busy > 0 {
		s.Busy--
	}
	proved, refuted := min(s.ProvedWithin, e.ProvedWithin), max(s.RefutedUpTo, e.RefutedUpTo)
	if proved <= refuted {
		return &Contradiction{k, int(proved), int(refuted)}
	}
	s.ProvedWithin, s.RefutedUpTo = proved, refuted
	s.Proof, s.Disproof, s.N = e.Proof, e.Disproof, e.N
	s.Work = max(s.Work, s.Work+e.Work)
	return nil
}

// bucket returns the bucket of a key and its lock.
func (t *Table) bucket(k zobrist.Key) (*bucket, *sync.Mutex) {
	i := k.Lo & uint64(len(t.buckets)-1)
	return &t.buckets[i], &t.locks[i%locks].Mutex
}

// claim returns the slot of a key, which takes a free one or that of the least valuable entry.
func (b *bucket) claim(k zobrist.Key) *slot {
	worst := &b[0]
	for i := range b {
		s := &b[i]
		if s.ProvedWithin == 0 { // never used
			worst = s
			break
		}
		if s.key == k {
			return s
		}
		if s.less(worst) {
			worst = s
		}
	}
	*worst = slot{key: k, Entry: Entry{ProvedWithin: Unproved}}
	return worst
}

// less tells whether s is less worth keeping than o.
func (s *slot) less(o *slot) bool {
	if facts := s.facts(); facts != o.facts() {
		return !facts
	}
	return s.Work < o.Work
}

func (s *slot) facts() bool { return s.ProvedWithin != Unproved || s.RefutedUpTo > 0 }
