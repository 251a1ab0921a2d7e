package dfpns

import (
	"goalproof/arimaa"
	"goalproof/tables"
)

// tree is one of the two trees that are searched; both have the same positions.
type tree uint8

const (
	fullTree   tree = iota // all turns of the attacker, all replies that do not lose at once
	threatTree             // turns that threaten to win at once, and the same replies
)

// node is a node of one of the trees.
type node struct {
	at    *arimaa.Position
	tree  tree
	and   bool // the defender is to move
	turns int  // that the attacker has left: n >= 2 at an OR node, n >= 1 at an AND node
	depth int  // turns of both sides since the root
}

// full reports whether the node is one of the full tree. An OR node with two turns left always is:
// to decide it over all turns mostly takes no longer, and the full search will need the result.
func (v node) full() bool { return v.tree == fullTree || !v.and && v.turns == 2 }

// after returns the child at a position.
func (v node) after(at *arimaa.Position) node {
	child := node{at: at, tree: v.tree, and: !v.and, turns: v.turns, depth: v.depth + 1}
	if !v.and {
		child.turns--
	}
	return child
}

// frame is a node on the path of the search, with its children.
type frame struct {
	generator arimaa.Generator
	children  []child
	queue     queue
}

// child is a child of a node, after a turn.
type child struct {
	at   arimaa.Position
	turn arimaa.Turn
	numbers
	bound uint8 // of its outcome
	busy  uint8 // other workers seen in its subtree
}

// frame returns the frame at a depth.
func (w *worker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		w.frames = append(w.frames, &frame{})
	}
	return w.frames[depth]
}

// mid is Nagai's MID, for both trees: it searches a node until it is solved or one of its numbers
// reaches its threshold. The attacker has no win in one at an OR node.
func (w *worker) mid(v node, threshold numbers) outcome {
	key := w.key(v)
	if got, ok := w.known(v, key); ok {
		return got
	}
	e := w.table(v).Enter(key)
	before := w.nodes
	got := w.search(v, e.Best, threshold)
	w.leave(v, key, &e, got, w.nodes-before)
	return got
}

// search expands a node and searches its children, without the tables' entry of the node itself.
// The turn with the code best comes first, if there is one.
func (w *worker) search(v node, best uint32, threshold numbers) (got outcome) {
	switch {
	case v.and:
		got = w.searchReplies(v, threshold)
	case v.turns == 2:
		got = w.searchTwo(v)
	default:
		got = w.searchTurns(v, best, threshold)
	}
	if v.full() {
		got.bound = uint8(v.turns) // no other number has been asked for
	}
	return got
}

// descend searches the children of a node, which are in its frame, under its thresholds. If all of
// them are solved against the side to move, so is the node, provided that it has no others.
func (w *worker) descend(v node, threshold numbers) outcome {
	f := w.frame(v.depth)
	q := &f.queue
	q.fill(f.children, v.and)
	last := uint32(0)
	for {
		best, second, total := q.first()
		switch {
		case total.solved():
			return f.solved(v.and, best, total)
		case total.proof >= threshold.proof || total.disproof >= threshold.disproof:
			return outcome{numbers: total, turn: last}
		case w.run.stop.Load():
			return outcome{numbers: fresh}
		}
		c, next := f.children[best], v.after(&f.children[best].at)
		last = c.turn.Code()
		if w.lookUp(&c, next) {
			q.put(best, c)
			continue
		}
		limit := numbers{
			proof:    min(threshold.proof, w.childThreshold(second)),
			disproof: threshold.disproof - total.disproof + c.disproof,
		}
		if v.and {
			limit = numbers{
				proof:    threshold.proof - total.proof + c.proof,
				disproof: min(threshold.disproof, w.childThreshold(second)),
			}
		}
		got := w.mid(next, limit)
		c.numbers, c.bound = got.numbers, got.bound
		if v.and && c.numbers == disproved {
			w.killers.raise(v.tree, v.turns, c.turn)
		}
		q.put(best, c)
		q.clearBusy()
	}
}

// childThreshold returns the threshold of the best child, from the number of the second-best child:
// the 1+epsilon rule (Pawlewicz and Lew 2007).
func (w *worker) childThreshold(second uint32) uint32 {
	return second + uint32(min(w.epsilon*float64(second), tables.Infinity)) + 1
}

// lookUp takes over what other workers, and the search of the other tree, have found out about a
// child. It reports whether that changes the child, so that its parent has to select again.
func (w *worker) lookUp(c *child, v node) bool {
	e := w.entry(v, w.key(v))
	got := stateOf(&e, v.turns)
	switch {
	case got.numbers != unvisited && got.numbers != c.numbers:
		c.numbers, c.bound = got.numbers, got.bound
	case e.Busy > c.busy:
		c.busy = e.Busy
	default:
		return false
	}
	return true
}
