package dfpns

import (
	"cmp"
	"context"

	"goalproof/answer"
	"goalproof/arimaa"
)

// Solution is a first turn that keeps a win in N.
type Solution struct {
	Turn  arimaa.Turn     // one with the fewest steps
	After arimaa.Position // before the defender's turn; different for each solution
	// Essential: no other solution lies on the way. No turn that leads here passes by a solution
	// that takes fewer steps.
	Essential bool
}

// All finds every first turn that solves a question whose N is the least with which the attacker
// wins, fewest steps first. If the search stops early, stop says why, the list is not complete, and
// no solution in it is marked as essential. With [Question].Enough it may end before it is
// complete. The list is void if there is an error, which is that of [Solver.Solve].
func (s *Solver) All(ctx context.Context, q Question) (solutions []Solution, stop answer.Stop, err error) {
	ctx = cmp.Or(ctx, context.Background())
	if err := q.check(); err != nil {
		return nil, answer.Finished, err
	}
	s.nodes.Store(0)
	s.ask(q.Aim)
	if q.N == 1 && !q.Aim.Win() {
		return s.allNow(ctx, q)
	}
	side := q.Position.Side()
	var skip arimaa.Skip
	if q.N == 2 && q.Aim.Win() {
		skip = leaveOutCalm(side)
	}
	l := listing{keeps: make([]bool, s.turns.Skipping(&q.Position, skip))}
	if q.N == 1 {
		for i := range l.keeps {
			l.keeps[i] = s.turns.Board(i).Ended(side).WonBy(side)
		}
	} else if stop, err = s.decideTurns(ctx, q, &l); err != nil {
		return nil, stop, err
	}
	for i, keeps := range l.keeps {
		if keeps {
			essential := l.enough() && l.essential(i)
			solutions = append(solutions, Solution{Turn: s.turns.Turn(i), After: s.turns.Position(i, side), Essential: essential})
		}
	}
	if stop == answer.Finished && !l.enough() {
		MarkEssential(&q.Position, &s.turns, solutions)
	}
	return solutions, stop, err
}

// decideTurns decides the turns of a listing, all of them or until enough solutions are certain;
// stop says why others are missing.
func (s *Solver) decideTurns(ctx context.Context, q Question, l *listing) (stop answer.Stop, err error) {
	if q.Enough > 0 {
		if err := s.plan(ctx, q, l); err != nil {
			return stop, err
		}
	}
	err = s.each(ctx, 0, func(w *worker) {
		var after arimaa.Position // hoisted out of the loop: it escapes to the heap
		for i, ok := l.next(); ok && !w.run.stop.Load(); i, ok = l.next() {
			after = s.turns.Position(i, q.Position.Side())
			got := w.keeps(&after, q.N)
			if !got.solved() {
				return
			}
			if l.decide(i, got == proved) {
				w.run.stop.Store(true)
			}
		}
	})
	if l.decided < len(l.keeps) && !l.enough() {
		stop = answer.StopOf(ctx)
	}
	return stop, err
}

// keeps decides whether the turn of the attacker that led to p, and has not won, keeps a win within
// n >= 2 turns, itself the first of them. The numbers are open if the search stops.
func (w *worker) keeps(p *arimaa.Position, n int) numbers {
	got := disproved
	switch {
	case hasLost(p):
	case n > 2:
		got = w.mid(node{at: p, and: true, turns: n - 1, depth: 1}, unlimited).numbers
	case w.forces(p):
		got = proved
	}
	if w.run.stop.Load() && !w.aim.Win() {
		return fresh // with another aim forces gives up
	}
	return got
}

// MarkEssential marks the essential ones in a complete list of solutions, or of turns that hold
// against a threat: those to which no listed turn of fewer steps leads. Turns are those of the root
// p.
func MarkEssential(p *arimaa.Position, turns *arimaa.Generator, solutions []Solution) {
	for i := range solutions {
		solutions[i].Essential = true
	}
	leads(p, turns, solutions, func(_, to int) { solutions[to].Essential = false })
}

// leads calls lead for each two of the listed turns of which the first takes fewer steps and a turn
// may pass by it on the way to the second; for some of them more than once. Turns are those of the
// root p.
func leads(p *arimaa.Position, turns *arimaa.Generator, listed []Solution, lead func(from, to int)) {
	at := make(map[arimaa.Board]int, len(listed))
	for i := range listed {
		at[listed[i].After.Board] = i
	}
	var onward arimaa.Generator
	// follow goes to what can be reached from a point of the turn that has passed by listed[k].
	follow := func(k int, from *arimaa.Position) {
		reach := func(b *arimaa.Board) {
			if i, ok := at[*b]; ok && listed[i].Turn.Len() > listed[k].Turn.Len() {
				lead(k, i)
			}
		}
		reach(&from.Board)
		for i := range onward.Generate(from) {
			reach(onward.Board(i))
		}
	}
	for k := range listed {
		from := listed[k].After.EndTurn().WithStepsLeft(arimaa.StepsPerTurn - listed[k].Turn.Len())
		follow(k, &from)
	}
	// A turn may also pass by one in the middle of a pull and continue with its second half.
	var options []arimaa.Option
	for i := -1; i < turns.Len(); i++ {
		from := *p
		if i >= 0 {
			from = turns.Position(i, p.Side()).EndTurn().WithStepsLeft(arimaa.StepsPerTurn - turns.Steps(i))
		}
		if from.StepsLeft() < 2 {
			break // fewer steps come first
		}
		options = from.Options(options[:0])
		for _, o := range options {
			if !o.IsPull() {
				continue
			}
			half := from.After(arimaa.SingleStep(o.First()))
			if k, ok := at[half.Board]; ok {
				whole := from.After(o)
				follow(k, &whole)
			}
		}
	}
}
