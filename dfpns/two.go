package dfpns

import (
	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/recent"
)

// winInTwo decides whether the attacker, to move at p, wins within two turns, given that he
// does not in one. It tries the turns of four steps first: most wins take all of them, and
// shorter ones also win with an idle step or two. It leaves out points and boards that it has met in other turns, and calm
// points ([goal.Calm]). The verdict is unknown if the search stops.
func (w *worker) winInTwo(p *arimaa.Position, g *arimaa.Generator) (answer.Verdict, arimaa.Turn) {
	for _, t := range w.wins {
		if next, ok := p.Try(t); ok && w.forces(&next) {
			w.wins = recent.Add(w.wins, t, mostRecent)
			return answer.Proved, t
		}
	}
	verdict, turn := answer.Disproved, arimaa.Turn{}
	side := p.Side()
	win := w.aim.Win() // the table of points knows of wins alone
	var skip arimaa.Skip
	if win {
		skip = w.leaveRefuted(side)
	}
	var next arimaa.Position // one for all, because it escapes to the heap
	g.LongestSkipping(p, skip, priority(side), func(from, to int) bool {
		for i := from; win && i < to; i++ {
			w.points.prefetch(pointKey(g.Key(i), side))
		}
		for i := from; i < to; i++ {
			if w.run.stop.Load() {
				verdict = answer.Unknown
				return false
			}
			k := pointKey(g.Key(i), side)
			if win && w.points.refuted(k, 0) {
				continue
			}
			next = g.Position(i, side)
			if w.forces(&next) {
				verdict, turn = answer.Proved, g.Turn(i)
				w.wins = recent.Add(w.wins, turn, mostRecent)
				return false
			}
			if win { // then forces has not given up, even if the search stops meanwhile
				w.points.refute(k, 0)
			}
		}
		return true
	})
	if verdict == answer.Disproved && w.run.stop.Load() {
		verdict = answer.Unknown // with another aim the last turn may not be decided
	}
	if verdict == answer.Disproved && win {
		w.refutePoints(p, g)
	}
	return verdict, turn
}

// leaveRefuted leaves out points from which no turn of side forces a win in two, as far as the table knows or as they are calm.
func (w *worker) leaveRefuted(side arimaa.Side) arimaa.Skip {
	return func(points []arimaa.Point, left int) {
		for i := range points {
			w.points.prefetch(pointKey(points[i].Key(), side))
		}
		for i := range points {
			k := pointKey(points[i].Key(), side)
			if w.points.refuted(k, left) {
				points[i].LeaveOut()
			} else if goal.Calm(points[i].Board(), side, left) {
				w.points.refute(k, left)
				points[i].LeaveOut()
			}
		}
	}
}

// leaveCalm leaves out points from which no turn of side forces a win in two, as far as they are calm.
func leaveCalm(side arimaa.Side) arimaa.Skip {
	return arimaa.LeavingOut(func(b *arimaa.Board, left int) bool { return goal.Calm(b, side, left) })
}

// refutePoints enters the points of a turn that forces no win, which g lists, with the steps that are left there. What g has
// left out the table knows already. The board at the start is no result of this turn, but it may be one of another
// turn that passes it, so it is asked about as well.
func (w *worker) refutePoints(p *arimaa.Position, g *arimaa.Generator) {
	stays := p.EndTurn()
	if w.forces(&stays) {
		return
	}
	side := p.Side()
	w.points.refute(pointKey(p.PiecesKey(), side), p.StepsLeft())
	for i := range g.Len() {
		if left := p.StepsLeft() - g.Steps(i); left > 0 {
			w.points.refute(pointKey(g.Key(i), side), left)
		}
	}
}

// forces tells whether the attacker's turn that led to p, which has not won, leaves him a win with his
// next turn whatever the defender replies.
func (w *worker) forces(p *arimaa.Position) bool {
	if !w.aim.Win() {
		return w.forcesAim(p)
	}
	w.visit()
	if hasLost(p) {
		return false
	}
	if got, known := w.tabled(p, p.Side().Other(), 1); known {
		return got == proved
	}
	_, ok := w.detector.Defence(p)
	return !ok
}

// hasLost tells whether the attacker has lost with the turn that led to p, which has not won.
func hasLost(p *arimaa.Position) bool {
	defender := p.Side()
	return p.Rabbits(defender)&arimaa.GoalRank(defender) != 0 || p.Rabbits(defender.Other()) == 0
}

// shorten removes steps from a turn that forces a win in 2 at p, one or two at a time,
// as long as the rest still does.
func (w *worker) shorten(p *arimaa.Position, t arimaa.Turn) arimaa.Turn {
	for size := 1; size <= 2; size++ {
		for i := 0; i+size <= t.Len(); {
			less := without(t, i, size)
			if after, ok := p.Try(less); ok && w.forces(&after) {
				t, i = less, 0
				continue
			}
			i++
		}
	}
	return t
}

// without returns a turn without its steps i to i+n-1.
func without(t arimaa.Turn, i, n int) (less arimaa.Turn) {
	for k := range t.Len() {
		if k < i || k >= i+n {
			less = less.With(t.Step(k))
		}
	}
	return less
}

// priority rates boards inside a turn of side for [arimaa.Generator.Longest]: first the rank of its
// most advanced rabbit counts, then pieces, then frozen pieces.
func priority(side arimaa.Side) func(*arimaa.Board) int {
	other := side.Other()
	return func(b *arimaa.Board) int {
		rank := 0
		if rabbits := b.Rabbits(side); rabbits == 0 {
			rank = -1
		} else if side == arimaa.Gold {
			rank = int(rabbits.Last() >> 3)
		} else {
			rank = 7 - int(rabbits.First()>>3)
		}
		pieces := b.Of(side).Len() - b.Of(other).Len()
		frozen := b.Frozen(other).Len() - b.Frozen(side).Len()
		return (rank*64+pieces)*64 + frozen
	}
}
