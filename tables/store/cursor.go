package store

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/dgraph-io/badger/v4/skl"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
)

// faults makes errors of what happens when a mapped file is shorter than it was, or cannot be read. It is deferred twice:
//
//	defer faults(&err)()
func faults(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		switch r := recover().(type) {
		case nil:
		case runtime.Error:
			*err = fmt.Errorf("%w: %v", ErrDamaged, r)
		default:
			panic(r)
		}
	}
}

// cursor goes through records in the order of their names. Name and value are copies, good until the next one.
type cursor struct {
	it          y.Iterator
	name, value []byte
	started     bool
}

// newCursor returns a cursor over lists and runs, each from the newest to the oldest. Of records of the same name it finds
// the newest. It is for names from the given one on.
func newCursor(lists []*skl.Skiplist, runs []*run, from ...byte) *cursor {
	its := make([]y.Iterator, 0, len(lists)+len(runs))
	for _, l := range lists {
		its = append(its, l.NewUniIterator(false))
	}
	for _, r := range runs {
		its = append(its, table.NewConcatIterator(r.tables, table.NOCACHE))
	}
	c := &cursor{name: from}
	if len(its) > 0 {
		c.it = table.NewMergeIterator(its, false)
	}
	return c
}

// next goes to the next record, and tells whether there is one.
func (c *cursor) next() (ok bool, err error) {
	defer faults(&err)()
	if c.it == nil {
		return false, nil
	}
	if !c.started {
		c.started = true
		c.it.Seek(keyOf(nil, c.name))
	} else {
		// In layout 1 a record may have older versions.
		for c.it.Next(); c.it.Valid() && bytes.Equal(y.ParseKey(c.it.Key()), c.name); c.it.Next() {
		}
	}
	if !c.it.Valid() {
		return false, nil
	}
	c.name = append(c.name[:0], y.ParseKey(c.it.Key())...)
	c.value = append(c.value[:0], c.it.Value().Value...)
	return true, nil
}

func (c *cursor) close() {
	if c.it != nil {
		c.it.Close()
	}
}
