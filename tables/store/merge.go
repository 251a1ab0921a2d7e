package store

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
)

// GC rewrites the store compactly, into one run of tables that replaces all others at one stroke: interrupted at any
// moment, the store is the old one or the new one. Facts may be read meanwhile, and put as far as the buffers go. Progress,
// if not nil, is called now and then with the number of facts written. The error may be ErrDamaged, ErrFull, the context's
// or the writer's.
func (s *Store) GC(ctx context.Context, progress func(facts int64)) error {
	if s.o.ReadOnly {
		return ErrReadOnly
	}
	if err := s.Sync(); err != nil {
		return err
	}
	s.merging.Lock()
	defer s.merging.Unlock()
	if err := s.ready(); err != nil {
		return err
	}
	return s.merge(ctx, true, progress)
}

// ready makes the store ready for merging all that is in it.
func (s *Store) ready() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.begin(0); err != nil {
		return err
	}
	if s.lists[0].Empty() {
		return nil
	}
	return s.failed(s.rotate())
}

// fanOut is how many runs of about the same size are merged into one, which bounds how often a record is written, and
// how many runs there are.
const fanOut = 4

// merge writes all lists but the newest, and the newest runs or all of them, as a new run. Then the journals of the lists go.
// The caller holds merging.
func (s *Store) merge(ctx context.Context, all bool, progress func(facts int64)) error {
	s.writing.Lock()
	lists, runs := slices.Clone(s.lists[1:]), s.runs
	next := s.header
	next.Journal = s.journal.number
	s.writing.Unlock()
	if len(lists) == 0 && !all {
		return nil // GC has done it
	}
	n := len(runs)
	if !all {
		n = 0
		size := int64(len(lists)) * s.listBytes
		for more := fanOut - 1; n+more <= len(runs) && runs[n+more-1].size() <= 2*size; n += more {
			for _, r := range runs[n : n+more] {
				size += r.size()
			}
		}
	}
	for _, r := range runs[:n] {
		if err := r.check(s.dir); err != nil {
			return err
		}
	}
	c := newCursor(lists, runs[:n])
	defer c.close()
	merged, err := s.writeRun(ctx, c, progress)
	if err != nil {
		return s.failed(err)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	now := []*run{merged}
	next.Runs = [][]file{merged.files}
	if len(merged.files) == 0 {
		now, next.Runs = nil, nil
	}
	now = append(now, runs[n:]...)
	for _, r := range runs[n:] {
		next.Runs = append(next.Runs, r.files)
	}
	if err := next.write(s.dir); err != nil {
		merged.release()
		// It may be that STORE was replaced, and that this may not be durable: then both the old and the new files stay.
		if h, e := readHeader(s.dir); e == nil && !reflect.DeepEqual(h.Runs, next.Runs) {
			for _, f := range merged.files {
				os.Remove(filepath.Join(s.dir, f.Name))
			}
		}
		return s.failed(err)
	}
	s.header = next
	s.gate.Lock()
	s.runs, s.lists = now, s.lists[:len(s.lists)-len(lists)]
	s.gate.Unlock()
	for _, r := range runs[:n] {
		r.release()
	}
	next.sweep(s.dir)
	return nil
}

// flush merges all lists but the newest into a run.
func (s *Store) flush() {
	s.merging.Lock()
	err := s.merge(context.Background(), false, nil)
	s.merging.Unlock()
	if err != nil {
		s.fail(err)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.flushing = false
	s.changed.Broadcast()
}

// tableWriter writes a run, by plain writes.
type tableWriter struct {
	dir   string
	size  int64 // of a table, in bytes
	id    int   // of the last table
	files []file
	table *table.Builder
	key   []byte
}

// add adds a record. They come in order.
func (w *tableWriter) add(name, value []byte) error {
	if w.table == nil {
		w.table = table.NewTableBuilder(tableOptions(w.size))
	}
	w.key = keyOf(w.key[:0], name)
	w.table.Add(w.key, y.ValueStruct{Value: value}, 0)
	if w.table.ReachedCapacity() {
		return w.flush()
	}
	return nil
}

// flush ends a table.
func (w *tableWriter) flush() error {
	if w.table == nil {
		return nil
	}
	data := w.table.Finish()
	w.table.Close()
	w.table = nil
	w.id++
	f, err := writeFile(filepath.Join(w.dir, table.IDToFilename(uint64(w.id))), data)
	if err == nil {
		w.files = append(w.files, f)
	}
	return err
}

// finish returns the run, durable and open.
func (w *tableWriter) finish() (*run, error) {
	if err := w.flush(); err != nil {
		return nil, err
	}
	if err := syncFile(w.dir); err != nil {
		return nil, err
	}
	return openRun(w.dir, w.files)
}

// remove removes what was written.
func (w *tableWriter) remove() {
	if w.table != nil {
		w.table.Close()
	}
	for _, f := range w.files {
		os.Remove(filepath.Join(w.dir, f.Name))
	}
}

// writeRun writes the records of a cursor to a new run, and checks each. Progress is called now and then with the number of
// facts so far. After an error there are no new files.
func (s *Store) writeRun(ctx context.Context, c *cursor, progress func(facts int64)) (_ *run, err error) {
	w := &tableWriter{dir: s.dir, size: min(max(s.o.Memory/16, 1<<20), 64<<20), id: s.lastTable}
	defer func() {
		if err != nil {
			w.remove()
		}
	}()
	facts, records := int64(0), 0
	for {
		if records++; records%step == 0 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if progress != nil {
				progress(facts)
			}
			s.trim()
		}
		ok, err := c.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		switch kind := c.name[0]; kind {
		case factKind:
			facts++
		case noteKind, contradictionKind:
		default:
			continue // Badger's own
		}
		if err := checkRecord(c.name, c.value); err != nil {
			return nil, err
		}
		if err := w.add(c.name, c.value); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r, err := w.finish()
	if err == nil {
		s.lastTable = w.id
		if progress != nil {
			progress(facts)
		}
	}
	return r, err
}
