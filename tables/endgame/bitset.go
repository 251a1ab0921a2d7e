package endgame

import (
	"math/bits"
	"sync/atomic"
)

// bitset is a set of boards by their index. Workers may add to it side by side.
type bitset []uint64

func newBitset(bits int) bitset { return make(bitset, max(1, 1<<bits>>6)) }

func (s bitset) has(i uint32) bool { return atomic.LoadUint64(&s[i>>6])>>(i&63)&1 != 0 }

func (s bitset) add(i uint32) {
	if word, bit := &s[i>>6], uint64(1)<<(i&63); atomic.LoadUint64(word)&bit == 0 {
		atomic.OrUint64(word, bit)
	}
}

// first returns the first member of a set in its i-th word, which is not 0.
func first(i int, word uint64) uint32 { return uint32(i<<6 + bits.TrailingZeros64(word)) }
