package goal

import (
	"math"

	"goalproof/arimaa"
)

// boardSet holds the boards that a search has met, each with the options that were unused,
// if any with the threat for which they were, and with the most steps left that
// it was met with. It compares whole boards, never hashes. Clearing costs nothing: an
// entry counts only with the present stamp. Every search begins with the smallest table, since most
// are small and should stay in the processor's caches.
type boardSet struct {
	tables  [][]boardEntry // each twice as long as the one before
	entries []boardEntry   // the table in use; open addressing
	level   int            // its number
	count   int
	stamp   uint32
}

// leastBoards is the length of the smallest table.
const leastBoards = 1 << 9

// boardEntry takes a cache line.
type boardEntry struct {
	board  arimaa.Board
	open   unused
	stamp  uint32
	threat uint16 // 0 where nothing is unused
	left   uint8
}

// clear empties the set.
func (s *boardSet) clear() {
	if s.stamp++; s.stamp == 0 {
		s.tables, s.stamp = nil, 1
	}
	s.count = 0
	s.use(0)
}

// use takes one of the tables into use, which may have to be made.
func (s *boardSet) use(level int) {
	if level == len(s.tables) {
		s.tables = append(s.tables, make([]boardEntry, leastBoards<<level))
	}
	s.level, s.entries = level, s.tables[level]
}

// add tells whether a board has been met with fewer steps left only, or never (then
// known is false), and takes note of it. A threat whose number is too great is as if never met.
func (s *boardSet) add(b *arimaa.Board, open unused, threat, left int) (more, known bool) {
	if open[0] == 0 {
		threat = 0
	} else if threat > math.MaxUint16 {
		return true, false
	}
	if 2*s.count >= len(s.entries) {
		s.double()
	}
	key := boardEntry{board: *b, open: open, stamp: s.stamp, threat: uint16(threat), left: uint8(left)}
	e := s.find(&key)
	switch {
	case e.stamp != s.stamp:
		*e = key
		s.count++
		return true, false
	case int(e.left) >= left:
		return false, true
	}
	e.left = uint8(left)
	return true, true
}

// find returns the entry of a board, or the free one that it would take.
func (s *boardSet) find(key *boardEntry) *boardEntry {
	mask := uint64(len(s.entries) - 1)
	h := key.board.Hash() + uint64(key.open[0]*3+key.open[1]*5+key.open[2]*7)>>5
	for i := h & mask; ; i = (i + 1) & mask {
		e := &s.entries[i]
		if e.stamp != s.stamp || e.board == key.board && e.open == key.open && e.threat == key.threat {
			return e
		}
	}
}

// double goes on with a table twice as long.
func (s *boardSet) double() {
	old := s.entries
	s.use(s.level + 1)
	for i := range old {
		if e := &old[i]; e.stamp == s.stamp {
			*s.find(e) = *e
		}
	}
}
