package engine

import (
	"goalproof/arimaa"
	"goalproof/engine/evaluation"
	"goalproof/goal"
)

// Quiescence: behind the depth of the search a position is judged when nothing more is to be captured
// and no goal to be stopped (Wu 2015, section 4.2.4). It has three layers: the turn in which the depth
// ended, the opponent's next turn, and, if that took all its steps, the one after it. A side may
// always stop: play something quiet, that is, which changes nothing in the evaluation. Wu's other two kinds of
// options, which save pieces and which threaten a goal, were tried in the first layer and lost 174 of 312
// games (docs/engine.md).

const (
	lastLayer   = 2
	mostSettled = 8 // captures tried at a point behind the first layer

	// doomed is the score of a side that seems unable to stop a goal. It is no proved loss.
	doomed = -evaluation.Limit + 1_000
)

// settleTurn judges a position at the start of the k-th turn, where the side to move cannot win in this turn.
func (w *worker) settleTurn(p *arimaa.Position, k, ply, layer, alpha, beta int) int {
	w.begin(p, k)
	if !w.has(Quiescence) {
		return w.static(p)
	}
	best := w.static(p)
	if w.has(Goal) && p.Undefended() == 0 {
		next := &w.points[ply].passed
		*next = p.EndTurn()
		if distance, _ := w.detector.Goal(next, &next.Board); distance != goal.None {
			reply, holds := w.detector.Holds(p)
			if !holds {
				return elapsed(k, p) + 2*arimaa.StepsPerTurn - win // he will win with his next turn
			}
			best -= defencePrice * reply.Len()
		}
	}
	if best >= beta {
		return best
	}
	return w.settleCaptures(p, k, ply, layer, best, max(alpha, best), beta)
}

// defencePrice is what a step that stops a goal is taken to cost, in centi-rabbits.
const defencePrice = 10

// settle judges a point within the k-th turn.
func (w *worker) settle(p *arimaa.Position, k, ply, layer, alpha, beta int) int {
	best := illegal
	next := &w.points[ply+1].start
	*next = p.EndTurn()
	switch {
	case p.Board == w.begins[k].board:
	case !w.repeats(next, k):
		if o := p.Ended(p.Side()); o.Over() {
			return w.over(o, k, p)
		}
		best = -w.settleNext(next, k+1, ply+1, layer, p.StepsLeft(), -beta, -alpha)
		if w.stopped {
			return 0
		}
	case k > 0 && p.StepsLeft() > 0:
		best = -w.static(next) // the turn may not end here, but go on
	}
	if !w.has(Quiescence) && best != illegal {
		return max(best, doomed) // the steps left may stop a goal
	}
	if best >= beta || !w.has(Quiescence) {
		return best
	}
	if best <= -Won && best != illegal {
		// The opponent has a goal: something that touches its way may stop it.
		best = max(doomed, w.settleThreat(p, k, ply, layer, w.points[ply+1].rest, max(alpha, doomed), beta))
		if best >= beta || w.stopped {
			return best
		}
	}
	return w.settleCaptures(p, k, ply, layer, best, max(alpha, best), beta)
}

// settleNext judges the position after a turn that ended with some steps unused.
func (w *worker) settleNext(p *arimaa.Position, k, ply, layer, unused, alpha, beta int) int {
	w.points[ply].clear()
	if w.node() {
		return 0
	}
	if w.has(Goal) {
		if t, ok := w.detector.CanWin(p, &p.Board); ok {
			w.points[ply].rest = t
			return win - elapsed(k, p) - t.Len()
		}
	}
	if !w.has(Quiescence) || layer == lastLayer || layer > 0 && unused > 0 || ply >= maxPly-2*arimaa.StepsPerTurn {
		return w.static(p)
	}
	return w.settleTurn(p, k, ply, layer+1, alpha, beta)
}

// settleCaptures tries the captures at a point; best is the score without one.
func (w *worker) settleCaptures(p *arimaa.Position, k, ply, layer, best, alpha, beta int) int {
	if ply >= maxPly-2*arimaa.StepsPerTurn {
		return best
	}
	c := &w.captures[ply]
	c.list(p)
	most := len(c.found)
	if layer > 0 {
		most = min(most, mostSettled)
	}
	for i := range most {
		for j := i + 1; j < len(c.found); j++ {
			if c.found[j].prey > c.found[i].prey {
				c.found[i], c.found[j] = c.found[j], c.found[i]
			}
		}
		after, ok := &w.points[ply+1].position, false
		if *after, ok = p.TryPart(c.found[i].turn); !ok {
			continue
		}
		score := w.settleAfter(after, k, ply, layer, alpha, beta)
		if w.stopped {
			return 0
		}
		if score <= best {
			continue
		}
		best, alpha = score, max(alpha, score)
		w.points[ply].rest = joined(c.found[i].turn, w.points[ply+1].rest)
		if best >= beta {
			break
		}
	}
	return best
}

// settleThreat tries the options that touch the way of the opponent's goal.
func (w *worker) settleThreat(p *arimaa.Position, k, ply, layer int, threat arimaa.Turn, alpha, beta int) (best int) {
	best = illegal
	b := &w.begins[k]
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
		after := &w.points[ply+1].position
		*after = p.After(o)
		score := w.settleAfter(after, k, ply, layer, alpha, beta)
		if w.stopped {
			return 0
		}
		if score <= best {
			continue
		}
		best, alpha = score, max(alpha, score)
		w.points[ply].rest = joined(arimaa.Turn{}.WithOption(o), w.points[ply+1].rest)
		if best >= beta {
			break
		}
	}
	return best
}

// settleAfter goes on behind an option at a point.
func (w *worker) settleAfter(p *arimaa.Position, k, ply, layer, alpha, beta int) int {
	if ply >= maxPly-2*arimaa.StepsPerTurn {
		return illegal
	}
	w.points[ply+1].clear()
	return w.settle(p, k, ply+1, layer, alpha, beta)
}
