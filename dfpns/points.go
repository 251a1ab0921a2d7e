package dfpns

import (
	"math/bits"
	"sync/atomic"

	"goalproof/arimaa"
	"goalproof/zobrist"
)

// points is a table of points within turns of the attacker, each with a number of steps: if he ends
// his turn there, or on a board that he reaches from there in as many steps, that forces no win
// with his next turn. It depends on the board and the side alone, not on how the turn began.
//
// An entry is two words: the upper half of the key; and, joined with it by exclusive or, the lower
// half, of which the number of steps takes the three uppermost bits, which follow from the place of
// the entry. Workers share the table without locks: an entry whose words come from two workers does
// not match a key (Hyatt and Mann 2002). Later entries replace earlier ones, but those without a
// step left, which save the least work, replace only their like.
type points struct {
	words [][2]atomic.Uint64
	used  atomic.Bool
}

const (
	pointBytes  = 16 // of an entry
	leastPoints = 8  // so that the three uppermost bits of the lower half follow from the place
	pointShift  = 61
)

// newPoints returns a table of at most the given bytes, of leastPoints entries at least.
func newPoints(bytes uint64) *points {
	return &points{words: make([][2]atomic.Uint64, max(bytes/pointBytes, leastPoints))}
}

// at returns the entry for a key.
func (t *points) at(k zobrist.Key) *[2]atomic.Uint64 {
	i, _ := bits.Mul64(k.Lo, uint64(len(t.words)))
	return &t.words[i]
}

// prefetch loads the entry for a key before a call of has needs it. Loads that do not wait for each
// other take little longer than one of them, and most of the time of a look-up is the time to load.
func (t *points) prefetch(k zobrist.Key) { t.at(k)[0].Load() }

// has reports whether it is known that no board within some steps of a point forces a win.
func (t *points) has(k zobrist.Key, steps int) bool {
	e := t.at(k)
	lower := e[0].Load() ^ k.Hi
	return (lower^k.Lo)<<(64-pointShift) == 0 && lower>>pointShift > uint64(steps) && e[1].Load() == k.Hi
}

// put enters a point.
func (t *points) put(k zobrist.Key, steps int) {
	if !t.used.Load() {
		t.used.Store(true)
	}
	e := t.at(k)
	if t.has(k, steps) || steps == 0 && (e[0].Load()^e[1].Load())>>pointShift > 1 {
		return
	}
	e[0].Store(k.Lo<<(64-pointShift)>>(64-pointShift) ^ uint64(steps+1)<<pointShift ^ k.Hi)
	e[1].Store(k.Hi)
}

func (t *points) clear() {
	if t.used.Swap(false) {
		clear(t.words)
	}
}

// pointKey returns the key of a point, from that of its pieces.
func pointKey(k zobrist.Key, attacker arimaa.Side) zobrist.Key {
	if attacker == arimaa.Silver {
		return zobrist.Key{Lo: ^k.Lo, Hi: ^k.Hi}
	}
	return k
}
