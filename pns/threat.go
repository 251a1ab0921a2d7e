package pns

import (
	"goalproof/arimaa"
	"goalproof/goal"
)

// threat is a turn that won at the start of a turn of the attacker. Replaying it at other positions
// is simulation (Kawano 1996).
type threat struct {
	turn  arimaa.Turn
	board arimaa.Board    // where it won
	zone  arimaa.Bitboard // its relevance zone; empty if it does not end with a goal
}

func newThreat(p *arimaa.Position, t arimaa.Turn) threat {
	zone, _ := goal.RelevanceZone(p, t)
	if after := p.AfterTurn(t); after.Rabbits(p.Side())&arimaa.GoalRank(p.Side()) == 0 {
		zone = 0
	}
	return threat{t, p.Board, zone}
}

// wins reports whether the turn is legal and wins at the start of another turn of the attacker too;
// false means unknown.
//
// The turn makes its goal on every settled board that agrees with the threat's on the relevance
// zone ([goal.RelevanceZone]), so it need not be played. If a square of the zone differs, the
// answer is false, although the turn may win there as well. Any other win depends on more, so it is
// played.
func (t *threat) wins(p *arimaa.Position) bool {
	if t.zone == 0 {
		after, ok := p.Try(t.turn)
		return ok && after.Ended(p.Side()).WonBy(p.Side())
	}
	return p.Changed(&t.board)&t.zone == 0
}
