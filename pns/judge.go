package pns

import (
	"goalproof/arimaa"
	"goalproof/goal"
)

// judgment is what can be said for the attacker at the end of a turn, without a search.
type judgment uint8

const (
	open judgment = iota
	won
	lost
)

// judge says what is known at the end of a turn. What it says is true, also with the
// repetitions that the line has seen; it may always say open.
type judge interface {
	// begin is called before a search.
	begin(attacker arimaa.Side)
	// winsNow tells whether the side to move wins with this turn, and how.
	winsNow(p *arimaa.Position) (arimaa.Turn, bool)
	// attackerEnded judges the position after a turn of the attacker, who has a number
	// of turns left. The line does not hold p yet.
	attackerEnded(p *arimaa.Position, turns int, l line) judgment
	// defenderEnded judges the position after a turn of the defender.
	defenderEnded(p *arimaa.Position, turns int, l line) judgment
}

// detection judges by the end-of-turn table and by package goal. What a side can win by
// itself (goal, elimination, immobilisation) no repetition forbids: the game would have
// ended when the position stood there first. But a win may be missed that row 6 gives.
type detection struct {
	detector goal.Detector
	attacker arimaa.Side
	wins     recent[threat]        // turns that won lately
	replies  recent[arimaa.Option] // replies that refuted lately
	options  []arimaa.Option
	after    arimaa.Position // after a reply that is being tried; here it costs no allocation
}

func (d *detection) begin(attacker arimaa.Side) {
	d.attacker = attacker
	d.wins, d.replies = recent[threat]{}, recent[arimaa.Option]{}
}

func (d *detection) winsNow(p *arimaa.Position) (arimaa.Turn, bool) {
	distance, turn := d.detector.Win(p, &p.Board)
	return turn, distance != goal.None
}

func (d *detection) attackerEnded(p *arimaa.Position, turns int, l line) judgment {
	if o := p.Board.Ended(d.attacker); o.Over() {
		return outcome(o, d.attacker)
	}
	if turns == 0 {
		if l.mayRepeat(p, arimaa.StepsPerTurn) {
			return open // the defender may have no turn that is allowed
		}
		return lost
	}
	if turns == 1 && d.refuted(p, l) {
		return lost
	}
	if _, ok := d.detector.CanWin(p, &p.Board); ok {
		return lost
	}
	return open
}

func (d *detection) defenderEnded(p *arimaa.Position, turns int, l line) judgment {
	if turns == 0 {
		// The attacker's last turn has not won: the defender has a turn that is allowed.
		// Whatever it leads to comes too late, even where he loses by it at once.
		return lost
	}
	if o := p.Board.Ended(d.attacker.Other()); o.Over() {
		return outcome(o, d.attacker)
	}
	switch {
	case d.canWin(p):
		return won
	case turns == 1 && l.occurrences(p) == 0 && !l.mayRepeat(p, 2*arimaa.StepsPerTurn):
		// Nothing is forbidden to the defender after the attacker's last turn: no
		// position that he could create then has occurred twice, p included.
		return lost
	}
	return open
}

func outcome(o arimaa.Outcome, attacker arimaa.Side) judgment {
	if o.Winner == attacker {
		return won
	}
	return lost
}

// canWin tells whether the attacker wins with this turn. Where a turn that won lately does it
// again, the detector need not be asked.
func (d *detection) canWin(p *arimaa.Position) bool {
	wins := d.wins.all()
	for i := range wins {
		if wins[i].wins(p) {
			d.wins.raise(i)
			return true
		}
	}
	turn, ok := d.detector.CanWin(p, &p.Board)
	if ok {
		d.wins.add(newThreat(p, turn))
	}
	return ok
}

// cheapReplies is how many replies are tried at once after a turn of the attacker, if
// none that refuted lately does.
const cheapReplies = 2

// refuted tries a few replies to the attacker's turn that led to p, after which he has
// one turn left: those that refuted lately, and the first that come. Each is one option.
func (d *detection) refuted(p *arimaa.Position, l line) bool {
	refutes := func(o arimaa.Option) bool {
		d.after = p.After(o).EndTurn()
		return !l.forbidden(&d.after) && d.defenderEnded(&d.after, 1, l) == lost
	}
	for i, o := range d.replies.all() {
		if playable(p, o) && refutes(o) {
			d.replies.raise(i)
			return true
		}
	}
	d.options = p.Options(d.options[:0])
	for _, o := range d.options[:min(cheapReplies, len(d.options))] {
		if refutes(o) {
			d.replies.add(o)
			return true
		}
	}
	return false
}

// playable tells whether an option that was legal on another board is so at the start of a turn on
// a settled one.
func playable(p *arimaa.Position, o arimaa.Option) bool {
	own, enemy := o.First(), o.Second()
	if o.IsPush() {
		own, enemy = enemy, own
	}
	return p.At(own.From()) == own.Piece() && p.At(o.First().To()) == arimaa.Empty &&
		(enemy == 0 || p.At(enemy.From()) == enemy.Piece()) && !p.Frozen(p.Side()).Has(own.From())
}

// recent is a short list, the latest successful first.
type recent[T any] struct {
	list [6]T
	n    int
}

func (r *recent[T]) all() []T { return r.list[:r.n] }

// raise moves item i one place to the front.
func (r *recent[T]) raise(i int) {
	if i > 0 {
		r.list[i], r.list[i-1] = r.list[i-1], r.list[i]
	}
}

// add puts an item in front; the last one is forgotten when the list is full.
func (r *recent[T]) add(item T) {
	r.n = min(r.n+1, len(r.list))
	copy(r.list[1:r.n], r.list[:r.n-1])
	r.list[0] = item
}
