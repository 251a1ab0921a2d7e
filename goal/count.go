package goal

import (
	"goalproof/arimaa"
	"goalproof/internal/recent"
)

// CountDefences returns the number of defences at p (see [Detector.Defence]), up to most. Below
// most it is exact. The defender must not have a win himself, and the game must not be over. It
// tries recent defences first; of these it counts two with the same result twice.
func (d *Detector) CountDefences(p *arimaa.Position, most int) (n int) {
	attacker := p.Side().Other()
	b := orient(&p.Board, attacker)
	s := &d.defence
	for i := range s.replies {
		if s.holds(&b, &s.replies[i]) {
			if n++; n == most {
				recent.Raise(s.replies, i)
				return n
			}
		}
	}
	n = 0
	s.visit = func(*arimaa.Board) bool {
		s.replies = recent.Add(s.replies, s.turn(), mostRecent)
		n++
		return n < most
	}
	s.searchAll(&b, arimaa.StepsPerTurn, arimaa.StepsPerTurn)
	return n
}
