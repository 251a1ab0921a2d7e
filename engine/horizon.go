package engine

import (
	"goalproof/arimaa"
	"goalproof/engine/evaluation"
)

// At its horizon the search evaluates positions, and package goal answers what the evaluation does
// not know: whether the side to move wins at once, and whether a threat to win can be stopped. A
// defence is not searched; it costs a penalty for each step. Captures are not searched either, as
// the evaluation covers them: a quiescence search gained nothing once there was a network
// (docs/engine.md).

const (
	// defencePenalty is the estimated cost of a step that must stop a win, in centi-rabbits.
	defencePenalty = 10

	// lostByTable is the score of a side that has lost by an endgame table if its turn ends where
	// it is. The rest of the turn may do better.
	lostByTable = -evaluation.Limit + 1_000
)

// standPat returns the static evaluation of the root of a turn less a margin, if that is a cutoff
// in a null window and the opponent threatens no goal. Then there is no need to ask whether the
// side to move wins at once.
func (w *worker) standPat(p *arimaa.Position, level, margin, alpha, beta int) (score int, ok bool) {
	if beta-alpha > 1 || beta >= Won {
		return 0, false
	}
	score = w.static(p) - margin
	return score, score >= beta && !w.threatensGoal(p, level)
}

// threatensGoal reports whether the opponent of the side to move at the root of a turn would have a
// goal if it were his turn. It leaves that position in the passed field of the stack.
func (w *worker) threatensGoal(p *arimaa.Position, level int) bool {
	if !w.has(Goal) || p.Undefended() != 0 {
		return false
	}
	passed := &w.stack[level].passed
	*passed = p.EndTurn()
	return w.hasGoal(passed)
}

// turnAtHorizon returns the score of the root of the k-th turn, at which the side to move cannot
// win at once.
func (w *worker) turnAtHorizon(p *arimaa.Position, k, level int) int {
	if !w.has(Horizon) || !w.threatensGoal(p, level) {
		return w.static(p)
	}
	key, ply := p.Key().Lo, plyOf(k, p)
	if score, ok := w.cachedScore(p, key, ply, 0, 1); ok {
		return score
	}
	score := lossNext(ply)
	if defence, holds := w.detector.Defence(p); holds {
		score = w.static(p) - defencePenalty*defence.Len()
	}
	w.cacheScore(p, key, ply, score, -infinite, infinite)
	return score
}

// pointAtHorizon returns the score of a point within the k-th turn without a search of the steps
// that are left.
func (w *worker) pointAtHorizon(p *arimaa.Position, k, level, alpha, beta int) int {
	key, ply := w.turnRoots[k].pointKey(p).Lo, plyOf(k, p)
	if score, ok := w.cachedScore(p, key, ply, alpha, beta); ok {
		return score
	}
	best := illegal
	next := &w.stack[level+1].start
	*next = p.EndTurn()
	switch {
	case p.Board == w.turnRoots[k].board:
	case !w.repeats(next, k):
		if o := p.Ended(p.Side()); o.Over() {
			return w.gameOver(o, k, p)
		}
		best = -w.nextAtHorizon(next, k+1, level+1, -beta, -alpha)
		if w.stopped {
			return 0
		}
		if best <= -Won {
			best = w.mustDefend(p, next, best)
		}
	case k > 0 && p.StepsLeft() > 0:
		best = -w.static(next) // the turn must not end here, but may continue
	}
	w.cacheScore(p, key, ply, best, alpha, beta)
	return best
}

// mustDefend returns the score of a point p within a turn that loses, with the score end, if it
// ends there and leads to next. The rest of the turn may do better: if the opponent wins at once,
// package goal decides whether it can stop that.
func (w *worker) mustDefend(p, next *arimaa.Position, end int) (score int) {
	if _, wins := w.canWin(next); !wins {
		return max(end, lostByTable)
	}
	rest, holds := w.detector.DefenceWithin(p)
	if !holds {
		return end
	}
	return -w.static(next) - defencePenalty*rest.Len()
}

// nextAtHorizon returns the score of the position after a turn that ends at the horizon.
func (w *worker) nextAtHorizon(p *arimaa.Position, k, level, alpha, beta int) int {
	w.stack[level].clear()
	if w.countNode() {
		return 0
	}
	if score, ok := w.tableScore(p, k); ok {
		return score
	}
	if score, ok := w.standPat(p, level, 0, alpha, beta); ok {
		return score
	}
	if score, ok := w.winNow(p, k, level); ok {
		return score
	}
	return w.turnAtHorizon(p, k, level)
}
