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
	// Essential solutions have no other one on the way: no solution of fewer steps can
	// be continued to this one within the same turn.
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
			for {
				i := int(next.Add(1)) - 1
				if i >= n || w.run.stop.Load() {
					return
				}
				p := turns.Position(i, side)
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
		markEssential(&q.Position, solutions)
	}
	return solutions, stop, err
}

// markEssential finds the essential ones in a complete list of solutions: those that no
// solution of fewer steps leads to within the turn.
func markEssential(p *arimaa.Position, solutions []Solution) {
	at := map[arimaa.Board]int{}
	for i := range solutions {
		at[solutions[i].After.Board] = i
		solutions[i].Essential = true
	}
	var onward arimaa.Generator
	for i := range solutions {
		steps := solutions[i].Turn.Len()
		on := solutions[i].After.EndTurn().WithStepsLeft(arimaa.StepsPerTurn - steps)
		for k := range onward.Generate(&on) {
			if j, ok := at[*onward.Board(k)]; ok && solutions[j].Turn.Len() > steps {
				solutions[j].Essential = false
			}
		}
	}
}
