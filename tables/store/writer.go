package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

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
	limit := int(memory / (2 << 10))
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

// stop ends the writer after a last checkpoint, and returns its error.
func (q *queue) stop() error {
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
	if running {
		<-q.ended
		q.aside.Wait()
	}
	return q.failure()
}

// noted counts a note, which is written already, among the records to be made durable.
func (q *queue) noted() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.put++
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

// commit holds what the writer needs for a batch, kept from one to the next.
type commit struct {
	frame []byte
	value []byte
}

// add adds a record to those to be written.
func (c *commit) add(name []byte, facts ...tables.Fact) {
	c.value = appendRecord(c.value[:0], name, facts...)
	c.frame = addRecord(c.frame, name, c.value)
}

// commit merges a batch into the records, and makes all commits durable if told to. The
// error may be a Contradiction; then all other facts of the batch are written.
func (s *Store) commit(c *commit, b *batch, sync bool) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if len(b.facts) > 0 {
		if err := s.begin(len(b.data) + len(b.facts)*recordBytes + MaxKey + recordBytes); err != nil {
			return err
		}
	}
	b.sort()
	c.frame = startFrame(c.frame)
	var denied *tables.Contradiction
	for facts := b.facts; len(facts) > 0; {
		name, n := b.name(facts[0]), 1
		for n < len(facts) && facts[n].first == facts[0].first && bytes.Equal(b.name(facts[n]), name) {
			n++
		}
		stored, all := tables.Nothing, tables.Nothing
		if s.filter.mayHave(name[1:]) {
			var err error
			if stored, err = s.stored(name); err != nil {
				return err
			}
			all = stored
		}
		for _, p := range facts[:n] {
			merged := all.Merge(b.fact(p))
			if !merged.Possible() {
				denied = &tables.Contradiction{Key: bytes.Clone(name[1:]), Known: all, New: b.fact(p)}
				if err := s.witness(c, denied); err != nil {
					return err
				}
				all = stored
				break
			}
			all = merged
		}
		facts = facts[n:]
		if all != stored {
			s.filter.add(name[1:])
			c.add(name, all)
		}
	}
	if len(c.frame) > frameSize {
		if err := s.enter(c.frame); err != nil {
			return err
		}
	}
	if (sync || denied != nil) && s.journal != nil {
		if err := s.journal.sync(); err != nil {
			return s.failed(err)
		}
	}
	if denied != nil {
		return s.failed(denied)
	}
	return nil
}

// stored reads the record of a fact for the writer.
func (s *Store) stored(name []byte) (tables.Fact, error) {
	s.gate.RLock()
	defer s.gate.RUnlock()
	return s.fact(name)
}

// witness adds a contradiction's record; the first of a position stays.
func (s *Store) witness(c *commit, d *tables.Contradiction) error {
	name := append([]byte{contradictionKind}, d.Key...)
	s.gate.RLock()
	defer s.gate.RUnlock()
	value, err := s.find(name, nil)
	if err == nil && value == nil {
		c.add(name, d.Known, d.New)
	}
	return s.failed(err)
}

// enter appends a frame to the journal, and puts its records into the list. The caller holds writing, and has called begin.
func (s *Store) enter(frame []byte) error {
	if err := s.journal.append(frame); err != nil {
		return s.failed(err)
	}
	eachRecord(frame[frameSize:], s.remember)
	return nil
}

// begin sees to it that there is a journal, and a list with so much room. The caller holds writing, which others may get
// meanwhile.
func (s *Store) begin(room int) error {
	if s.closing {
		return ErrClosed
	}
	if s.journal == nil {
		if err := s.start(); err != nil {
			return s.failed(err)
		}
	}
	for s.lists[0].MemSize()+int64(room) > s.listBytes {
		if err := s.failure(); err != nil {
			return err
		}
		if s.flushing {
			s.changed.Wait()
			continue
		}
		if len(s.lists) == 1 {
			if err := s.rotate(); err != nil {
				return s.failed(err)
			}
		}
		s.flushing = true
		go s.flush()
	}
	return nil
}

// start begins to write to a store. After an error it may be called again.
func (s *Store) start() (err error) {
	var j *journal
	if n := len(s.replayed); n == 0 {
		j, err = createJournal(s.dir, s.header.Journal)
	} else {
		j, err = openJournal(s.dir, s.replayed[n-1].number, s.replayed[n-1].size)
	}
	if err != nil {
		return err
	}
	h := s.header
	h.State, h.Journals = stateOpen, nil
	if err := h.write(s.dir); err != nil {
		j.file.Close()
		return err
	}
	s.header, s.journal = h, j
	h.sweep(s.dir)
	os.Remove(filepath.Join(s.dir, journalName(j.number+1))) // its beginning, if a process was killed then
	if len(s.lists) <= 1 && len(s.replayed) <= 1 {
		if len(s.lists) == 0 {
			s.addList()
		}
		return nil
	}
	// A list has the records of one journal, except that all old ones have those of all old journals.
	if err := s.rotate(); err != nil {
		j.file.Close()
		s.journal = nil // to start again
		return err
	}
	return nil
}

// rotate begins a new journal, and a new list with it: the others can then be merged.
func (s *Store) rotate() error {
	next, err := createJournal(s.dir, s.journal.number+1)
	if err != nil {
		return err
	}
	if err := s.journal.append(startFrame(nil)); err != nil {
		next.file.Close()
		return err
	}
	if err := s.journal.sync(); err != nil {
		next.file.Close()
		s.fail(s.failed(err)) // nothing may come after the last frame
		return err
	}
	s.journal.file.Close()
	s.journal = next
	s.addList()
	return nil
}
