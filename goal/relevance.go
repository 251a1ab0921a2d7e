package goal

import "goalproof/arimaa"

// RelevanceZone returns the relevance zone of a turn of the side to move, at the start of its turn
// at p: the squares of which the opponent, if it were his turn, would have to change one to stop
// the turn from winning (Thomsen 2000, on lambda search, after must-play regions in Hex). Nothing
// else on the board matters to it. If the turn ends with a goal, it makes that goal on every
// settled board that agrees with p on the zone. Wins reports whether the turn is legal and wins;
// without that there is no zone.
func RelevanceZone(p *arimaa.Position, t arimaa.Turn) (zone arimaa.Bitboard, wins bool) {
	b := orient(&p.Board, p.Side())
	t = restore(t, p.Side())
	wins, zone = relevanceZone(b, &t)
	if p.Side() == arimaa.Silver {
		zone = zone.Flipped()
	}
	return zone, wins
}

// relevanceZone plays a turn of Gold on a board, if it is legal there, and returns whether it wins,
// and its relevance zone: on every board that Gold's opponent can reach from this one and that
// agrees with it on the zone, the same turn is legal and wins. An empty turn stands for a win that
// needs no turn: the opponent ended his with a rabbit of Gold on its goal rank, or without a rabbit
// of his own.
//
// The zone gets larger as the turn is played. Every square that decides about a displacement goes
// into it, so by induction the turn takes the same course on both boards, as far as the zone shows:
//
//   - The squares that a displaced piece leaves and enters.
//   - Against freezing: a friend beside the piece or, if there is none, all squares beside it.
//     Nothing for the elephant.
//   - On a trap, which the piece enters, or which holds a friend whose side the piece leaves: a
//     friend that saves the piece on the trap or, if there is none, all squares beside the trap. (A
//     piece that stands on such a trap only on the other board may be captured there, which changes
//     nothing in the zone.)
//
// A goal ends the game whatever else is on the board, so it needs only a settled board that agrees
// on the zone. Elimination captures every rabbit of Silver, each of them displaced or on a trap, so
// the zone holds all their squares, and no board that agrees there and that Gold's opponent can
// reach has another rabbit. For an immobilisation the zone is the whole board.
func relevanceZone(b arimaa.Board, turn *arimaa.Turn) (wins bool, zone arimaa.Bitboard) {
	start := b
	if !replay(&b, arimaa.Gold, turn, &zone) {
		return false, 0
	}
	switch home := b.Rabbits(arimaa.Gold) & rank8; {
	case home != 0:
		return true, zone | pick(home, zone)
	case b.Rabbits(arimaa.Silver) == 0:
		return true, zone
	case turn.Len() == 0 || b.CanMove(arimaa.Silver) || b == start || b.Ended(arimaa.Gold).Winner != arimaa.Gold:
		return false, 0
	}
	return true, arimaa.Everywhere
}

// replay plays a turn that side has made on some board, if it is legal here too, and adds its zone.
// It need not check the direction of rabbits: no turn takes one backward.
func replay(b *arimaa.Board, side arimaa.Side, turn *arimaa.Turn, zone *arimaa.Bitboard) bool {
	puller, vacated := arimaa.None, arimaa.Square(0) // of the last single step
	for i := 0; i < turn.Len(); i++ {
		s := turn.Step(i)
		from, to := s.From(), s.To()
		if b.At(from) != s.Piece() || b.At(to) != arimaa.Empty {
			return false
		}
		if s.Piece().Side() == side {
			if !free(b, from, s.Piece(), zone) {
				return false
			}
			puller, vacated = s.Piece().Kind(), from
			displace(b, from, to, zone)
			continue
		}
		// A pull, if it can be one: a push would take the same steps and allow less after them.
		if puller > s.Piece().Kind() && vacated == to {
			puller = arimaa.None
			displace(b, from, to, zone)
			continue
		}
		if i++; i == turn.Len() {
			return false
		}
		by := turn.Step(i)
		if by.To() != from || by.Piece().Side() != side || by.Piece().Kind() <= s.Piece().Kind() ||
			b.At(by.From()) != by.Piece() || !free(b, by.From(), by.Piece(), zone) {
			return false
		}
		puller = arimaa.None
		displace(b, from, to, zone)
		displace(b, by.From(), from, zone)
	}
	return true
}

// free reports whether the piece on s is not frozen, and adds the squares that decide.
func free(b *arimaa.Board, s arimaa.Square, p arimaa.Piece, zone *arimaa.Bitboard) bool {
	if p.Kind() == arimaa.Elephant {
		return true
	}
	beside := s.Beside()
	if friends := beside & b.Of(p.Side()); friends != 0 {
		*zone |= pick(friends, *zone)
		return true
	}
	*zone |= beside
	return beside&b.AtLeast(p.Side().Other(), p.Kind()+1) == 0
}

// displace moves a piece and adds the squares that decide what that captures.
func displace(b *arimaa.Board, from, to arimaa.Square, zone *arimaa.Bitboard) {
	*zone |= from.Set() | to.Set()
	friends := b.Of(b.At(from).Side()) &^ from.Set()
	if to.Set()&arimaa.Traps != 0 {
		guard(to.Beside()&friends, to, zone)
	} else if trap := from.Beside() & arimaa.Traps & friends; trap != 0 {
		*zone |= trap
		at := trap.First()
		guard(at.Beside()&friends, at, zone)
	}
	b.Displace(from, to)
}

// guard adds the squares that decide whether a piece on a trap lives.
func guard(guards arimaa.Bitboard, trap arimaa.Square, zone *arimaa.Bitboard) {
	if guards == 0 {
		*zone |= trap.Beside()
		return
	}
	*zone |= pick(guards, *zone)
}

// pick returns a square of a set that is not empty, a preferred one if there is one.
func pick(set, preferred arimaa.Bitboard) arimaa.Bitboard {
	if both := set & preferred; both != 0 {
		set = both
	}
	return set.First().Set()
}
