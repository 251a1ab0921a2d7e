package engine

import (
	"math"
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

// maxLevels bounds the nodes on a line: a move takes at least a step, and a turn that ends at the
// horizon adds one.
const (
	maxLevels = MaxDepth + 8
	maxTurns  = maxLevels + 1
)

// worker searches, with memory of its own besides the transposition table.
//
// In its methods k is the number of turns from the root, level the number of nodes, and ply the
// number of steps.
type worker struct {
	engine    *Engine
	run       *run
	detector  goal.Detector
	evaluator *evaluation.Evaluator
	cache     []cacheLine
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
		cache: make([]cacheLine, 1<<cacheBits)}
}

func (w *worker) forget() {
	clear(w.cache)
	w.killers = [maxTurns][arimaa.StepsPerTurn + 1]killers{}
	w.detector.Forget()
}

func (w *worker) has(p Part) bool { return w.engine.options.Without&p == 0 }

// deepen is iterative deepening (Slate and Atkin 1977): it searches depth by depth until the run
// stops.
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
			if whole := prefix.Then(t); w.run.allows(whole) {
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
	// The flag is read at every node, because package goal may take milliseconds at one.
	w.stopped = w.stopped || w.run.stop.Load() || w.ended()
	return w.stopped
}

// ended reports whether another worker has completed the current depth.
func (w *worker) ended() bool { return int(w.run.shared.done.Load()) >= w.depth }

// plyOf returns the steps from the root to a point of the k-th turn.
func plyOf(k int, p *arimaa.Position) int {
	return (k+1)*arimaa.StepsPerTurn - p.StepsLeft()
}

// searchTurn searches the root of the k-th turn to a depth in steps. It returns the score for the
// side to move: exact between alpha and beta, otherwise a bound (fail-soft alpha-beta).
func (w *worker) searchTurn(p *arimaa.Position, k, level, depth, alpha, beta int) int {
	if w.countNode() {
		return 0
	}
	w.stack[level].clear()
	ply := plyOf(k, p)
	// Mate-distance pruning (chessprogramming wiki): no score is worse than a loss now or better
	// than a win now.
	if alpha = max(alpha, ply-win); alpha >= min(beta, win-ply) && level > 0 {
		return alpha
	}
	leaf := depth <= 0 || level >= maxLevels-3
	var entry tables.Score
	if !leaf {
		entry = w.engine.scores.Get(w.startTurn(p, k).key)
		if level > 0 && int(entry.Depth) >= depth {
			if score, ok := fromTable(entry, ply, alpha, beta); ok {
				return score
			}
		}
	}
	if score, ok := w.tableScore(p, k); ok && level > 0 {
		return score
	}
	// At the horizon this is to stand pat, above it reverse futility pruning (chessprogramming
	// wiki).
	if level > 0 && depth <= reverseFutileDepth && beta > -Won && (leaf || w.has(Futility)) {
		if score, ok := w.standPat(p, level, reverseFutileStep*max(depth, 0), alpha, beta); ok {
			return score
		}
	}
	if score, ok := w.winNow(p, k, level); ok {
		return score
	}
	if leaf {
		return w.turnAtHorizon(p, k, level)
	}
	if !w.defend(p, k, level) && level > 0 {
		return lossNext(ply)
	}
	score := w.searchMoves(p, k, level, depth, alpha, beta, entry)
	if score == illegal {
		return ply - win // every turn is forbidden: a loss by the rules
	}
	return score
}

// winNow returns the score of a win in this turn, and leaves the turn in rest.
func (w *worker) winNow(p *arimaa.Position, k, level int) (score int, ok bool) {
	if !w.has(Goal) {
		return 0, false
	}
	t, ok := w.canWin(p)
	if !ok || level == 0 && !w.run.allows(t) {
		return 0, false
	}
	w.stack[level].rest = t
	score = win - plyOf(k, p) - t.Len()
	if level == 0 {
		w.improveRoot(t, score)
	}
	return score, true
}

// defend reports whether the opponent threatens nothing or can be stopped, and then records the
// defence.
func (w *worker) defend(p *arimaa.Position, k, level int) (holds bool) {
	if !w.has(Goal) || p.Undefended() != 0 {
		return true
	}
	passed := &w.stack[level].passed
	*passed = p.EndTurn()
	if _, threat := w.canWin(passed); !threat {
		return true
	}
	w.turnRoots[k].defence, holds = w.detector.Defence(p)
	return holds
}

// lossNext returns the score of the root of a turn after which the opponent wins with his next
// turn.
func lossNext(ply int) int { return ply + 2*arimaa.StepsPerTurn - win }

// Futility pruning applies where the static evaluation is too far from the window for the few steps
// that are left (chessprogramming wiki, "Futility Pruning"). Reverse futility pruning is a cutoff
// at the root of a turn with reverseFutileDepth steps or fewer left, if the side to move is ahead
// by reverseFutileStep centi-rabbits for each of them. With futileDepth steps or fewer, a side that
// is behind by futileBase and futileStep for each of them searches only its first options and those
// that may belong to a threat of a goal; without a learned order, its tactical ones. Within a turn,
// with futileWithin steps or fewer, the margin is 0: if the turn would fall short if it ended
// there, only the first options of its rest are searched.
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

// searchPoint searches a point within the k-th turn, like searchTurn. The score is illegal if the
// turn cannot end legally.
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
	if int(entry.Depth) >= depth {
		if score, ok := fromTable(entry, plyOf(k, p), alpha, beta); ok {
			if t, _, ok := p.DecodePart(entry.Turn); ok && entry.Turn != 0 {
				at.rest = t
			}
			return score
		}
	}
	return w.searchMoves(p, k, level, depth, alpha, beta, entry)
}

// pointKey returns the key of a point within the turn. It depends on the root of the turn, as the
// legal turns do. (The turn played at the root never comes from the table alone: it was searched to
// its end with a full window.)
func (b *turnRoot) pointKey(p *arimaa.Position) zobrist.Key {
	key := p.Key()
	key.Lo ^= b.mix
	key.Hi ^= b.mix
	return key
}

// fromTable returns the score of a table entry, and whether it causes a cutoff. In a full window
// none does, so that the principal variation is complete.
func fromTable(e tables.Score, ply, alpha, beta int) (score int, ok bool) {
	if e.Bound == tables.NoBound || beta-alpha > 1 {
		return 0, false
	}
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

// endTurn ends the k-th turn at p and searches the next one. The score is for the side whose turn
// ends, and illegal if it must not end there.
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

// repeats reports whether the k-th turn must not lead to p: p would occur for the third time, or is
// excluded at the root.
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

// Late move reduction (Wu 2015, section 5.4) searches a late move less deep by one step, and a
// later one by two if enough steps are left. Close to the horizon unlikely moves are left out (Wu
// 2015, section 5.1).
const (
	laterDepth    = 4 // steps left, at least
	laterLeft     = 3 // steps left after the move, at least
	unlikelyDepth = 3 // steps left, at most
)

// reduction returns by how many steps the search of a move is reduced, at a depth, with left steps
// left after the move.
func (w *worker) reduction(m *move, depth, left int) int {
	switch {
	case !m.late || !w.has(Reductions):
		return 0
	case m.later && depth >= laterDepth && left >= laterLeft:
		return 2
	}
	return 1
}

// searchMoves is principal variation search over the moves of a node (chessprogramming wiki,
// "Principal Variation Search"; Marsland and Campbell 1982). It stores the result in the table. The
// score is illegal if no move is legal.
func (w *worker) searchMoves(p *arimaa.Position, k, level, depth, alpha, beta int, entry tables.Score) int {
	at := &w.stack[level]
	principal := beta-alpha > 1
	best, bound := illegal, tables.AtMost
	futile := w.futile(p, level, depth, alpha, beta)
	list := w.newPicker(p, k, level, entry)
	for {
		list.most = mostOptions(best, futile, depth)
		m, ok := list.next()
		if !ok {
			break
		}
		if futile && m.late && best > -Won { // futility pruning
			continue
		}
		c, ok := w.play(p, &m, k, level, depth)
		if !ok {
			continue
		}
		var score int
		if best == illegal {
			score = w.searchChild(&c, c.depth, alpha, beta) // full window
		} else {
			mark, free := w.mark(&c)
			if !free && list.stage < deferredStage { // ABDADA
				at.deferred = append(at.deferred, m)
				continue
			}
			score = w.searchLater(&c, w.reduction(&m, depth, c.depth), mark, alpha, beta)
		}
		if w.stopped {
			return 0
		}
		best = max(best, score)
		if score <= alpha {
			continue
		}
		alpha, bound = score, tables.Exact
		w.extendLine(&c, &m, principal)
		if level == 0 {
			w.improveRoot(w.run.limits.Prefix.Then(at.rest), score)
		}
		if score >= beta { // cutoff
			bound = tables.AtLeast
			w.killersAt(p, k).add(at.rest)
			break
		}
	}
	w.store(p, k, level, depth, best, bound)
	return best
}

// mostOptions returns after how many options of a node the others are left out: unlikely ones, and
// late ones where they are futile. None is left out until one does not lose: a node is lost only if
// all its moves lose.
func mostOptions(best int, futile bool, depth int) int {
	switch {
	case best <= -Won:
		return math.MaxInt
	case futile:
		return lateFrom
	case depth <= unlikelyDepth:
		return unlikelyFrom
	}
	return math.MaxInt
}

// child is the position after a move of the k-th turn.
type child struct {
	p     *arimaa.Position
	k     int
	level int
	depth int  // steps left to search
	ends  bool // the move ends the turn
}

// play makes a move at p. It returns ok as false if the move is illegal.
func (w *worker) play(p *arimaa.Position, m *move, k, level, depth int) (c child, ok bool) {
	after := &w.stack[level+1].position
	if m.option != 0 {
		*after = p.After(m.option)
	} else if *after, ok = p.TryPart(m.turn); !ok {
		return c, false
	}
	c = child{p: after, k: k, level: level + 1, depth: depth - m.turn.Len(), ends: m.turn.Len() == 0 || after.StepsLeft() == 0}
	if c.ends {
		c.depth -= after.StepsLeft()
	}
	return c, true
}

// searchLater searches a move after the first one. It asks in a null window whether the move raises
// alpha, at a reduced depth first, and only then for the score.
func (w *worker) searchLater(c *child, reduction int, mark uint64, alpha, beta int) int {
	score := w.searchChild(c, c.depth-reduction, alpha, alpha+1) // null window, late move reduction
	if reduction > 0 && score > alpha {
		score = w.searchChild(c, c.depth, alpha, alpha+1) // null window, full depth
	}
	w.unmark(mark)
	if score > alpha && score < beta {
		score = w.searchChild(c, c.depth, alpha, beta) // full window
	}
	return score
}

// searchChild searches the position after a move to a depth: the rest of the turn, or the next turn
// if the move ends it.
func (w *worker) searchChild(c *child, depth, alpha, beta int) int {
	switch {
	case w.stopped:
		return 0
	case c.ends:
		return w.endTurn(c.p, c.k, c.level, depth, alpha, beta)
	}
	return w.searchPoint(c.p, c.k, c.level, depth, alpha, beta)
}

// extendLine puts a move, the best one so far, before the best rest of the turn after it and, in a
// full window, before the principal variation.
func (w *worker) extendLine(c *child, m *move, principal bool) {
	at, below := &w.stack[c.level-1], &w.stack[c.level]
	at.rest, at.line = m.turn, at.line[:0]
	if !c.ends {
		at.rest = m.turn.Then(below.rest)
	} else if principal && below.rest.Len() > 0 {
		at.line = append(at.line, below.rest)
	}
	if principal {
		at.line = append(at.line, below.line...)
	}
}

// improveRoot records a better turn at the root, if it is allowed.
func (w *worker) improveRoot(t arimaa.Turn, score int) {
	if !w.run.allows(t) {
		return
	}
	w.best, w.score = t, score
	w.run.shared.improve(w)
}

// toTable converts a score for the table, in which a win or loss counts from the position, not from
// the root.
func toTable(score, ply int) int {
	switch {
	case score >= Won:
		return score + ply
	case score <= -Won:
		return score - ply
	}
	return score
}

// store puts the score of a node into the table, with its best move.
func (w *worker) store(p *arimaa.Position, k, level, depth, score int, bound tables.Bound) {
	// At the root the score depends on the forbidden turns.
	if score == illegal || level == 0 && w.run.forbidden != 0 {
		return
	}
	key := w.turnRoots[k].key
	if p.StepsLeft() < arimaa.StepsPerTurn {
		key = w.turnRoots[k].pointKey(p)
	}
	w.engine.scores.Put(key, tables.Score{
		Score: int16(toTable(score, plyOf(k, p))),
		Bound: bound,
		Depth: uint8(min(max(depth, 0), 255)),
		Turn:  w.stack[level].rest.Code(),
	})
}
