package engine

import (
	"goalproof/arimaa"
	"goalproof/engine/evaluation"
)

// Quiescence search extends the search beyond its horizon by captures and by defences against a goal (Wu 2015, section
// 4.2.4). It has three layers: the turn that reached the horizon, the opponent's next turn and, if that took all its
// steps, the turn after it. As usual a side may stand pat. Wu also searches moves that save pieces and that threaten a
// goal; here these lost games (docs/engine.md).

const (
	lastLayer             = 2
	maxQuiescenceCaptures = 8 // at a node after the first layer

	// doomed is the score of a side that seems unable to stop a goal. The loss is not certain.
	doomed = -evaluation.Limit + 1_000
)

// quiesceTurn returns the quiescence score of the root of the k-th turn, at which the side to move cannot win at once.
func (w *worker) quiesceTurn(p *arimaa.Position, k, level, layer, alpha, beta int) int {
	w.startTurn(p, k)
	if !w.has(Quiescence) {
		return w.static(p)
	}
	best := w.static(p)
	if w.has(Goal) && p.Undefended() == 0 {
		next := &w.stack[level].passed
		*next = p.EndTurn()
		if w.hasGoal(next) {
			defence, holds := w.detector.Defence(p)
			if !holds {
				return plyOf(k, p) + 2*arimaa.StepsPerTurn - win // the opponent wins with his next turn
			}
			best -= defencePenalty * defence.Len()
		}
	}
	if best >= beta {
		return best
	}
	return w.quiesceCaptures(p, k, level, layer, best, max(alpha, best), beta)
}

// defencePenalty is the estimated cost of a step that must stop a goal, in centi-rabbits.
const defencePenalty = 10

// quiesce returns the quiescence score of a point within the k-th turn.
func (w *worker) quiesce(p *arimaa.Position, k, level, layer, alpha, beta int) int {
	best := illegal
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
	case k > 0 && p.StepsLeft() > 0:
		best = -w.static(next) // the turn must not end here, but may continue
	}
	if !w.has(Quiescence) && best != illegal {
		return max(best, doomed) // the steps left may stop a goal
	}
	if best >= beta || !w.has(Quiescence) {
		return best
	}
	if best <= -Won && best != illegal {
		// The opponent threatens a goal: an option that changes a square on its way may stop it.
		best = max(doomed, w.quiesceThreat(p, k, level, layer, w.stack[level+1].rest, max(alpha, doomed), beta))
		if best >= beta || w.stopped {
			return best
		}
	}
	return w.quiesceCaptures(p, k, level, layer, best, max(alpha, best), beta)
}

// quiesceNext returns the score of the position after a turn that left some steps unused.
func (w *worker) quiesceNext(p *arimaa.Position, k, level, layer, unused, alpha, beta int) int {
	w.stack[level].clear()
	if w.countNode() {
		return 0
	}
	if w.has(Goal) {
		if t, ok := w.canWin(p); ok {
			w.stack[level].rest = t
			return win - plyOf(k, p) - t.Len()
		}
	}
	if score, ok := w.tabled(p, k); ok {
		return score
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

// quiesceThreat searches the options that change a square on which the opponent's threat depends.
func (w *worker) quiesceThreat(p *arimaa.Position, k, level, layer int, threat arimaa.Turn, alpha, beta int) (best int) {
	best = illegal
	b := &w.turnRoots[k]
	b.threat = threat
	on, wins := w.threat(p, b)
	if !wins {
		return best
	}
	var room [64]arimaa.Option
	for _, o := range p.Options(room[:0]) {
		if changes(o)&on == 0 {
			continue
		}
		after := &w.stack[level+1].position
		*after = p.After(o)
		score := w.quiesceAfter(after, k, level, layer, alpha, beta)
		if w.stopped {
			return 0
		}
		if score <= best {
			continue
		}
		best, alpha = score, max(alpha, score)
		w.stack[level].rest = joined(arimaa.Turn{}.WithOption(o), w.stack[level+1].rest)
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
