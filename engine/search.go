package engine

import (
	"math/bits"

	"goalproof/arimaa"
	"goalproof/engine/evaluation"
	"goalproof/goal"
	"goalproof/tables"
	"goalproof/zobrist"
)

// Scores beyond those of an evaluation are those of games that are over: win less the
// number of steps until then.
const (
	win      = 30_000
	infinite = 32_000

	// Won is the least score of a win that was found.
	Won = win - 1_000
)

// illegal is the score of a turn that the rules do not let end.
const illegal = -infinite - 1

// MaxDepth is the greatest depth of a search, in steps.
const MaxDepth = 100

// maxPly bounds the points on a line: each option takes a step, and quiescence adds three turns.
const (
	maxPly   = MaxDepth + 4*arimaa.StepsPerTurn + 8
	maxTurns = maxPly + 1
)

// worker searches. Each has its own memory besides the table.
type worker struct {
	engine     *Engine
	run        *run
	detector   goal.Detector
	judge      *evaluation.Evaluator
	judged     []judgement
	captures   [maxPly]captures
	points     [maxPly]point
	begins     [maxTurns]begin
	killers    [maxTurns][arimaa.StepsPerTurn + 1]killers
	history    [historyTurns][historySize]int32
	options    []arimaa.Option // scratch
	threatened arimaa.Position // scratch
	nodes      uint64
	counted    uint64 // of nodes, those that the run knows of
	stopped    bool
	depth      int         // under way, in steps from the root
	first      arimaa.Turn // of the root: searched first
	best       arimaa.Turn // of the root, in the depth under way
	score      int         // of best
}

// point is a point of a turn on the line that is being searched.
type point struct {
	position arimaa.Position // at a point within a turn
	start    arimaa.Position // at the start of one
	passed   arimaa.Position // the same with the opponent to move
	moves    []move
	deferred []move        // that another worker was searching when it was their turn
	rest     arimaa.Turn   // best so far, up to the end of the turn
	line     []arimaa.Turn // the best play after it, turn by turn; at a principal variation only
}

func (p *point) clear() { p.rest, p.line = arimaa.Turn{}, p.line[:0] }

// begin is the start of a turn on the line.
type begin struct {
	board  arimaa.Board
	key    zobrist.Key // position with the side to move
	mix    uint64      // for the keys of points within the turn
	threat arimaa.Turn // with which the opponent would win, if it were his turn
	wins   bool        // there is such a threat
	reply  arimaa.Turn // with which the side to move can stop it; empty if there is none
}

// begin takes note of the start of the k-th turn.
func (w *worker) begin(p *arimaa.Position, k int) *begin {
	b := &w.begins[k]
	*b = begin{board: p.Board, key: p.Key()}
	b.mix = bits.RotateLeft64(b.key.Hi, 17)
	if k == 0 {
		b.mix ^= w.run.forbidden
	}
	return b
}

// judgement is a score of package evaluation that was computed before.
type judgement struct {
	key   uint64
	score int32
	used  bool
}

const judgedBits = 15

func newWorker(e *Engine) *worker {
	return &worker{engine: e, judge: evaluation.New(e.options.Weights), judged: make([]judgement, 1<<judgedBits)}
}

func (w *worker) forget() {
	clear(w.judged)
	w.killers = [maxTurns][arimaa.StepsPerTurn + 1]killers{}
	w.history = [historyTurns][historySize]int32{}
	w.detector.Forget()
}

func (w *worker) has(p Part) bool { return w.engine.options.Without&p == 0 }

// deepen searches depth by depth until the run stops.
func (w *worker) deepen(r *run) {
	w.run, w.stopped, w.counted, w.nodes = r, false, 0, 0
	w.killers = [maxTurns][arimaa.StepsPerTurn + 1]killers{}
	w.fade()
	deepest := MaxDepth
	if r.limits.Depth > 0 {
		deepest = min(deepest, r.limits.Depth)
	}
	for !r.stop.Load() {
		w.best = arimaa.Turn{}
		if w.depth, w.first = r.news.next(); w.depth > deepest {
			break
		}
		if r.limits.Begins.Len() > 0 {
			w.complete(r.limits.Begins)
		} else {
			w.points[0].start = r.root
			w.turn(&w.points[0].start, 0, 0, w.depth, -infinite, infinite, false)
		}
		w.count()
		if w.stopped && w.ended() {
			w.stopped = false // another worker was faster
			continue
		}
		if w.stopped || r.news.searched(w.depth) {
			break
		}
	}
	w.count()
	r.stop.Store(true)
}

// complete searches how the turn at the root, which begins with some steps, may be completed.
func (w *worker) complete(begins arimaa.Turn) {
	at := &w.points[0]
	at.clear()
	at.position, _ = w.run.root.TryPart(begins) // Search has seen that they are legal
	w.begin(&w.run.root, 0)
	if w.has(Goal) {
		if t, ok := w.detector.CanWin(&at.position, &w.run.root.Board); ok {
			if whole := joined(begins, t); w.run.allows(whole) {
				w.raise(whole, win-whole.Len())
				return
			}
		}
	}
	w.moves(&at.position, 0, 0, w.depth-begins.Len(), -infinite, infinite, tables.Score{})
}

// line returns the best play from the root.
func (w *worker) line() []arimaa.Turn {
	return append([]arimaa.Turn{w.best}, w.points[0].line...)
}

// count tells the run of the nodes, and learns whether to stop.
func (w *worker) count() {
	total := w.run.nodes.Add(w.nodes - w.counted)
	w.counted = w.nodes
	if w.run.stop.Load() || w.run.limits.Nodes > 0 && total >= w.run.limits.Nodes {
		w.stopped = true
	}
}

// node counts a node, and tells whether to stop.
func (w *worker) node() bool {
	w.nodes++
	if w.nodes&255 == 0 {
		w.count()
	}
	// Some nodes take package goal milliseconds.
	w.stopped = w.stopped || w.run.stop.Load() || w.ended()
	return w.stopped
}

// ended tells whether the depth under way has been searched completely by another worker.
func (w *worker) ended() bool { return int(w.run.news.done.Load()) >= w.depth }

// elapsed returns the steps from the root to a point of the k-th turn.
func elapsed(k int, p *arimaa.Position) int {
	return (k+1)*arimaa.StepsPerTurn - p.StepsLeft()
}

// turn searches a position at the start of the k-th turn, with a depth in steps, and returns its score for
// the side to move: exact between alpha and beta, a bound at or beyond them.
func (w *worker) turn(p *arimaa.Position, k, ply, depth, alpha, beta int, null bool) int {
	if w.node() {
		return 0
	}
	at := &w.points[ply]
	at.clear()
	gone := elapsed(k, p)
	// No score is better than a win now, or worse than a loss at the end of the next turn.
	if alpha = max(alpha, gone-win); alpha >= min(beta, win-gone) && ply > 0 {
		return alpha
	}
	leaf := depth <= 0 || k >= maxTurns-4 || ply >= maxPly-4*arimaa.StepsPerTurn
	var b *begin
	var entry tables.Score
	if !leaf {
		b = w.begin(p, k)
		entry = w.engine.scores.Get(b.key)
		if ply > 0 && entry.Bound != tables.NoBound && int(entry.Depth) >= depth && beta-alpha == 1 {
			if score, ok := usable(entry, gone, alpha, beta); ok {
				return score
			}
		}
	}
	if w.has(Goal) {
		if t, ok := w.detector.CanWin(p, &p.Board); ok && (ply > 0 || w.run.allows(t)) {
			at.rest = t
			score := win - gone - t.Len()
			if ply == 0 {
				w.raise(t, score)
			}
			return score
		}
	}
	if leaf {
		return w.settleTurn(p, k, ply, 0, alpha, beta)
	}
	if w.has(Goal) && p.Undefended() == 0 {
		at.passed = p.EndTurn()
		if t, ok := w.detector.CanWin(&at.passed, &at.passed.Board); ok {
			reply, holds := w.detector.Holds(p)
			b.threat, b.wins, b.reply = t, true, reply
			if !holds && ply > 0 {
				return gone + 2*arimaa.StepsPerTurn - win // he will win with his next turn
			}
			if holds && w.has(Extensions) && reply.Len() >= 2 && ply > 0 {
				depth += min(reply.Len(), 3) - 1
			}
		}
	}
	if null && !b.wins && depth >= nullDepth && beta < Won && beta > -Won && beta-alpha == 1 && w.has(NullMove) &&
		w.static(p) >= beta {
		next := &w.points[ply+1].start
		*next = p.EndTurn()
		score := -w.turn(next, k+1, ply+1, depth-nullReduction, -beta, -beta+1, false)
		if w.stopped {
			return 0
		}
		if score >= beta && score < Won {
			return score
		}
	}
	score := w.moves(p, k, ply, depth, alpha, beta, entry)
	if score == illegal {
		return gone - win // no turn is allowed (row 6 of the end-of-turn table)
	}
	return score
}

// The null move needs a depth of at least nullDepth and reduces it by nullReduction, in steps.
const (
	nullDepth     = 10
	nullReduction = 8
)

// point searches a point within the k-th turn. See turn; the score is illegal where the turn cannot
// be ended legally.
func (w *worker) point(p *arimaa.Position, k, ply, depth, alpha, beta int) int {
	if w.node() {
		return 0
	}
	at := &w.points[ply]
	at.clear()
	if depth <= 0 || ply >= maxPly-4*arimaa.StepsPerTurn {
		return w.settle(p, k, ply, 0, alpha, beta)
	}
	b := &w.begins[k]
	if p.Board == b.board && (k > 0 || w.run.limits.Begins.Len() == 0) {
		return illegal // what follows could be had with fewer steps
	}
	entry := w.engine.scores.Get(b.within(p))
	if entry.Bound != tables.NoBound && int(entry.Depth) >= depth && beta-alpha == 1 {
		if score, ok := usable(entry, elapsed(k, p), alpha, beta); ok {
			if t, _, ok := p.DecodePart(entry.Turn); ok && entry.Turn != 0 {
				at.rest = t
			}
			return score
		}
	}
	return w.moves(p, k, ply, depth, alpha, beta, entry)
}

// within returns the key of a point within the turn, which depends on the board at its start, because what may
// be played at that point does. (The turn that is played at the root is never taken from the table alone: it
// was searched to its end with an open window.)
func (b *begin) within(p *arimaa.Position) zobrist.Key {
	key := p.Key()
	key.Lo ^= b.mix
	key.Hi ^= b.mix
	return key
}

// usable tells whether an entry of the table answers, and the score.
func usable(e tables.Score, gone, alpha, beta int) (score int, ok bool) {
	score = int(e.Score)
	switch {
	case score >= Won:
		score -= gone
	case score <= -Won:
		score += gone
	}
	switch e.Bound {
	case tables.AtLeast:
		return score, score >= beta
	case tables.AtMost:
		return score, score <= alpha
	}
	return score, true
}

// end ends the k-th turn at a point and searches the next with what is left of the depth. See turn; the
// score is for the side whose turn ends, and illegal if it must not end here.
func (w *worker) end(p *arimaa.Position, k, ply, depth, alpha, beta int) int {
	next := &w.points[ply].start
	*next = p.EndTurn()
	if p.Board == w.begins[k].board || w.repeats(next, k) {
		return illegal
	}
	if o := p.Ended(p.Side()); o.Over() {
		w.points[ply].clear()
		return w.over(o, k, p)
	}
	return -w.turn(next, k+1, ply, depth, -beta, -alpha, true)
}

// over returns the score of a game that is over with the turn that ends at p, for the side that ends it.
func (w *worker) over(o arimaa.Outcome, k int, p *arimaa.Position) int {
	if o.Winner == p.Side() {
		return win - elapsed(k, p)
	}
	return elapsed(k, p) - win
}

// repeats tells whether a position at the end of the k-th turn occurs for the third time, or is not to be reached
// with the first.
func (w *worker) repeats(p *arimaa.Position, k int) bool {
	if k == 0 {
		return !w.run.permits(p)
	}
	n := w.run.occurrences(p)
	for i := k - 1; i > 0; i -= 2 { // the root is in the history
		if w.begins[i].board == p.Board {
			n++
		}
	}
	return n >= 2
}

// moves searches what can be done at a point, and enters in the table what is found out.
func (w *worker) moves(p *arimaa.Position, k, ply, depth, alpha, beta int, entry tables.Score) int {
	at, below := &w.points[ply], &w.points[ply+1]
	principal := beta-alpha > 1
	best, bound := illegal, tables.AtMost
	list := w.lister(p, k, ply, entry)
	at.deferred = at.deferred[:0]
	taken := 0 // of deferred
	for {
		m, ok := list.next()
		again := !ok
		if again {
			if taken == len(at.deferred) {
				break
			}
			m = at.deferred[taken]
			taken++
		}
		after := &below.position
		if *after, ok = p.TryPart(m.turn); !ok {
			continue
		}
		left := depth - m.turn.Len()
		ends := m.turn.Len() == 0 || after.StepsLeft() == 0
		if ends {
			left -= after.StepsLeft()
		}
		reduced := 0
		if m.late && best != illegal && w.has(Reductions) {
			reduced = 1
		}
		score := illegal
		if best == illegal {
			score = w.after(after, k, ply+1, ends, left, alpha, beta)
		} else {
			mark := uint64(0)
			if w.engine.marks != nil && left >= leastMarked {
				free := false
				if mark, free = w.mark(after, k, ends); !free && !again {
					at.deferred = append(at.deferred, m)
					continue
				}
			}
			score = w.after(after, k, ply+1, ends, left-reduced, alpha, alpha+1)
			if reduced > 0 && score > alpha {
				score = w.after(after, k, ply+1, ends, left, alpha, alpha+1)
			}
			if mark != 0 {
				w.unmark(mark)
			}
			if score > alpha && score < beta {
				score = w.after(after, k, ply+1, ends, left, alpha, beta)
			}
		}
		if w.stopped {
			return 0
		}
		if score <= best {
			continue
		}
		if best = score; score <= alpha {
			continue
		}
		alpha, bound = score, tables.Exact
		at.line = at.line[:0]
		if ends {
			at.rest = m.turn
			if principal && below.rest.Len() > 0 {
				at.line = append(append(at.line, below.rest), below.line...)
			}
		} else {
			at.rest = joined(m.turn, below.rest)
			if principal {
				at.line = append(at.line, below.line...)
			}
		}
		// Where what cannot stop a threat was left out, nobody has seen whether the turn may end there.
		if ply == 0 {
			if whole := joined(w.run.limits.Begins, at.rest); w.run.allows(whole) {
				w.raise(whole, score)
			}
		}
		if score >= beta {
			bound = tables.AtLeast
			w.remember(p, k, at.rest, depth)
			break
		}
	}
	gone := elapsed(k, p)
	if list.cut {
		// What was left out does not stop the threat.
		best = max(best, gone+p.StepsLeft()+arimaa.StepsPerTurn-win)
	}
	if best != illegal && (ply > 0 || w.run.forbidden == 0) { // what is forbidden is no matter of the position
		w.enter(p, k, depth, tables.Score{Score: int16(stored(best, gone)), Bound: bound, Turn: at.rest.Code()})
	}
	return best
}

// after searches what follows an option: the rest of the turn, or the next one.
func (w *worker) after(p *arimaa.Position, k, ply int, ends bool, depth, alpha, beta int) int {
	if w.stopped {
		return 0
	}
	if ends {
		return w.end(p, k, ply, depth, alpha, beta)
	}
	return w.point(p, k, ply, depth, alpha, beta)
}

// raise takes note of a better turn at the root.
func (w *worker) raise(t arimaa.Turn, score int) {
	w.best, w.score = t, score
	w.run.news.improved(w)
}

// joined returns the steps of one part of a turn and then those of the next.
func joined(t, rest arimaa.Turn) arimaa.Turn {
	for i := range rest.Len() {
		t = t.With(rest.Step(i))
	}
	return t
}

// stored returns a score as the table keeps it: a win or loss by its distance from the position.
func stored(score, gone int) int {
	switch {
	case score >= Won:
		return score + gone
	case score <= -Won:
		return score - gone
	}
	return score
}

// enter puts a score in the table.
func (w *worker) enter(p *arimaa.Position, k, depth int, e tables.Score) {
	e.Depth = uint8(min(max(depth, 0), 255))
	key := w.begins[k].key
	if p.StepsLeft() < arimaa.StepsPerTurn {
		key = w.begins[k].within(p)
	}
	w.engine.scores.Put(key, e)
}

// static returns the evaluation of a position at the start of a turn of the side that it names.
func (w *worker) static(p *arimaa.Position) int {
	key := p.Key().Lo
	j := &w.judged[key>>(64-judgedBits)]
	if !j.used || j.key != key {
		*j = judgement{key, int32(w.judge.Score(&p.Board, p.Side())), true}
	}
	return int(j.score)
}
