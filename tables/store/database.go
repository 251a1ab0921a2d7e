package store

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dustin/go-humanize"
)

// compactors is the number of goroutines that compact; Badger needs two.
const compactors = 2

// memtableSize is the size of a memtable in bytes. Badger's buffer for one is a third larger, and
// there are three: one that is written, one that waits and one that is flushed.
func (s *Store) memtableSize() int64 { return min(s.o.Memory/8, 64<<20) }

// openDatabase opens Badger, with this number of goroutines that compact, and reads the totals.
func (s *Store) openDatabase(compactors int) error {
	o := badger.DefaultOptions(s.path(databaseName)).
		WithReadOnly(s.o.ReadOnly).
		WithLogger(logger{s}).
		WithMetricsEnabled(false).
		WithDetectConflicts(false). // there is one writer
		WithSyncWrites(true).       // DB.Sync syncs the newest memtable only
		WithNumVersionsToKeep(1).
		WithMemTableSize(s.memtableSize()).
		WithNumMemtables(1).
		WithBaseTableSize(min(max(s.memtableSize(), 1<<20), 2<<20)).
		WithNumCompactors(compactors).
		WithCompactL0OnClose(compactors > 0).
		WithNumLevelZeroTablesStall(15 + (2-compactors)<<20). // nothing waits for a compaction that does not come
		WithValueThreshold(32 << 10).                         // no value is as large, so the value log stays empty
		WithValueLogFileSize(1 << 20).
		// Blocks that are not compressed are read where they are, in the mapped file: neither they
		// nor indices are cached.
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithIndexCacheSize(0).
		WithBlockSize(2 << 10)
	err := s.guarded(func() (err error) {
		s.db, err = badger.OpenManaged(o)
		return err
	})
	if err != nil {
		return err
	}
	s.most, s.limit = int(s.db.MaxBatchCount())-8, s.db.MaxBatchSize()-4<<10 // with totals, and contradictions
	s.version.Store(s.db.MaxVersion())
	s.db.SetDiscardTs(s.db.MaxVersion())  // what came before it is not read again
	if err, _ = s.failure(); err == nil { // what was logged
		err = s.read(func(txn *badger.Txn) error {
			s.totals, err = s.readTotals(txn)
			return err
		})
	}
	if err != nil {
		s.guarded(s.db.Close)
	}
	return err
}

// closeDatabase closes Badger.
func (s *Store) closeDatabase() error {
	err := s.guarded(s.db.Close)
	if e, unable := s.failure(); unable {
		err = cmp.Or(err, e)
	}
	return err
}

// readTotals reads the record of totals; without one all are 0.
func (s *Store) readTotals(txn *badger.Txn) (t totals, err error) {
	b, err := s.find(txn, totalsName)
	if err == nil && b != nil {
		_, err = binary.Decode(b, binary.LittleEndian, &t)
	}
	return t, err
}

// find returns the content of the record of a name; without one it returns nil. The error is
// ErrDamaged, or what the system said.
func (s *Store) find(txn *badger.Txn, name []byte) (b []byte, err error) {
	found := false
	err = s.guarded(func() error {
		item, err := txn.Get(name)
		if errors.Is(err, badger.ErrKeyNotFound) {
			return nil
		}
		if found = err == nil; found {
			b, err = item.ValueCopy(nil)
		}
		return err
	})
	if err == nil && found {
		b, err = content(name, b)
		err = s.failed(err)
	}
	return b, err
}

// logger takes what Badger logs. Its errors and warnings end writing: with these options all of
// them are about files.
type logger struct{ s *Store }

func (l logger) Errorf(format string, args ...any) {
	l.s.fail(l.s.reported(fmt.Sprintf(format, args...)))
}
func (l logger) Warningf(format string, args ...any) { l.Errorf(format, args...) }
func (logger) Infof(string, ...any)                  {}
func (logger) Debugf(string, ...any)                 {}

// guarded calls Badger. Its panics over damaged data, and faults in a mapped file that is shorter
// than it was, become errors.
func (s *Store) guarded(call func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			err = s.reported(fmt.Sprint(r))
		}
	}()
	if err = call(); err != nil {
		err = s.reported(err.Error())
	}
	return err
}

// reported makes an error of what Badger says: in one line, and with the error of the system, which
// Badger seldom wraps. What the system has no part in is damage.
func (s *Store) reported(text string) error {
	text = strings.Join(strings.Fields(text), " ")
	text = text[:min(len(text), 300)]
	if strings.Contains(text, "Another process is using this Badger database") {
		return s.failed(ErrInUse)
	}
	for _, e := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.EMFILE,
		syscall.ENFILE, syscall.ENOMEM} {
		if strings.Contains(text, e.Error()) {
			return s.failed(fmt.Errorf("%w (%s)", e, text))
		}
	}
	return fmt.Errorf("store %s is %w: %s", s.dir, ErrDamaged, text)
}

// failed names the store in an error of the system.
func (s *Store) failed(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrInUse):
		return fmt.Errorf("store %s is %w: close the other program, or use another directory", s.dir, ErrInUse)
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		err = fmt.Errorf("%w: %w", ErrFull, err)
	}
	return fmt.Errorf("store %s: %w", s.dir, err)
}

// needRoom returns ErrFull unless so many bytes can be written, and then as much is left as Badger
// may be writing, and another program between two looks. Where the system does not say how much
// room there is, there is enough.
func (s *Store) needRoom(bytes int64) error {
	free, known := room(s.dir)
	if bytes += 16<<20 + 8*s.memtableSize(); known && free < bytes {
		return fmt.Errorf("store %s: %w: there are %s left, and it needs %s", s.dir, ErrFull, humanize.IBytes(uint64(free)),
			humanize.IBytes(uint64(bytes)))
	}
	return nil
}
