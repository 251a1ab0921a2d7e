// Package enumeration decides wins in one and in two for tests, by listing all results of turns
// and the end-of-turn table: no detector, no search, no memory of positions.
package enumeration

import (
	"goalproof/arimaa"
	"goalproof/internal/recent"
)

// Enumeration answers questions. To save time it tries recent winning turns and refutations first,
// and evaluates them like all others.
type Enumeration struct {
	attacks, replies  arimaa.Generator
	wins, refutations []arimaa.Turn
}

const mostRecent = 30

// Forget empties the lists of recent turns.
func (e *Enumeration) Forget() { e.wins, e.refutations = nil, nil }

// Suggest makes Forces try a reply first, after Forget.
func (e *Enumeration) Suggest(reply arimaa.Turn) {
	e.refutations = append(e.refutations[:0], reply)
}

// winsNow reports whether the side to move has a turn after which the end-of-turn table names it
// the winner.
func (e *Enumeration) winsNow(p *arimaa.Position) bool {
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
			e.wins = recent.Add(e.wins, e.attacks.Turn(i), mostRecent)
			return true
		}
	}
	return false
}

// defends reports whether the defender's turn that led to p leaves the attacker no win with his
// next turn, and has not lost at once.
func (e *Enumeration) defends(p *arimaa.Position) bool {
	if o := p.Board.Ended(p.Side().Other()); o.Over() {
		return o.Winner != p.Side()
	}
	return !e.winsNow(p)
}

// Forces reports whether the attacker's turn that led to p wins at once or leaves him a win with
// his next turn whatever the reply.
func (e *Enumeration) Forces(p *arimaa.Position) bool {
	if o := p.Board.Ended(p.Side().Other()); o.Over() {
		return o.Winner != p.Side()
	}
	for _, t := range e.refutations {
		if after, ok := p.Try(t); ok && e.defends(&after) {
			return false
		}
	}
	for i := range e.replies.Generate(p) {
		after := e.replies.Position(i, p.Side())
		if e.defends(&after) {
			e.refutations = recent.Add(e.refutations, e.replies.Turn(i), mostRecent)
			return false
		}
	}
	return true
}
