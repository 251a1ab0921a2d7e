package dfpns

import (
	"slices"
	"sync/atomic"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/recent"
	"goalproof/tables"
)

// How the children of each kind of node are made, and in which order they are searched.

// searchTwo decides an OR node with two turns left.
func (w *worker) searchTwo(v node) outcome {
	switch verdict, turn := w.winInTwo(v.at, &w.frame(v.depth).generator); verdict {
	case answer.Proved:
		return outcome{numbers: proved, turn: turn.Code()}
	case answer.Disproved:
		return outcome{numbers: disproved}
	}
	return outcome{numbers: fresh}
}

// searchTurns searches an OR node with three turns left or more. The list of its turns is not
// complete if the search stops meanwhile, or if an endgame table proves one of them.
func (w *worker) searchTurns(v node, best uint32, threshold numbers) outcome {
	if v.tree == threatTree {
		if got := w.replayTurns(v); got.numbers == proved {
			return got
		}
	}
	f := w.frame(v.depth)
	f.children = f.children[:0]
	if v.tree == threatTree {
		w.listThreats(f, v)
	} else {
		w.listTurns(f, v)
	}
	if w.run.stop.Load() {
		return outcome{numbers: fresh}
	}
	moveToFront(f.children, best)
	return w.descend(v, threshold)
}

// listTurns makes a child of each turn at an OR node.
func (w *worker) listTurns(f *frame, v node) {
	side := v.at.Side()
	turns := f.generator.Generate(v.at)
	if w.provedByTable(f, v.at, v.turns) {
		return
	}
	for i := range turns {
		if w.run.stop.Load() {
			return
		}
		next := f.generator.Position(i, side)
		if hasLost(&next) {
			continue
		}
		w.visit()
		c := child{at: next, turn: f.generator.Turn(i), numbers: quiet}
		if got, known := w.tabled(&next, side, v.turns-1); known {
			c.numbers = got
		} else if w.threatens(&next) {
			c.numbers = threat
		}
		f.children = append(f.children, c)
	}
}

// moveToFront moves the child with a turn's code to the front: of equal children the first is
// searched first.
func moveToFront(children []child, code uint32) {
	if code == 0 {
		return
	}
	for i := range children {
		if children[i].turn.Code() == code {
			children[0], children[i] = children[i], children[0]
			return
		}
	}
}

// searchReplies searches an AND node. It tries the killers first, alone. Then come some other
// replies, and all of them only if those do not hold. In the threat tree it lists as many as the
// threshold allows.
func (w *worker) searchReplies(v node, threshold numbers) outcome {
	if v.turns == 1 {
		switch {
		case w.forces(v.at):
			return outcome{numbers: proved}
		case w.run.stop.Load() && !w.aim.Win():
			return outcome{numbers: fresh} // it may have given up
		}
		return outcome{numbers: disproved}
	}
	w.visit()
	if _, wins := w.detector.CanWin(v.at, &v.at.Board); wins {
		return failed
	}
	f := w.frame(v.depth)
	f.children = f.children[:0]
	for _, t := range w.killers.at(v.tree, v.turns) {
		if next, ok := v.at.Try(t); ok && w.holds(v.at, &next, t) {
			w.addReply(f, v, &next, t)
		}
	}
	if len(f.children) > 0 {
		if got := w.descend(v, threshold); got.numbers != proved {
			return got
		}
	}
	most := someReplies
	switch {
	case !w.aim.Win():
		most = tables.Infinity
	case v.tree == threatTree:
		most = overshoot*int(threshold.proof) + 1
	}
	for {
		whole := w.listReplies(f, v, most)
		switch {
		case v.tree == threatTree && !whole:
			return outcome{numbers: numbers{uint32(len(f.children)), 1}}
		case w.run.stop.Load():
			return outcome{numbers: fresh}
		}
		if got := w.descend(v, threshold); whole || got.numbers != proved {
			return got
		}
		most = tables.Infinity
	}
}

const (
	// someReplies is the number of replies that are searched before all are listed: there may be
	// thousands, and one of the first mostly holds if any does.
	someReplies = 8
	// overshoot is by what factor the replies at an AND node of the threat tree may exceed its
	// threshold before they are listed no further: each adds at least one to the proof number. The
	// node comes back with a greater number, so that it is not listed again for every small step of
	// its threshold.
	overshoot = 2
)

// listReplies makes children of the replies at an AND node that leave the attacker nothing to reach
// at once, until there are most of them, or one refutes the node, or the search stops. It reports
// whether there are fewer.
func (w *worker) listReplies(f *frame, v node, most int) (whole bool) {
	f.children = f.children[:0]
	if !w.aim.Win() {
		for i := range w.aim.Replies(&w.replies, v.at) {
			if w.run.stop.Load() {
				break
			}
			next, t := w.replies.Position(i, v.at.Side()), w.replies.Turn(i)
			if w.holds(v.at, &next, t) {
				w.addReply(f, v, &next, t)
			}
		}
		return true
	}
	refuted := false
	w.detector.Defences(v.at, func(b *arimaa.Board, t arimaa.Turn) bool {
		w.visit()
		next := arimaa.NewPosition(*b, v.at.Side().Other())
		refuted = w.addReply(f, v, &next, t) == disproved
		return !refuted && len(f.children) < most && !w.run.stop.Load()
	})
	return refuted || len(f.children) < most
}

// addReply adds a child to an AND node and returns its numbers.
func (w *worker) addReply(f *frame, v node, next *arimaa.Position, t arimaa.Turn) numbers {
	got, _ := w.tabled(next, next.Side(), v.turns)
	f.children = append(f.children, child{at: *next, turn: t, numbers: got, bound: uint8(v.turns)})
	return got
}

// holds reports whether a legal reply that leads from p to next leaves the attacker nothing to
// reach at once: no win in one or, with another aim, nothing that is reached by the reply or by his
// next turn.
func (w *worker) holds(p, next *arimaa.Position, t arimaa.Turn) bool {
	if !w.aim.Win() {
		return w.spares(p, next, t)
	}
	if next.Board.Ended(p.Side()).Over() {
		return false
	}
	w.visit()
	_, wins := w.detector.CanWin(next, &next.Board)
	return !wins
}

// killers are lists of replies that refuted a turn lately, by the tree and the turns that the attacker
// had left. All workers share them: after the same replies turns lead to the same boards, of which the
// tables know whether they force a win, so workers that try other replies do the work of each other
// again.
type killers [2][MaxTurns + 1]atomic.Pointer[[]arimaa.Turn]

func (k *killers) at(tree tree, n int) []arimaa.Turn {
	if list := k[tree][n].Load(); list != nil {
		return *list
	}
	return nil
}

// raise puts a reply in front. What readers have does not change.
func (k *killers) raise(tree tree, n int, t arimaa.Turn) {
	at := &k[tree][n]
	for {
		before := at.Load()
		var list []arimaa.Turn
		if before != nil {
			if (*before)[0] == t {
				return
			}
			list = slices.Clone(*before)
		}
		if list = recent.Add(list, t, mostRecent); at.CompareAndSwap(before, &list) {
			return
		}
	}
}

func (k *killers) clear() {
	for tree := range k {
		for n := range k[tree] {
			k[tree][n].Store(nil)
		}
	}
}

// recentTurns are lists of recent turns, by the turns that the attacker had left.
type recentTurns [][]arimaa.Turn

func (r *recentTurns) raise(n int, t arimaa.Turn) {
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
