package dfpns

import (
	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/recent"
)

// winInTwo decides whether the attacker, to move at p, wins within two turns, given that he does
// not in one. It tries the turns of four steps first: most wins take all of them, and shorter ones
// also win with an idle step or two. It leaves out points and boards that it has met in other
// turns, and calm points ([goal.Calm]). The verdict is unknown if the search stops.
func (w *worker) winInTwo(p *arimaa.Position, g *arimaa.Generator) (answer.Verdict, arimaa.Turn) {
	for _, t := range w.wins {
		if next, ok := p.Try(t); ok && w.forces(&next) {
			w.wins = recent.Add(w.wins, t, mostRecent)
			return answer.Proved, t
		}
	}
	side := p.Side()
	var skip arimaa.Skip
	if w.aim.Win() {
		skip = w.leaveOutKnown(side)
	}
	winner := -1
	g.LongestSkipping(p, skip, priority(side), func(from, to int) bool {
		winner = w.firstThatForces(g, side, from, to)
		return winner < 0 && !w.run.stop.Load()
	})
	switch {
	case winner >= 0:
		turn := g.Turn(winner)
		w.wins = recent.Add(w.wins, turn, mostRecent)
		return answer.Proved, turn
	case w.run.stop.Load():
		return answer.Unknown, arimaa.Turn{}
	}
	if w.aim.Win() {
		w.addPoints(p, g)
	}
	return answer.Disproved, arimaa.Turn{}
}

// firstThatForces returns the first of the turns from..to-1 of side that forces a win in two, or
// -1. With another aim than the win it does not ask the table of points, which knows of wins alone.
func (w *worker) firstThatForces(g *arimaa.Generator, side arimaa.Side, from, to int) int {
	win := w.aim.Win()
	for i := from; win && i < to; i++ {
		w.points.prefetch(pointKey(g.Key(i), side))
	}
	for i := from; i < to && !w.run.stop.Load(); i++ {
		k := pointKey(g.Key(i), side)
		if win && w.points.has(k, 0) {
			continue
		}
		w.after = g.Position(i, side)
		if w.forces(&w.after) {
			return i
		}
		if win { // then forces has not given up, even if the search stops meanwhile
			w.points.put(k, 0)
		}
	}
	return -1
}

// leaveOutKnown leaves out points from which no turn of side forces a win in two: those that the
// table knows and calm ones.
func (w *worker) leaveOutKnown(side arimaa.Side) arimaa.Skip {
	return func(points []arimaa.Point, left int) {
		for i := range points {
			w.points.prefetch(pointKey(points[i].Key(), side))
		}
		for i := range points {
			k := pointKey(points[i].Key(), side)
			if w.points.has(k, left) {
				points[i].LeaveOut()
			} else if goal.Calm(points[i].Board(), side, left) {
				w.points.put(k, left)
				points[i].LeaveOut()
			}
		}
	}
}

// leaveOutCalm leaves out calm points, from which no turn of side forces a win in two.
func leaveOutCalm(side arimaa.Side) arimaa.Skip {
	return arimaa.LeavingOut(func(b *arimaa.Board, left int) bool { return goal.Calm(b, side, left) })
}

// addPoints enters the points of a turn that forces no win, which g lists, with the steps that are
// left there. What g has left out the table knows already. The board at the start is no result of
// this turn, but it may be one of another turn that passes it, so it is asked about as well.
func (w *worker) addPoints(p *arimaa.Position, g *arimaa.Generator) {
	stays := p.EndTurn()
	if w.forces(&stays) {
		return
	}
	side := p.Side()
	w.points.put(pointKey(p.PiecesKey(), side), p.StepsLeft())
	for i := range g.Len() {
		if left := p.StepsLeft() - g.Steps(i); left > 0 {
			w.points.put(pointKey(g.Key(i), side), left)
		}
	}
}

// forces reports whether the attacker's turn that led to p, which has not won, leaves him a win
// with his next turn whatever the defender replies.
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

// hasLost reports whether the attacker has lost with the turn that led to p, which has not won.
func hasLost(p *arimaa.Position) bool {
	defender := p.Side()
	return p.Rabbits(defender)&arimaa.GoalRank(defender) != 0 || p.Rabbits(defender.Other()) == 0
}

// shorten removes steps from a turn that forces a win in 2 at p, one or two at a time, as long as
// the rest still does.
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

// priority rates boards inside a turn of side for [arimaa.Generator.Longest]: first by the rank of
// its most advanced rabbit, then by pieces, then by frozen pieces.
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
