package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/dgraph-io/badger/v4"

	"goalproof/internal/files"
	"goalproof/tables"
)

var _ tables.Store = (*Store)(nil)

// DefaultMemory is the memory that a store takes unless told otherwise, in bytes.
const DefaultMemory = 64 << 20

// leastMemory is the memory below which a store works no better, in bytes.
const leastMemory = 4 << 20

// Options say how to open a store.
type Options struct {
	Memory   int64  // bytes for buffers; 0 is DefaultMemory
	ReadOnly bool   // write nothing at all; many processes may read at once
	Keys     string // version of the keys: what they stand for
	Rules    string // version of the rules that the facts are about
}

var (
	// ErrInUse is in the error of opening a store that another process, or another
	// part of this one, has open.
	ErrInUse = files.ErrInUse
	// ErrReadOnly is the error of changing a store that was opened for reading.
	ErrReadOnly = errors.New("the store is open for reading only")
	// ErrClosed is the error of using a store that was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrNotWritable is in the error of opening for writing a store that may only be read:
	// permission is missing, or the file system is for reading only.
	ErrNotWritable = errors.New("cannot be written")
	// ErrNotClosed is in the error of opening for reading a store whose writer was killed. Opening
	// it for writing recovers it.
	ErrNotClosed = errors.New("was not closed")
	// ErrDamaged is in every error about files or records that are not as they were written.
	ErrDamaged = errors.New("damaged")
	// ErrLost is in the error of a store in which acknowledged facts are missing, or older than
	// what was acknowledged. The facts that are left are right.
	ErrLost = errors.New("has lost facts")
	// ErrFull is in the error of a store whose disk has too little room. What was synced is safe.
	ErrFull = errors.New("the disk is full")
)

// Store is an open store. All its methods may be called by many goroutines.
type Store struct {
	dir     string
	o       Options
	lock    *os.File
	header  header
	db      *badger.DB
	version atomic.Uint64 // of the newest batch that is durable
	queue

	// Of the writer alone.
	totals    totals
	mark      *os.File
	newestLog string // the newest log of Badger's whose name is durable

	gate       sync.RWMutex // held by readers, and by Close
	closed     bool
	background context.Context // of what runs beside the writer
	cancel     context.CancelFunc
}

// path returns the path of a file of the store.
func (s *Store) path(names ...string) string { return filepath.Join(s.dir, filepath.Join(names...)) }

// Open opens a store, and makes one where the directory is empty or, unless it is for reading only,
// missing. The error says what to do: ErrInUse, ErrNotClosed, ErrDamaged, ErrLost, ErrNotWritable,
// ErrFull, another version, not a store, or what the disk said. After ErrLost the store has been
// recovered without the lost facts.
func Open(dir string, o Options) (*Store, error) {
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	o.Memory = max(o.Memory, leastMemory)
	s := &Store{dir: filepath.Clean(dir), o: o}
	s.changed.L = &s.mu
	s.background, s.cancel = context.WithCancel(context.Background())
	if !o.ReadOnly {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, s.failed(err)
		}
	}
	var err error
	if s.lock, err = files.LockDir(dir, o.ReadOnly); err != nil {
		return nil, s.failed(err)
	}
	if err := s.open(); err != nil {
		s.lock.Close()
		return nil, err
	}
	if !o.ReadOnly {
		s.tasks.Go(s.write)
		s.tasks.Go(s.watch)
		s.tasks.Go(s.compare)
	}
	return s, nil
}

// open opens the directory, which is locked.
func (s *Store) open() error {
	h, err := readHeader(s.dir)
	switch {
	case err != nil:
		return err
	case h == nil && s.o.ReadOnly:
		return fmt.Errorf("store %s is empty: there is nothing to read", s.dir)
	case h == nil:
		h = &header{Schema: Schema, Keys: s.o.Keys, Rules: s.o.Rules, Closed: true}
	}
	if err := h.check(s.dir, s.o); err != nil {
		return err
	}
	s.header = *h
	if h.Closed {
		if err := s.checkSeal(); err != nil {
			return err
		}
	}
	if s.o.ReadOnly && !h.Closed {
		return fmt.Errorf("store %s %w by the program that wrote it: open it once for writing, as goalproof store verify %s does",
			s.dir, ErrNotClosed, s.dir)
	}
	if s.o.ReadOnly {
		return s.openDatabase(0)
	}
	if err := s.needRoom(0); err != nil {
		return err
	}
	s.header.Closed, s.header.Files = false, nil
	if err := s.header.write(s.dir); errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("store %s %w: %w", s.dir, ErrNotWritable, err)
	} else if err != nil {
		return s.failed(err)
	}
	syncFile(filepath.Dir(s.dir)) // where its name is; it may be that this must not be read
	if !h.Closed {
		if err := s.recover(); err != nil {
			return err
		}
	}
	if err := s.openDatabase(compactors); err != nil {
		return err
	}
	if s.mark, err = os.OpenFile(s.path(markName), os.O_RDWR|os.O_CREATE, 0o666); err == nil {
		err = cmp.Or(s.setMark(s.version.Load()), s.syncNames())
	}
	return s.failed(err)
}

// recover brings a store whose writer was killed into order: Badger replays its logs, the checksums
// of all its tables are compared before it compacts any, and it is closed. The error is ErrLost if
// less is there than was durable.
func (s *Store) recover() error {
	durable := max(s.header.Version, s.readMark())
	for _, pattern := range []string{"*.mem", "*.vlog"} { // Badger does not open a log that was just being made or removed
		logs, _ := filepath.Glob(s.path(databaseName, pattern))
		for _, log := range logs {
			if info, err := os.Stat(log); err == nil && info.Size() == 0 {
				os.Remove(log)
			}
		}
	}
	if err := s.openDatabase(0); err != nil {
		return err
	}
	version := s.version.Load()
	if err := cmp.Or(s.guarded(s.db.VerifyChecksum), s.closeDatabase()); err != nil {
		return err
	}
	if version >= durable {
		return nil
	}
	if err := s.seal(); err != nil {
		return err
	}
	return fmt.Errorf("store %s %w: it was damaged after its writer was killed, and the last %d of %d batches are missing; use an earlier "+
		"copy of the directory, or open it again to go on with what is left", s.dir, ErrLost, durable-version, durable)
}

// read calls do with the database as it is, which is not closed meanwhile.
func (s *Store) read(do func(txn *badger.Txn) error) error {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.closed {
		return ErrClosed
	}
	txn := s.db.NewTransactionAt(s.version.Load(), false)
	defer txn.Discard()
	return do(txn)
}

// Get returns what the store knows about a position. A fact counts as known once Sync
// has returned, and often before. The error is ErrDamaged for a record that is not as
// it was written.
func (s *Store) Get(key []byte) (f tables.Fact, err error) {
	if err := checkKey(key); err != nil {
		return tables.Nothing, err
	}
	f = tables.Nothing
	err = s.read(func(txn *badger.Txn) error {
		f, err = s.fact(txn, recordName(factKind, key))
		return err
	})
	return f, err
}

// fact reads the record of a fact.
func (s *Store) fact(txn *badger.Txn, name []byte) (tables.Fact, error) {
	b, err := s.find(txn, name)
	if err != nil || b == nil {
		return tables.Nothing, err
	}
	f, err := unpackFact(name, b)
	return f, s.failed(err)
}

// Noted returns what was noted under a key, or nil. The error is ErrDamaged for a record that is
// not as it was written.
func (s *Store) Noted(key []byte) (note []byte, err error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	err = s.read(func(txn *badger.Txn) error {
		note, err = s.find(txn, recordName(noteKind, key))
		return err
	})
	return note, err
}

// Close makes everything durable and closes the store; another Close does nothing. The error is
// that of Sync, or one about closing. After an error of the disk or of the database nothing more is
// written: the store is left as if the process had been killed, and what was synced is safe. The
// process should end then, because Badger is not stopped.
func (s *Store) Close() error {
	s.cancel()
	s.mu.Lock()
	s.closing, s.wanted = true, s.put
	s.changed.Broadcast()
	s.mu.Unlock()
	s.tasks.Wait()
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	err, unable := s.failure()
	if !unable && !s.o.ReadOnly {
		if e := s.needRoom(0); e != nil {
			err, unable = e, true
		}
	}
	if unable {
		return err // the lock stays with the process
	}
	defer s.lock.Close()
	if e := s.closeDatabase(); e != nil || s.o.ReadOnly {
		return e
	}
	s.mark.Close()
	return cmp.Or(s.seal(), err)
}
