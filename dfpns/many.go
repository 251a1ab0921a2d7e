package dfpns

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
)

// Wins decides of many positions, each with the attacker to move at the start of his turn and the
// game not over, whether he wins within n turns. The workers share the positions and what they
// learn from them; each position is searched by one worker, in the order given. Wins calls decided
// once for each position that it decides, with its index, never twice at the same time. If the
// search stops early, stop says why. The error is as that of [Solver.Solve].
func (s *Solver) Wins(ctx context.Context, positions []arimaa.Position, n int, decided func(i int, wins bool)) (stop answer.Stop, err error) {
	ctx = cmp.Or(ctx, context.Background())
	if err := checkTurns(n); err != nil {
		return answer.Finished, err
	}
	for i := range positions {
		if err := positions[i].CheckStart(); err != nil {
			return answer.Finished, fmt.Errorf("position %d: %w", i, err)
		}
	}
	s.nodes.Store(0)
	s.ask(goal.Aim{})
	s.used = true
	var next atomic.Int64
	var mu sync.Mutex
	left := len(positions)
	err = s.each(ctx, 0, func(w *worker) {
		for i := int(next.Add(1)) - 1; i < len(positions) && !w.run.stop.Load(); i = int(next.Add(1)) - 1 {
			got := w.decide(&positions[i], n)
			if !got.solved() {
				return
			}
			mu.Lock()
			left--
			decided(i, got == proved)
			mu.Unlock()
		}
	})
	if left > 0 {
		stop = answer.StopOf(ctx)
	}
	return stop, err
}

// decide searches for a win of the attacker, to move at p, within n turns. The numbers are open if
// the search stops. Threats come first, which find a win sooner, and rarely take long to fail.
func (w *worker) decide(p *arimaa.Position, n int) numbers {
	w.visit()
	if _, wins := w.detector.CanWin(p, &p.Board); wins {
		return proved
	} else if n == 1 {
		return disproved
	}
	if got, known := w.tabled(p, p.Side(), n); known {
		return got
	}
	if n > 2 { // wins in two are decided as a whole
		if got := w.mid(node{at: p, tree: threatTree, turns: n}, unlimited); got.numbers == proved {
			return proved
		}
	}
	return w.mid(node{at: p, turns: n}, unlimited).numbers
}
