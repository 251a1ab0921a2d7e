package dfpns

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"goalproof/arimaa"
)

// listing hands out first turns to the workers that list solutions, and keeps what they find.
//
// A solution is certainly essential as soon as all turns of fewer steps that lead to it are
// refuted: only a solution among them could make it inessential. It is certainly not essential once
// one of them is a solution. So with [Question].Enough the turns that lead to a solution come next
// when it is found, and turns to which a solution leads come last.
type listing struct {
	mu      sync.Mutex
	keeps   []bool // by first turn: it is a solution
	decided int    // first turns

	// Without Enough:
	handed int // first turns handed out, in their order

	// With Enough:
	wanted  int
	certain int     // solutions that are certainly essential
	to      [][]int // by first turn: those of more steps to which it leads, some more than once
	from    [][]int // the reverse
	open    []int   // by first turn: how many of from are not decided
	idle    []bool  // by first turn: a solution leads to it
	taken   []bool  // by first turn: handed out
	queues  [3][]int
}

// The queues of a listing, in the order in which they are served: turns that lead to solutions, all
// turns, and those to which a solution leads.
const (
	leading = iota
	usual
	trailing
)

// plan prepares a listing that may end early: it finds out which turns lead to which, and puts the
// turns in order. First comes the known win, then threats, then the others. For N = 2 to look for
// threats takes as long as to decide.
func (s *Solver) plan(ctx context.Context, q Question, l *listing) error {
	n, side := s.turns.Len(), q.Position.Side()
	l.wanted = q.Enough
	l.to, l.from = make([][]int, n), make([][]int, n)
	l.open, l.idle, l.taken = make([]int, n), make([]bool, n), make([]bool, n)
	listed := make([]Solution, n)
	for i := range listed {
		listed[i] = Solution{Turn: s.turns.Turn(i), After: s.turns.Position(i, side)}
	}
	leads(&q.Position, &s.turns, listed, func(from, to int) {
		l.to[from] = append(l.to[from], to)
		l.from[to] = append(l.from[to], from)
		l.open[to]++
	})
	known, _, err := s.recall(q)
	if err != nil {
		return err
	}
	rank := make([]int, n) // a smaller one comes sooner
	if q.N > 2 {
		var next atomic.Int64
		err = s.each(ctx, 0, func(w *worker) {
			var p arimaa.Position
			for i := int(next.Add(1)) - 1; i < n && !w.run.stop.Load(); i = int(next.Add(1)) - 1 {
				if p = listed[i].After; w.threatens(&p) {
					rank[i] = -1 // each worker writes its own elements
				}
			}
		})
	}
	if after, ok := q.Position.Try(known.Turn); ok && known.Within > 0 {
		if i := slices.IndexFunc(listed, func(t Solution) bool { return t.After == after }); i >= 0 {
			rank[i] = -2
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank[a] - rank[b] })
	l.queues[usual] = order
	return err
}

// next returns a first turn to decide, unless all are handed out.
func (l *listing) next() (i int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wanted == 0 {
		l.handed++
		return l.handed - 1, l.handed <= len(l.keeps)
	}
	for k := range l.queues {
		for len(l.queues[k]) > 0 {
			i, l.queues[k] = l.queues[k][0], l.queues[k][1:]
			switch {
			case l.taken[i]:
			case k < trailing && l.idle[i]:
				l.queues[trailing] = append(l.queues[trailing], i)
			default:
				l.taken[i] = true
				return i, true
			}
		}
	}
	return 0, false
}

// decide records whether a first turn is a solution, and reports whether the listing may end.
func (l *listing) decide(i int, keeps bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.decided++
	l.keeps[i] = keeps
	if l.wanted == 0 {
		return false
	}
	if keeps {
		if !l.idle[i] {
			l.queues[leading] = append(l.queues[leading], l.from[i]...)
		}
		if l.essential(i) {
			l.certain++
		}
	}
	for _, k := range l.to[i] {
		l.open[k]--
		l.idle[k] = l.idle[k] || keeps
		if l.essential(k) {
			l.certain++
		}
	}
	return l.enough()
}

// essential reports whether a first turn is certainly an essential solution.
func (l *listing) essential(i int) bool { return l.keeps[i] && !l.idle[i] && l.open[i] == 0 }

// enough reports whether the listing may end before it is complete.
func (l *listing) enough() bool { return l.wanted > 0 && l.certain >= l.wanted }
