package engine

import (
	"goalproof/arimaa"
	"goalproof/engine/evaluation"
	"goalproof/goal"
)

// Quiescence: behind the depth of the search a position is judged when nothing more is to be captured
// and no goal to be stopped (Wu 2015, section 4.2.4). It has three layers: the turn in which the depth
// ended, in which pieces may be saved and rabbits advanced as well; the opponent's next turn; and, if that took
// all its steps, the one after it. A side may always stop: play something quiet, that is, which changes
// nothing in the evaluation.

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
	best = w.settleCaptures(p, k, ply, layer, best, max(alpha, best), beta)
	return w.settleTactics(p, k, ply, layer, best, max(alpha, best), beta)
}

// defencePrice is what a step that stops a goal is taken to cost, in centi-rabbits.
const defencePrice = 10

// settle judges a point within the k-th turn.
func (w *worker) settle(p *arimaa.Position, k, ply, layer, alpha, beta int) int {
	best := illegal
	next := &w.points[ply+1].start
	*next = p.EndTurn()
	if p.Board != w.begins[k].board && !w.repeats(next, k) {
		if o := p.Ended(p.Side()); o.Over() {
			return w.over(o, k, p)
		}
		best = -w.settleNext(next, k+1, ply+1, layer, p.StepsLeft(), -beta, -alpha)
		if w.stopped {
			return 0
		}
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
	best = w.settleCaptures(p, k, ply, layer, best, max(alpha, best), beta)
	return w.settleTactics(p, k, ply, layer, best, max(alpha, best), beta)
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
		if w.settleBy(c.found[i].turn, k, ply, layer, &best, &alpha, beta) {
			break
		}
	}
	return best
}

// settleTactics tries, in the first layer and once in a turn, single options that save a piece from capture, by taking
// it away or by another defender of the trap, and those that bring a rabbit near its goal.
func (w *worker) settleTactics(p *arimaa.Position, k, ply, layer, best, alpha, beta int) int {
	if layer > 0 || best >= beta || w.tactical || w.stopped || !w.has(Tactics) || ply >= maxPly-2*arimaa.StepsPerTurn {
		return best
	}
	passed := &w.points[ply].passed
	*passed = p.EndTurn()
	w.threats.list(passed)
	var leave, enter arimaa.Bitboard
	for i := range w.threats.found {
		leave |= w.threats.found[i].from.Set()
		enter |= w.threats.found[i].trap.Beside()
	}
	near := nearGoal(p.Side())
	rabbits := p.Rabbits(p.Side())
	if leave == 0 && (rabbits.Neighbors()&near) == 0 {
		return best
	}
	var room [64]arimaa.Option
	for _, o := range p.Options(room[:0]) {
		if o.Steps() > 1 {
			break // single steps come first
		}
		from, to := o.First().From(), o.First().To()
		if !leave.Has(from) && (!enter.Has(to) || enter.Has(from)) && !(rabbits.Has(from) && near.Has(to)) {
			continue
		}
		w.points[ply+1].position = p.After(o)
		w.tactical = true
		enough := w.settleBy(arimaa.Turn{}.WithOption(o), k, ply, layer, &best, &alpha, beta)
		w.tactical = false
		if enough {
			break
		}
	}
	return best
}

// nearGoal returns the ranks on which a rabbit of side threatens to reach its goal: the last three.
func nearGoal(side arimaa.Side) (ranks arimaa.Bitboard) {
	back := arimaa.South
	if side == arimaa.Silver {
		back = arimaa.North
	}
	ranks = arimaa.GoalRank(side)
	for range 2 {
		ranks |= ranks.Shift(back)
	}
	return ranks
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
		w.points[ply+1].position = p.After(o)
		if w.settleBy(arimaa.Turn{}.WithOption(o), k, ply, layer, &best, &alpha, beta) {
			break
		}
	}
	return best
}

// settleBy judges the next point, to which a part of the turn has led, and takes note if that is better than the best so
// far. It tells whether no more need be tried.
func (w *worker) settleBy(part arimaa.Turn, k, ply, layer int, best, alpha *int, beta int) (enough bool) {
	next := &w.points[ply+1]
	next.clear()
	score := illegal
	if ply < maxPly-2*arimaa.StepsPerTurn {
		score = w.settle(&next.position, k, ply+1, layer, *alpha, beta)
	}
	if !w.stopped && score > *best {
		*best, *alpha = score, max(*alpha, score)
		w.points[ply].rest = joined(part, next.rest)
	}
	return w.stopped || *best >= beta
}
