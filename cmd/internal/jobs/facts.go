package jobs

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"goalproof/arimaa"
	"goalproof/review"
	"goalproof/tables"
	"goalproof/tables/store"
)

// Facts are what a search has put into a store, sorted by their keys.
type Facts struct {
	Facts []Fact `json:",omitempty"`
	Notes []Note `json:",omitempty"`
}

// Fact is a fact and its key, a packed position.
type Fact struct {
	Key []byte
	tables.Fact
}

// Note is a note of a review and its key.
type Note struct{ Key, Note []byte }

// check says which of the facts cannot be true, or be kept in a store. Without one there are none.
func (f *Facts) check(s tables.Store) error {
	if s == nil && len(f.Facts)+len(f.Notes) > 0 {
		return errors.New("facts that nobody wants")
	}
	last := []byte(nil)
	for i := range f.Facts {
		k := &f.Facts[i]
		p, err := arimaa.UnpackPosition(k.Key)
		if err != nil {
			return err
		}
		if k.Turn != 0 {
			if _, _, legal := p.Decode(k.Turn); !legal {
				return fmt.Errorf("a fact with the turn %d, which is not legal", k.Turn)
			}
		}
		if !k.Known() || !k.Possible() || k.ProvedWithin == 0 || bytes.Compare(last, k.Key) >= 0 {
			return fmt.Errorf("the fact %v of %v cannot be", k.Fact, p)
		}
		last = k.Key
	}
	last = nil
	for _, n := range f.Notes {
		if len(n.Key) > store.MaxKey || len(n.Note) > store.MaxNote || bytes.Compare(last, n.Key) >= 0 {
			return errors.New("a note that no store takes")
		}
		last = n.Key
	}
	return nil
}

// common returns the facts that two answers have, without notes.
func (f *Facts) common(o *Facts) (both Facts) {
	for _, x := range f.Facts {
		i, found := slices.BinarySearchFunc(o.Facts, x.Key, func(y Fact, key []byte) int { return bytes.Compare(y.Key, key) })
		if found && o.Facts[i].Fact == x.Fact {
			both.Facts = append(both.Facts, x)
		}
	}
	return both
}

// keep puts the facts and notes into a store, unless it is nil.
func (f *Facts) keep(s tables.Store) error {
	if s == nil {
		return nil
	}
	for i := range f.Facts {
		if err := s.Put(f.Facts[i].Key, f.Facts[i].Fact); err != nil {
			return err
		}
	}
	notes, ok := s.(review.Notes)
	for _, n := range f.Notes {
		if !ok {
			return errors.New("the store takes no notes")
		}
		if err := notes.Note(n.Key, n.Note); err != nil {
			return err
		}
	}
	return nil
}

// collector is a store that answers nothing, as a fresh one does, and holds what is put into it.
type collector struct {
	mu    sync.Mutex
	off   bool // nothing is held
	facts map[string]tables.Fact
	notes map[string][]byte
}

// Found is a store in memory.
type Found struct{ collector }

// NewFound returns an empty store.
func NewFound() *Found {
	f := &Found{}
	f.begin()
	return f
}

// mostFound bounds the facts of a store in memory. What it does not take is found again.
const mostFound = 1 << 20

// Get implements [tables.Store].
func (s *Found) Get(key []byte) (tables.Fact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, ok := s.facts[string(key)]; ok {
		return f, nil
	}
	return tables.Nothing, nil
}

// Put implements [tables.Store].
func (s *Found) Put(key []byte, f tables.Fact) error {
	s.mu.Lock()
	full := len(s.facts) >= mostFound
	s.mu.Unlock()
	if full {
		return nil
	}
	return s.collector.Put(key, f)
}

// begin begins to collect.
func (c *collector) begin() {
	c.off, c.facts, c.notes = false, map[string]tables.Fact{}, map[string][]byte{}
}

func (c *collector) Get([]byte) (tables.Fact, error) { return tables.Nothing, nil }

func (c *collector) Put(key []byte, f tables.Fact) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.off {
		return nil
	}
	known, ok := c.facts[string(key)]
	if !ok {
		known = tables.Nothing
	}
	merged := known.Merge(f)
	if !merged.Possible() {
		return &tables.Contradiction{Key: bytes.Clone(key), Known: known, New: f}
	}
	c.facts[string(key)] = merged
	return nil
}

// Noted implements [review.Notes].
func (c *collector) Noted([]byte) ([]byte, error) { return nil, nil }

// Note implements [review.Notes].
func (c *collector) Note(key, note []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.off {
		c.notes[string(key)] = bytes.Clone(note)
	}
	return nil
}

// end ends the collecting. Of nil it does nothing.
func (c *collector) end() {
	if c != nil {
		c.off = true
	}
}

// found returns what was collected, and ends the collecting. Of nil it is nothing.
func (c *collector) found() (f Facts) {
	if c == nil {
		return f
	}
	c.end()
	for _, key := range slices.Sorted(maps.Keys(c.facts)) {
		f.Facts = append(f.Facts, Fact{[]byte(key), c.facts[key]})
	}
	for _, key := range slices.Sorted(maps.Keys(c.notes)) {
		f.Notes = append(f.Notes, Note{[]byte(key), c.notes[key]})
	}
	return f
}
