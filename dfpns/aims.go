package dfpns

import (
	"context"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/recent"
)

// Aims other than the win. The tree is the same, and so are the thresholds, the tables and the
// killers. What differs are the leaves: [goal.Detector.Reach] takes the place of a win in 1, and
// the replies of an AND node are all that do not give up what the attacker wants to capture
// ([goal.Aim.Replies]). None is left out for a reason that holds of wins alone.

// threatens reports whether the attacker, who is not to move at p, threatens to reach the aim at
// once. It only orders turns.
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

// reachesNow reports whether the attacker, to move at p, reaches the aim with this turn. It replays
// recent turns that captured before it asks the detector. If the search stops, a "no" may be wrong.
func (w *worker) reachesNow(p *arimaa.Position) bool {
	if w.aim.IsCapture() {
		for i, t := range w.captures {
			after, ok := p.Try(t)
			if !ok || !w.aim.Takes(p, &after, t, p.Side()) {
				continue
			}
			if !after.Board.Ended(p.Side()).WonBy(p.Side().Other()) {
				recent.Raise(w.captures, i)
				return true
			}
		}
	}
	turn, ok := w.detector.Reach(p, w.aim)
	if ok && w.aim.IsCapture() {
		w.captures = recent.Add(w.captures, turn, mostCaptures)
	}
	return ok
}

// mostCaptures is the length of the list of recent turns that captured. Replaying one takes a tenth
// of the time of a detection.
const mostCaptures = 16

// spares does the work of holds for other aims than the win. The reply does not win.
func (w *worker) spares(p, next *arimaa.Position, t arimaa.Turn) bool {
	attacker := next.Side()
	if w.aim.Takes(p, next, t, attacker) {
		return false
	}
	w.visit()
	return !next.Board.Ended(p.Side()).Over() &&
		!(w.aim.Stands(&p.Board, attacker) && w.aim.Stands(&next.Board, attacker)) && !w.reachesNow(next)
}

// forcesAim does the work of forces for other aims than the win. If the search stops, it returns
// false, which then means nothing.
func (w *worker) forcesAim(p *arimaa.Position) bool {
	w.visit()
	if hasLost(p) {
		return false
	}
	if _, wins := w.detector.CanWin(p, &p.Board); wins {
		return false
	}
	for i, t := range w.refutations {
		if next, ok := p.Try(t); ok && w.holds(p, &next, t) {
			recent.Raise(w.refutations, i)
			return false
		}
	}
	for i := range w.aim.Replies(&w.replies, p) {
		if w.run.stop.Load() {
			return false
		}
		next, t := w.replies.Position(i, p.Side()), w.replies.Turn(i)
		if w.holds(p, &next, t) {
			w.refutations = recent.Add(w.refutations, t, mostRefutations)
			return false
		}
	}
	return true
}

// mostRefutations is the length of the list of recent replies.
const mostRefutations = 8

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
