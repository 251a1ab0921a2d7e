package arimaa

import "math/bits"

// Board is the pattern of pieces on the squares. Two boards are equal (==) when the same kinds in
// the same colours stand on the same squares. The zero Board is empty.
//
// The kind of the piece on a square, 1 (rabbit) to 6 (elephant), is spread over three bit planes;
// the colour is a fourth:
//
//	            R  C  D  H  M  E
//	kind[0]     1  0  1  0  1  0
//	kind[1]     0  1  1  0  0  1
//	kind[2]     0  0  0  1  1  1
//	silver      1 where the piece is Silver's
//
// so "at least a horse" is one plane and a displacement is four exclusive ors.
type Board struct {
	kind   [3]Bitboard
	silver Bitboard
}

// Hash mixes the board into 64 bits, for tables of boards that compare whole boards. Unlike
// [Board.PiecesKey] it is no fixed key: it may differ between versions.
func (b *Board) Hash() uint64 {
	h := uint64(b.kind[0])*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(uint64(b.kind[1])*0xc2b2ae3d27d4eb4f, 17) ^
		bits.RotateLeft64(uint64(b.kind[2])*0x165667b19e3779f9, 31) ^ bits.RotateLeft64(uint64(b.silver)*0xd6e8feb86659fd93, 47)
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>29
}

// At returns the piece on square s, or Empty.
func (b *Board) At(s Square) Piece {
	s &= 63
	return Piece(b.kind[0]>>s&1 | b.kind[1]>>s&1<<1 | b.kind[2]>>s&1<<2 | b.silver>>s&1<<3)
}

// Put places p on square s, in place of whatever stands there; Empty clears it.
func (b *Board) Put(s Square, p Piece) {
	set := s.Set()
	for i := range b.kind {
		b.kind[i] &^= set
		if p>>i&1 != 0 {
			b.kind[i] |= set
		}
	}
	b.silver &^= set
	if p&silverPiece != 0 {
		b.silver |= set
	}
}

// Changed returns the squares on which two boards differ.
func (b *Board) Changed(o *Board) Bitboard {
	return (b.kind[0] ^ o.kind[0]) | (b.kind[1] ^ o.kind[1]) | (b.kind[2] ^ o.kind[2]) | (b.silver ^ o.silver)
}

// Occupied returns the squares with a piece.
func (b *Board) Occupied() Bitboard { return b.kind[0] | b.kind[1] | b.kind[2] }

// Of returns the squares with a piece of side.
func (b *Board) Of(side Side) Bitboard {
	if side == Silver {
		return b.silver
	}
	return b.Occupied() &^ b.silver
}

// Rabbits returns the squares with a rabbit of side.
func (b *Board) Rabbits(side Side) Bitboard {
	return b.kind[0] &^ b.kind[1] &^ b.kind[2] & b.Of(side)
}

// AtLeast returns the squares with a piece of side that is of the given kind or stronger.
func (b *Board) AtLeast(side Side, kind Kind) Bitboard {
	var m Bitboard
	switch kind {
	case None, Rabbit:
		m = b.Occupied()
	case Cat:
		m = b.kind[2] | b.kind[1]
	case Dog:
		m = b.kind[2] | b.kind[1]&b.kind[0]
	case Horse:
		m = b.kind[2]
	case Camel:
		m = b.kind[2] & (b.kind[1] | b.kind[0])
	case Elephant:
		m = b.kind[2] & b.kind[1]
	}
	return m & b.Of(side)
}

// Pieces returns the squares with a piece of side and kind.
func (b *Board) Pieces(side Side, kind Kind) Bitboard {
	return b.AtLeast(side, kind) &^ b.AtLeast(side, kind+1)
}

// Frozen returns the squares with a piece of side that may not move because a stronger enemy piece
// and no friend stand next to it.
func (b *Board) Frozen(side Side) Bitboard {
	own := b.Of(side)
	return b.Dominated(side, b.Occupied()^own) &^ own.Neighbors()
}

// Dominated returns the squares with a piece of side that stands next to a stronger piece among
// enemy pieces.
func (b *Board) Dominated(side Side, enemy Bitboard) Bitboard {
	own := b.Of(side)
	e0, e1, e2 := b.kind[0]&enemy, b.kind[1]&enemy, b.kind[2]&enemy
	o0, o1, o2 := b.kind[0]&own, b.kind[1]&own, b.kind[2]&own
	return o0&^o1&^o2&(e2|e1).Neighbors() | // rabbits, by a cat or more
		o1&^o0&^o2&(e2|e1&e0).Neighbors() | // cats, by a dog or more
		o1&o0&e2.Neighbors() | // dogs, by a horse or more
		o2&^o1&^o0&(e2&(e1|e0)).Neighbors() | // horses, by a camel or the elephant
		o2&o0&(e2&e1).Neighbors() // camels, by the elephant
}

// CanMove reports whether side has a legal step, push or pull at the start of its turn. (A pull
// begins with a step that is legal by itself.)
func (b *Board) CanMove(side Side) bool {
	free := b.Of(side) &^ b.Frozen(side)
	empty := ^b.Occupied()
	rabbits := b.Rabbits(side)
	others := free &^ rabbits
	if others.Neighbors()&empty != 0 {
		return true
	}
	rabbits &= free
	if (rabbits.Shift(side.Forward())|rabbits.Shift(East)|rabbits.Shift(West))&empty != 0 {
		return true
	}
	others &^= b.Undefended() // captured by the first half of a push
	pushable := b.Of(side.Other()) & empty.Neighbors()
	for k := Cat; k <= Elephant; k++ {
		if (others&b.Pieces(side, k)).Neighbors()&pushable&^b.AtLeast(side.Other(), k) != 0 {
			return true
		}
	}
	return false
}

// Undefended returns the traps with a piece that no friend defends. On a settled board it is empty;
// otherwise those pieces go at the first displacement.
func (b *Board) Undefended() Bitboard {
	gold, silver := b.Of(Gold), b.Of(Silver)
	return Traps & (gold&^gold.Neighbors() | silver&^silver.Neighbors())
}

// remove takes every piece of the set off the board.
func (b *Board) remove(set Bitboard) {
	b.kind[0] &^= set
	b.kind[1] &^= set
	b.kind[2] &^= set
	b.silver &^= set
}

// shift moves the piece on from to the empty square to, and captures nothing.
func (b *Board) shift(from, to Square) {
	from, to = from&63, to&63
	for i := range b.kind {
		bit := b.kind[i] >> from & 1
		b.kind[i] ^= bit<<from | bit<<to
	}
	bit := b.silver >> from & 1
	b.silver ^= bit<<from | bit<<to
}

// captureBy returns the piece that a displacement captures on a settled board when the piece goes
// from one square to another and own are the squares of its colour before it moves: the square of
// the captured piece after the displacement, as a set of one, or the empty set.
func captureBy(own Bitboard, from, to Square) Bitboard {
	own ^= from.Set() | to.Set()
	if at := to.Set() & Traps; at != 0 && neighbors[to&63]&own == 0 {
		return at
	}
	at := trapBeside[from&63] & own
	if at != 0 && at.Neighbors()&own == 0 {
		return at
	}
	return 0
}

// Displace moves the piece on from to the empty neighbour to, removes what that captures on a
// settled board (see [Board.Undefended]), and returns the captured piece's square as a set of one,
// or the empty set. It does not ask whether a rule allows the displacement.
func (b *Board) Displace(from, to Square) Bitboard {
	var captured Bitboard
	if (trapArea>>(from&63)|Traps>>(to&63))&1 != 0 {
		own := b.silver
		if own>>(from&63)&1 == 0 {
			own = b.Occupied() &^ own
		}
		captured = captureBy(own, from, to)
	}
	b.shift(from, to)
	if captured != 0 {
		b.remove(captured)
	}
	return captured
}

// Mirrored returns the board with the files in reverse order (a becomes h). The rules are the same
// on it.
func (b Board) Mirrored() Board {
	return Board{
		kind:   [3]Bitboard{b.kind[0].Mirrored(), b.kind[1].Mirrored(), b.kind[2].Mirrored()},
		silver: b.silver.Mirrored(),
	}
}

// Swapped returns the board with the ranks in reverse order (1 becomes 8) and the colours
// exchanged. The rules are the same on it with the sides exchanged, so code for one side serves
// both.
func (b Board) Swapped() Board {
	silver := b.Occupied() &^ b.silver
	return Board{
		kind:   [3]Bitboard{b.kind[0].Flipped(), b.kind[1].Flipped(), b.kind[2].Flipped()},
		silver: silver.Flipped(),
	}
}
