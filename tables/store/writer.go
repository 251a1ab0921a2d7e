package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"

	"goalproof/tables"
)

// batch is facts that wait for the writer: for each, the kind, the key, and the fact's
// bytes, one after the other.
type batch struct {
	data  []byte
	facts []place
	limit int // facts
}

// place is where a fact of a batch is: the end of the record's name, and how long the
// name is. Most names are ordered by their first bytes.
type place struct {
	first       uint64 // bytes 1..8 of the name
	start, size uint32
}

func (b *batch) add(key []byte, f tables.Fact) {
	var first [8]byte
	copy(first[:], key)
	b.facts = append(b.facts, place{binary.BigEndian.Uint64(first[:]), uint32(len(b.data)), uint32(len(key) + 1)})
	b.data = append(b.data, factKind)
	b.data = append(b.data, key...)
	b.data = appendFact(b.data, f)
}

func (b *batch) full() bool { return len(b.facts) >= b.limit }

func (b *batch) name(p place) []byte { return b.data[p.start : p.start+p.size : p.start+p.size] }

func (b *batch) fact(p place) tables.Fact {
	return unpackFact(b.data[p.start+p.size:])
}

// sort orders the facts by key, those of a key as they came.
func (b *batch) sort() {
	slices.SortFunc(b.facts, func(p, q place) int {
		if c := cmp.Compare(p.first, q.first); c != 0 {
			return c
		}
		if c := bytes.Compare(b.name(p), b.name(q)); c != 0 {
			return c
		}
		return cmp.Compare(p.start, q.start)
	})
}

func (b *batch) clear() { b.data, b.facts = b.data[:0], b.facts[:0] }

// queue is where searches and the writer meet: one batch fills while another is written.
type queue struct {
	mu       sync.Mutex
	room     sync.Cond // for those who put
	work     sync.Cond // for the writer
	progress sync.Cond // for those who wait for a checkpoint

	filling *batch
	spare   *batch
	put     uint64 // facts ever put
	wanted  uint64 // of them, to be made durable
	durable uint64 // of them, durable
	closing bool
	err     error // the first: nothing is written after it
	unable  bool  // err is about the disk, not about a fact
	running bool
	ended   chan struct{} // closed when the writer has ended
	quit    chan struct{} // closed when the clock and the filter shall end
	aside   sync.WaitGroup
}

func newQueue(memory int64) *queue {
	limit := int(memory / (1 << 10))
	q := &queue{filling: &batch{limit: limit}, spare: &batch{limit: limit}, ended: make(chan struct{}), quit: make(chan struct{})}
	q.room.L, q.work.L, q.progress.L = &q.mu, &q.mu, &q.mu
	return q
}

// fail stops all writing. The lock is not held.
func (q *queue) fail(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c := (*tables.Contradiction)(nil); !errors.As(err, &c) {
		q.unable = true
	}
	if q.err == nil {
		q.err = err
	}
	q.room.Broadcast()
	q.work.Broadcast()
	q.progress.Broadcast()
}

// broken tells whether the disk failed.
func (q *queue) broken() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.unable
}

// Put adds a fact to what the store knows, through the writer: it copies the key, and
// waits only while the writer is a whole batch behind. The error is the writer's, about
// this fact or one put before: a Contradiction, or what the disk said.
func (s *Store) Put(key []byte, f tables.Fact) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if s.o.ReadOnly {
		return ErrReadOnly
	}
	q := s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.filling.full() && q.err == nil && !q.closing {
		q.room.Wait()
	}
	switch {
	case q.err != nil:
		return q.err
	case q.closing:
		return ErrClosed
	}
	q.filling.add(key, f)
	q.put++
	if q.filling.full() {
		q.work.Signal()
	}
	return nil
}

// Sync returns when all that was put before is durable: it survives a killed process
// and a power cut. The error is the writer's.
func (s *Store) Sync() error {
	if s.o.ReadOnly {
		return nil
	}
	q := s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closing && q.err == nil && q.durable < q.put {
		return ErrClosed
	}
	put := q.put
	q.wanted = put
	q.work.Signal()
	for q.durable < put && q.err == nil {
		q.progress.Wait()
	}
	return q.err
}

// goOn starts the writer, the clock that asks it for a checkpoint, and the filling of
// the filter.
func (q *queue) goOn(s *Store) {
	q.running = true
	go func() {
		defer close(q.ended)
		s.write()
	}()
	q.aside.Go(func() {
		tick := time.NewTicker(time.Second / 2)
		defer tick.Stop()
		for {
			select {
			case <-q.quit:
				return
			case <-tick.C:
				q.mu.Lock()
				q.wanted = q.put
				q.work.Signal()
				q.mu.Unlock()
				s.trim() // a compaction reads what nobody asks for
			}
		}
	})
	q.aside.Go(s.fillFilter)
}

// stop ends the writer after a last checkpoint. It returns whether the writer has ended,
// or waits for Badger, which waits for the disk; and its error.
func (q *queue) stop() (ended bool, err error) {
	q.mu.Lock()
	if q.running && !q.closing {
		close(q.quit)
	}
	q.closing = true
	q.wanted = q.put
	running := q.running
	q.work.Signal()
	q.room.Broadcast()
	q.mu.Unlock()
	if !running {
		return true, nil
	}
	q.aside.Wait()
	for !ended {
		select {
		case <-q.ended:
			ended = true
		case <-time.After(time.Second):
			if q.broken() {
				return false, q.failure()
			}
		}
	}
	return true, q.failure()
}

// failure is the writer's error.
func (q *queue) failure() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err
}

// write is the writer.
func (s *Store) write() {
	q := s.queue
	var c commit
	for {
		q.mu.Lock()
		for q.err == nil && !q.closing && !q.filling.full() && q.wanted == q.durable {
			q.work.Wait()
		}
		if q.err != nil || q.closing && q.put == q.durable {
			q.mu.Unlock()
			return
		}
		b := q.filling
		q.filling, q.spare = q.spare, nil
		put, sync := q.put, q.wanted > q.durable
		q.room.Broadcast()
		q.mu.Unlock()

		err := s.commit(&c, b, sync)
		b.clear()
		if err != nil {
			q.fail(err)
			return
		}
		q.mu.Lock()
		q.spare = b
		if sync {
			q.durable = put
			q.progress.Broadcast()
		}
		q.mu.Unlock()
	}
}

// commit is what the writer needs for a batch, kept from one to the next.
type commit struct {
	entries []badger.Entry
	values  []byte
}

// commit merges a batch into the records, and makes all commits durable if told to. The
// error may be a Contradiction; then all other facts of the batch are written.
func (s *Store) commit(c *commit, b *batch, sync bool) (err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer caught(&err)
	if err := s.roomLeft(); err != nil {
		return err
	}
	b.sort()
	if c.entries == nil {
		c.entries = make([]badger.Entry, b.limit)
	}
	c.values = slices.Grow(c.values[:0], factSize*b.limit) // the entries point into it
	written := 0
	var denied *tables.Contradiction
	out := s.db.NewWriteBatchAt(s.ts + 1)
	defer out.Cancel()
	for facts := b.facts; len(facts) > 0; {
		name, n := b.name(facts[0]), 1
		for n < len(facts) && facts[n].first == facts[0].first && bytes.Equal(b.name(facts[n]), name) {
			n++
		}
		stored, all := tables.Nothing, tables.Nothing
		if s.filter.mayHave(name[1:]) {
			if stored, err = s.look(s.db, name); err != nil {
				return err
			}
			all = stored
		}
		for _, p := range facts[:n] {
			merged := all.Merge(b.fact(p))
			if !merged.Possible() {
				denied = &tables.Contradiction{Key: bytes.Clone(name[1:]), Known: all, New: b.fact(p)}
				if err := s.witness(out, denied); err != nil {
					return err
				}
				all = stored
				break
			}
			all = merged
		}
		facts = facts[n:]
		if all == stored {
			continue
		}
		s.filter.add(name[1:])
		at := len(c.values)
		c.values = appendRecord(c.values, name, all)
		e := &c.entries[written]
		*e = badger.Entry{Key: name, Value: c.values[at:]}
		written++
		if err := out.SetEntry(e); err != nil {
			return fmt.Errorf("store %s: %w", s.dir, err)
		}
	}
	if written > 0 || denied != nil {
		if err := out.Flush(); err != nil {
			return fmt.Errorf("store %s: %w", s.dir, err)
		}
		s.ts++
		s.db.SetDiscardTs(s.ts)
	}
	if sync || denied != nil {
		err := s.sync()
		if err == nil && denied == nil { // the commit of a contradiction that is known has nothing in it
			err = s.noteCheckpoint()
		}
		if err != nil {
			return fmt.Errorf("store %s: %w", s.dir, err)
		}
	}
	if denied != nil {
		return fmt.Errorf("store %s: %w", s.dir, denied)
	}
	return nil
}

// witness writes a contradiction's record; the first of a position stays.
func (s *Store) witness(out *badger.WriteBatch, c *tables.Contradiction) error {
	name := append([]byte{contradictionKind}, c.Key...)
	txn := s.db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	_, err := txn.Get(name)
	if err == badger.ErrKeyNotFound {
		err = out.Set(name, appendRecord(nil, name, c.Known, c.New))
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", s.dir, err)
	}
	return nil
}

// sync makes all commits durable. Badger syncs the log that it writes; those that wait
// to become tables, and the directory, are left to us.
func (s *Store) sync() error {
	if err := s.db.Sync(); err != nil {
		return err
	}
	dir := s.folder()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".mem") {
			// A log that has gone is a table now, and durable.
			if err := syncFile(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return syncFile(dir)
}

// roomLeft checks that the disk takes what Badger may write until the next batch: its
// logs, and the tables of its compactions. One of them rewrites up to 15 tables of a buffer
// each, and the level under them of 16 buffers and more, before it removes the old ones.
func (s *Store) roomLeft() error {
	free, err := freeBytes(s.dir)
	if err != nil {
		return fmt.Errorf("store %s: %w", s.dir, err)
	}
	if need := 64 * s.header.Memtable; free < need {
		return fmt.Errorf("store %s: %w: %d MiB are free, and %d are needed", s.dir, ErrFull, free>>20, need>>20)
	}
	return nil
}

// logger hears what Badger says only to its log: that it could not write.
type logger struct{ *queue }

func (l logger) Errorf(format string, args ...any) {
	l.fail(fmt.Errorf("the database failed: "+strings.TrimSpace(format), args...))
}

func (l logger) Warningf(format string, args ...any) {
	if strings.Contains(format, "doCompact") {
		l.Errorf(format, args...)
	}
}

func (logger) Infof(string, ...any)  {}
func (logger) Debugf(string, ...any) {}
