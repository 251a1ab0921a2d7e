package endgame

import (
	"math/bits"
	"slices"

	"goalproof/arimaa"
)

// cell is a square numbered file by file: 8*file+rank, a1 = 0, a2 = 1. The file is in the high
// bits, so that one exclusive or of a whole index mirrors a board. Sets of cells are bit sets of
// 64.
type cell = uint8

func cellOf(s arimaa.Square) cell { return cell(s&7<<3 | s>>3) }

// gold and silver index what there is one of for each side.
const (
	gold   = int(arimaa.Gold)
	silver = int(arimaa.Silver)
)

// traps is the set c3, c6, f3, f6.
const traps uint64 = 1<<18 | 1<<21 | 1<<42 | 1<<45

// goalCells are the cells on the goal rank of each side.
var goalCells = [2]uint64{gold: 0x8080808080808080, silver: 0x0101010101010101}

// around holds the cells next to a cell, trapBeside the trap next to it, and ahead those that a
// rabbit of a side may step to.
var around, trapBeside, ahead = func() (around, trapBeside [64]uint64, ahead [2][64]uint64) {
	for c := range 64 {
		file, rank := c>>3, c&7
		if file > 0 {
			around[c] |= 1 << (c - 8)
		}
		if file < 7 {
			around[c] |= 1 << (c + 8)
		}
		ahead[gold][c], ahead[silver][c] = around[c], around[c]
		if rank > 0 {
			around[c] |= 1 << (c - 1)
			ahead[silver][c] |= 1 << (c - 1)
		}
		if rank < 7 {
			around[c] |= 1 << (c + 1)
			ahead[gold][c] |= 1 << (c + 1)
		}
		trapBeside[c] = around[c] & traps
	}
	return around, trapBeside, ahead
}()

// geometry is how the boards of a class are numbered while it is built: six bits a piece, its cell.
//
//	index  | piece 0 | piece 1 | ... |
//	bits        6         6
//
// Of boards that are the same to the rules one is canonical and stands for all. Equal pieces are in
// order, the greater cell in the higher bits. Where a side has one piece only of some strength,
// such a piece, the anchor, is in the highest bits and stands on the files a to d: else the board
// is mirrored, so that the highest bit is free. The numbers of other boards stay unused; bit sets
// over all of them are small enough.
type geometry struct {
	class  Class
	n      int
	bits   int // of an index
	side   [MaxPieces]int
	rabbit [MaxPieces]bool
	shift  [MaxPieces]uint8
	of     [2][]int         // the pieces of a side
	above  [MaxPieces][]int // the enemy pieces that are stronger than one
	below  [MaxPieces][]int // and those that are weaker
	sorted [][2]uint8       // the shifts to compare in turn to bring equal pieces in order
	mirror uint32           // flips the files, or 0 where there is no anchor
	top    uint8            // the bit that says that the anchor is on the right half

	reduced [1 << MaxPieces]*reduced // by the set of pieces that were captured
}

// newGeometry returns the numbering of a class. The armies may lack rabbits, for the rest in the
// middle of a turn.
func newGeometry(c Class) *geometry {
	g := &geometry{class: c, n: c.Len()}
	g.bits = 6 * g.n
	var strength [MaxPieces]uint8
	var groups []equals
	i := 0
	for side, a := range []army{gold: c.gold, silver: c.silver} {
		for j, s := range a.pieces() {
			g.side[i], g.rabbit[i], strength[i] = side, s == 0, s
			g.of[side] = append(g.of[side], i)
			if j > 0 && strength[i-1] == s {
				groups[len(groups)-1].n++
			} else {
				groups = append(groups, equals{i, 1})
			}
			i++
		}
	}
	for _, i := range g.of[gold] {
		for _, j := range g.of[silver] {
			switch {
			case strength[i] < strength[j]:
				g.above[i], g.below[j] = append(g.above[i], j), append(g.below[j], i)
			case strength[i] > strength[j]:
				g.below[i], g.above[j] = append(g.below[i], j), append(g.above[j], i)
			}
		}
	}
	g.shiftPieces(groups)
	return g
}

// equals are the equal pieces of a side: piece first and those after it, n in all.
type equals struct{ first, n int }

// shiftPieces gives each piece its bits in an index: the anchor the highest, then group by group.
func (g *geometry) shiftPieces(groups []equals) {
	if i := slices.IndexFunc(groups, func(e equals) bool { return e.n == 1 }); i >= 0 {
		anchor := groups[i]
		groups = slices.Insert(slices.Delete(groups, i, i+1), 0, anchor)
		g.bits--
		g.top = uint8(g.bits)
		for i := range g.n {
			g.mirror |= 0o70 << (6 * i)
		}
	}
	next := uint8(6 * (g.n - 1))
	for _, e := range groups {
		for i := range e.n {
			g.shift[e.first+i] = next
			next -= 6
		}
		for pass := range e.n - 1 { // bubble sort: the network of comparisons is fixed
			for i := range e.n - 1 - pass {
				g.sorted = append(g.sorted, [2]uint8{g.shift[e.first+i], g.shift[e.first+i+1]})
			}
		}
	}
}

// order brings the equal pieces of an index in order. The result names a board with its
// orientation: two boards are the same pattern exactly when these numbers are equal.
func (g *geometry) order(index uint32) uint32 {
	for _, s := range g.sorted {
		if a, b := index>>s[0]&63, index>>s[1]&63; a < b {
			index ^= (a^b)<<s[0] | (a^b)<<s[1]
		}
	}
	return index
}

// canonical returns the index that stands for a board and its mirror image.
func (g *geometry) canonical(index uint32) uint32 {
	if index>>g.top&1 != 0 {
		index ^= g.mirror
	}
	return g.order(index)
}

// placed is a board of a class.
type placed struct {
	index uint32
	at    [MaxPieces]cell
	of    [2]uint64 // the cells of each side's pieces
}

// decode places the pieces of an index.
func (g *geometry) decode(index uint32, b *placed) {
	b.index = index
	b.of = [2]uint64{}
	for i := range g.n {
		c := cell(index >> g.shift[i] & 63)
		b.at[i] = c
		b.of[g.side[i]] |= 1 << c
	}
}

// settled reports whether the pieces stand on different cells, and none on a trap without a friend
// beside it.
func (g *geometry) settled(b *placed) bool {
	if bits.OnesCount64(b.of[gold])+bits.OnesCount64(b.of[silver]) != g.n || b.of[gold]&b.of[silver] != 0 {
		return false
	}
	for _, own := range b.of {
		for on := own & traps; on != 0; on &= on - 1 {
			if around[bits.TrailingZeros64(on)&63]&own == 0 {
				return false
			}
		}
	}
	return true
}

// hasGoal reports whether a rabbit of side stands on its goal rank.
func (g *geometry) hasGoal(b *placed, side int) bool {
	for _, i := range g.of[side] {
		if g.rabbit[i] && goalCells[side]>>b.at[i]&1 != 0 {
			return true
		}
	}
	return false
}

// exchanged returns the canonical index of a board with colours exchanged, for a class in which
// both sides have the same pieces.
func (g *geometry) exchanged(index uint32) (other uint32) {
	for j, i := range g.of[gold] {
		k := g.of[silver][j]
		other |= (index>>g.shift[i]&63^7)<<g.shift[k] | (index>>g.shift[k]&63^7)<<g.shift[i]
	}
	return g.canonical(other)
}
