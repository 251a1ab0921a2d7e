// Package store keeps facts about positions on disk, for good: a program that is killed, or whose disk is full, loses at
// most what it has not synced, and never truth.
//
// # Why it is right
//
// Facts are merged, never replaced: the least number proved, the greatest refuted. That is commutative, associative and
// idempotent, so batches may come in any order, twice, and from several stores. A fact that denies another is a
// [tables.Contradiction]: the record stays as it is, both witnesses are written to a record of their own, and the store takes
// nothing more.
//
// One goroutine writes. It takes the facts that [Store.Put] has gathered, sorts them by key, merges each with its record, and
// appends those that changed to the journal; nobody else changes a record, so nothing comes between its reading and its writing.
// [Store.Sync] asks for one sync of the journal, which all who wait share, and returns after it. Twice a second, and at Close,
// the store does so by itself.
//
// Most keys are new, and a Bloom filter in memory spares them the reading: it says "no" only of keys that were never added to
// it, and counts only once every key of the store has been. It is filled in the background after opening.
//
// # On disk
//
//	STORE            versions, the tables in their order, and in a closed store the journals, with checksums
//	000007.journal   records as they came; the last journal is the one that is written
//	000012.sst       a table: records in the order of their names
//
// The records, numbers in turns:
//
//	'f' key → proved within, refuted up to, code of a winning turn, CRC-32C of all before
//	'c' key → known and new fact of a contradiction, CRC-32C of all before
//	'n' key → a note ([Store.Note]), CRC-32C of all before
//
// The records of the journals are in memory as well, in lists, one of which takes new records. When it is full the next journal
// begins, with a list of its own, and the old list is merged into a run of tables in the background, together with the newest runs
// if there are several of its size. The new tables count from the moment in which STORE names them; only then are the older files
// removed. A record is complete, so the newest of a name stands: first the lists are looked at, then the runs, the newest
// first. GC merges all into one run.
//
// Lists and tables, their iterators and their filters are those of the database Badger, from its packages skl and table. Badger
// itself is not used, except to read what a store of layout 1 is made of: it writes to mapped files, where a full disk ends the
// process; it reads a damaged block as if its keys had never been there, and ends the process over some other damage. Here every
// file is written by plain writes, whose errors are errors: on a full disk the store stops with ErrFull, unfinished tables are removed,
// and the journal keeps the facts. Only tables are mapped, to be read.
//
// # Damage
//
// STORE has a checksum of its own, and those of all tables, which are compared at opening, before Badger's code sees a table, and
// again before tables are merged. Every record is checked when it is read, and when it is written again. Damage is an [ErrDamaged]
// that names the file or the record.
//
// A journal consists of frames with checksums over their contents, place and journal. A closed store lists its journals with the
// tables. When a process is killed the last frames may be incomplete, and nobody was told that they are durable; they are cut off. To
// tell this from damage, a journal has a mark of how far it is durable, set after each sync. Where frames before the mark are not
// whole the store has lost facts: [ErrLost]. So a mark must not be ahead of the journal, and it is not, as it is set after the
// sync; being behind, after a power cut, it only asks for less.
//
// What is not noticed: damage to a mark and to the end of the same journal, in a store that was not closed; and damage to files
// while the store is open.
//
// # What it takes
//
// With default memory and random keys of 25 bytes some 400,000 facts/s are put, with 2 µs of a core for each, and take 55 bytes each
// on disk; docs/store.md has the figures. Options.Memory bounds the filter, an eighth of it; two lists, a quarter each; and, together about an
// eighth, the batches and a table that is being written, but with 7 MiB for that at least. Most memory beyond is what Go's collector
// has not yet collected: a memory limit (GOMEMLIMIT) bounds it.
//
// Tables are mapped, and of a table that has been read the system counts all as memory of the process. On Linux the store
// gives it back when that exceeds twice Options.Memory; a Get of a known fact from more than that takes 3 times as long.
package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/dgraph-io/badger/v4/skl"
	"github.com/dgraph-io/badger/v4/y"

	"goalproof/tables"
)

var _ tables.Store = (*Store)(nil)

// DefaultMemory is the memory that a store takes unless told otherwise, in bytes.
const DefaultMemory = 64 << 20

// leastMemory is the memory below which a store works no better, in bytes.
const leastMemory = 4 << 20

// Options tell how to open a store.
type Options struct {
	Memory   int64  // bytes for all buffers, caches and the filter; 0 is DefaultMemory
	ReadOnly bool   // write nothing at all; many processes may read at once
	Keys     string // version of the keys: what they stand for
	Rules    string // version of the rules that the facts are about
}

var (
	// ErrInUse is in the error of opening a store that another process, or another
	// part of this one, has open.
	ErrInUse = errors.New("in use")
	// ErrReadOnly is the error of changing a store that was opened for reading.
	ErrReadOnly = errors.New("the store is open for reading only")
	// ErrClosed is the error of using a store that was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrNotWritable is in the error of opening for writing a store that may only be read: permission is missing, or
	// the file system is for reading only.
	ErrNotWritable = errors.New("cannot be written")
	// ErrNotClosed is in the error of opening a store of an older layout whose writer was killed: the program that
	// wrote it must open it once.
	ErrNotClosed = errors.New("was not closed")
	// ErrLost is in the error of opening a store that was not closed and whose journal was damaged after that. What is
	// left is right, and the next Open for writing continues it.
	ErrLost = errors.New("has lost facts")
	// ErrFull is in the error of a store whose disk has no room. What was synced is safe.
	ErrFull = errors.New("the disk is full")
)

// Store is an open store. All its methods may be called by many goroutines.
type Store struct {
	dir       string
	o         Options
	lock      *os.File
	filter    *filter
	listBytes int64 // of a list

	// Locks are taken in this order: merging, writing, gate.
	merging   sync.Mutex // held by whoever writes tables
	lastTable int        // the greatest number of a table

	writing  sync.Mutex // held by whoever writes the journal, or STORE
	changed  sync.Cond  // there are fewer lists, or lists are not being merged any more
	header   header
	replayed []replayed // the journals that were there
	journal  *journal   // nil until something is written
	flushing bool       // lists are being merged
	closing  bool

	gate     sync.RWMutex    // to change what follows takes writing as well
	lists    []*skl.Skiplist // the records of the journals, from the newest to the oldest
	runs     []*run          // all others
	closed   bool
	readers  sync.WaitGroup // whoever goes through all records
	resident resident
	*queue
}

// Open opens a store, and makes one where the directory is empty or, unless it is for
// reading only, missing. The error says what to do: ErrInUse, ErrDamaged, ErrLost, ErrNotWritable, another
// version, not a store, or what the disk said.
func Open(dir string, o Options) (*Store, error) {
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	o.Memory = max(o.Memory, leastMemory)
	s := &Store{dir: filepath.Clean(dir), o: o, filter: newFilter(o.Memory / 8), listBytes: min(o.Memory/4, mostList)}
	s.changed.L = &s.writing
	s.queue = newQueue(min(o.Memory, 4*mostList)) // a batch fits into a list
	if !o.ReadOnly {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, s.failed(err)
		}
	}
	var err error
	if s.lock, err = lockDir(dir, o.ReadOnly); errors.Is(err, ErrInUse) {
		return nil, fmt.Errorf("store %s is %w: close the other program, or use another directory", s.dir, err)
	} else if err != nil {
		return nil, s.failed(err)
	}
	if err := s.open(); err != nil {
		for _, r := range s.runs {
			r.release()
		}
		s.lock.Close()
		return nil, err
	}
	if !o.ReadOnly {
		s.goOn(s)
	}
	return s, nil
}

// open reads the directory, which is locked. Nothing that is there is changed before the first record is written.
func (s *Store) open() error {
	if !s.o.ReadOnly {
		if err := writable(s.dir); err != nil {
			return fmt.Errorf("store %s %w: %w", s.dir, ErrNotWritable, err)
		}
	}
	want := s.wanted()
	h, err := readHeader(s.dir)
	if err != nil {
		return err
	}
	if h == nil {
		if s.o.ReadOnly {
			return fmt.Errorf("store %s is empty: there is nothing to read", s.dir)
		}
		h = &want
		h.State, h.Journal = stateClosed, 1
		if err := h.write(s.dir); err != nil {
			return s.failed(err)
		}
		syncFile(filepath.Dir(s.dir)) // where its name is; it may be that this must not be read
	}
	if h.Schema == 1 {
		want.Schema = 1
	}
	if err := h.check(s.dir, want); err != nil {
		return err
	}
	if h.Schema == 1 {
		if err := h.adopt(s.dir); err != nil {
			return err
		}
	}
	s.header = *h
	for _, files := range h.Runs {
		r, err := openRun(s.dir, files)
		if err != nil {
			return err
		}
		s.runs = append(s.runs, r)
		for _, t := range r.tables {
			s.lastTable = max(s.lastTable, int(t.ID()))
		}
	}
	err = s.replay()
	if s.o.ReadOnly || err != nil && !errors.Is(err, ErrLost) {
		return err
	}
	for _, r := range s.replayed {
		path := filepath.Join(s.dir, journalName(r.number))
		if err := writable(path); err != nil {
			return fmt.Errorf("store %s %w: %w", s.dir, ErrNotWritable, err)
		}
		if r.mark != r.size {
			if err := settle(path, r); err != nil {
				return s.failed(err)
			}
		}
	}
	return err
}

// wanted is the header of a store such as the program wants it.
func (s *Store) wanted() header {
	return header{Schema: Schema, Keys: s.o.Keys, Rules: s.o.Rules}
}

// failed names the store in an error of the disk's.
func (s *Store) failed(err error) error {
	switch {
	case err == nil || errors.Is(err, ErrFull):
		return err
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		err = fmt.Errorf("%w: %w", ErrFull, err)
	}
	return fmt.Errorf("store %s: %w", s.dir, err)
}

// Get returns what the store knows about a position. A fact counts as known once Sync
// has returned, and often before. The error is ErrDamaged for a record that is not as
// it was written.
func (s *Store) Get(key []byte) (tables.Fact, error) {
	if err := checkKey(key); err != nil {
		return tables.Nothing, err
	}
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.closed {
		return tables.Nothing, ErrClosed
	}
	if !s.filter.mayHave(key) {
		return tables.Nothing, nil
	}
	var name [MaxKey + 1]byte
	return s.fact(append(append(name[:0], factKind), key...))
}

// fact reads the record of a fact. What can be read is not changed meanwhile.
func (s *Store) fact(name []byte) (tables.Fact, error) {
	var b [factSize]byte
	value, err := s.find(name, b[:0])
	if err == nil && value == nil {
		return tables.Nothing, nil
	}
	f := tables.Nothing
	if err == nil {
		f, err = readFact(name, value)
	}
	if err != nil {
		return tables.Nothing, s.failed(err)
	}
	return f, nil
}

// find appends the value of a name to b; without one it returns nil. What can be read is not changed meanwhile.
func (s *Store) find(name, b []byte) (value []byte, err error) {
	defer faults(&err)()
	var k [MaxKey + 1 + len(version)]byte
	key := keyOf(k[:0], name)
	for _, l := range s.lists {
		if v := l.Get(key); v.Value != nil {
			return append(b, v.Value...), nil
		}
	}
	if len(s.runs) > 0 {
		s.wasRead()
	}
	hash := y.Hash(name)
	for _, r := range s.runs {
		if v := r.get(key, hash); v != nil {
			return append(b, v...), nil
		}
	}
	return nil, nil
}

// trim keeps the resident memory small.
func (s *Store) trim() {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if !s.closed {
		s.trimRuns()
	}
}

// Close makes everything durable and closes the store; another Close does nothing. The
// error is that of Sync, or one about closing.
func (s *Store) Close() error {
	err := s.stop()
	s.writing.Lock()
	s.closing = true
	for s.flushing {
		s.changed.Wait()
	}
	s.writing.Unlock()
	s.merging.Lock() // GC has ended
	defer s.merging.Unlock()
	s.writing.Lock()
	defer s.writing.Unlock()
	s.gate.Lock()
	was := s.closed
	s.closed = true
	s.gate.Unlock()
	if was {
		return nil
	}
	defer s.lock.Close()
	s.readers.Wait()
	for _, r := range s.runs {
		r.release()
	}
	if s.journal == nil {
		return err
	}
	defer s.journal.file.Close()
	if s.broken() {
		return s.failure()
	}
	if e := s.journal.sync(); e != nil {
		return s.failed(e)
	}
	s.header.State = stateClosed
	for n := s.header.Journal; n <= s.journal.number; n++ {
		data, e := os.ReadFile(filepath.Join(s.dir, journalName(n)))
		if e != nil {
			return s.failed(e)
		}
		s.header.Journals = append(s.header.Journals, describe(journalName(n), data))
	}
	if e := s.header.write(s.dir); e != nil {
		return s.failed(e)
	}
	return err
}
