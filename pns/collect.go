package pns

// collect makes room: it deletes the subtrees of solved turns (Allis 1994, "delete
// solved subtrees"), which no open node needs any more, and tells whether a tenth of
// the memory has become free. Nodes inside open turns stay, solved or not, because they
// say which boards the turn has met. It leaves off when the search is to stop.
func (s *Solver) collect() bool {
	stack := []ref{s.root}
	for i := 0; len(stack) > 0; i++ {
		if i%patience == 0 && s.stop.Load() {
			return false
		}
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		link := &s.slab.at(r).child
		for *link != 0 {
			c := *link
			k := s.slab.at(c)
			if k.turn == c && k.solved() {
				*link = k.sibling
				s.deleteTree(c)
				continue
			}
			stack = append(stack, c)
			link = &k.sibling
		}
	}
	s.index.rebuild(s)
	return s.slab.live <= s.maxNodes-s.maxNodes/10
}

// deleteTree gives a node and everything below it back.
func (s *Solver) deleteTree(r ref) {
	stack := []ref{r}
	for i := 0; len(stack) > 0; i++ {
		if i%patience == patience-1 && s.stop.Load() {
			return
		}
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for c := s.slab.at(r).child; c != 0; c = s.slab.at(c).sibling {
			stack = append(stack, c)
		}
		s.slab.giveBack(r)
	}
}
