package arimaa

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// PackedVersion names the forms of [Position.AppendPacked] and [Turn.Code], for files that hold
// them.
const PackedVersion = 1

// AppendPacked appends a position at the start of a turn in packed form: the letter of the side to
// move (g or s), eight bytes with the occupied squares (a1 is the lowest bit of the last byte, h8
// the highest of the first), and half a byte for each piece in the order a1, b1, ..., h8, high half
// first. A half byte is the kind, 1 for a rabbit to 6 for an elephant, and 8 more for Silver. Equal
// positions have equal bytes, at most 25 with two full armies, and different positions different
// ones.
func (p *Position) AppendPacked(to []byte) []byte {
	occupied := p.Occupied()
	to = append(to, p.side.Letter())
	to = binary.BigEndian.AppendUint64(to, uint64(occupied))
	half := false
	for rest := occupied; rest != 0; rest = rest.Rest() {
		piece := byte(p.At(rest.First()))
		if half {
			to[len(to)-1] |= piece
		} else {
			to = append(to, piece<<4)
		}
		half = !half
	}
	return to
}

// UnpackPosition reads what AppendPacked wrote. The error says what is wrong with the bytes.
func UnpackPosition(data []byte) (Position, error) {
	const head = 9
	if len(data) < head {
		return Position{}, fmt.Errorf("a packed position has at least %d bytes, not %d", head, len(data))
	}
	var side Side
	switch data[0] {
	case Gold.Letter():
		side = Gold
	case Silver.Letter():
		side = Silver
	default:
		return Position{}, fmt.Errorf("a packed position begins with g or s, not with byte %d", data[0])
	}
	occupied := Bitboard(binary.BigEndian.Uint64(data[1:head]))
	if want := head + (occupied.Len()+1)/2; len(data) != want {
		return Position{}, fmt.Errorf("a packed position of %d pieces has %d bytes, not %d", occupied.Len(), want, len(data))
	}
	var b Board
	n := 0
	for rest := occupied; rest != 0; rest = rest.Rest() {
		piece := Piece(data[head+n/2] >> (4 - 4*(n&1)) & 15)
		if k := piece.Kind(); k < Rabbit || k > Elephant {
			return Position{}, fmt.Errorf("piece %d of a packed position is %d, which is none", n+1, byte(piece))
		}
		b.Put(rest.First(), piece)
		n++
	}
	if n&1 == 1 && data[len(data)-1]&15 != 0 {
		return Position{}, errors.New("a packed position has something behind its last piece")
	}
	return NewPosition(b, side), nil
}

// offBoard stands in a turn's code for a step that is not made: h8 north (direction 0), off the
// board.
const offBoard = 63 << 2

// Code returns the turn in four bytes, the first step highest: the square left and the direction of
// each step. With the board on which it is played it is the whole turn ([Position.Decode]). No turn
// has the code 0.
func (t Turn) Code() (code uint32) {
	for i := range t.steps {
		step := byte(offBoard)
		if i < t.Len() {
			step = byte(t.steps[i])
		}
		code = code<<8 | uint32(step)
	}
	return code
}

// Decode returns the turn of a code and the position after it; ok is false if it is no legal turn
// at p, which is at the start of a turn.
func (p *Position) Decode(code uint32) (t Turn, after Position, ok bool) {
	if t, _, ok = p.steps(code); ok {
		after, ok = p.Try(t)
	}
	return t, after, ok
}

// DecodePart does the same at any point of a turn where a push is not half done, for steps that
// need not end the turn; after is still in it.
func (p *Position) DecodePart(code uint32) (t Turn, after Position, ok bool) {
	if t, _, ok = p.steps(code); ok {
		after, ok = p.TryPart(t)
	}
	return t, after, ok
}

// Replay returns the position after the turn of a code that is known to be legal at p, as those of
// a stored game are. It asks no more than that the pieces are there and the squares empty: ok is
// false if they are not.
func (p *Position) Replay(code uint32) (after Position, ok bool) {
	_, after, ok = p.steps(code)
	return after.EndTurn(), ok
}

// steps returns the steps of a code with their pieces, and the position after them, still in the
// same turn; ok is false if there are no such pieces at p.
func (p *Position) steps(code uint32) (t Turn, at Position, ok bool) {
	at = *p
	for shift := 24; shift >= 0; shift -= 8 {
		low := byte(code >> shift)
		if low == offBoard {
			continue
		}
		from, d := Square(low>>2), Direction(low&3)
		piece, to := at.At(from), from.Set().Shift(d)
		if piece == Empty || to == 0 || to&at.Occupied() != 0 || at.left == 0 {
			return Turn{}, *p, false
		}
		step := NewStep(piece, from, d)
		t = t.With(step)
		at.displace(step)
	}
	return t, at, true
}
