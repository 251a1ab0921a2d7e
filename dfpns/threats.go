package dfpns

import (
	"goalproof/arimaa"
	"goalproof/internal/recent"
	"goalproof/tables"
	"goalproof/zobrist"
)

// never is the greatest number of turns for which a table can say that threats do not win: that there is no such win
// at all.
const never = tables.Unproved - 1

// outcome is the state of a node of the threat tree: its numbers and, if it is solved, a bound. If it is proved,
// the attacker wins within that many turns; if it is disproved, threats do not win within that many. (A win may also end with
// two turns that threaten nothing. It is found where a search comes to it, and no disproof rules it out.)
type outcome struct {
	numbers
	bound uint8
}

// failed is the outcome of a node in which the attacker has run out of threats.
var failed = outcome{disproved, never}

// recentTurns are lists of recent turns, by the turns that the attacker had left.
type recentTurns [][]arimaa.Turn

func (r *recentTurns) add(n int, t arimaa.Turn) {
	for len(*r) <= n {
		*r = append(*r, nil)
	}
	(*r)[n] = recent.Add((*r)[n], t, mostRecent)
}

func (r recentTurns) at(n int) []arimaa.Turn {
	if n < len(r) {
		return r[n]
	}
	return nil
}

// threatOR searches an OR node of the threat tree, in which the attacker has n >= 2 turns left and no win in one,
// until it is solved or one of its numbers reaches its threshold. If the node is proved, turn is the code of a
// winning turn. With two turns left it is decided over all turns: that mostly takes no longer, and the complete search will need it.
func (w *worker) threatOR(p *arimaa.Position, n, depth int, threshold numbers) (got outcome, turn uint32) {
	key := w.attackKey(p)
	if e := w.table.Get(key); int(e.ProvedWithin) <= n && e.Turn != 0 {
		return outcome{proved, e.ProvedWithin}, e.Turn
	} else if int(e.RefutedUpTo) >= n {
		return outcome{disproved, e.RefutedUpTo}, 0
	}
	if n == 2 {
		got.bound = 2
		if got.numbers, turn = w.midOR(p, n, depth, threshold); got.numbers == proved {
			w.addAttack(p, n, turn)
		}
		return got, turn
	}
	e := w.threats.Enter(key)
	before := w.nodes
	if int(e.RefutedUpTo) >= n {
		got = outcome{disproved, e.RefutedUpTo}
	} else if got, turn = w.replayOR(p, n, depth); got.numbers != proved {
		f := w.frame(depth)
		if got, turn = w.expandThreats(f, p, n, e.Best); !got.solved() {
			got, turn = w.descendThreats(f, n, depth, threshold)
		}
	}
	w.leaveThreat(key, n, &e, got, turn, w.nodes-before)
	if got.numbers == proved {
		w.learnOR(p, key, got.bound, turn, w.nodes-before)
		w.addAttack(p, n, turn)
	}
	return got, turn
}

// addAttack remembers a turn that won.
func (w *worker) addAttack(p *arimaa.Position, n int, turn uint32) {
	if t, _, ok := p.Decode(turn); ok {
		w.attacks.add(n, t)
	}
}

// expandThreats makes the children of an OR node: the turns that threaten to win at once. It decides the node if a
// threat has no defence. Otherwise the proof number of a child is the number of its defences, up to
// countedDefences.
func (w *worker) expandThreats(f *frame, p *arimaa.Position, n int, best uint32) (got outcome, turn uint32) {
	f.children = f.children[:0]
	got = failed
	w.detector.ThreatTurns(p, func(result *arimaa.Position, t arimaa.Turn) bool {
		if w.run.stop.Load() {
			got = outcome{numbers: fresh}
			return false
		}
		w.visit()
		c := child{at: *result, turn: t, numbers: fresh}
		if tabled, known := w.tabled(&c.at, p.Side(), n-1); known {
			c.numbers, c.bound = tabled, uint8(n-1)
		} else if _, loses := w.detector.CanWin(&c.at, &c.at.Board); loses {
			return true
		} else if count := w.detector.CountDefences(&c.at, countedDefences); count > 0 {
			c.proof = uint32(count + t.Len()/2)
		} else {
			c.numbers, c.bound = proved, 1
		}
		if f.children = append(f.children, c); c.numbers == proved {
			got, turn = outcome{proved, c.bound + 1}, t.Code()
			return false
		}
		got = outcome{numbers: fresh}
		return true
	})
	moveToFront(f.children, best)
	return got, turn
}

// countedDefences is the number of defences up to which they are counted before a threat is searched.
const countedDefences = 3

// descendThreats searches the children of an OR node under its thresholds.
func (w *worker) descendThreats(f *frame, n, depth int, threshold numbers) (got outcome, turn uint32) {
	for {
		if w.run.stop.Load() {
			return outcome{numbers: fresh}, 0
		}
		best, second, total := selectChild(f.children, false)
		switch {
		case total == proved:
			for i := range f.children {
				if c := &f.children[i]; c.numbers == proved {
					return outcome{proved, c.bound + 1}, c.turn.Code()
				}
			}
		case total == disproved:
			got = failed
			for i := range f.children {
				got.bound = min(got.bound, f.children[i].bound+1)
			}
			return got, 0
		case total.proof >= threshold.proof || total.disproof >= threshold.disproof:
			return outcome{numbers: total}, turn
		}
		c := &f.children[best]
		turn = c.turn.Code()
		if w.lookUpThreat(c, w.defendKey(&c.at), n-1) {
			continue
		}
		c.take(w.threatAND(&c.at, n-1, depth+1, numbers{
			proof:    min(threshold.proof, w.childThreshold(second)),
			disproof: threshold.disproof - total.disproof + c.disproof,
		}))
		clearBusy(f.children)
	}
}

// threatAND searches an AND node of the threat tree, in which the attacker has n >= 2 turns left after the
// defender's.
func (w *worker) threatAND(p *arimaa.Position, n, depth int, threshold numbers) (got outcome) {
	key := w.defendKey(p)
	if e := w.table.Get(key); int(e.ProvedWithin) <= n {
		return outcome{proved, e.ProvedWithin}
	} else if int(e.RefutedUpTo) >= n {
		return outcome{disproved, e.RefutedUpTo}
	}
	e := w.threats.Enter(key)
	before := w.nodes
	if int(e.RefutedUpTo) >= n {
		got = outcome{disproved, e.RefutedUpTo}
	} else {
		got = w.expandDefences(p, n, depth, threshold)
	}
	w.leaveThreat(key, n, &e, got, 0, w.nodes-before)
	if got.numbers == proved {
		w.learn(key, tables.Fact{ProvedWithin: got.bound}, w.nodes-before)
	}
	return got
}

// expandDefences makes the children of an AND node, the replies that leave no win in one, and searches them; first
// those that stopped the threats of other nodes lately, alone.
func (w *worker) expandDefences(p *arimaa.Position, n, depth int, threshold numbers) outcome {
	w.visit()
	if _, wins := w.detector.CanWin(p, &p.Board); wins {
		return failed
	}
	f := w.frame(depth)
	f.children = f.children[:0]
	for _, t := range w.stops.at(n) {
		next, ok := p.Try(t)
		if !ok || next.Board.Ended(p.Side()).Over() {
			continue
		}
		w.visit()
		if _, wins := w.detector.CanWin(&next, &next.Board); !wins {
			w.addDefence(f, &next, t, n)
		}
	}
	if len(f.children) > 0 {
		if got := w.descendDefences(f, n, depth, threshold); got.numbers != proved {
			return got
		}
	}
	if !w.listDefences(f, p, n, overshoot*int(threshold.proof)) {
		return outcome{numbers: numbers{uint32(len(f.children)), 1}}
	}
	if w.run.stop.Load() {
		return outcome{numbers: fresh}
	}
	return w.descendDefences(f, n, depth, threshold)
}

// overshoot is by what factor the defences at an AND node may exceed its threshold before they are listed no further:
// each adds at least one to the proof number. The node comes back with a greater number, so that it is not listed again
// for every small step of its threshold.
const overshoot = 2

// listDefences makes a child for each reply at an AND node that leaves no win in one, and tells whether there are at most
// most of them. If not, or if one of them refutes the node, the list is not complete.
func (w *worker) listDefences(f *frame, p *arimaa.Position, n, most int) bool {
	f.children = f.children[:0]
	fit := true
	w.detector.Defences(p, func(b *arimaa.Board, t arimaa.Turn) bool {
		w.visit()
		next := arimaa.NewPosition(*b, p.Side().Other())
		if w.addDefence(f, &next, t, n) == disproved {
			return false
		}
		fit = len(f.children) <= most
		return fit && !w.run.stop.Load()
	})
	return fit
}

// addDefence adds a child to an AND node and returns its numbers.
func (w *worker) addDefence(f *frame, next *arimaa.Position, t arimaa.Turn, n int) numbers {
	c := child{at: *next, turn: t, numbers: fresh}
	if tabled, known := w.tabled(next, next.Side(), n); known {
		c.numbers, c.bound = tabled, uint8(n)
	}
	f.children = append(f.children, c)
	return c.numbers
}

// descendDefences searches the children of an AND node under its thresholds.
func (w *worker) descendDefences(f *frame, n, depth int, threshold numbers) (got outcome) {
	for {
		best, second, total := selectChild(f.children, true)
		switch {
		case total == proved:
			got = outcome{proved, 1}
			for i := range f.children {
				got.bound = max(got.bound, f.children[i].bound)
			}
			return got
		case total == disproved:
			got.numbers = disproved
			for i := range f.children {
				if c := &f.children[i]; c.numbers == disproved {
					got.bound = max(got.bound, c.bound)
				}
			}
			return got
		case total.proof >= threshold.proof || total.disproof >= threshold.disproof || w.run.stop.Load():
			return outcome{numbers: total}
		}
		c := &f.children[best]
		if w.lookUpReply(c, n) {
			continue
		}
		got, _ := w.threatOR(&c.at, n, depth+1, numbers{
			proof:    threshold.proof - total.proof + c.proof,
			disproof: min(threshold.disproof, w.childThreshold(second)),
		})
		if c.take(got); c.numbers == disproved {
			w.stops.add(n, c.turn)
		}
		clearBusy(f.children)
	}
}

// lookUpReply looks up an OR node before it is searched, as lookUpThreat does; with two turns left it is a node of the complete search.
func (w *worker) lookUpReply(c *child, n int) (again bool) {
	key := w.attackKey(&c.at)
	if n > 2 {
		return w.lookUpThreat(c, key, n)
	}
	*c, again = w.lookUp(*c, key, n)
	c.bound = uint8(n)
	return again
}

// take sets a child to an outcome.
func (c *child) take(o outcome) { c.numbers, c.bound = o.numbers, o.bound }

// lookUpThreat looks up a child in the tables before it is searched, and takes over what other workers and the complete
// search have found. It tells whether to select again.
func (w *worker) lookUpThreat(c *child, key zobrist.Key, n int) bool {
	e, f := w.threats.Get(key), w.table.Get(key).Fact
	got := outcome{c.numbers, c.bound}
	switch refuted := max(e.RefutedUpTo, f.RefutedUpTo); {
	case int(f.ProvedWithin) <= n:
		got = outcome{proved, f.ProvedWithin}
	case int(refuted) >= n:
		got = outcome{disproved, refuted}
	case int(e.N) == n && e.Proof > 0:
		got = outcome{numbers: numbers{e.Proof, e.Disproof}}
	}
	if got.numbers != c.numbers {
		c.take(got)
		return true
	}
	if e.Busy > c.busy {
		c.busy = e.Busy
		return true
	}
	return false
}

// replayOR tries turns that won at other nodes lately, each with all that follows from such turns alone (simulation,
// Kawano 1996). A node that is not proved says nothing.
func (w *worker) replayOR(p *arimaa.Position, n, depth int) (got outcome, turn uint32) {
	for _, t := range w.attacks.at(n) {
		next, ok := p.Try(t)
		if !ok || next.Board.Ended(p.Side()).Over() {
			continue
		}
		if bound, ok := w.replayAND(&next, n-1, depth+1); ok {
			return outcome{proved, bound + 1}, t.Code()
		}
		if w.run.stop.Load() {
			break
		}
	}
	return outcome{numbers: fresh}, 0
}

// replayAND is replayOR for an AND node.
func (w *worker) replayAND(p *arimaa.Position, n, depth int) (bound uint8, ok bool) {
	if n == 1 {
		return 1, w.forces(p)
	}
	w.visit()
	key := w.defendKey(p)
	if e := w.table.Get(key); int(e.ProvedWithin) <= n {
		return e.ProvedWithin, true
	}
	if _, wins := w.detector.CanWin(p, &p.Board); wins || int(w.threats.Get(key).RefutedUpTo) >= n {
		return 0, false
	}
	reply, holds := w.detector.Defence(p)
	if !holds {
		return 1, true
	}
	next, _ := p.Try(reply)
	if _, ok := w.replayReply(&next, n, depth+1); !ok {
		return 0, false // most attempts fail here, before all replies are listed
	}
	before := w.nodes
	f := w.frame(depth)
	if w.listDefences(f, p, n, infinite); w.run.stop.Load() {
		return 0, false // the list may not be complete
	}
	bound = 1
	for i := range f.children {
		c := &f.children[i]
		if c.numbers != proved {
			if c.bound, ok = w.replayReply(&c.at, n, depth+1); !ok {
				return 0, false
			}
		}
		bound = max(bound, c.bound)
	}
	w.learn(key, tables.Fact{ProvedWithin: bound}, w.nodes-before)
	return bound, true
}

// replayReply is replayOR for the position after a reply that leaves no win in one.
func (w *worker) replayReply(p *arimaa.Position, n, depth int) (bound uint8, ok bool) {
	key := w.attackKey(p)
	if e := w.table.Get(key); int(e.ProvedWithin) <= n {
		return e.ProvedWithin, true
	}
	before := w.nodes
	got, turn := w.replayOR(p, n, depth)
	if got.numbers != proved {
		return 0, false
	}
	w.learnOR(p, key, got.bound, turn, w.nodes-before)
	return got.bound, true
}

// learnOR enters a win among the facts, and into the store if it took some work.
func (w *worker) learnOR(p *arimaa.Position, key zobrist.Key, within uint8, turn uint32, work uint64) {
	f := tables.Fact{ProvedWithin: within, Turn: turn}
	if w.learn(key, f, work); work >= tables.WorthStoring {
		w.putFact(p, f)
	}
}

func (w *worker) learn(key zobrist.Key, f tables.Fact, work uint64) {
	if err := w.table.Learn(key, f, uint32(min(work, 1<<31))); err != nil {
		w.run.fail(err)
	}
}

// leaveThreat enters the outcome for a node, which was entered with e, into the table of threats. A win does not go
// there but among the facts: it may lean on turns that are no threats, so this table may have refuted it.
func (w *worker) leaveThreat(key zobrist.Key, n int, e *tables.Entry, got outcome, best uint32, work uint64) {
	left := tables.Entry{
		Fact:  tables.Nothing,
		Proof: got.proof, Disproof: got.disproof, N: uint8(n),
		Best: best,
		Work: uint32(min(work, 1<<31)),
	}
	if got.numbers == disproved {
		left.RefutedUpTo = got.bound
	} else if w.run.stop.Load() {
		keep(&left, e)
	}
	if err := w.threats.Leave(key, left); err != nil {
		w.run.fail(err)
	}
}
