package pns

import (
	"goalproof/arimaa"
	"goalproof/goal"
)

// threat is a turn that won at the start of a turn of the attacker.
type threat struct {
	turn  arimaa.Turn
	board arimaa.Board    // where it won
	on    arimaa.Bitboard // the squares that it leans on; empty if it does not end with a goal
}

func newThreat(p *arimaa.Position, t arimaa.Turn) threat {
	on, _ := goal.Leans(p, t)
	if after := p.AfterTurn(t); after.Rabbits(p.Side())&arimaa.GoalRank(p.Side()) == 0 {
		on = 0
	}
	return threat{t, p.Board, on}
}

// wins tells whether the turn is legal and wins at the start of another turn of the attacker too.
//
// A goal is made on every settled board that agrees with that of the threat on the squares which the
// turn leans on ([goal.Leans]), so it need not be played; where a square differs the answer is no,
// though it may be made there as well. Any other win depends on more, so it is played.
func (t *threat) wins(p *arimaa.Position) bool {
	if t.on == 0 {
		after, ok := p.Try(t.turn)
		o := after.Ended(p.Side())
		return ok && o.Over() && o.Winner == p.Side()
	}
	changed := p.Occupied() ^ t.board.Occupied()
	changed |= p.Of(arimaa.Silver) ^ t.board.Of(arimaa.Silver)
	if changed&t.on != 0 {
		return false
	}
	for rest := t.on & p.Occupied(); rest != 0; rest = rest.Rest() {
		if s := rest.First(); p.At(s) != t.board.At(s) {
			return false
		}
	}
	return true
}
