package pns

import (
	"sync/atomic"

	"goalproof/arimaa"
	"goalproof/zobrist"
)

// index finds the node of a board within a turn: open addressing with linear probing
// over node numbers. It compares whole boards, so it can never mistake one for another;
// the hash only says where to look.
type index struct {
	slots []ref
	n     int
	stop  *atomic.Bool // leave long work undone: the search ends
}

const smallestIndex = 1 << 12

// patience is how many nodes are gone through before asking whether to stop.
const patience = 1 << 14

func (x *index) reset() {
	if x.slots == nil {
		x.slots = make([]ref, smallestIndex)
	}
	clear(x.slots)
	x.n = 0
}

// hash mixes the key of a board's pieces with the turn.
func hash(turn ref, key zobrist.Key) uint64 {
	h := key.Lo ^ uint64(turn)*0x9e3779b97f4a7c15
	return h ^ h>>32
}

// find returns the node of the board in the turn, or zero.
func (x *index) find(s *slab, turn ref, board *arimaa.Board, key zobrist.Key) ref {
	mask := uint64(len(x.slots) - 1)
	for i := hash(turn, key) & mask; ; i = (i + 1) & mask {
		r := x.slots[i]
		if r == 0 {
			return 0
		}
		if n := s.at(r); n.turn == turn && n.board == *board {
			return r
		}
	}
}

// add adds a node that is not in the index.
func (x *index) add(s *slab, r ref, key zobrist.Key) {
	if x.n++; x.n > len(x.slots)/2 {
		old := x.slots
		x.slots = make([]ref, 2*len(old))
		for i, o := range old {
			if i%patience == 0 && x.stop.Load() {
				break
			}
			if o != 0 {
				x.put(o, hash(s.at(o).turn, s.at(o).board.PiecesKey()))
			}
		}
	}
	x.put(r, hash(s.at(r).turn, key))
}

func (x *index) put(r ref, h uint64) {
	mask := uint64(len(x.slots) - 1)
	i := h & mask
	for x.slots[i] != 0 {
		i = (i + 1) & mask
	}
	x.slots[i] = r
}

// rebuild lists the live nodes anew after some have been deleted.
func (x *index) rebuild(s *Solver) {
	x.reset()
	stack := []ref{s.root}
	for len(stack) > 0 {
		if x.n%patience == 0 && x.stop.Load() {
			return
		}
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := s.slab.at(r)
		x.add(&s.slab, r, n.board.PiecesKey())
		for c := n.child; c != 0; c = s.slab.at(c).sibling {
			stack = append(stack, c)
		}
	}
}
