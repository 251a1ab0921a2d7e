package dfpns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"goalproof/arimaa"
)

// Turns says which of some first turns keep a win. They are numbered as [arimaa.Generator] lists
// the turns of the position.
type Turns struct {
	Win   int         // one that keeps the win, -1 if none is known to; with one the search ends
	Turn  arimaa.Turn // that with the number Win
	To    int         // those from this number on were not looked at
	Open  []OpenTurn  // the others that are not decided, or keep the win as well, in order
	Nodes uint64      // turns evaluated, of either side
}

// OpenTurn is a first turn at which a search has stopped.
type OpenTurn struct {
	Number int
	Nodes  uint64 // that it took so far
}

// Turns decides of the first turns with the numbers from to to-1 whether they keep a win within N,
// until one does. The workers share what they learn; each turn is searched by one of them, in
// order. The error says that there are no such turns, or is as that of [Solver.Solve].
func (s *Solver) Turns(ctx context.Context, q Question, from, to int) (r Turns, err error) {
	ctx = cmp.Or(ctx, context.Background())
	r = Turns{Win: -1, To: from}
	if err := q.check(); err != nil {
		return r, err
	}
	s.nodes.Store(0)
	if !q.Aim.Win() {
		return r, errAim
	}
	s.ask(q.Aim)
	if n := s.turns.Generate(&q.Position); from < 0 || from > to || to > n {
		return r, fmt.Errorf("the turns %d to %d of %d", from, to, n)
	}
	if q.N < 2 {
		return r, errors.New("whether a turn wins at once is no search")
	}
	s.used = true
	var next atomic.Int64
	next.Store(int64(from))
	var mu sync.Mutex
	err = s.each(ctx, 0, func(w *worker) {
		var after arimaa.Position // hoisted out of the loop: it escapes to the heap
		for !w.run.stop.Load() {
			i := int(next.Add(1)) - 1
			if i >= to {
				return
			}
			before := w.nodes
			after = s.turns.Position(i, q.Position.Side())
			got := w.keepsOrWins(&after, q.N)
			mu.Lock()
			r.To = max(r.To, i+1)
			switch {
			case got == proved && r.Win < 0:
				r.Win, r.Turn = i, s.turns.Turn(i)
				w.run.stop.Store(true)
			case got != disproved:
				r.Open = append(r.Open, OpenTurn{i, w.nodes - before})
			}
			mu.Unlock()
		}
	})
	slices.SortFunc(r.Open, func(a, b OpenTurn) int { return a.Number - b.Number })
	r.Nodes = s.nodes.Load()
	return r, err
}

// Killers returns the replies that refuted a turn lately, where the attacker had n turns left, the
// latest first.
func (s *Solver) Killers(n int) []arimaa.Turn { return slices.Clone(s.tables.killers.at(fullTree, n)) }

// TryFirst has replies be tried first, as [Solver.Killers] of another solver returns them. What
// they are worth shows; an illegal one does no harm.
func (s *Solver) TryFirst(n int, replies []arimaa.Turn) {
	for _, t := range slices.Backward(replies) {
		s.tables.killers.raise(fullTree, n, t)
	}
}

// keepsOrWins is keeps for a turn that may have won.
func (w *worker) keepsOrWins(p *arimaa.Position, n int) numbers {
	if attacker := p.Side().Other(); p.Board.Ended(attacker).WonBy(attacker) {
		return proved
	}
	return w.keeps(p, n)
}
