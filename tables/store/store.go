// Package store keeps facts about positions on disk, for good: a program that is killed
// loses at most the last second's work, and never truth.
//
// # Why it is right
//
// Facts are merged, never replaced: the least number proved, the greatest refuted. That
// is commutative, associative and idempotent, so batches may come in any order, twice,
// and from several stores. A fact that denies another is a [tables.Contradiction]: the record
// stays as it is, both witnesses are written to a record of their own, and the store
// takes nothing more.
//
// One goroutine writes. It takes the facts that [Store.Put] has gathered, sorts them by
// key, merges each with its record, and commits those that changed; nobody else changes
// a record, so nothing comes between its reading and its writing. After each second, at
// Close and at [Store.Sync] it makes all of that durable, and only then calls it so.
//
// Most keys are new, and a Bloom filter in memory spares them the reading: it says "no"
// only of keys that were never added to it, and counts only once every key of the store
// has been. It is filled in the background after opening.
//
// # On disk
//
//	STORE      versions, state, and the files of a closed store with their checksums
//	g000001/   a Badger database; GC writes the next one, and STORE then names it
//	left/      tables that a MANIFEST did not name, until their facts have been put again
//
// The records in the database, numbers in turns:
//
//	'f' key → proved within, refuted up to, code of a winning turn, CRC-32C of all before
//	'c' key → known and new fact of a contradiction, CRC-32C of all before
//	'n' key → a note ([Store.Note]), CRC-32C of all before
//
// Badger reads a damaged block as if its keys had never been there, deletes tables that
// a shortened MANIFEST does not name, starts afresh without one, and ends the process
// over some other damage. So the files are checked before it sees them: against the
// list in STORE where the store was closed, table by table where it was not; and the facts in
// tables that are not named are put again, since to put a fact twice does no harm. Every
// record is checked again when it is read. Damage is an [ErrDamaged] that names the
// file or the record.
//
// Badger writes to mapped files, where a full disk ends the process too. So the writer
// stops with ErrFull while there is still room: eight times Options.Memory. Another
// program that fills the disk between two batches can still end the process; facts that
// were durable are safe then.
//
// The logs of a store that was not closed Badger cuts where they no longer make sense. So
// every checkpoint notes the version of its last commit in a file CHECKPOINT, and a store
// that comes back without it has lost facts: [ErrLost].
//
// What is not noticed: damage to the older one of two logs, which may be there for the
// moment in which it becomes a table; and damage to files while the store is open.
//
// # What it takes
//
// Random keys of 25 bytes, default memory, two shared cores. First five million new facts
// (go test -run '^$' -bench Put -benchtime 5000000x):
//
//	put, merged and durable         240,000 to 280,000 facts/s; 3.7 µs of a core each
//	on disk after GC                55 bytes/fact
//	GC                              5 to 7 s
//	opening again, all files read   0.05 to 0.1 s
//	memory, not counting files      250 to 300 MiB at most, 85 to 160 of them in use
//
// Then ways to store blocks, with a million facts that had no turns, 4 bytes less each
// (-bench . -benchtime 1000000x):
//
//	compression   block    bytes/fact   Get of known facts/s
//	none          2 KiB    51.6         530,000   the choice
//	none          4 KiB    50.7         270,000
//	Snappy        2 KiB    42.7         120,000
//	Zstandard     4 KiB    36.8          42,000
//
// A Get of a key that is not there takes 0.1 µs. Most memory beyond Options.Memory is
// what Go's collector has not yet collected: a memory limit (GOMEMLIMIT) bounds it.
//
// Badger maps its files, and of a table that has been read the system counts all as
// memory of the process. On Linux the store gives it back when that exceeds twice
// Options.Memory; a Get of a known fact from more than that takes 3 times as long. What
// this does not bound is an eighth of the files while they are opened, and the tables
// that Badger is just writing: some 30 MiB, with the least buffers, while facts are put
// as fast as can be.
package store

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

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
	// ErrNotClosed is in the error of opening for reading only a store whose writer was
	// killed: it must be opened for writing once.
	ErrNotClosed = errors.New("was not closed")
	// ErrLost is in the error of opening a store that was not closed and whose log was
	// damaged after that. What is left is right, and the next Open goes on with it.
	ErrLost = errors.New("has lost facts")
	// ErrFull is in the error of a store whose disk has no room.
	ErrFull = errors.New("the disk is full")
)

// Store is an open store. All its methods may be called by many goroutines.
type Store struct {
	dir    string
	o      Options
	lock   *os.File
	filter *filter

	writing sync.Mutex // held by whoever commits, or replaces the database
	ts      uint64     // Badger's version of the last commit
	header  header

	gate sync.RWMutex // for db itself; to change it takes writing as well
	db   *database    // nil when closed
	*queue
}

// database is one of the databases that a store has had. Who reads it holds users for
// reading, and who closes it for writing.
type database struct {
	*badger.DB
	users  sync.RWMutex
	mapped int64 // bytes of files that may be resident
	resident
}

// use returns the database for reading; the caller gives it back with users.RUnlock.
func (s *Store) use() (*database, error) {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.db == nil {
		return nil, ErrClosed
	}
	s.db.users.RLock() // never waits: who closes it has taken it away first
	return s.db, nil
}

// replace takes the database away and puts another one, or nil, in its place.
func (s *Store) replace(db *database) (old *database) {
	s.gate.Lock()
	defer s.gate.Unlock()
	old, s.db = s.db, db
	return old
}

// trim keeps the resident memory small.
func (s *Store) trim() {
	if db, err := s.use(); err == nil {
		defer db.users.RUnlock()
		db.trim()
	}
}

// Open opens a store, and makes one where the directory is empty or, unless it is for
// reading only, missing. The error says what to do: ErrInUse, ErrDamaged, another
// version, not a store, facts that were lost, or what the disk said.
func Open(dir string, o Options) (*Store, error) {
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	o.Memory = max(o.Memory, leastMemory)
	s := &Store{dir: filepath.Clean(dir), o: o, filter: newFilter(o.Memory / 8)}
	s.queue = newQueue(o.Memory)
	if !o.ReadOnly {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, fmt.Errorf("store %s: %w", s.dir, err)
		}
	}
	var err error
	if s.lock, err = lockDir(dir, o.ReadOnly); errors.Is(err, ErrInUse) {
		return nil, fmt.Errorf("store %s is %w: close the other program, or use another directory", s.dir, err)
	} else if err != nil {
		return nil, fmt.Errorf("store %s: %w", s.dir, err)
	}
	if err := s.open(); err != nil {
		s.lock.Close()
		return nil, err
	}
	if !o.ReadOnly {
		s.goOn(s)
		if err := s.takeLeft(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// open opens the directory, which is locked.
func (s *Store) open() error {
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
		h.State, h.Generation = stateNew, 1
	}
	if err := h.check(s.dir, want); err != nil {
		return err
	}
	s.header = *h
	switch {
	case h.State == stateClosed:
		err = h.checkFiles(s.dir)
	case s.o.ReadOnly:
		err = fmt.Errorf("store %s %w: open it once for writing", s.dir, ErrNotClosed)
	case h.State == stateNew:
		err = os.RemoveAll(s.folder())
	default:
		err = s.recover()
	}
	if err != nil {
		return err
	}
	s.header.Memtable = max(s.header.Memtable, s.o.Memory/8)
	if !s.o.ReadOnly {
		if err := s.sweep(); err != nil {
			return err
		}
		if err := s.roomLeft(); err != nil {
			return err
		}
		// Before Badger changes a file.
		if h.State == stateClosed {
			s.header.State, s.header.Files = stateOpen, nil
		}
		if err := s.header.write(s.dir); err != nil {
			return fmt.Errorf("store %s: %w", s.dir, err)
		}
	}
	if s.db, err = s.openBadger(s.folder()); err != nil {
		return err
	}
	if s.header.State == stateNew {
		s.header.State = stateOpen
		if err := s.header.write(s.dir); err != nil {
			s.db.Close()
			return fmt.Errorf("store %s: %w", s.dir, err)
		}
	}
	s.trim()
	s.ts = s.db.MaxVersion()
	if err := s.checkLoss(); err != nil {
		return errors.Join(err, s.closeBadger(s.replace(nil)))
	}
	return nil
}

// wanted is the header of a store such as the program wants it.
func (s *Store) wanted() header {
	return header{Schema: Schema, Keys: s.o.Keys, Rules: s.o.Rules}
}

// folder is the directory of the database.
func (s *Store) folder() string { return filepath.Join(s.dir, s.header.folder()) }

// sweep removes databases that GC left unfinished, or left behind.
func (s *Store) sweep() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("store %s: %w", s.dir, err)
	}
	for _, e := range entries {
		if generations.MatchString(e.Name()) && e.Name() != s.header.folder() {
			if err := os.RemoveAll(filepath.Join(s.dir, e.Name())); err != nil {
				return fmt.Errorf("store %s: %w", s.dir, err)
			}
		}
	}
	return nil
}

// options are Badger's. Of its buffers three are in use when it is busy, a third larger
// each than their size. Its indices are in mapped files, and need no cache. Blocks are
// verified before it opens them: it takes a wrong checksum for a missing key.
func (s *Store) options(dir string) badger.Options {
	memtable := s.header.Memtable
	o := badger.DefaultOptions(dir)
	o.ReadOnly = s.o.ReadOnly
	o.Logger = logger{s.queue}
	o.MetricsEnabled = false
	o.DetectConflicts = false
	o.NumVersionsToKeep = 1
	o.CompactL0OnClose = true
	o.ChecksumVerificationMode = options.NoVerification
	o.Compression = options.None
	o.BlockCacheSize = 0 // blocks are read where they are, in mapped files
	o.BlockSize = 2 << 10
	o.MemTableSize = memtable
	o.NumMemtables = 1
	o.BaseTableSize = max(memtable/2, 1<<20)
	o.TableSizeMultiplier = 1
	o.BaseLevelSize = 16 * memtable
	o.NumCompactors = 2
	o.ValueThreshold = 1 << 10 // nothing is longer: the value log stays empty
	o.ValueLogFileSize = 1 << 20
	return o
}

// openBadger opens a database whose files have been checked.
func (s *Store) openBadger(dir string) (_ *database, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer caught(&err)
	db, err := badger.OpenManaged(s.options(dir))
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", s.dir, err)
	}
	return &database{DB: db, mapped: 2 * s.o.Memory}, nil
}

// caught makes an error of a panic, or of a file that is shorter than it was.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", ErrDamaged, r)
	}
}

// Get returns what the store knows about a position. A fact counts as known once Sync
// has returned, and often before. The error is ErrDamaged for a record that is not as
// it was written.
func (s *Store) Get(key []byte) (tables.Fact, error) {
	if err := checkKey(key); err != nil {
		return tables.Nothing, err
	}
	db, err := s.use()
	if err != nil {
		return tables.Nothing, err
	}
	defer db.users.RUnlock()
	if !s.filter.mayHave(key) {
		return tables.Nothing, nil
	}
	var name [MaxKey + 1]byte
	return s.look(db, append(append(name[:0], factKind), key...))
}

// look reads the record of a name.
func (s *Store) look(db *database, name []byte) (f tables.Fact, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer caught(&err)
	f = tables.Nothing
	db.wasRead()
	txn := db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	item, err := txn.Get(name)
	if err == badger.ErrKeyNotFound {
		return tables.Nothing, nil
	}
	if err == nil {
		err = item.Value(func(value []byte) error {
			f, err = readFact(name, value)
			return err
		})
	}
	if err != nil {
		return tables.Nothing, fmt.Errorf("store %s: %w", s.dir, err)
	}
	return f, nil
}

// Close makes everything durable and closes the store; another Close does nothing. The
// error is that of Sync, or one about closing.
func (s *Store) Close() error {
	ended, err := s.stop()
	if ended {
		s.writing.Lock()
		defer s.writing.Unlock()
	}
	db := s.replace(nil)
	if db == nil {
		return nil
	}
	defer s.lock.Close()
	if e := s.closeBadger(db); e != nil {
		return errors.Join(err, e)
	}
	if s.o.ReadOnly {
		return err
	}
	s.header.State, s.header.Memtable = stateClosed, 0
	files, e := list(s.folder())
	if e == nil {
		s.header.Files = files
		e = s.header.write(s.dir)
	}
	if e != nil {
		return errors.Join(err, fmt.Errorf("store %s: %w", s.dir, e))
	}
	return err
}

// patience is how many seconds a broken database may take to close. It may still be at a compaction for which there was
// room, and whoever fills the disk under that would end the process.
const patience = 5

// closeBadger closes a database that nobody else will use. Badger tries for ever to write what it cannot: then it
// is left alone.
func (s *Store) closeBadger(db *database) error {
	db.users.Lock()
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer caught(&err)
		err = db.Close()
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for waited := 1; ; waited++ {
		select {
		case err := <-done:
			if err != nil {
				return fmt.Errorf("store %s: %w", s.dir, err)
			}
			return nil
		case <-tick.C:
			if s.broken() && waited >= patience {
				return fmt.Errorf("store %s could not be closed; what was durable is", s.dir)
			}
		}
	}
}
