package engine

import (
	"goalproof/arimaa"
	"goalproof/engine/evaluation"
)

// Quiescence search extends the search beyond its horizon by captures (Wu 2015, section 4.2.4). It has three layers: the
// turn that reached the horizon, the opponent's next turn and, if that took all its steps, the turn after it. As usual a
// side may stand pat. Whether a goal can be stopped package goal knows; a defence costs its steps, and is not searched.
// Wu also searches moves that save pieces and that threaten a goal; here these lost games (docs/engine.md).

const (
	lastLayer             = 2
	maxQuiescenceCaptures = 8 // at a node after the first layer

	// doomed is the score of a side that has lost by an endgame table if its turn ends where it is. The rest of the turn may
	// do better.
	doomed = -evaluation.Limit + 1_000
)

// standPat returns the score of the side to move at the root of a turn by standing pat, less a margin, if that is a cutoff
// in a null window and the opponent threatens no goal. Then nobody need ask whether the side can win at once.
func (w *worker) standPat(p *arimaa.Position, level, margin, alpha, beta int) (score int, ok bool) {
	if beta-alpha > 1 || beta >= Won {
		return 0, false
	}
	score = w.static(p) - margin
	return score, score >= beta && !w.threatensGoal(p, level)
}

// threatensGoal tells whether the opponent of the side to move at the root of a turn would have a goal if it were his
// turn. It leaves that position in passed.
func (w *worker) threatensGoal(p *arimaa.Position, level int) bool {
	if !w.has(Goal) || p.Undefended() != 0 {
		return false
	}
	passed := &w.stack[level].passed
	*passed = p.EndTurn()
	return w.hasGoal(passed)
}

// quiesceTurn returns the quiescence score of the root of the k-th turn, at which the side to move cannot win at once.
func (w *worker) quiesceTurn(p *arimaa.Position, k, level, layer, alpha, beta int) int {
	w.startTurn(p, k)
	if !w.has(Quiescence) {
		return w.static(p)
	}
	key, ply := p.Key().Lo, plyOf(k, p)
	if score, ok := w.cachedQuiet(p, key, layer, ply, alpha, beta); ok {
		return score
	}
	best := w.static(p)
	if w.threatensGoal(p, level) {
		defence, holds := w.detector.Defence(p)
		if !holds {
			return ply + 2*arimaa.StepsPerTurn - win // the opponent wins with his next turn
		}
		best -= defencePenalty * defence.Len()
	}
	if best < beta {
		best = w.quiesceCaptures(p, k, level, layer, best, max(alpha, best), beta)
	}
	w.cacheQuiet(p, key, layer, ply, best, alpha, beta)
	return best
}

// defencePenalty is the estimated cost of a step that must stop a win, in centi-rabbits.
const defencePenalty = 10

// quiesce returns the quiescence score of a point within the k-th turn.
func (w *worker) quiesce(p *arimaa.Position, k, level, layer, alpha, beta int) int {
	key, ply := w.turnRoots[k].pointKey(p).Lo, plyOf(k, p)
	if score, ok := w.cachedQuiet(p, key, layer, ply, alpha, beta); ok {
		return score
	}
	best, lost := illegal, false
	next := &w.stack[level+1].start
	*next = p.EndTurn()
	switch {
	case p.Board == w.turnRoots[k].board:
	case !w.repeats(next, k):
		if o := p.Ended(p.Side()); o.Over() {
			return w.gameOver(o, k, p)
		}
		best = -w.quiesceNext(next, k+1, level+1, layer, p.StepsLeft(), -beta, -alpha)
		if w.stopped {
			return 0
		}
		if best <= -Won {
			best, lost = w.mustDefend(p, next, best)
		}
	case k > 0 && p.StepsLeft() > 0:
		best = -w.static(next) // the turn must not end here, but may continue
	}
	if best < beta && !lost && w.has(Quiescence) {
		best = w.quiesceCaptures(p, k, level, layer, best, max(alpha, best), beta)
	}
	w.cacheQuiet(p, key, layer, ply, best, alpha, beta)
	return best
}

// mustDefend returns the score of a point p within a turn whose end there, which leads to next, has the score of a loss.
// The rest of the turn may do better: if the opponent wins at once, package goal knows whether it can stop that. Lost
// tells that it cannot.
func (w *worker) mustDefend(p, next *arimaa.Position, end int) (score int, lost bool) {
	if _, wins := w.canWin(next); !wins {
		return max(end, doomed), false
	}
	rest, holds := w.detector.DefenceWithin(p)
	if !holds {
		return end, true
	}
	return -w.static(next) - defencePenalty*rest.Len(), false
}

// quiesceNext returns the score of the position after a turn that left some steps unused.
func (w *worker) quiesceNext(p *arimaa.Position, k, level, layer, unused, alpha, beta int) int {
	w.stack[level].clear()
	if w.countNode() {
		return 0
	}
	if score, ok := w.tabled(p, k); ok {
		return score
	}
	if score, ok := w.standPat(p, level, 0, alpha, beta); ok {
		return score
	}
	if w.has(Goal) {
		if t, ok := w.canWin(p); ok {
			w.stack[level].rest = t
			return win - plyOf(k, p) - t.Len()
		}
	}
	if !w.has(Quiescence) || layer == lastLayer || layer > 0 && unused > 0 || level >= maxLevels-2*arimaa.StepsPerTurn {
		return w.static(p)
	}
	return w.quiesceTurn(p, k, level, layer+1, alpha, beta)
}

// quiesceCaptures searches the captures at a point, the most valuable victim first (MVV); best is the score without one.
func (w *worker) quiesceCaptures(p *arimaa.Position, k, level, layer, best, alpha, beta int) int {
	if level >= maxLevels-2*arimaa.StepsPerTurn {
		return best
	}
	c := &w.captures[level]
	c.list(p)
	most := len(c.found)
	if layer > 0 {
		most = min(most, maxQuiescenceCaptures)
	}
	for i := range most {
		for j := i + 1; j < len(c.found); j++ {
			if c.found[j].victim > c.found[i].victim {
				c.found[i], c.found[j] = c.found[j], c.found[i]
			}
		}
		after, ok := &w.stack[level+1].position, false
		if *after, ok = p.TryPart(c.found[i].turn); !ok {
			continue
		}
		score := w.quiesceAfter(after, k, level, layer, alpha, beta)
		if w.stopped {
			return 0
		}
		if score <= best {
			continue
		}
		best, alpha = score, max(alpha, score)
		w.stack[level].rest = joined(c.found[i].turn, w.stack[level+1].rest)
		if best >= beta {
			break
		}
	}
	return best
}

// quiesceAfter continues after an option.
func (w *worker) quiesceAfter(p *arimaa.Position, k, level, layer, alpha, beta int) int {
	if level >= maxLevels-2*arimaa.StepsPerTurn {
		return illegal
	}
	w.stack[level+1].clear()
	return w.quiesce(p, k, level+1, layer, alpha, beta)
}
