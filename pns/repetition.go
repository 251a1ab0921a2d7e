package pns

import "goalproof/arimaa"

// Repetition is counted along the line: the positions of the game, and the first nodes of the turns
// from the root to here. The root is the game's last position.

// history counts how often each position of a game has occurred. Without a game it is the zero
// value, and nothing counts.
type history struct {
	count map[arimaa.Position]int
	twice []arimaa.Position // those that have occurred twice
}

// newHistory returns the history of a game; nil: none.
func newHistory(g *arimaa.Game) (h history) {
	if g == nil {
		return h
	}
	for i := range g.Len() + 1 {
		h.record(g.Position(i))
	}
	return h
}

// record counts a position.
func (h *history) record(p arimaa.Position) {
	if h.count == nil {
		h.count = map[arimaa.Position]int{}
	}
	if h.count[p]++; h.count[p] == 2 {
		h.twice = append(h.twice, p)
	}
}

// line is the path from the root to a node, on which the rule of the third repetition depends.
// Without a game history nothing counts.
type line struct {
	s    *Solver
	turn ref // first node of the turn that is being played
}

// occurrences counts how often a position has occurred in the game and on the line.
func (l line) occurrences(p *arimaa.Position) int {
	s := l.s
	if s.history.count == nil {
		return 0
	}
	count := s.history.count[*p]
	for t := l.turn; t != s.root; t = s.slab.at(s.slab.at(t).parent).turn {
		if n := s.slab.at(t); s.mover(n) == p.Side() && n.board == p.Board {
			count++
		}
	}
	return count
}

// forbidden reports whether the turn may not end with p: it would be the third occurrence.
func (l line) forbidden(p *arimaa.Position) bool { return l.occurrences(p) >= 2 }

// mayRepeat reports whether a forbidden position with the attacker to move may be within the given
// number of steps of p. Then the defender may have legal steps but no allowed turn (row 6 of the
// end-of-turn table), which no static detection sees.
func (l line) mayRepeat(p *arimaa.Position, steps int) bool {
	s := l.s
	if s.history.count == nil {
		return false
	}
	for i := range s.history.twice {
		if q := &s.history.twice[i]; q.Side() == s.attacker && stepsBetween(&p.Board, &q.Board, steps) <= steps {
			return true
		}
	}
	for t := l.turn; t != s.root; t = s.slab.at(s.slab.at(t).parent).turn {
		if n := s.slab.at(t); !n.is(defends) && stepsBetween(&p.Board, &n.board, steps) <= steps {
			if q := s.position(n); l.occurrences(&q) >= 2 {
				return true
			}
		}
	}
	return false
}

// stepsBetween returns a lower bound on the number of steps from one board to another, whoever
// makes them; above limit it stops counting. Every piece on the second board has come, one square
// with each step, from the square of a piece of its kind on the first.
func stepsBetween(from, to *arimaa.Board, limit int) int {
	sum := 0
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
			near, rest := from.Pieces(side, kind), to.Pieces(side, kind)
			if near.Len() < rest.Len() {
				return limit + 1
			}
			for rest &^= near; rest != 0 && sum <= limit; rest &^= near {
				sum += rest.Len()
				near |= near.Neighbors()
			}
		}
	}
	return sum
}
