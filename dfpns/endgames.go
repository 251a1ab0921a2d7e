package dfpns

import "goalproof/arimaa"

// tabled returns the numbers of a position at the start of a turn of either side if an endgame table knows it; the
// attacker has n turns left. A table answers for every n, so such a position is solved before it is searched.
func (w *worker) tabled(p *arimaa.Position, attacker arimaa.Side, n int) (got numbers, known bool) {
	wins, known := w.endgames.Wins(&p.Board, p.Side(), attacker, n)
	if !known {
		return fresh, false
	}
	w.probes++
	if wins {
		return proved, true
	}
	return disproved, true
}

// Probes returns how many positions the endgame tables decided in the last search. Unlike Nodes it must not be called
// during a search.
func (s *Solver) Probes() (n uint64) {
	for _, w := range s.workers {
		n += w.probes
	}
	return n
}
