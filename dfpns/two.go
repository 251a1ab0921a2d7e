package dfpns

import (
	"goalproof/answer"
	"goalproof/arimaa"
)

// two decides whether the attacker, to move at p, wins within two turns, given that he
// does not in one. The verdict is unknown when the search is to stop.
func (w *worker) two(p *arimaa.Position, g *arimaa.Generator) (answer.Verdict, arimaa.Turn) {
	for _, t := range w.wins.turns[:w.wins.n] {
		if next, ok := p.Try(t); ok && w.keeps(&next) {
			w.wins.add(t)
			return answer.Proved, t
		}
	}
	for i := range g.Generate(p) {
		if w.run.stop.Load() {
			return answer.Unknown, arimaa.Turn{}
		}
		next := g.Position(i, p.Side())
		if w.keeps(&next) {
			t := g.Turn(i)
			w.wins.add(t)
			return answer.Proved, t
		}
	}
	return answer.Disproved, arimaa.Turn{}
}

// keeps tells whether the attacker's turn that led to p, which has not won, keeps a win in
// one more turn whatever the defender replies.
func (w *worker) keeps(p *arimaa.Position) bool {
	w.look()
	if lost(p) {
		return false
	}
	_, holds := w.detector.Holds(p)
	return !holds
}

// lost tells whether the attacker has lost with the turn that led to p, which has not won.
func lost(p *arimaa.Position) bool {
	defender := p.Side()
	return p.Rabbits(defender)&arimaa.GoalRank(defender) != 0 || p.Rabbits(defender.Other()) == 0
}
