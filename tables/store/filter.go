package store

import (
	"hash/maphash"
	"sync/atomic"
)

// filter tells keys that are certainly not in the store from those that may be: a Bloom
// filter (Bloom 1970) whose bits for a key lie in one cache line (Putze, Sanders and
// Singler 2007). It may be used by many goroutines.
type filter struct {
	seed  maphash.Seed
	lines []line
	whole atomic.Bool // every key of the store is in it
}

type line [8]atomic.Uint64

const filterBits = 5 // bits set for a key

func newFilter(bytes int64) *filter {
	return &filter{seed: maphash.MakeSeed(), lines: make([]line, max(bytes/64, 1))}
}

// capacity is the number of keys beyond which the filter is not worth its work.
func (f *filter) capacity() int64 { return int64(len(f.lines)) * 512 / 4 }

func (f *filter) add(key []byte) {
	l, h := f.line(key)
	for range filterBits {
		l[h>>6&7].Or(1 << (h & 63))
		h >>= 9
	}
}

// mayHave tells whether the key may be in the store.
func (f *filter) mayHave(key []byte) bool {
	if !f.whole.Load() {
		return true
	}
	l, h := f.line(key)
	for range filterBits {
		if l[h>>6&7].Load()&(1<<(h&63)) == 0 {
			return false
		}
		h >>= 9
	}
	return true
}

// line returns the line of a key, and 45 or more hash bits to choose from it with.
func (f *filter) line(key []byte) (*line, uint64) {
	h := maphash.Bytes(f.seed, key)
	g := h * 0x9e3779b97f4a7c15
	return &f.lines[(h>>32)*uint64(len(f.lines))>>32], g ^ g>>29
}
