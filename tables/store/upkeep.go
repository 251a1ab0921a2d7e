package store

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4/skl"

	"goalproof/tables"
)

// step is how many records go by between two looks at the context, or reports of
// progress.
const step = 1 << 14

// hold returns all records of the moment, for whoever goes through them, and what gives them back.
func (s *Store) hold() (lists []*skl.Skiplist, runs []*run, release func(), err error) {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.closed {
		return nil, nil, nil, ErrClosed
	}
	s.readers.Add(1)
	runs = slices.Clone(s.runs)
	for _, r := range runs {
		r.users.Add(1)
	}
	return slices.Clone(s.lists), runs, func() {
		for _, r := range runs {
			r.release()
		}
		s.readers.Done()
	}, nil
}

// each calls yield with the name and value of every record of a kind, in order. Neither
// may be kept or changed.
func (s *Store) each(ctx context.Context, kind byte, yield func(name, value []byte) error) error {
	lists, runs, release, err := s.hold()
	if err != nil {
		return err
	}
	defer release()
	c := newCursor(lists, runs, kind)
	defer c.close()
	for n := 1; ; n++ {
		if n%step == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.trim()
		}
		ok, err := c.next()
		if err != nil {
			return s.failed(err)
		}
		if !ok || c.name[0] != kind {
			return ctx.Err()
		}
		if err := yield(c.name, c.value); err != nil {
			return err
		}
	}
}

// records returns how many records there are, or more: each is counted in every list and run.
func (s *Store) records() (n int64) {
	s.gate.RLock()
	defer s.gate.RUnlock()
	for _, l := range s.lists {
		n += l.MemSize() / int64(skl.MaxNodeSize)
	}
	for _, r := range s.runs {
		for _, t := range r.tables {
			n += int64(t.KeyCount())
		}
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
	return s.each(ctx, factKind, func(name, value []byte) error {
		f, err := readFact(name, value)
		if err != nil {
			return s.failed(err)
		}
		return yield(name[1:], f)
	})
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
	err = s.each(context.Background(), contradictionKind, func(name, value []byte) error {
		c := tables.Contradiction{Key: bytes.Clone(name[1:])}
		if err := readRecord(name, value, &c.Known, &c.New); err != nil {
			return s.failed(err)
		}
		i.Contradictions = append(i.Contradictions, c)
		return nil
	})
	if err != nil {
		return Info{}, err
	}
	dir, err := filepath.EvalSymlinks(s.dir)
	if err != nil {
		return i, s.failed(err)
	}
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
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

// Merged counts the positions that Merge went through, by what it found out about them.
type Merged struct {
	Positions int64 // of the other store
	Added     int64 // of which this store knew nothing
	Improved  int64 // of which it knew a longer win, or no win in fewer turns only
}

// Merge adds all facts of another store to this one, and counts them. What others put meanwhile may be counted with them.
// Progress, if not nil, is called now and then with the number of facts gone through. An interrupted Merge has added some
// facts, and may be run again. Stores of different versions do not mix.
func (s *Store) Merge(ctx context.Context, other *Store, progress func(facts int64)) (m Merged, err error) {
	has := header{Schema: Schema, Keys: other.o.Keys, Rules: other.o.Rules}
	if err := has.check(other.dir, s.wanted()); err != nil {
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
	if err != nil {
		return m, err
	}
	if progress != nil {
		progress(m.Positions)
	}
	return m, s.Sync()
}

// fillFilter puts the keys of the store into the filter. Keys that are written meanwhile
// are put there by the writer, before they are written.
func (s *Store) fillFilter() {
	ctx, cancel := s.untilQuit()
	defer cancel()
	if s.records() > s.filter.capacity() {
		return
	}
	err := s.each(ctx, factKind, func(name, _ []byte) error {
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
