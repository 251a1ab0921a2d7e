package pns

import (
	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/tables/endgame"
)

// UseEndgames makes the searches that follow ask endgame tables about the positions below the root;
// nil: none.
func (s *Solver) UseEndgames(ts *endgame.Tables) { s.endgames = ts }

// Probes returns how many positions the endgame tables decided in the last search.
func (s *Solver) Probes() uint64 { return s.probes }

// tabled gives the verdict on a position at the start of a turn of either side, at the end of a
// line, if an endgame table knows it; the attacker has a number of turns left. With a history it
// gives only the verdict that the lemmas on repetition of package endgame allow: the winner of the
// table wins if his turns lead to no third occurrence. The lemmas do not allow "no win in N" where
// a longer win may exist.
func (s *Solver) tabled(p *arimaa.Position, turns int, l line) answer.Verdict {
	v, ok := s.endgames.Probe(&p.Board, p.Side())
	if !ok || !s.question.Aim.Win() {
		return answer.Unknown
	}
	winner, n := v.Winner(p.Side())
	verdict := answer.Disproved
	if n > 0 && winner == s.attacker && n <= turns {
		verdict = answer.Proved
	}
	if s.history.count != nil && (n == 0 || (winner == s.attacker) != (verdict == answer.Proved) || l.mayForbid(p, winner)) {
		return answer.Unknown
	}
	s.probes++
	return verdict
}

// mayForbid reports whether a turn of a side in play after p, the end of the line, may be forbidden
// because it would create a position for the third time that has occurred twice in the game and on
// the line. Captures are for good, so a position with more pieces than p does not come up.
func (l line) mayForbid(p *arimaa.Position, side arimaa.Side) bool {
	s := l.s
	pieces := p.Occupied().Len()
	for i := range s.history.twice {
		if q := &s.history.twice[i]; q.Side() != side && q.Occupied().Len() <= pieces {
			return true
		}
	}
	for t := l.turn; t != s.root; t = s.slab.at(s.slab.at(t).parent).turn {
		n := s.slab.at(t)
		if q := s.position(n); q.Side() != side && q.Occupied().Len() <= pieces && l.occurrences(&q) >= 2 {
			return true
		}
	}
	return false
}
