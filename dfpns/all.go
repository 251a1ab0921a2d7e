package dfpns

import (
	"context"
	"sync/atomic"

	"goalproof/answer"
	"goalproof/arimaa"
)

// Solution is a first turn that keeps a win in N.
type Solution struct {
	Turn  arimaa.Turn     // one with the fewest steps
	After arimaa.Position // before the defender's turn; it tells solutions apart
	// Essential solutions have no other one on the way: no turn that leads here passes by
	// a solution that takes fewer steps.
	Essential bool
}

// All finds every first turn that solves a question whose N is the least with which the
// attacker wins, fewest steps first. If the search stops early, stop says why, the list is not complete, and
// no solution in it is marked as essential.
func (s *Solver) All(ctx context.Context, q Question) (solutions []Solution, stop answer.Stop, err error) {
	s.nodes.Store(0)
	s.ask(q.Aim)
	if q.N == 1 && !q.Aim.Win() {
		return s.allNow(ctx, q)
	}
	turns := &s.turns
	side := q.Position.Side()
	n := turns.Generate(&q.Position)
	keeps := make([]bool, n)
	if q.N == 1 {
		for i := range n {
			o := turns.Board(i).Ended(side)
			keeps[i] = o.Over() && o.Winner == side
		}
	} else {
		var next atomic.Int64
		var decided atomic.Int64
		err = s.each(ctx, 0, func(w *worker) {
			var p arimaa.Position // one for all, because it escapes to the heap
			for {
				i := int(next.Add(1)) - 1
				if i >= n || w.run.stop.Load() {
					return
				}
				p = turns.Position(i, side)
				var got numbers
				switch {
				case hasLost(&p):
					got = disproved
				case q.N == 2:
					got = disproved
					if w.forces(&p) {
						got = proved
					}
				default:
					got = w.midAND(&p, q.N-1, 1, numbers{infinite, infinite})
				}
				if !got.solved() || w.run.stop.Load() && !q.Aim.Win() {
					return
				}
				decided.Add(1)
				keeps[i] = got == proved // each worker writes its own elements
			}
		})
		if int(decided.Load()) < n {
			stop = answer.StopOf(ctx)
		}
	}
	for i, ok := range keeps {
		if ok {
			solutions = append(solutions, Solution{Turn: turns.Turn(i), After: turns.Position(i, side)})
		}
	}
	if stop == answer.Finished {
		MarkEssential(&q.Position, turns, solutions)
	}
	return solutions, stop, err
}

// MarkEssential marks the essential ones in a complete list of solutions, or of turns that hold against a threat: those that
// none of fewer steps leads to within the turn. Turns are those of the root p.
func MarkEssential(p *arimaa.Position, turns *arimaa.Generator, solutions []Solution) {
	at := make(map[arimaa.Board]int, len(solutions))
	for i := range solutions {
		at[solutions[i].After.Board] = i
		solutions[i].Essential = true
	}
	var onward arimaa.Generator
	// unmark takes the mark from the solutions that can be reached from a point of the turn
	// after a solution with the given number of steps.
	unmark := func(from *arimaa.Position, steps int) {
		if i, ok := at[from.Board]; ok && solutions[i].Turn.Len() > steps {
			solutions[i].Essential = false
		}
		for k := range onward.Generate(from) {
			if i, ok := at[*onward.Board(k)]; ok && solutions[i].Turn.Len() > steps {
				solutions[i].Essential = false
			}
		}
	}
	for i := range solutions {
		steps := solutions[i].Turn.Len()
		from := solutions[i].After.EndTurn().WithStepsLeft(arimaa.StepsPerTurn - steps)
		unmark(&from, steps)
	}
	// A turn may also pass by a solution in the middle of a pull and continue with its second half.
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
				unmark(&whole, solutions[k].Turn.Len())
			}
		}
	}
}
