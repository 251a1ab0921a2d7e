package pns

// collect makes room when the number of nodes has reached the high mark. It reports whether a tenth
// of them is gone, which is enough to continue. First it deletes the subtrees of solved turns
// (Allis 1994, "delete solved subtrees"), which no open node needs any more. If more than low nodes
// are left, it drops open turns, the least-proving first ("delete least proving"). As in Majerech
// 2012, section 4.4, a dropped turn keeps its numbers, and the search expands it again when it
// comes back. What was solved below it is in the proof table, as long as that has room, and in the
// store, if there is one.
//
// A turn goes as a whole or not at all, because its nodes record which boards it has met. The
// collection ends early if the search must stop.
func (s *Solver) collect(high, low int) bool {
	s.walk(func(link *ref, _, _ int) bool {
		r := *link
		n := s.slab.at(r)
		if n.turn != r || !n.solved() {
			return true
		}
		*link = n.sibling
		s.deleteBelow(r)
		s.slab.giveBack(r)
		return false
	})
	if s.slab.live > low {
		s.dropLeastProving(low)
	}
	if s.stop.Load() {
		return false
	}
	s.index.rebuild(s)
	return s.slab.live <= high-high/10
}

// farthest is the greatest distance.
const farthest = 1<<10 - 1

// dropLeastProving drops open turns, the farthest from the most-proving node first, until low nodes
// are left.
func (s *Solver) dropLeastProving(low int) {
	var nodes [farthest + 1]int // in the turns at each distance
	s.walk(func(_ *ref, above, _ int) bool {
		nodes[above]++
		return true
	})
	// What hangs below a turn is at least as far.
	limit, left := farthest+1, s.slab.live
	for limit > 1 && left > low {
		limit--
		left -= nodes[limit]
	}
	// All beyond the limit are dropped, and at the limit as many as necessary.
	for _, distant := range []int{limit + 1, limit} {
		s.walk(func(link *ref, _, distance int) bool {
			r := *link
			n := s.slab.at(r)
			if n.turn != r || n.child == 0 || distance < distant || s.slab.live <= low {
				return true
			}
			s.deleteBelow(r)
			n.child = 0
			n.flags &^= expanded
			s.dropped++
			return false
		})
	}
}

// place is a node that a walk has still to visit.
type place struct {
	node    ref
	reached int32 // distance of the node
	turn    int32 // distance of the first node of its turn
}

// walk visits all nodes but the root, with the link that leads to each and two distances: that of
// its parent's turn, and that of its own turn. Visit returns whether to visit the nodes below, and
// may unlink the node.
//
// The distance of a turn is the change of numbers that would bring the search there: on the path
// from the root, the greatest excess of a node's number over that of its best sibling, and 1 more
// if the node is not the best itself. It is 0 on the path to the most-proving node, and never
// decreases on the way down.
func (s *Solver) walk(visit func(link *ref, above, distance int) bool) {
	stack := append(s.places[:0], place{node: s.root})
	defer func() { s.places = stack }() // keeps its memory for the next collection
	for i := 0; len(stack) > 0; i++ {
		if i%patience == 0 && s.stop.Load() {
			return
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := s.slab.at(at.node)
		best := s.bestChild(n)
		for link := &n.child; *link != 0; {
			c := *link
			k := s.slab.at(c)
			below := place{c, at.reached, at.turn}
			switch {
			case n.solved() || k.solved():
				below.reached = farthest // the search will not come here
			case c != best:
				below.reached = max(at.reached, int32(min(k.least(n)-n.least(n), farthest-1))+1)
			}
			if k.turn == c {
				below.turn = below.reached
			}
			if visit(link, int(at.turn), int(below.turn)) {
				stack = append(stack, below)
			}
			if *link == c {
				link = &k.sibling
			}
		}
	}
}

// deleteBelow gives back all nodes below a node.
func (s *Solver) deleteBelow(r ref) {
	stack := append(s.refs[:0], r)
	defer func() { s.refs = stack }()
	for i := 0; len(stack) > 0; i++ {
		if i%patience == patience-1 && s.stop.Load() {
			return
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for c := s.slab.at(at).child; c != 0; c = s.slab.at(c).sibling {
			stack = append(stack, c)
		}
		if at != r {
			s.slab.giveBack(at)
		}
	}
}
