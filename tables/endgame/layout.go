package endgame

import (
	"math/bits"

	"goalproof/arimaa"
)

// layout is how the positions of a class are numbered in a table, without most of the boards that
// are impossible: equal pieces are a combination, rabbits do not stand on their goal rank, and the
// anchor (see [geometry]) stands on the files a to d. The number is that of the first group of
// equal pieces, times the size of the second, plus the number of the second, and so on.
type layout struct {
	class  Class
	groups []group
	anchor int                    // the group that is mirrored to the left half, or -1
	size   int                    // of the numbers, for one side to move
	kinds  [MaxPieces]arimaa.Kind // of the groups, on the boards that stand for the class
	sides  int                    // to move: 1 if the other is the same with colours exchanged
}

// group is the equal pieces of a side.
type group struct {
	side     int
	strength uint8
	n        int
	shift    uint8 // the least square of any: a silver rabbit does not stand on rank 1
	size     int   // the number of combinations
}

// choose[k][n] is the number of ways to choose k of n.
var choose = func() (c [MaxPieces + 1][65]int) {
	for n := range 65 {
		c[0][n] = 1
		for k := 1; k <= MaxPieces && n > 0; k++ {
			c[k][n] = c[k-1][n-1] + c[k][n-1]
		}
	}
	return c
}()

func newLayout(c Class) *layout {
	l := &layout{class: c, anchor: -1, size: 1, sides: 2}
	if c.symmetric() {
		l.sides = 1
	}
	kinds := c.kinds()
	for side, a := range []army{gold: c.gold, silver: c.silver} {
		for j, s := range a.pieces() {
			if j > 0 && a.strength[j-1] == s {
				l.groups[len(l.groups)-1].n++
				continue
			}
			r := group{side: side, strength: s, n: 1}
			if s == 0 && side == silver {
				r.shift = 8
			}
			l.kinds[len(l.groups)] = kinds[s]
			l.groups = append(l.groups, r)
		}
	}
	for i := range l.groups {
		r := &l.groups[i]
		squares := 64
		if r.strength == 0 {
			squares = 56
		}
		r.size = choose[r.n][squares]
		if r.n == 1 && l.anchor < 0 {
			l.anchor = i
			r.size /= 2
		}
		l.size *= r.size
	}
	return l
}

// flip mirrors a set of squares: file a becomes file h.
func flip(set uint64) uint64 { return bits.ReverseBytes64(bits.Reverse64(set)) }

// right is the files e to h.
const right uint64 = 0xf0f0f0f0f0f0f0f0

// number returns the number of a board, given as the squares of each group. Rabbits must not have
// reached their goal.
func (l *layout) number(sets *[MaxPieces]uint64) (number int) {
	mirrored := l.anchor >= 0 && sets[l.anchor]&right != 0
	for i := range l.groups {
		r := &l.groups[i]
		set := sets[i]
		if mirrored {
			set = flip(set)
		}
		set >>= r.shift
		rank := 0
		if r.n == 1 {
			rank = bits.TrailingZeros64(set)
			if i == l.anchor {
				rank = rank>>3<<2 | rank&3
			}
		} else {
			for k := 1; set != 0; k++ {
				rank += choose[k][bits.TrailingZeros64(set)]
				set &= set - 1
			}
		}
		number = number*r.size + rank
	}
	return number
}

// numberOf returns the number of a board, given the kind of each group, or of the board with
// colours exchanged.
func (l *layout) numberOf(b *arimaa.Board, kinds *[MaxPieces]arimaa.Kind, swapped bool) int {
	var sets [MaxPieces]uint64
	for i := range l.groups {
		if side := arimaa.Side(l.groups[i].side); swapped {
			sets[i] = bits.ReverseBytes64(uint64(b.Pieces(side.Other(), kinds[i])))
		} else {
			sets[i] = uint64(b.Pieces(side, kinds[i]))
		}
	}
	return l.number(&sets)
}

// squares is the opposite of number.
func (l *layout) squares(number int, sets *[MaxPieces]uint64) {
	for i := len(l.groups) - 1; i >= 0; i-- {
		r := &l.groups[i]
		rank := number % r.size
		number /= r.size
		set := uint64(0)
		switch {
		case i == l.anchor:
			set = 1 << (rank>>2<<3 | rank&3)
		case r.n == 1:
			set = 1 << rank
		default:
			s := 63
			for k := r.n; k > 0; k-- {
				for choose[k][s] > rank {
					s--
				}
				rank -= choose[k][s]
				set |= 1 << s
			}
		}
		sets[i] = set << r.shift
	}
}

// board returns the board of a number; ok is false if pieces stand on one square, or undefended on
// a trap.
func (l *layout) board(number int) (b arimaa.Board, ok bool) {
	var sets [MaxPieces]uint64
	l.squares(number, &sets)
	occupied := uint64(0)
	for i, r := range l.groups {
		if occupied&sets[i] != 0 {
			return b, false
		}
		occupied |= sets[i]
		for set := arimaa.Bitboard(sets[i]); set != 0; set = set.Rest() {
			b.Put(set.First(), arimaa.NewPiece(arimaa.Side(r.side), l.kinds[i]))
		}
	}
	return b, b.Undefended() == 0
}

// index returns the canonical index of the board of a number; ok is false as for board.
func (l *layout) index(g *geometry, number int) (index uint32, ok bool) {
	var sets [MaxPieces]uint64
	l.squares(number, &sets)
	piece := 0
	for i := range l.groups {
		for set := sets[i]; set != 0; set &= set - 1 {
			index |= uint32(cellOf(arimaa.Square(bits.TrailingZeros64(set)))) << g.shift[piece]
			piece++
		}
	}
	index = g.canonical(index)
	var b placed
	g.decode(index, &b)
	return index, g.settled(&b)
}
