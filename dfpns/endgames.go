package dfpns

import "goalproof/arimaa"

// tabled returns the numbers of a position at the start of a turn of either side if an endgame
// table knows it; the attacker has n turns left. A table answers for every n, so such a position is
// solved before it is searched.
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

// provedByTable makes a turn that leads to a win by an endgame table the only child of an OR node,
// if there is one among the turns that its generator has listed. That takes less time than
// evaluating the turns before it.
func (w *worker) provedByTable(f *frame, p *arimaa.Position, n int) bool {
	if !w.endgames.InReach(&p.Board) {
		return false
	}
	for i := range f.generator.Len() {
		next := f.generator.Position(i, p.Side())
		if got, known := w.tabled(&next, p.Side(), n-1); known && got == proved {
			w.visit()
			f.children = append(f.children, child{at: next, turn: f.generator.Turn(i), numbers: proved})
			return true
		}
	}
	return false
}

// Probes returns how many positions the endgame tables decided in the last search. Unlike Nodes it
// must not be called during a search.
func (s *Solver) Probes() (n uint64) {
	for _, w := range s.workers {
		n += w.probes
	}
	return n
}
