package pns

import (
	"sync/atomic"

	"goalproof/arimaa"
	"goalproof/zobrist"
)

// index finds the node of a board within a turn: open addressing with linear probing. A slot holds
// the number of a node and, above it, half of its hash, so that most probes of other nodes do not
// load them, and the index grows without loading any. It compares whole boards, so it can never
// confuse two; the hash only determines the slot.
//
//	bits 63..32  upper half of the hash: its top bits are the place
//	     31..0   node; zero for an empty slot
type index struct {
	slots []uint64
	shift int // the first slot for a hash is hash >> shift
	n     int
	stop  *atomic.Bool // ends long work early: the search ends
}

const smallestIndex = 12 // as a power of two

// patience is the number of nodes between two looks at the stop flag.
const patience = 1 << 14

func (x *index) reset() {
	if x.slots == nil {
		x.slots, x.shift = make([]uint64, 1<<smallestIndex), 64-smallestIndex
	}
	clear(x.slots)
	x.n = 0
}

// mix returns the hash of a board in a turn, from the key of its pieces.
func mix(turn ref, key zobrist.Key) uint64 { return key.Lo ^ uint64(turn)*0x9e3779b97f4a7c15 }

// find returns the node of the board in the turn, or zero.
func (x *index) find(s *slab, turn ref, board *arimaa.Board, key zobrist.Key) ref {
	h := mix(turn, key)
	mask := len(x.slots) - 1
	for i := int(h >> x.shift); ; i = (i + 1) & mask {
		slot := x.slots[i]
		r := ref(slot)
		if r == 0 {
			return 0
		}
		if (slot^h)>>32 == 0 {
			if n := s.at(r); n.turn == turn && n.board == *board {
				return r
			}
		}
	}
}

// first returns the node in the first slot that find probes, if half of the hash agrees, or zero.
func (x *index) first(turn ref, key zobrist.Key) ref {
	h := mix(turn, key)
	slot := x.slots[h>>x.shift]
	if (slot^h)>>32 != 0 {
		return 0
	}
	return ref(slot)
}

// insert adds a node that is not in the index.
func (x *index) insert(r ref, turn ref, key zobrist.Key) {
	if x.n++; x.n > len(x.slots)/4*3 {
		x.grow()
	}
	x.put(mix(turn, key)&^(1<<32-1) | uint64(r))
}

// grow doubles the index. The stored half of a hash determines its new slot.
func (x *index) grow() {
	old := x.slots
	x.slots = make([]uint64, 2*len(old))
	x.shift--
	for i, slot := range old {
		if i%patience == 0 && x.stop.Load() {
			return
		}
		if slot != 0 {
			x.put(slot)
		}
	}
}

func (x *index) put(slot uint64) {
	mask := len(x.slots) - 1
	i := int(slot >> x.shift)
	for x.slots[i] != 0 {
		i = (i + 1) & mask
	}
	x.slots[i] = slot
}

// rebuild fills the index with the live nodes after some have been deleted.
func (x *index) rebuild(s *Solver) {
	x.reset()
	stack := append(s.refs[:0], s.root)
	defer func() { s.refs = stack }()
	for len(stack) > 0 {
		if x.n%patience == 0 && x.stop.Load() {
			return
		}
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := s.slab.at(r)
		x.insert(r, n.turn, n.board.PiecesKey())
		for c := n.child; c != 0; c = s.slab.at(c).sibling {
			stack = append(stack, c)
		}
	}
}
