package store

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/ristretto/v2/z"

	"goalproof/tables"
)

// step is how many records go by between two looks at the context, or reports of
// progress.
const step = 1 << 14

// each calls yield with the name and value of every record of a kind, in order. Neither
// may be kept or changed.
func (db *database) each(ctx context.Context, kind byte, yield func(name, value []byte) error) error {
	txn := db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{kind}})
	defer it.Close()
	n := 0
	for it.Rewind(); it.Valid(); it.Next() {
		if n++; n%step == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			db.trim()
		}
		if err := it.Item().Value(func(value []byte) error { return yield(it.Item().Key(), value) }); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// records returns how many records the tables have, or more: all versions count.
func (db *database) records() (n int64) {
	for _, t := range db.Tables() {
		n += int64(t.KeyCount)
	}
	return n
}

// All calls yield with every fact of the store, ordered by key, until it returns an
// error; the key may not be kept. What was put before is included, what is put
// meanwhile may be. The error is yield's, the context's, the writer's or ErrDamaged.
func (s *Store) All(ctx context.Context, yield func(key []byte, f tables.Fact) error) error {
	if err := s.Sync(); err != nil && s.broken() {
		return err
	}
	db, err := s.use()
	if err != nil {
		return err
	}
	defer db.users.RUnlock()
	return db.each(ctx, factKind, func(name, value []byte) error {
		f, err := readFact(name, value)
		if err != nil {
			return fmt.Errorf("store %s: %w", s.dir, err)
		}
		return yield(name[1:], f)
	})
}

// Info is what there is to say about a store.
type Info struct {
	Facts          int64
	Proved         [256]int64 // facts by ProvedWithin, 255: not proved
	Refuted        [256]int64 // facts by RefutedUpTo, 0: not refuted
	Contradictions []tables.Contradiction
	Bytes          int64 // on disk
	Schema         int
	Keys, Rules    string
}

// Info counts the facts of the store. It reads all of them.
func (s *Store) Info() (Info, error) {
	i := Info{Schema: Schema, Keys: s.o.Keys, Rules: s.o.Rules}
	err := s.All(context.Background(), func(_ []byte, f tables.Fact) error {
		i.Facts++
		i.Proved[f.ProvedWithin]++
		i.Refuted[f.RefutedUpTo]++
		return nil
	})
	if err != nil {
		return Info{}, err
	}
	db, err := s.use()
	if err != nil {
		return Info{}, err
	}
	defer db.users.RUnlock()
	err = db.each(context.Background(), contradictionKind, func(name, value []byte) error {
		c := tables.Contradiction{Key: bytes.Clone(name[1:])}
		if err := readRecord(name, value, &c.Known, &c.New); err != nil {
			return fmt.Errorf("store %s: %w", s.dir, err)
		}
		i.Contradictions = append(i.Contradictions, c)
		return nil
	})
	if err != nil {
		return Info{}, err
	}
	err = filepath.WalkDir(s.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // a file that has just gone
		}
		if info, err := d.Info(); err == nil {
			i.Bytes += allocated(info)
		}
		return nil
	})
	return i, err
}

// Merge adds all facts of another store to this one. Progress, if not nil, is called now
// and then with the number of facts gone through. An interrupted Merge has added some
// facts, and may be run again. Stores of different versions do not mix.
func (s *Store) Merge(ctx context.Context, other *Store, progress func(facts int64)) error {
	has := header{Schema: Schema, Keys: other.o.Keys, Rules: other.o.Rules}
	if err := has.check(other.dir, s.wanted()); err != nil {
		return err
	}
	n := int64(0)
	err := other.All(ctx, func(key []byte, f tables.Fact) error {
		if n++; n%step == 0 && progress != nil {
			progress(n)
		}
		return s.Put(key, f)
	})
	if err != nil {
		return err
	}
	if progress != nil {
		progress(n)
	}
	return s.Sync()
}

// fillFilter puts the keys of the store into the filter. Keys that are written meanwhile
// are put there by the writer, before they are written.
func (s *Store) fillFilter() {
	ctx, cancel := s.untilQuit()
	defer cancel()
	db, err := s.use()
	if err != nil {
		return
	}
	defer db.users.RUnlock()
	if db.records() > s.filter.capacity() {
		return
	}
	err = db.each(ctx, factKind, func(name, _ []byte) error {
		s.filter.add(name[1:])
		return nil
	})
	if err == nil {
		s.filter.whole.Store(true)
	}
}

// untilQuit returns a context that ends when the store is being closed.
func (q *queue) untilQuit() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-q.quit:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// GC rewrites the store compactly, into a new database that replaces the old one at one
// stroke: interrupted at any moment, the store is the old one or the new one. Facts may
// be read meanwhile, and put as far as the buffers go. Progress, if not nil, is called
// now and then with the number of facts written. The error may be ErrDamaged, ErrFull,
// the context's or the writer's.
func (s *Store) GC(ctx context.Context, progress func(facts int64)) error {
	if s.o.ReadOnly {
		return ErrReadOnly
	}
	if err := s.Sync(); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.db == nil {
		return ErrClosed
	}
	next := s.header
	next.Generation++
	dir := filepath.Join(s.dir, next.folder())
	db, err := s.rewrite(ctx, dir, progress)
	if err == nil {
		err = next.write(s.dir)
		if err != nil {
			s.closeBadger(db)
		}
	}
	if err != nil {
		os.RemoveAll(dir)
		return fmt.Errorf("store %s: %w", s.dir, err)
	}
	folder := s.folder()
	s.header, s.ts = next, db.MaxVersion()
	if err := s.closeBadger(s.replace(db)); err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("store %s: %w", s.dir, err)
	}
	return nil
}

// rewrite writes all records to a new database, and opens it. Badger's stream writer
// empties the database that it writes to; this one is empty.
func (s *Store) rewrite(ctx context.Context, dir string, progress func(facts int64)) (_ *database, err error) {
	defer caught(&err)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := s.db.VerifyChecksum(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	db, err := s.openBadger(dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.closeBadger(db)
		}
	}()
	out := db.NewStreamWriter()
	if err := out.Prepare(); err != nil {
		return nil, err
	}
	defer out.Cancel()
	buffer := z.NewBuffer(1<<20, "store")
	defer buffer.Release()
	records, facts := int64(0), int64(0)
	flush := func() error {
		if err := out.Write(buffer); err != nil {
			return err
		}
		buffer.Reset()
		if progress != nil {
			progress(facts)
		}
		db.trim()
		return s.roomLeft()
	}
	// In the order of their names.
	for _, kind := range []byte{contradictionKind, factKind, noteKind} {
		err := s.db.each(ctx, kind, func(name, value []byte) error {
			if kind == factKind {
				if _, err := readFact(name, value); err != nil {
					return err
				}
				facts++
			}
			records++
			badger.KVToBuffer(&pb.KV{Key: name, Value: value, Version: 1, StreamId: 1}, buffer)
			if records%step == 0 {
				return flush()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	if written := db.records(); written != records {
		return nil, fmt.Errorf("%d records were written, and %d are there", records, written)
	}
	return db, syncFile(dir)
}
