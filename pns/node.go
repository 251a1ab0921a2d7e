package pns

import "goalproof/arimaa"

// ref is the index of a node in the slab; zero is no node.
type ref uint32

// node is a point in a turn. It fills one cache line and holds no pointers, so the garbage
// collector never looks at nodes.
//
//	bytes  0..31  board
//	      32..35  parent   a turn's first node is a child of the node that passed
//	      36..39  child    first child
//	      40..43  sibling  next child of the same parent, or next free node
//	      44..47  turn     first node of the turn it belongs to
//	      48..51  pn       proof number
//	      52..55  dn       disproof number
//	      56..59  option   the edge from the parent; zero for a pass edge
//	      60      turns    attacker's turns left, the present one included if it is his
//	      61      flags    see below; the three low bits are the steps left
type node struct {
	board   arimaa.Board
	parent  ref
	child   ref
	sibling ref
	turn    ref
	pn, dn  uint32
	option  arimaa.Option
	turns   uint8
	flags   uint8
	_       [2]byte
}

const (
	stepsLeft   uint8 = 7      // mask of the steps left in the turn, 0 to 4
	defends     uint8 = 1 << 3 // an AND node: the defender is to move
	expanded    uint8 = 1 << 4 // its options have been listed with the steps it has left
	proved      uint8 = 1 << 5 // for an AND node inside a turn: its subtree is exhausted
	disproved   uint8 = 1 << 6 // for an OR node inside a turn: its subtree is exhausted
	unevaluated uint8 = 1 << 7 // delayed evaluation: the turn that led here has no verdict yet
)

func (n *node) left() int       { return int(n.flags & stepsLeft) }
func (n *node) is(f uint8) bool { return n.flags&f != 0 }
func (n *node) solved() bool    { return n.flags&(proved|disproved) != 0 }

// leaf reports whether the options of the node are still to be listed.
func (n *node) leaf() bool { return n.flags&expanded == 0 && n.left() > 0 && !n.solved() }

// bare reports whether the first node r of a turn has no children yet: its numbers are its initial
// ones, or those that it had when its turn was dropped.
func (n *node) bare(r ref) bool { return n.turn == r && n.child == 0 && n.leaf() }

// good is the flag that solves the node in favour of its mover, bad the other one.
func (n *node) good() uint8 {
	if n.is(defends) {
		return disproved
	}
	return proved
}

func (n *node) bad() uint8 { return n.good() ^ (proved | disproved) }

// least is the number that the mover minimises: the proof number at an OR node, the disproof number
// at an AND node.
func (n *node) least(mover *node) uint32 {
	if mover.is(defends) {
		return n.dn
	}
	return n.pn
}

// slab holds nodes in chunks, so that it grows without copying and a pointer to a node stays valid.
type slab struct {
	chunks []*chunk
	used   int // nodes handed out since the last reset, free ones included; node 0 is not used
	free   ref // list of nodes given back, linked by sibling
	live   int
}

const chunkBits = 13

// chunk is an array, so that indexing needs no bounds check.
type chunk [1 << chunkBits]node

func (s *slab) at(r ref) *node { return &s.chunks[r>>chunkBits][r%(1<<chunkBits)] }

// reset gives all nodes back and keeps the memory.
func (s *slab) reset() { s.used, s.free, s.live = 1, 0, 0 }

// create hands out a node with all fields zero.
func (s *slab) create() (ref, *node) {
	s.live++
	if r := s.free; r != 0 {
		n := s.at(r)
		s.free = n.sibling
		n.sibling = 0
		return r, n
	}
	if s.used>>chunkBits == len(s.chunks) {
		s.chunks = append(s.chunks, new(chunk))
	}
	r := ref(s.used)
	s.used++
	n := s.at(r)
	*n = node{}
	return r, n
}

// giveBack frees a node.
func (s *slab) giveBack(r ref) {
	*s.at(r) = node{sibling: s.free}
	s.free = r
	s.live--
}
