package arimaa

import "math/bits"

// Bitboard is a set of squares: bit i stands for square i (a1 = bit 0, b1 = bit 1, h8 = bit 63).
type Bitboard uint64

const (
	FileA Bitboard = 0x0101010101010101
	FileH Bitboard = FileA << 7
	Rank1 Bitboard = 0xff
	Rank8 Bitboard = Rank1 << 56

	// Traps is the set c3, f3, c6, f6.
	Traps Bitboard = 1<<18 | 1<<21 | 1<<42 | 1<<45

	// Everywhere is the set of all squares.
	Everywhere = ^Bitboard(0)
)

// trapArea holds the traps and the squares next to them. A displacement captures nothing on a
// settled board unless it leaves or enters this area.
var trapArea = Traps | Traps.Neighbors()

// neighbors[s] is the set of up to four squares next to s.
var neighbors = func() (n [64]Bitboard) {
	for s := range n {
		n[s] = Square(s).Set().Neighbors()
	}
	return n
}()

// trapBeside[s] is the trap next to s, as a set of one, or empty. No square has two.
var trapBeside = func() (t [64]Bitboard) {
	for s := range t {
		t[s] = neighbors[s] & Traps
	}
	return t
}()

// within[d][s] is the set of squares at most d steps from s.
var within = func() (t [MostWithin + 1][64]Bitboard) {
	for s := range t[0] {
		t[0][s] = Square(s).Set()
		for d := 1; d < len(t); d++ {
			t[d][s] = t[d-1][s] | t[d-1][s].Neighbors()
		}
	}
	return t
}()

// MostWithin is the greatest distance that [Square.Within] takes.
const MostWithin = StepsPerTurn + 1

// ownSteps[side][0][s] is where a piece of side on s may step if it is a rabbit,
// ownSteps[side][1][s] where any other piece may.
var ownSteps = func() (t [2][2][64]Bitboard) {
	for s := range 64 {
		set := Square(s).Set()
		t[Gold][0][s] = neighbors[s] &^ set.Shift(South)
		t[Silver][0][s] = neighbors[s] &^ set.Shift(North)
		t[Gold][1][s], t[Silver][1][s] = neighbors[s], neighbors[s]
	}
	return t
}()

// Shift moves every square of the set one square in direction d; squares that would leave the board
// are dropped.
func (b Bitboard) Shift(d Direction) Bitboard {
	switch d {
	case North:
		return b << 8
	case East:
		return b &^ FileH << 1
	case South:
		return b >> 8
	default:
		return b &^ FileA >> 1
	}
}

// Neighbors returns the squares next to at least one square of the set.
func (b Bitboard) Neighbors() Bitboard {
	return b<<8 | b>>8 | b&^FileH<<1 | b&^FileA>>1
}

// Beside returns the squares next to s.
func (s Square) Beside() Bitboard { return neighbors[s&63] }

// Within returns the squares at most d steps from s, 0 <= d <= [MostWithin], across occupied
// squares too.
func (s Square) Within(d int) Bitboard { return within[d][s&63] }

// Has reports whether square s is in the set.
func (b Bitboard) Has(s Square) bool { return b>>(s&63)&1 != 0 }

// Len returns the number of squares in the set.
func (b Bitboard) Len() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square of a set that is not empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Last returns the highest square of a set that is not empty.
func (b Bitboard) Last() Square { return Square(63 - bits.LeadingZeros64(uint64(b))) }

// Rest returns the set without its lowest square; a loop over a set reads
//
//	for rest := set; rest != 0; rest = rest.Rest() { s := rest.First() ... }
func (b Bitboard) Rest() Bitboard { return b & (b - 1) }

// Flipped returns the set with the ranks in reverse order, as on [Board.Swapped].
func (b Bitboard) Flipped() Bitboard { return Bitboard(bits.ReverseBytes64(uint64(b))) }

// Mirrored returns the set with the files in reverse order, as on [Board.Mirrored].
func (b Bitboard) Mirrored() Bitboard { return Bitboard(bits.Reverse64(uint64(b))).Flipped() }

// GoalRank returns the rank on which the rabbits of side win.
func GoalRank(side Side) Bitboard {
	if side == Gold {
		return Rank8
	}
	return Rank1
}

// HomeRanks returns the two ranks on which side sets up.
func HomeRanks(side Side) Bitboard {
	home := GoalRank(side.Other())
	return home | home.Shift(North) | home.Shift(South)
}
