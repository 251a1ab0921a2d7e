package goal

import (
	"math"

	"goalproof/arimaa"
)

// boardSet holds the boards that a search has met, each with the options that waited and, if there
// were any, the threat, and with the most steps left. It compares whole boards, never hashes.
// Clearing takes no time: only entries with the present stamp count. Every search begins with the
// smallest table, because most searches are small and should stay in the processor's caches.
type boardSet struct {
	tables  [][]boardEntry // each twice as long as the one before
	entries []boardEntry   // the table in use; open addressing
	level   int            // its number
	count   int
	stamp   uint32
}

// leastBoards is the length of the smallest table.
const leastBoards = 1 << 9

type boardEntry struct {
	board   arimaa.Board
	waiting waiting
	stamp   uint32
	threat  uint16 // 0 if no option waits
	left    uint8
}

// clear empties the set.
func (s *boardSet) clear() {
	if s.stamp++; s.stamp == 0 {
		s.tables, s.stamp = nil, 1
	}
	s.count = 0
	s.use(0)
}

// use switches to one of the tables and makes it if it is new.
func (s *boardSet) use(level int) {
	if level == len(s.tables) {
		s.tables = append(s.tables, make([]boardEntry, leastBoards<<level))
	}
	s.level, s.entries = level, s.tables[level]
}

// insert adds a board. More reports whether it is new, or had been met only with fewer steps left;
// known reports the latter. A threat whose number is too great for an entry counts as never met.
func (s *boardSet) insert(b *arimaa.Board, w *waiting, threat, left int) (more, known bool) {
	if w.n == 0 {
		threat = 0
	} else if threat > math.MaxUint16 {
		return true, false
	}
	if 2*s.count >= len(s.entries) {
		s.double()
	}
	key := boardEntry{board: *b, waiting: *w, stamp: s.stamp, threat: uint16(threat), left: uint8(left)}
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

// find returns the entry of a board, or the free entry where it belongs.
func (s *boardSet) find(key *boardEntry) *boardEntry {
	mask := uint64(len(s.entries) - 1)
	h := key.board.Hash()
	for i := range key.waiting.n {
		h += uint64(key.waiting.options[i].changed) * uint64(2*i+3) >> 5
	}
	for i := h & mask; ; i = (i + 1) & mask {
		e := &s.entries[i]
		if e.stamp != s.stamp || e.board == key.board && e.waiting == key.waiting && e.threat == key.threat {
			return e
		}
	}
}

// double moves to a table twice as long.
func (s *boardSet) double() {
	old := s.entries
	s.use(s.level + 1)
	for i := range old {
		if e := &old[i]; e.stamp == s.stamp {
			*s.find(e) = *e
		}
	}
}
