package pns

import "goalproof/arimaa"

// Repetition is counted along the line: the positions of the game, and the first
// nodes of the turns from the root to here. The root is the game's last position.

// history counts how often each position of a game has occurred.
type history map[arimaa.Position]int

func newHistory(g *arimaa.Game) history {
	if g == nil {
		return nil
	}
	h := history{}
	for i := range g.Len() + 1 {
		h[g.Position(i)]++
	}
	return h
}

// line is the way from the root to a node: what the rule of the third repetition
// needs to know. Without a game history nothing counts.
type line struct {
	s    *Solver
	turn ref // first node of the turn that is being played
}

// occurrences counts how often a position stands in the game and on the line.
func (l line) occurrences(p *arimaa.Position) int {
	s := l.s
	if s.history == nil {
		return 0
	}
	count := s.history[*p]
	for t := l.turn; t != s.root; t = s.slab.at(s.slab.at(t).parent).turn {
		if n := s.slab.at(t); s.mover(n) == p.Side() && n.board == p.Board {
			count++
		}
	}
	return count
}

// forbidden tells whether the turn may not end with p: it would be the third time.
func (l line) forbidden(p *arimaa.Position) bool { return l.occurrences(p) >= 2 }

// repeats tells whether some position with the attacker to move may not be created
// again below here. Then the defender may lack an allowed turn where he has legal
// steps (row 6 of the end-of-turn table), which no static detection sees.
func (l line) repeats() bool {
	s := l.s
	if s.history == nil {
		return false
	}
	for p, n := range s.history {
		if n >= 2 && p.Side() == s.attacker {
			return true
		}
	}
	for t := l.turn; t != s.root; t = s.slab.at(s.slab.at(t).parent).turn {
		if n := s.slab.at(t); !n.is(defends) {
			if p := s.position(n); l.occurrences(&p) >= 2 {
				return true
			}
		}
	}
	return false
}
