package engine

import "goalproof/arimaa"

// moveContext holds what classifies an option as tactical, a selection of the classes of Wu 2015,
// section 5.3.
type moveContext struct {
	side      arimaa.Side
	own       arimaa.Bitboard
	dominated arimaa.Bitboard // own pieces beside a stronger enemy piece
	rabbit    arimaa.Bitboard // own rabbits
	weak      arimaa.Bitboard // squares beside traps with one own defender or none and an enemy near
	beside    arimaa.Bitboard // squares beside traps
}

func newMoveContext(b *arimaa.Board, side arimaa.Side) moveContext {
	s := moveContext{side: side, own: b.Of(side), rabbit: b.Rabbits(side), beside: arimaa.Traps.Neighbors()}
	enemies := b.AtLeast(side.Other(), arimaa.Cat)
	s.dominated = b.Dominated(side, enemies)
	for traps := arimaa.Traps; traps != 0; traps = traps.Rest() {
		t := traps.First()
		if (t.Beside()&s.own).Len() <= 1 && t.Within(2)&enemies != 0 {
			s.weak |= t.Beside()
		}
	}
	return s
}

// tactical reports whether an option is likely to matter: it moves an enemy piece from beside a
// trap, or beside or into one; defends a poorly defended trap; moves a piece away from a stronger
// one; moves the elephant; or brings a rabbit near its goal.
func (s *moveContext) tactical(o arimaa.Option) bool {
	own, victim := o.Split()
	if victim != 0 {
		return s.beside.Has(victim.From()) || (s.beside | arimaa.Traps).Has(victim.To())
	}
	from, to := own.From(), own.To()
	if s.rabbit.Has(from) {
		rank := int(to) >> 3
		if s.side == arimaa.Silver {
			rank = 7 - rank
		}
		return rank >= 5 || s.weak.Has(to)
	}
	return s.weak.Has(to) && !s.weak.Has(from) || s.dominated.Has(from) || own.Piece().Kind() == arimaa.Elephant
}

// prior orders options that are alike: strong pieces first, rabbits last, forward steps before
// others.
func (s *moveContext) prior(o arimaa.Option) int32 {
	own, victim := o.Split()
	if victim != 0 {
		return 16 + 2*int32(victim.Piece().Kind())
	}
	score := 2 * int32(own.Piece().Kind())
	if own.Direction() == s.side.Forward() {
		score++
	}
	return score
}
