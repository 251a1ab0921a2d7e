package pns

import (
	"sync/atomic"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
)

// aiming evaluates for an aim other than the win, without a history. [goal.Detector.Reach] takes
// the place of the win in a turn. The options of the defender that give up what the attacker wants
// are no edges of the graph (list): with them the attacker reaches the aim, unless the defender
// wins in the same turn, and that is asked first, of every turn of his.
type aiming struct {
	detector goal.Detector
	aim      goal.Aim
	attacker arimaa.Side
	replies  cheapReplies
	stop     *atomic.Bool // of the search: the detector may then be wrong
}

func (a *aiming) begin(attacker arimaa.Side) {
	a.attacker, a.detector.Stop = attacker, a.stop
}

func (a *aiming) winsNow(p *arimaa.Position) (arimaa.Turn, bool) { return a.detector.Reach(p, a.aim) }

func (a *aiming) afterAttack(p *arimaa.Position, turns int, l line) answer.Verdict {
	if o := p.Board.Ended(a.attacker); o.Over() {
		return outcome(o, a.attacker)
	}
	if turns == 0 {
		return answer.Disproved // what the last turn reaches is detected before it is played
	}
	if _, wins := a.detector.CanWin(p, &p.Board); wins || turns == 1 && a.refuted(p) {
		return answer.Disproved
	}
	return answer.Unknown
}

func (a *aiming) afterReply(p *arimaa.Position, turns int, l line) answer.Verdict {
	return a.judge(&l.s.slab.at(l.turn).board, p, turns)
}

// judge evaluates the position after a reply to a turn of the attacker that led to a board.
func (a *aiming) judge(before *arimaa.Board, p *arimaa.Position, turns int) answer.Verdict {
	if o := p.Board.Ended(a.attacker.Other()); o.Over() {
		return outcome(o, a.attacker)
	}
	if a.aim.Stands(before, a.attacker) && a.aim.Stands(&p.Board, a.attacker) {
		return answer.Proved
	}
	_, reaches := a.detector.Reach(p, a.aim)
	switch {
	case reaches:
		return answer.Proved
	case turns == 1 && !a.stop.Load():
		return answer.Disproved
	}
	return answer.Unknown
}

// refuted reports whether one of a few replies refutes the turn that led to p. False means unknown.
func (a *aiming) refuted(p *arimaa.Position) bool {
	return a.replies.refute(p, func(o arimaa.Option) bool {
		after := p.After(o).EndTurn()
		return !a.aim.Takes(p, &after, arimaa.Turn{}.WithOption(o), a.attacker) &&
			a.judge(&p.Board, &after, 1) == answer.Disproved
	})
}
