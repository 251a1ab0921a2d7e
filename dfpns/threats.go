package dfpns

import (
	"goalproof/arimaa"
	"goalproof/tables"
)

// listThreats makes a child of each turn at an OR node that threatens to win at once, until one of
// them wins. The proof number of a child is the number of its defences, up to countedDefences.
func (w *worker) listThreats(f *frame, v node) {
	w.detector.ThreatTurns(v.at, func(result *arimaa.Position, t arimaa.Turn) bool {
		if w.run.stop.Load() {
			return false
		}
		w.visit()
		c := child{at: *result, turn: t, numbers: fresh}
		if tabled, known := w.tabled(&c.at, v.at.Side(), v.turns-1); known {
			c.numbers, c.bound = tabled, uint8(v.turns-1)
		} else if _, loses := w.detector.CanWin(&c.at, &c.at.Board); loses {
			return true
		} else if count := w.detector.CountDefences(&c.at, countedDefences); count > 0 {
			c.proof = uint32(count + t.Len()/2)
		} else {
			c.numbers, c.bound = proved, 1
		}
		f.children = append(f.children, c)
		return c.numbers != proved
	})
}

// countedDefences is the number of defences up to which they are counted before a threat is
// searched.
const countedDefences = 3

// replayTurns tries turns that won at other nodes lately, each with all that follows from such
// turns alone (simulation, Kawano 1996). An OR node that is not proved stays open.
func (w *worker) replayTurns(v node) outcome {
	for _, t := range w.attacks.at(v.turns) {
		next, ok := v.at.Try(t)
		if !ok || next.Board.Ended(v.at.Side()).Over() {
			continue
		}
		if bound, ok := w.replayAgainst(v.after(&next)); ok {
			return outcome{proved, bound + 1, t.Code()}
		}
		if w.run.stop.Load() {
			break
		}
	}
	return outcome{numbers: fresh}
}

// replayAgainst is replayTurns for an AND node: it reports whether recent turns win against every
// reply, and within how many turns.
func (w *worker) replayAgainst(v node) (bound uint8, ok bool) {
	if v.turns == 1 {
		return 1, w.forces(v.at)
	}
	w.visit()
	key := w.key(v)
	if e := w.full.Get(key); int(e.ProvedWithin) <= v.turns {
		return e.ProvedWithin, true
	}
	if _, wins := w.detector.CanWin(v.at, &v.at.Board); wins || int(w.threats.Get(key).RefutedUpTo) >= v.turns {
		return 0, false
	}
	reply, holds := w.detector.Defence(v.at)
	if !holds {
		return 1, true
	}
	next, _ := v.at.Try(reply)
	if _, ok := w.replayReply(v.after(&next)); !ok {
		return 0, false // most attempts fail here, before all replies are listed
	}
	before := w.nodes
	f := w.frame(v.depth)
	if w.listReplies(f, v, tables.Infinity); w.run.stop.Load() {
		return 0, false // the list may not be complete
	}
	bound = 1
	for i := range f.children {
		c := &f.children[i]
		if c.numbers != proved {
			if c.bound, ok = w.replayReply(v.after(&c.at)); !ok {
				return 0, false
			}
		}
		bound = max(bound, c.bound)
	}
	w.learn(v, key, tables.Fact{ProvedWithin: bound}, w.nodes-before)
	return bound, true
}

// replayReply is replayTurns for the position after a reply that leaves no win in one.
func (w *worker) replayReply(v node) (bound uint8, ok bool) {
	key := w.key(v)
	if e := w.full.Get(key); int(e.ProvedWithin) <= v.turns {
		return e.ProvedWithin, true
	}
	before := w.nodes
	got := w.replayTurns(v)
	if got.numbers != proved {
		return 0, false
	}
	w.learn(v, key, got.fact(), w.nodes-before)
	return got.bound, true
}
