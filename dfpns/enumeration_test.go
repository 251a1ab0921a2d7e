package dfpns

import (
	"goalproof/arimaa"
)

// enumeration answers questions about one and two turns by listing all results of a turn
// and looking at the end-of-turn table: no detector, no search, no memory of positions.
// To save time, turns that decided before are tried first; they are judged in the same
// way.
type enumeration struct {
	attacks, replies arimaa.Generator
	wins, refutes    []arimaa.Turn
}

// front puts a turn in front of a list of those that decided lately.
func front(list []arimaa.Turn, t arimaa.Turn) []arimaa.Turn {
	list = append([]arimaa.Turn{t}, list...)
	return list[:min(len(list), 30)]
}

// winsNow tells whether the side to move has a turn after which the table names it the
// winner.
func (e *enumeration) winsNow(p *arimaa.Position) bool {
	won := func(b *arimaa.Board) bool {
		o := b.Ended(p.Side())
		return o.Over() && o.Winner == p.Side()
	}
	for _, t := range e.wins {
		if after, ok := p.Try(t); ok && won(&after.Board) {
			return true
		}
	}
	for i := range e.attacks.Generate(p) {
		if won(e.attacks.Board(i)) {
			e.wins = front(e.wins, e.attacks.Turn(i))
			return true
		}
	}
	return false
}

// holds tells whether the defender's turn that led to p leaves the attacker no win with
// his next turn, and has not lost at once.
func (e *enumeration) holds(p *arimaa.Position) bool {
	if o := p.Board.Ended(p.Side().Other()); o.Over() {
		return o.Winner != p.Side()
	}
	return !e.winsNow(p)
}

// keeps tells whether the attacker's turn that led to p wins at once or leaves him a win
// with his next turn whatever the reply.
func (e *enumeration) keeps(p *arimaa.Position) bool {
	if o := p.Board.Ended(p.Side().Other()); o.Over() {
		return o.Winner != p.Side()
	}
	for _, t := range e.refutes {
		if after, ok := p.Try(t); ok && e.holds(&after) {
			return false
		}
	}
	for i := range e.replies.Generate(p) {
		after := e.replies.Position(i, p.Side())
		if e.holds(&after) {
			e.refutes = front(e.refutes, e.replies.Turn(i))
			return false
		}
	}
	return true
}

// forget forgets the turns that decided in other positions.
func (e *enumeration) forget() { e.wins, e.refutes = nil, nil }
