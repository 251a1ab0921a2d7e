package dfpns

import (
	"context"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/recent"
)

// Aims other than the win. The tree is the same, and so are the thresholds, the tables and the killers. What differs
// are the leaves: [goal.Detector.Reach] takes the place of a win in 1, and the replies of an AND node are all that do
// not give up what the attacker wants to capture ([goal.Aim.Replies]). None is left out for a reason that holds of wins
// alone.

// threatens tells whether the attacker, who is not to move at p, threatens to reach the aim at once. It only orders
// turns.
func (w *worker) threatens(p *arimaa.Position) bool {
	if w.aim.Win() {
		_, ok := w.detector.Threat(p)
		return ok
	}
	passed := p.EndTurn()
	if w.aim.IsCapture() {
		_, ok := w.detector.Reach(&passed, w.aim)
		return ok
	}
	return w.aim.Stands(&p.Board, passed.Side())
}

// reachesNow tells whether the attacker, to move at p, reaches the aim with this turn. It replays recent turns that
// captured before it asks the detector. If the search stops, a "no" may be wrong.
func (w *worker) reachesNow(p *arimaa.Position) bool {
	if w.aim.IsCapture() {
		for i, t := range w.reaches {
			after, ok := p.Try(t)
			if !ok || !w.aim.Takes(p, &after, t, p.Side()) {
				continue
			}
			if o := after.Board.Ended(p.Side()); !o.Over() || o.Winner == p.Side() {
				recent.Raise(w.reaches, i)
				return true
			}
		}
	}
	turn, ok := w.detector.Reach(p, w.aim)
	if ok && w.aim.IsCapture() {
		w.reaches = recent.Add(w.reaches, turn, mostReaches)
	}
	return ok
}

// mostReaches is the length of the list of recent turns that captured. Replaying one takes a tenth of the time of a
// detection.
const mostReaches = 16

// reached tells whether the attacker has reached the aim with the reply that led from p to next, which does not give a
// piece up and does not win.
func (w *worker) reached(p, next *arimaa.Position) bool {
	return next.Board.Ended(p.Side()).Over() ||
		w.aim.Stands(&p.Board, next.Side()) && w.aim.Stands(&next.Board, next.Side())
}

// forcesAim is forces for other aims than the win. If the search stops, it returns false and does not know.
func (w *worker) forcesAim(p *arimaa.Position) bool {
	w.visit()
	if hasLost(p) {
		return false
	}
	if _, wins := w.detector.CanWin(p, &p.Board); wins {
		return false
	}
	refutes := func(next *arimaa.Position) bool {
		w.visit()
		return !w.reached(p, next) && !w.reachesNow(next)
	}
	for i, t := range w.refutes {
		next, ok := p.Try(t)
		if ok && !w.aim.Takes(p, &next, t, next.Side()) && refutes(&next) {
			recent.Raise(w.refutes, i)
			return false
		}
	}
	for i := range w.aim.Replies(&w.replies, p) {
		if w.run.stop.Load() {
			return false
		}
		if next := w.replies.Position(i, p.Side()); refutes(&next) {
			w.refutes = recent.Add(w.refutes, w.replies.Turn(i), mostRefutes)
			return false
		}
	}
	return true
}

// mostRefutes is the length of the list of recent replies.
const mostRefutes = 8

// expandReplies is expandAND for other aims than the win.
func (w *worker) expandReplies(p *arimaa.Position, n, depth int, threshold numbers) numbers {
	if n == 1 {
		switch {
		case w.forcesAim(p):
			return proved
		case w.run.stop.Load():
			return fresh
		}
		return disproved
	}
	w.visit()
	if _, wins := w.detector.CanWin(p, &p.Board); wins {
		return disproved
	}
	f := w.frame(depth)
	f.children = f.children[:0]
	for len(w.killers) <= n {
		w.killers = append(w.killers, nil)
	}
	add := func(next *arimaa.Position, t arimaa.Turn) {
		w.visit()
		if !w.reached(p, next) && !w.reachesNow(next) {
			f.children = append(f.children, child{at: *next, turn: t, numbers: fresh})
		}
	}
	// The killers first, alone.
	for _, t := range w.killers[n] {
		if next, ok := p.Try(t); ok && !w.aim.Takes(p, &next, t, next.Side()) {
			add(&next, t)
		}
	}
	if len(f.children) > 0 {
		if got := w.descendAND(f, n, depth, threshold); got != proved {
			return got
		}
	}
	f.children = f.children[:0]
	for i := range w.aim.Replies(&w.replies, p) {
		if w.run.stop.Load() {
			return fresh
		}
		next := w.replies.Position(i, p.Side())
		add(&next, w.replies.Turn(i))
	}
	if w.run.stop.Load() {
		return fresh
	}
	return w.descendAND(f, n, depth, threshold)
}

// allNow is All for N = 1 and another aim than the win.
func (s *Solver) allNow(ctx context.Context, q Question) (solutions []Solution, stop answer.Stop, err error) {
	r, done := s.begin(ctx)
	defer done()
	for _, t := range s.workers[0].detector.ReachAll(&q.Position, q.Aim) {
		solutions = append(solutions, Solution{Turn: t, After: q.Position.AfterTurn(t)})
	}
	if r.stop.Load() {
		return solutions, answer.StopOf(ctx), nil
	}
	s.turns.Generate(&q.Position)
	MarkEssential(&q.Position, &s.turns, solutions)
	return solutions, stop, nil
}
