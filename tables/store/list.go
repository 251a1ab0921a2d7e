package store

import (
	"slices"

	"github.com/dgraph-io/badger/v4/skl"
	"github.com/dgraph-io/badger/v4/y"
)

// mostList bounds the size of a list, in bytes: places in it have 32 bits. A list is a quarter of Options.Memory otherwise.
const mostList = 1 << 30

// newList makes a list. The last node in it may be looked at as if it had its full size.
func (s *Store) newList() *skl.Skiplist { return skl.NewSkiplist(s.listBytes + int64(skl.MaxNodeSize)) }

// addList begins a new list.
func (s *Store) addList() {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.lists = slices.Insert(s.lists, 0, s.newList())
}

// recordBytes is what a record takes in a list at most, without its key and its note: a node at an address divisible by 8,
// kind and version, Badger's three bytes before a value, facts, and a checksum.
const recordBytes = skl.MaxNodeSize + 7 + 1 + len(version) + 3 + 2*packedSize + sumSize

// recall puts a record of a journal that was there into a list.
func (s *Store) recall(name, value []byte) {
	if len(s.lists) == 0 || s.lists[0].MemSize()+int64(recordBytes+len(name)+len(value)) > s.listBytes {
		s.lists = slices.Insert(s.lists, 0, s.newList())
	}
	s.filter.add(name[1:])
	s.remember(name, value)
}

// remember puts a record into the newest list, where it can be read.
func (s *Store) remember(name, value []byte) {
	s.lists[0].Put(keyOf(nil, name), y.ValueStruct{Value: value})
}
