package store

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"goalproof/tables"
)

// put is what was put under a name: a fact, or a note.
type put struct {
	name []byte
	fact tables.Fact
	note []byte
}

// entryBytes is what Badger counts for an entry besides its key and a note, at most.
const entryBytes = 32

// queue is where searches and the writer meet: one batch fills while another is written.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond // something below has changed

	batch   []put
	bytes   int64  // of the batch, as Badger counts them
	most    int    // entries in a batch
	limit   int64  // bytes of a batch
	put     uint64 // facts and notes ever put
	wanted  uint64 // of them, to be made durable
	durable uint64 // of them, durable
	closing bool
	err     error // the first: nothing is written after it
	unable  bool  // err is about the disk or the database, not about a fact

	tasks sync.WaitGroup
}

// full reports whether the batch is full. The lock is held.
func (q *queue) full() bool { return len(q.batch) >= q.most || q.bytes >= q.limit }

// fail stops all writing.
func (q *queue) fail(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c := (*tables.Contradiction)(nil); !errors.As(err, &c) && !errors.Is(err, ErrLost) {
		q.unable = true
	}
	q.err = cmp.Or(q.err, err)
	q.changed.Broadcast()
}

// failure returns the writer's error, and whether it is about the disk or the database.
func (q *queue) failure() (err error, unable bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err, q.unable
}

// Put adds a fact to what the store knows, through the writer: it copies the key, and
// waits only while the writer is a whole batch behind. The error is the writer's, about
// this fact or one put before: a Contradiction, or what the disk said.
func (s *Store) Put(key []byte, f tables.Fact) error {
	return s.enqueue(put{name: recordName(factKind, key), fact: f})
}

// enqueue adds to the batch.
func (s *Store) enqueue(p put) error {
	if err := checkKey(p.name[1:]); err != nil {
		return err
	}
	if s.o.ReadOnly {
		return ErrReadOnly
	}
	q := &s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.full() && q.err == nil && !q.closing {
		q.changed.Wait()
	}
	if q.err != nil || q.closing {
		return cmp.Or(q.err, ErrClosed)
	}
	q.batch = append(q.batch, p)
	q.bytes += int64(len(p.name) + len(p.note) + entryBytes)
	q.put++
	if q.full() {
		q.changed.Broadcast()
	}
	return nil
}

// Sync returns when all that was put before is durable: it survives a killed process
// and a power cut. The error is the writer's.
func (s *Store) Sync() error {
	q := &s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closing && q.err == nil && q.durable < q.put {
		return ErrClosed
	}
	put := q.put
	q.wanted = put
	q.changed.Broadcast()
	for q.durable < put && q.err == nil {
		q.changed.Wait()
	}
	return q.err
}

// lookEvery is the time between two looks at the room on the disk.
const lookEvery = 20 * time.Millisecond

// watch looks at the disk, and asks for a checkpoint twice a second.
func (s *Store) watch() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for n := time.Duration(1); ; n++ {
		select {
		case <-s.background.Done():
			return
		case <-tick.C:
		}
		if err := s.needRoom(0); err != nil {
			s.fail(err)
			return
		}
		if n*lookEvery%(time.Second/2) == 0 {
			s.mu.Lock()
			s.wanted = s.put
			s.changed.Broadcast()
			s.mu.Unlock()
		}
	}
}

// write is the writer. It ends after an error, or with a last checkpoint when the store is closed.
func (s *Store) write() {
	q := &s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for q.err == nil && !q.closing && !q.full() && q.wanted == q.durable {
			q.changed.Wait()
		}
		if q.err != nil || q.closing && q.put == q.durable {
			return
		}
		batch, put := q.batch, q.put
		q.batch, q.bytes = nil, 0
		q.changed.Broadcast()
		q.mu.Unlock()
		err := s.commit(batch)
		if err != nil {
			s.fail(err)
		}
		q.mu.Lock()
		if err == nil {
			q.durable, q.wanted = put, max(q.wanted, put)
			q.changed.Broadcast()
		}
	}
}

// mostWitnesses is how many contradictions of a batch are recorded: their records are a little
// larger than those of facts, for which a batch has the room.
const mostWitnesses = 64

// commit merges a batch into the records, durably. The error may be a Contradiction; then all other
// facts of the batch are written.
func (s *Store) commit(batch []put) (err error) {
	if err := s.needRoom(0); err != nil {
		return err
	}
	version := s.version.Load()
	txn := s.db.NewTransactionAt(version, true)
	defer txn.Discard()
	t := s.totals
	changed := false
	set := func(name, value []byte) { // Badger keeps both
		changed = true
		err = cmp.Or(err, txn.Set(name, value))
	}
	var denied error // of a Contradiction
	witnesses := 0
	for _, p := range batch {
		if p.note != nil {
			set(p.name, appendSum(p.note, p.name))
			continue
		}
		stored, e := s.fact(txn, p.name)
		if e != nil {
			return e
		}
		switch all := stored.Merge(p.fact); {
		case !all.Possible():
			denied = cmp.Or(denied, s.failed(&tables.Contradiction{Key: p.name[1:], Known: stored, New: p.fact}))
			if witnesses++; witnesses > mostWitnesses {
				continue
			}
			name := recordName(contradictionKind, p.name[1:])
			value, e := s.find(txn, name)
			if e != nil {
				return e
			}
			if value == nil { // the first of a position stays
				set(name, factValue(name, stored, p.fact))
			}
		case all != stored:
			t.replace(p.name, stored, all)
			set(p.name, factValue(p.name, all))
		}
	}
	if !changed {
		return denied
	}
	if set(totalsName, t.value()); err != nil {
		return s.failed(err)
	}
	if err := s.guarded(func() error { return txn.CommitAt(version+1, nil) }); err != nil {
		return err
	}
	s.totals = t
	if err := cmp.Or(s.syncNames(), s.setMark(version+1)); err != nil {
		return s.failed(err)
	}
	s.version.Store(version + 1)
	return denied
}

// syncNames makes the names of Badger's logs durable, which Badger does not do.
func (s *Store) syncNames() error {
	logs, err := filepath.Glob(s.path(databaseName, "*.mem"))
	if err != nil || len(logs) == 0 || logs[len(logs)-1] == s.newestLog {
		return err
	}
	s.newestLog = logs[len(logs)-1]
	return syncFile(s.path(databaseName))
}

// Note remembers something other than a fact, and replaces an earlier note under the same key: what
// has been tried in vain, for example. It returns when the note is durable. Merge leaves notes
// behind. The error is that of Put and Sync, or says that the note is too long.
func (s *Store) Note(key, note []byte) error {
	if len(note) > MaxNote {
		return fmt.Errorf("a note has at most %d bytes, not %d", MaxNote, len(note))
	}
	return cmp.Or(s.enqueue(put{name: recordName(noteKind, key), note: append([]byte{}, note...)}), s.Sync())
}
