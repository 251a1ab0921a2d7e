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
// attacker wins, fewest steps first. Where it does not get to the end, which stop then
// says, the list holds what was found so far, and nothing in it counts as essential.
func (s *Solver) All(ctx context.Context, q Question) (solutions []Solution, stop answer.Stop, err error) {
	s.nodes.Store(0)
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
		err = s.each(ctx, func(w *worker) {
			var p arimaa.Position // one for all: it does not stay on the stack
			for {
				i := int(next.Add(1)) - 1
				if i >= n || w.run.stop.Load() {
					return
				}
				p = turns.Position(i, side)
				var got numbers
				switch {
				case lost(&p):
					got = refuted
				case q.N == 2:
					got = refuted
					if w.keeps(&p) {
						got = proved
					}
				default:
					got = w.defend(&p, q.N-1, 1, numbers{infinite, infinite})
				}
				if !got.solved() {
					return
				}
				decided.Add(1)
				keeps[i] = got == proved // each worker writes its own elements
			}
		})
		if int(decided.Load()) < n {
			stop = stopOf(ctx)
		}
	}
	for i, ok := range keeps {
		if ok {
			solutions = append(solutions, Solution{Turn: turns.Turn(i), After: turns.Position(i, side)})
		}
	}
	if stop == answer.Finished {
		markEssential(&q.Position, turns, solutions)
	}
	return solutions, stop, err
}

// markEssential finds the essential ones in a complete list of solutions: those that no
// solution of fewer steps leads to within the turn. Turns are those of the root p.
func markEssential(p *arimaa.Position, turns *arimaa.Generator, solutions []Solution) {
	at := make(map[arimaa.Board]int, len(solutions))
	for i := range solutions {
		at[solutions[i].After.Board] = i
		solutions[i].Essential = true
	}
	var onward arimaa.Generator
	// unmark takes the mark from the solutions that can be reached from a point of the turn
	// that passes by a solution of so many steps.
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
	// A turn may also pass by a solution in the middle of a pull, and go on with its second half.
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
