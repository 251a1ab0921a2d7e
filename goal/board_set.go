package goal

import "goalproof/arimaa"

// boardSet holds the boards that a search has met, each with the options that were unused
// and the most steps left that it was met with. It compares whole boards, never hashes. Clearing costs nothing: an
// entry counts only with the present stamp.
type boardSet struct {
	entries []boardEntry // a power of two of them; open addressing
	count   int
	stamp   uint32
}

type boardEntry struct {
	board arimaa.Board
	open  unused
	stamp uint32
	left  uint8
}

// clear empties the set.
func (s *boardSet) clear() {
	s.count = 0
	if s.stamp++; s.stamp == 0 || s.entries == nil {
		s.stamp = 1
		s.entries = make([]boardEntry, max(len(s.entries), 1<<10))
	}
}

// add tells whether a board has been met with fewer steps left only, or never (then
// known is false), and takes note of it.
func (s *boardSet) add(b *arimaa.Board, open unused, left int) (more, known bool) {
	if 2*s.count >= len(s.entries) {
		s.double()
	}
	e := s.find(b, open)
	switch {
	case e.stamp != s.stamp:
		*e = boardEntry{*b, open, s.stamp, uint8(left)}
		s.count++
		return true, false
	case int(e.left) >= left:
		return false, true
	}
	e.left = uint8(left)
	return true, true
}

// find returns the board's entry, or the free one that it would take.
func (s *boardSet) find(b *arimaa.Board, open unused) *boardEntry {
	mask := uint64(len(s.entries) - 1)
	for i := (b.Hash() + uint64(open[0]*3+open[1]*5+open[2]*7)>>5) & mask; ; i = (i + 1) & mask {
		if e := &s.entries[i]; e.stamp != s.stamp || e.board == *b && e.open == open {
			return e
		}
	}
}

func (s *boardSet) double() {
	old := s.entries
	s.entries = make([]boardEntry, 2*len(old))
	for i := range old {
		if e := &old[i]; e.stamp == s.stamp {
			*s.find(&e.board, e.open) = *e
		}
	}
}
