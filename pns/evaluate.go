package pns

import (
	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/recent"
)

// evaluator gives the verdict at the end of a turn if it needs no search, and answer.Unknown
// otherwise. A verdict that it gives is true, also with the repetitions that the line has seen.
type evaluator interface {
	// begin is called before a search.
	begin(attacker arimaa.Side)
	// winsNow returns a turn with which the side to move wins at once, and reports whether there is
	// one.
	winsNow(p *arimaa.Position) (arimaa.Turn, bool)
	// afterAttack evaluates the position after a turn of the attacker, who has a number of turns
	// left. The line does not hold p yet.
	afterAttack(p *arimaa.Position, turns int, l line) answer.Verdict
	// afterReply evaluates the position after a turn of the defender.
	afterReply(p *arimaa.Position, turns int, l line) answer.Verdict
}

// detection evaluates by the end-of-turn table and by package goal. No repetition forbids a win by
// goal, elimination or immobilisation: the game would have ended when the position stood there
// first. But detection may miss a win by row 6.
type detection struct {
	detector goal.Detector
	attacker arimaa.Side
	wins     []threat // recent winning turns
	replies  cheapReplies
	after    arimaa.Position // after the reply that is being tried: it escapes to the heap
}

func (d *detection) begin(attacker arimaa.Side) {
	d.attacker = attacker
	d.wins, d.replies.killers = d.wins[:0], d.replies.killers[:0]
}

func (d *detection) winsNow(p *arimaa.Position) (arimaa.Turn, bool) {
	distance, turn := d.detector.Win(p, &p.Board)
	return turn, distance != goal.None
}

func (d *detection) afterAttack(p *arimaa.Position, turns int, l line) answer.Verdict {
	if o := p.Board.Ended(d.attacker); o.Over() {
		return outcome(o, d.attacker)
	}
	if turns == 0 {
		if l.mayRepeat(p, arimaa.StepsPerTurn) {
			return answer.Unknown // every turn of the defender may be forbidden
		}
		return answer.Disproved
	}
	if turns == 1 && d.refuted(p, l) {
		return answer.Disproved
	}
	if _, ok := d.detector.CanWin(p, &p.Board); ok {
		return answer.Disproved
	}
	return answer.Unknown
}

func (d *detection) afterReply(p *arimaa.Position, turns int, l line) answer.Verdict {
	if turns == 0 {
		// The attacker's last turn has not won: the defender has an allowed turn. Whatever it leads
		// to comes too late, even if he loses by it at once.
		return answer.Disproved
	}
	if o := p.Board.Ended(d.attacker.Other()); o.Over() {
		return outcome(o, d.attacker)
	}
	switch {
	case d.canWin(p):
		return answer.Proved
	case turns == 1 && l.occurrences(p) == 0 && !l.mayRepeat(p, 2*arimaa.StepsPerTurn):
		// No turn is forbidden to the defender after the attacker's last turn: no position that he
		// could create then has occurred twice, p included.
		return answer.Disproved
	}
	return answer.Unknown
}

func outcome(o arimaa.Outcome, attacker arimaa.Side) answer.Verdict {
	if o.Winner == attacker {
		return answer.Proved
	}
	return answer.Disproved
}

// canWin reports whether the attacker wins with this turn. It replays recent winning turns before
// it asks the detector (simulation: Kawano 1996).
func (d *detection) canWin(p *arimaa.Position) bool {
	for i := range d.wins {
		if d.wins[i].wins(p) {
			recent.Raise(d.wins, i)
			return true
		}
	}
	turn, ok := d.detector.CanWin(p, &p.Board)
	if ok {
		d.wins = recent.Add(d.wins, newThreat(p, turn), mostRecent)
	}
	return ok
}

// mostRecent is the length of the lists of recent turns and killers.
const mostRecent = 6

// refuted reports whether one of a few replies refutes the attacker's turn that led to p, after
// which he has one turn left. False means unknown.
func (d *detection) refuted(p *arimaa.Position, l line) bool {
	return d.replies.refute(p, func(o arimaa.Option) bool {
		d.after = p.After(o).EndTurn()
		return !l.forbidden(&d.after) && d.afterReply(&d.after, 1, l) == answer.Disproved
	})
}

// cheapReplies are replies of one option, tried before a turn becomes a node.
type cheapReplies struct {
	killers []arimaa.Option // recent replies that refuted a turn
	options []arimaa.Option // room for a list
}

// mostOptions is how many options refute tries if no killer refutes.
const mostOptions = 2

// refute reports whether one of a few replies to the turn that led to p refutes it: a killer, or
// one of the first options in the list.
func (c *cheapReplies) refute(p *arimaa.Position, refutes func(arimaa.Option) bool) bool {
	for i, o := range c.killers {
		if playable(p, o) && refutes(o) {
			recent.Raise(c.killers, i)
			return true
		}
	}
	c.options = p.Options(c.options[:0])
	for _, o := range c.options[:min(mostOptions, len(c.options))] {
		if refutes(o) {
			c.killers = recent.Add(c.killers, o, mostRecent)
			return true
		}
	}
	return false
}

// playable reports whether an option that was legal on another board is legal at the start of a
// turn on a settled board.
func playable(p *arimaa.Position, o arimaa.Option) bool {
	own, enemy := o.Split()
	return p.At(own.From()) == own.Piece() && p.At(o.First().To()) == arimaa.Empty &&
		(enemy == 0 || p.At(enemy.From()) == enemy.Piece()) && !p.Frozen(p.Side()).Has(own.From())
}
