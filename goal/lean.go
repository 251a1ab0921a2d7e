package goal

import (
	"math/bits"

	"goalproof/arimaa"
)

// Leans returns the squares that a turn of the side to move, at the start of its turn at p,
// leans on if it is legal and wins: the opponent, if it were his turn, would have to
// change one of them to stop it. Nothing else on the board matters to it. A turn that ends with a
// goal does so on every settled board that agrees on those squares, wherever that comes from.
func Leans(p *arimaa.Position, t arimaa.Turn) (on arimaa.Bitboard, wins bool) {
	b := orient(&p.Board, p.Side())
	if p.Side() == arimaa.Silver {
		t = t.Swapped()
	}
	wins, on = lean(b, &t)
	if p.Side() == arimaa.Silver {
		on = arimaa.Bitboard(bits.ReverseBytes64(uint64(on)))
	}
	return on, wins
}

// lean plays a turn of Gold on a board, if it is legal there, and tells whether it wins
// and what it leans on: on every board that Gold's opponent can reach from this one and
// that agrees with it on those squares, the same turn is legal and wins. On other
// squares nothing matters. An empty turn stands for a win that needs no turn: the
// opponent ended his with a rabbit of Gold's on its goal rank, or without a rabbit of his own.
//
// The squares are collected as the turn is played. Whatever decides about a displacement
// is looked up on squares that go into the set: by induction the turn then goes the same
// way on both boards, on those squares.
//
//   - The squares that a displaced piece leaves and enters.
//   - Against freezing: a friend beside the piece, or where there is none, all squares
//     beside it. Nothing for the elephant.
//   - On a trap, be it that the piece enters one or leaves a square beside one with a
//     friend on it: a friend that saves the piece there, or where there is none, all
//     squares beside the trap. (A piece that stands on such a trap only on the other
//     board may be captured there, and nothing in the set changes by it.)
//
// A goal ends the game whatever else is on the board, so for it any settled board will do that
// agrees on those squares. Elimination captures every rabbit of Silver, each of them displaced or on
// a trap, so all their squares are in the set, and no board that agrees there, and that Gold's
// opponent can reach, has another rabbit. Immobility leans on everything.
func lean(b arimaa.Board, turn *arimaa.Turn) (wins bool, on arimaa.Bitboard) {
	start := b
	if !replay(&b, arimaa.Gold, turn, &on) {
		return false, 0
	}
	switch home := b.Rabbits(arimaa.Gold) & rank8; {
	case home != 0:
		return true, on | one(home, on)
	case b.Rabbits(arimaa.Silver) == 0:
		return true, on
	case turn.Len() == 0 || b.CanMove(arimaa.Silver) || b == start || b.Ended(arimaa.Gold).Winner != arimaa.Gold:
		return false, 0
	}
	return true, everywhere
}

// replay plays a turn that side has made on some board, if it is legal here too, and
// adds the squares that this leans on. Rabbits are not looked at: no turn takes one backward.
func replay(b *arimaa.Board, side arimaa.Side, turn *arimaa.Turn, on *arimaa.Bitboard) bool {
	puller, vacated := arimaa.None, arimaa.Square(0) // the last step by itself
	for i := 0; i < turn.Len(); i++ {
		s := turn.Step(i)
		from, to := s.From(), s.To()
		if b.At(from) != s.Piece() || b.At(to) != arimaa.Empty {
			return false
		}
		if s.Piece().Side() == side {
			if !free(b, from, s.Piece(), on) {
				return false
			}
			puller, vacated = s.Piece().Kind(), from
			displace(b, from, to, on)
			continue
		}
		// A pull, if it can be one: a push would take the same steps and allow less after them.
		if puller > s.Piece().Kind() && vacated == to {
			puller = arimaa.None
			displace(b, from, to, on)
			continue
		}
		if i++; i == turn.Len() {
			return false
		}
		by := turn.Step(i)
		if by.To() != from || by.Piece().Side() != side || by.Piece().Kind() <= s.Piece().Kind() ||
			b.At(by.From()) != by.Piece() || !free(b, by.From(), by.Piece(), on) {
			return false
		}
		puller = arimaa.None
		displace(b, from, to, on)
		displace(b, by.From(), from, on)
	}
	return true
}

// free tells whether the piece on s is not frozen and adds what that leans on.
func free(b *arimaa.Board, s arimaa.Square, p arimaa.Piece, on *arimaa.Bitboard) bool {
	if p.Kind() == arimaa.Elephant {
		return true
	}
	beside := s.Beside()
	if friends := beside & b.Of(p.Side()); friends != 0 {
		*on |= one(friends, *on)
		return true
	}
	*on |= beside
	return beside&b.AtLeast(p.Side().Other(), p.Kind()+1) == 0
}

// displace moves a piece and adds what that leans on.
func displace(b *arimaa.Board, from, to arimaa.Square, on *arimaa.Bitboard) {
	*on |= from.Set() | to.Set()
	friends := b.Of(b.At(from).Side()) &^ from.Set()
	if to.Set()&arimaa.Traps != 0 {
		guard(to.Beside()&friends, to, on)
	} else if trap := from.Beside() & arimaa.Traps & friends; trap != 0 {
		*on |= trap
		at := trap.First()
		guard(at.Beside()&friends, at, on)
	}
	b.Displace(from, to)
}

// guard adds what the life of a piece on a trap leans on.
func guard(guards arimaa.Bitboard, trap arimaa.Square, on *arimaa.Bitboard) {
	if guards == 0 {
		*on |= trap.Beside()
		return
	}
	*on |= one(guards, *on)
}

// one picks a square of a set that is not empty: of the preferred ones, if there are.
func one(set, preferred arimaa.Bitboard) arimaa.Bitboard {
	if both := set & preferred; both != 0 {
		set = both
	}
	return set.First().Set()
}
