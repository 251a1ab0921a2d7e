package dfpns

import (
	"math/bits"
	"sync/atomic"

	"goalproof/arimaa"
	"goalproof/zobrist"
)

// points is a table of points within turns of the attacker, each with a number of steps: if he ends his turn there, or on
// a board that he reaches from there in as many steps, that forces no win with his next turn. It depends on the board and
// the side alone, not on how the turn began.
//
// An entry is one word: 61 bits of the key, and the number of steps plus one. Its place takes other bits of the key.
// Workers share the table without locks, and later entries replace earlier ones.
type points struct {
	words []atomic.Uint64
	used  atomic.Bool
}

// newPoints returns a table of at most the given bytes, of one entry at least.
func newPoints(bytes uint64) *points {
	return &points{words: make([]atomic.Uint64, max(bytes/8, 1))}
}

// at returns the entry for a key.
func (t *points) at(k zobrist.Key) *atomic.Uint64 {
	i, _ := bits.Mul64(k.Lo, uint64(len(t.words)))
	return &t.words[i]
}

const stepBits = 7 // of an entry

// refuted tells whether no board within some steps of a point is known to force a win.
func (t *points) refuted(k zobrist.Key, steps int) bool {
	word := t.at(k).Load()
	return (word^k.Hi)&^stepBits == 0 && int(word&stepBits) > steps
}

// refute enters a point.
func (t *points) refute(k zobrist.Key, steps int) {
	if !t.used.Load() {
		t.used.Store(true)
	}
	if !t.refuted(k, steps) {
		t.at(k).Store(k.Hi&^stepBits | uint64(steps+1))
	}
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
