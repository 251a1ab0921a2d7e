package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/dgraph-io/badger/v4"

	"goalproof/tables"
)

// step is how many records go by between two looks at the context, or reports of
// progress.
const step = 1 << 14

// each calls yield with the name and value of every record of a kind, in order. Neither
// may be kept or changed.
func (s *Store) each(ctx context.Context, txn *badger.Txn, kind byte, yield func(name, value []byte) error) error {
	it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{kind}})
	defer it.Close()
	var value []byte
	for n := 0; ; n++ {
		if n%step == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		more := false
		err := s.guarded(func() (err error) {
			if n == 0 {
				it.Rewind()
			} else {
				it.Next()
			}
			if more = it.Valid(); more {
				value, err = it.Item().ValueCopy(value)
			}
			return err
		})
		if err != nil || !more {
			return cmp.Or(err, ctx.Err())
		}
		if err := yield(it.Item().Key(), value); err != nil {
			return err
		}
	}
}

// All calls yield with every fact of the store, ordered by key, until it returns an error; the key
// may not be kept, and the store not be used. What was put before is included, what is put
// meanwhile may be. The error is yield's, the context's, or the writer's. After all sound facts it
// is ErrDamaged if others are damaged, or ErrLost if some are missing.
func (s *Store) All(ctx context.Context, yield func(key []byte, f tables.Fact) error) error {
	if err := s.Sync(); err != nil {
		if _, unable := s.failure(); unable {
			return err
		}
	}
	return s.all(ctx, yield)
}

func (s *Store) all(ctx context.Context, yield func(key []byte, f tables.Fact) error) error {
	return s.read(func(txn *badger.Txn) error {
		var found totals
		var damage error
		err := s.each(ctx, txn, factKind, func(name, value []byte) error {
			f, err := readFact(name, value)
			if err != nil {
				damage = cmp.Or(damage, s.failed(err))
				return nil
			}
			found.add(name, value)
			return yield(name[1:], f)
		})
		if err = cmp.Or(err, damage); err != nil {
			return err
		}
		written, err := s.readTotals(txn)
		if err != nil || found == written {
			return err
		}
		return fmt.Errorf("store %s %w: of %d that were written %d are there, or some are older; goalproof store merge copies what is left "+
			"to another store", s.dir, ErrLost, written.Facts, found.Facts)
	})
}

// compare compares all facts with the totals.
func (s *Store) compare() {
	err := s.all(s.background, func([]byte, tables.Fact) error { return nil })
	if err != nil && s.background.Err() == nil {
		s.fail(err)
	}
}

// Info describes a store.
type Info struct {
	Facts          int64
	Proved         [256]int64 // facts by ProvedWithin, 255: not proved
	Refuted        [256]int64 // facts by RefutedUpTo, 0: not refuted
	Contradictions []tables.Contradiction
	Bytes          int64 // on disk
	Schema         int
	Keys, Rules    string
}

// Info counts the facts of the store. It reads all of them. The error is that of All.
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
	err = s.read(func(txn *badger.Txn) error {
		return s.each(context.Background(), txn, contradictionKind, func(name, value []byte) error {
			c := tables.Contradiction{Key: bytes.Clone(name[1:])}
			b, err := content(name, value)
			if err == nil {
				err = unpack(name, b, &c.Known, &c.New)
			}
			i.Contradictions = append(i.Contradictions, c)
			return s.failed(err)
		})
	})
	if err != nil {
		return Info{}, err
	}
	i.Bytes, err = s.size()
	return i, err
}

// size returns the size of the store on disk, in bytes.
func (s *Store) size() (bytes int64, err error) {
	for _, dir := range []string{s.dir, s.path(databaseName)} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return 0, s.failed(err)
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil { // or it has just gone
				bytes += allocated(info)
			}
		}
	}
	return bytes, nil
}

// Merged counts the positions that Merge went through, by what it found out about them.
type Merged struct {
	Positions int64 // of the other store
	Added     int64 // of which this store knew nothing
	Improved  int64 // of which it knew only a longer win, or no win in fewer turns
}

// Merge adds all facts of another store to this one, and counts them. What others put meanwhile may
// be counted with them. Progress, if not nil, is called now and then with the number of facts gone
// through. An interrupted Merge has added some facts, and may be run again. Stores of different
// versions do not mix. After ErrDamaged or ErrLost of the other store all facts that are left in it
// have been added.
func (s *Store) Merge(ctx context.Context, other *Store, progress func(facts int64)) (m Merged, err error) {
	if err := other.header.check(other.dir, s.o); err != nil {
		return m, err
	}
	if err := s.Sync(); err != nil { // what was put before is known already
		return m, err
	}
	err = other.All(ctx, func(key []byte, f tables.Fact) error {
		if m.Positions++; m.Positions%step == 0 && progress != nil {
			progress(m.Positions)
		}
		known, err := s.Get(key)
		if err != nil {
			return err
		}
		all := known.Merge(f)
		switch {
		case all == known:
			return nil
		case known == tables.Nothing:
			m.Added++
		case all.ProvedWithin != known.ProvedWithin || all.RefutedUpTo != known.RefutedUpTo:
			m.Improved++
		}
		return s.Put(key, f)
	})
	if progress != nil {
		progress(m.Positions)
	}
	return m, cmp.Or(s.Sync(), err)
}

// GC compacts the store by Badger's means, and then compares all facts with the totals. Facts may
// be read and put meanwhile, and the process may be killed. The error may be ErrDamaged, ErrLost,
// ErrFull, the context's or the writer's. The context does not interrupt the compaction itself.
func (s *Store) GC(ctx context.Context) error {
	if s.o.ReadOnly {
		return ErrReadOnly
	}
	if err := cmp.Or(s.Sync(), ctx.Err()); err != nil {
		return err
	}
	bytes, err := s.size()
	if err == nil {
		err = s.needRoom(bytes)
	}
	if err != nil {
		return err
	}
	err = s.read(func(*badger.Txn) error {
		return s.guarded(func() error { return s.db.Flatten(1) })
	})
	if err != nil {
		return err
	}
	return s.all(ctx, func([]byte, tables.Fact) error { return nil })
}
