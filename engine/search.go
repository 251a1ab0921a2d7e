package engine

import (
	"math/bits"

	"goalproof/arimaa"
	"goalproof/engine/evaluation"
	"goalproof/engine/ordering"
	"goalproof/goal"
	"goalproof/tables"
	"goalproof/zobrist"
)

// The score of a win is win less the number of steps until the game ends.
const (
	win      = 30_000
	infinite = 32_000

	// Won is the least score of a win.
	Won = win - 1_000
)

// illegal is the score of a turn that cannot end legally.
const illegal = -infinite - 1

// MaxDepth is the greatest depth of a search, in steps.
const MaxDepth = 100

// maxLevels bounds the nodes on a line: a move takes at least a step, and a turn that ends at the horizon adds one.
const (
	maxLevels = MaxDepth + 8
	maxTurns  = maxLevels + 1
)

// worker searches, with memory of its own besides the transposition table.
//
// In its methods k is the number of turns from the root, level the number of nodes, and ply the number of steps.
type worker struct {
	engine    *Engine
	run       *run
	detector  goal.Detector
	evaluator *evaluation.Evaluator
	known     []knownLine
	captures  [maxLevels]captures
	stack     [maxLevels]node
	turnRoots [maxTurns]turnRoot
	killers   [maxTurns][arimaa.StepsPerTurn + 1]killers
	options   []arimaa.Option // scratch
	ordering  *ordering.Weights
	context   ordering.Context // scratch
	nodes     uint64
	counted   uint64 // nodes that are already part of the run's
	stopped   bool
	depth     int         // of the current iteration, in steps
	first     arimaa.Turn // searched first at the root
	best      arimaa.Turn // at the root, in the current iteration
	score     int         // of best
}

// node is an entry of the search stack.
type node struct {
	position arimaa.Position // of a point within a turn
	start    arimaa.Position // of the root of a turn
	passed   arimaa.Position // start with the opponent to move
	moves    []move
	deferred []move        // moves that another worker was searching
	rest     arimaa.Turn   // best rest of the turn so far
	line     []arimaa.Turn // principal variation after it; in a full window only
}

func (p *node) clear() { p.rest, p.line = arimaa.Turn{}, p.line[:0] }

// turnRoot is the root of a turn on the line: the position at its start.
type turnRoot struct {
	board   arimaa.Board
	key     zobrist.Key
	mix     uint64      // part of the keys of points within the turn
	defence arimaa.Turn // stops the opponent's threat to win; empty: there is none, or nothing does
}

// startTurn sets the root of the k-th turn.
func (w *worker) startTurn(p *arimaa.Position, k int) *turnRoot {
	b := &w.turnRoots[k]
	*b = turnRoot{board: p.Board, key: p.Key()}
	b.mix = bits.RotateLeft64(b.key.Hi, 17)
	if k == 0 {
		b.mix ^= w.run.forbidden
	}
	return b
}

func newWorker(e *Engine) *worker {
	return &worker{engine: e, evaluator: evaluation.New(e.options.Weights, e.options.network()), ordering: e.options.ordering(),
		known: make([]knownLine, 1<<knownLineBits)}
}

func (w *worker) forget() {
	clear(w.known)
	w.killers = [maxTurns][arimaa.StepsPerTurn + 1]killers{}
	w.detector.Forget()
}

func (w *worker) has(p Part) bool { return w.engine.options.Without&p == 0 }

// deepen is iterative deepening (Slate and Atkin 1977): it searches depth by depth until the run stops.
func (w *worker) deepen(r *run) {
	w.run, w.stopped, w.counted, w.nodes = r, false, 0, 0
	w.killers = [maxTurns][arimaa.StepsPerTurn + 1]killers{}
	deepest := MaxDepth
	if r.limits.Depth > 0 {
		deepest = min(deepest, r.limits.Depth)
	}
	for !r.stop.Load() {
		w.best = arimaa.Turn{}
		if w.depth, w.first = r.shared.next(); w.depth > deepest {
			break
		}
		if r.limits.Prefix.Len() > 0 {
			w.searchCompletions(r.limits.Prefix)
		} else {
			w.stack[0].start = r.root
			w.searchTurn(&w.stack[0].start, 0, 0, w.depth, -infinite, infinite)
		}
		w.count()
		if w.stopped && w.ended() {
			w.stopped = false // another worker has completed the depth
			continue
		}
		if w.stopped || r.shared.complete(w.depth) {
			break
		}
	}
	w.count()
	r.stop.Store(true)
}

// searchCompletions searches the turns at the root that begin with a prefix.
func (w *worker) searchCompletions(prefix arimaa.Turn) {
	at := &w.stack[0]
	at.clear()
	at.position, _ = w.run.root.TryPart(prefix) // Search has checked that it is legal
	w.startTurn(&w.run.root, 0)
	if w.has(Goal) {
		if t, ok := w.detector.CanWin(&at.position, &w.run.root.Board); ok {
			if whole := joined(prefix, t); w.run.allows(whole) {
				w.improveRoot(whole, win-whole.Len())
				return
			}
		}
	}
	w.searchMoves(&at.position, 0, 0, w.depth-prefix.Len(), -infinite, infinite, tables.Score{})
}

// line returns the principal variation.
func (w *worker) line() []arimaa.Turn {
	return append([]arimaa.Turn{w.best}, w.stack[0].line...)
}

// count adds the nodes to those of the run, and stops the worker at a limit.
func (w *worker) count() {
	total := w.run.nodes.Add(w.nodes - w.counted)
	w.counted = w.nodes
	if w.run.stop.Load() || w.run.limits.Nodes > 0 && total >= w.run.limits.Nodes {
		w.stopped = true
	}
}

// countNode counts a node and reports whether to stop.
func (w *worker) countNode() bool {
	w.nodes++
	if w.nodes&255 == 0 {
		w.count()
	}
	// At every node, as package goal may take milliseconds.
	w.stopped = w.stopped || w.run.stop.Load() || w.ended()
	return w.stopped
}

// ended reports whether another worker has completed the current depth.
func (w *worker) ended() bool { return int(w.run.shared.done.Load()) >= w.depth }

// plyOf returns the steps from the root to a point of the k-th turn.
func plyOf(k int, p *arimaa.Position) int {
	return (k+1)*arimaa.StepsPerTurn - p.StepsLeft()
}

// searchTurn searches the root of the k-th turn to a depth in steps. It returns the score for the side to move: exact
// between alpha and beta, otherwise a bound (fail-soft alpha-beta).
func (w *worker) searchTurn(p *arimaa.Position, k, level, depth, alpha, beta int) int {
	if w.countNode() {
		return 0
	}
	at := &w.stack[level]
	at.clear()
	ply := plyOf(k, p)
	// Mate-distance pruning (chessprogramming wiki): no score is worse than a loss now or better than a win now.
	if alpha = max(alpha, ply-win); alpha >= min(beta, win-ply) && level > 0 {
		return alpha
	}
	leaf := depth <= 0 || level >= maxLevels-3
	var b *turnRoot
	var entry tables.Score
	if !leaf {
		b = w.startTurn(p, k)
		entry = w.engine.scores.Get(b.key)
		if level > 0 && entry.Bound != tables.NoBound && int(entry.Depth) >= depth && beta-alpha == 1 {
			if score, ok := fromTable(entry, ply, alpha, beta); ok {
				return score
			}
		}
	}
	if score, ok := w.tabled(p, k); ok && level > 0 {
		return score
	}
	// At the horizon this is to stand pat, above it reverse futility pruning (chessprogramming wiki).
	if level > 0 && depth <= reverseFutileDepth && beta > -Won && (leaf || w.has(Futility)) {
		if score, ok := w.standPat(p, level, reverseFutileStep*max(depth, 0), alpha, beta); ok {
			return score
		}
	}
	if w.has(Goal) {
		if t, ok := w.canWin(p); ok && (level > 0 || w.run.allows(t)) {
			at.rest = t
			score := win - ply - t.Len()
			if level == 0 {
				w.improveRoot(t, score)
			}
			return score
		}
	}
	if leaf {
		return w.turnAtHorizon(p, k, level)
	}
	if w.has(Goal) && p.Undefended() == 0 {
		at.passed = p.EndTurn()
		if _, ok := w.canWin(&at.passed); ok {
			var holds bool
			if b.defence, holds = w.detector.Defence(p); !holds && level > 0 {
				return ply + 2*arimaa.StepsPerTurn - win // the opponent wins with his next turn
			}
		}
	}
	score := w.searchMoves(p, k, level, depth, alpha, beta, entry)
	if score == illegal {
		return ply - win // every turn is forbidden: a loss by the rules
	}
	return score
}

// Futility pruning gives up where the static evaluation is too far from the window for the few steps that are left to
// bridge the difference. At the root of a turn, with reverseFutileDepth steps or fewer left, the side to move is ahead
// by reverseFutileStep centi-rabbits for each of them (reverse futility pruning). With futileDepth steps or fewer it is
// behind by futileBase and futileStep for each of them, and then only its first options and those that may belong to a threat of a
// goal are searched, without a learned order its tactical ones (chessprogramming wiki, "Futility Pruning"). Within a turn, with futileWithin steps or fewer, it is enough that the turn would not be good
// enough if it ended there: the rest of a turn that has begun badly is searched among its first options alone.
const (
	reverseFutileDepth = 6
	reverseFutileStep  = 100

	futileDepth  = 3
	futileBase   = 60
	futileStep   = 60
	futileWithin = 8
)

// futile reports whether to leave out late moves at p.
func (w *worker) futile(p *arimaa.Position, level, depth, alpha, beta int) bool {
	most, margin := futileDepth, futileBase+futileStep*depth
	if p.StepsLeft() < arimaa.StepsPerTurn {
		most, margin = futileWithin, 0
	}
	if beta-alpha > 1 || level == 0 || depth > most || alpha <= -Won || alpha >= Won || !w.has(Futility) {
		return false
	}
	ended := &w.stack[level+1].start
	*ended = p.EndTurn()
	return -w.static(ended)+margin < alpha
}

// searchPoint searches a point within the k-th turn, like searchTurn. The score is illegal if the turn cannot end
// legally.
func (w *worker) searchPoint(p *arimaa.Position, k, level, depth, alpha, beta int) int {
	if w.countNode() {
		return 0
	}
	at := &w.stack[level]
	at.clear()
	if depth <= 0 || level >= maxLevels-3 {
		return w.pointAtHorizon(p, k, level, alpha, beta)
	}
	b := &w.turnRoots[k]
	if p.Board == b.board && (k > 0 || w.run.limits.Prefix.Len() == 0) {
		return illegal // the same position with more steps left has been searched
	}
	entry := w.engine.scores.Get(b.pointKey(p))
	if entry.Bound != tables.NoBound && int(entry.Depth) >= depth && beta-alpha == 1 {
		if score, ok := fromTable(entry, plyOf(k, p), alpha, beta); ok {
			if t, _, ok := p.DecodePart(entry.Turn); ok && entry.Turn != 0 {
				at.rest = t
			}
			return score
		}
	}
	return w.searchMoves(p, k, level, depth, alpha, beta, entry)
}

// pointKey returns the key of a point within the turn. It depends on the root of the turn, as the legal turns do. (The
// turn played at the root never comes from the table alone: it was searched to its end with a full window.)
func (b *turnRoot) pointKey(p *arimaa.Position) zobrist.Key {
	key := p.Key()
	key.Lo ^= b.mix
	key.Hi ^= b.mix
	return key
}

// fromTable returns the score of a table entry, and whether it causes a cutoff.
func fromTable(e tables.Score, ply, alpha, beta int) (score int, ok bool) {
	score = int(e.Score)
	switch {
	case score >= Won:
		score -= ply
	case score <= -Won:
		score += ply
	}
	switch e.Bound {
	case tables.AtLeast:
		return score, score >= beta
	case tables.AtMost:
		return score, score <= alpha
	}
	return score, true
}

// endTurn ends the k-th turn at p and searches the next one. The score is for the side whose turn ends, and illegal if
// it must not end there.
func (w *worker) endTurn(p *arimaa.Position, k, level, depth, alpha, beta int) int {
	next := &w.stack[level].start
	*next = p.EndTurn()
	if p.Board == w.turnRoots[k].board || w.repeats(next, k) {
		return illegal
	}
	if o := p.Ended(p.Side()); o.Over() {
		w.stack[level].clear()
		return w.gameOver(o, k, p)
	}
	return -w.searchTurn(next, k+1, level, depth, -beta, -alpha)
}

// gameOver returns the score of a game that ended with the turn to p, for the side of that turn.
func (w *worker) gameOver(o arimaa.Outcome, k int, p *arimaa.Position) int {
	if o.Winner == p.Side() {
		return win - plyOf(k, p)
	}
	return plyOf(k, p) - win
}

// repeats reports whether the k-th turn must not lead to p: it occurs there for the third time, or is excluded at the
// root.
func (w *worker) repeats(p *arimaa.Position, k int) bool {
	if k == 0 {
		return !w.run.permits(p)
	}
	n := w.run.occurrences(p)
	for i := k - 1; i > 0; i -= 2 { // the root is in the history
		if w.turnRoots[i].board == p.Board {
			n++
		}
	}
	return n >= 2
}

// By the learned order a late move may be reduced by two steps, and is left out close to the horizon if it is unlikely
// (Wu 2015, section 5.1).
const (
	laterDepth    = 4 // steps left at least
	laterLeft     = 3 // steps left after the move, at least
	unlikelyDepth = 3 // steps left at most
)

// searchMoves is principal variation search over the moves of a node (chessprogramming wiki, "Principal Variation
// Search"; Marsland and Campbell 1982), with late move reductions. It stores the result in the table.
func (w *worker) searchMoves(p *arimaa.Position, k, level, depth, alpha, beta int, entry tables.Score) int {
	at, below := &w.stack[level], &w.stack[level+1]
	principal := beta-alpha > 1
	best, bound := illegal, tables.AtMost
	list := w.newPicker(p, k, level, entry)
	at.deferred = at.deferred[:0]
	taken := 0 // of deferred
	futile := w.futile(p, level, depth, alpha, beta)
	for {
		if best > -Won { // a node is lost only if all its moves lose
			if futile {
				list.most = lateFrom
			} else if depth <= unlikelyDepth {
				list.most = unlikelyFrom
			}
		}
		m, ok := list.next()
		again := !ok
		if again {
			if taken == len(at.deferred) {
				break
			}
			m = at.deferred[taken]
			taken++
		}
		if futile && m.late && best > -Won {
			continue
		}
		after := &below.position
		if m.option != 0 {
			*after = p.After(m.option)
		} else if *after, ok = p.TryPart(m.turn); !ok {
			continue
		}
		left := depth - m.turn.Len()
		ends := m.turn.Len() == 0 || after.StepsLeft() == 0
		if ends {
			left -= after.StepsLeft()
		}
		reduced := 0 // late move reduction (Wu 2015, section 5.4)
		if m.late && best != illegal && w.has(Reductions) {
			reduced = 1
			if m.later && depth >= laterDepth && left >= laterLeft {
				reduced = 2
			}
		}
		score := illegal
		if best == illegal {
			score = w.searchAfter(after, k, level+1, ends, left, alpha, beta)
		} else {
			mark := uint64(0)
			if w.engine.marks != nil && left >= minMarkedDepth {
				free := false
				if mark, free = w.mark(after, k, ends); !free && !again {
					at.deferred = append(at.deferred, m)
					continue
				}
			}
			score = w.searchAfter(after, k, level+1, ends, left-reduced, alpha, alpha+1)
			if reduced > 0 && score > alpha {
				score = w.searchAfter(after, k, level+1, ends, left, alpha, alpha+1)
			}
			if mark != 0 {
				w.unmark(mark)
			}
			if score > alpha && score < beta {
				score = w.searchAfter(after, k, level+1, ends, left, alpha, beta)
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
		if level == 0 {
			if whole := joined(w.run.limits.Prefix, at.rest); w.run.allows(whole) {
				w.improveRoot(whole, score)
			}
		}
		if score >= beta {
			bound = tables.AtLeast
			if at.rest.Len() > 0 {
				w.killersAt(p, k).add(at.rest)
			}
			break
		}
	}
	ply := plyOf(k, p)
	if best != illegal && (level > 0 || w.run.forbidden == 0) { // at the root the score depends on the forbidden turns
		w.store(p, k, depth, tables.Score{Score: int16(toTable(best, ply)), Bound: bound, Turn: at.rest.Code()})
	}
	return best
}

// searchAfter searches the position after a move: the rest of the turn, or the next turn if it ends.
func (w *worker) searchAfter(p *arimaa.Position, k, level int, ends bool, depth, alpha, beta int) int {
	if w.stopped {
		return 0
	}
	if ends {
		return w.endTurn(p, k, level, depth, alpha, beta)
	}
	return w.searchPoint(p, k, level, depth, alpha, beta)
}

// improveRoot records a better turn at the root.
func (w *worker) improveRoot(t arimaa.Turn, score int) {
	w.best, w.score = t, score
	w.run.shared.improve(w)
}

// joined returns the steps of t followed by those of rest.
func joined(t, rest arimaa.Turn) arimaa.Turn {
	for i := range rest.Len() {
		t = t.With(rest.Step(i))
	}
	return t
}

// toTable converts a score for the table, in which a win or loss counts from the position, not from the root.
func toTable(score, ply int) int {
	switch {
	case score >= Won:
		return score + ply
	case score <= -Won:
		return score - ply
	}
	return score
}

// store puts a score into the table.
func (w *worker) store(p *arimaa.Position, k, depth int, e tables.Score) {
	e.Depth = uint8(min(max(depth, 0), 255))
	key := w.turnRoots[k].key
	if p.StepsLeft() < arimaa.StepsPerTurn {
		key = w.turnRoots[k].pointKey(p)
	}
	w.engine.scores.Put(key, e)
}
