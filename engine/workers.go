package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"goalproof/arimaa"
)

// shared is the result that the workers of a run share. They search one depth at a time: the best
// turn that any of them finds is the result, and the first to complete the depth ends it for all.
type shared struct {
	run    *run
	start  time.Time
	report func(Report) // may be nil
	done   atomic.Int32 // best.Depth, for readers without mu

	mu   sync.Mutex
	best Report
	need need
}

// publish changes and reports the result. The caller holds mu, unless the workers have not started.
func (s *shared) publish(change func(*Report)) {
	change(&s.best)
	s.best.Nodes, s.best.Time = s.run.nodes.Load(), time.Since(s.start)
	if s.report != nil {
		s.report(s.best)
	}
}

// next returns the depth to search and the turn to search first, if one is known.
func (s *shared) next() (depth int, first arimaa.Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.best.Depth > 0 || s.best.Deeper {
		first = s.best.Turn
	}
	return s.best.Depth + 1, first
}

// improve takes over the best turn of a worker in its depth, if it is the best of all.
func (s *shared) improve(w *worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.depth <= s.best.Depth || s.best.Deeper && w.score <= s.best.Score {
		return
	}
	s.publish(func(r *Report) { r.Turn, r.Line, r.Score, r.Deeper = w.best, w.line(), w.score, true })
}

// complete records that a worker has completed a depth. It reports whether the search is over: the
// game is won, or lost next turn whatever is played, or there is too little time for another depth.
func (s *shared) complete(depth int) (decided bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if depth <= s.best.Depth {
		return false
	}
	s.publish(func(r *Report) { r.Depth, r.Deeper = depth, false })
	s.done.Store(int32(depth))
	s.need.completed(&s.best)
	if s.run.limits.Aim > 0 && time.Since(s.start) > s.deadline()*nextDepth/100 {
		return true
	}
	score := s.best.Score
	return score >= Won || score <= -Won && win+score <= 2*arimaa.StepsPerTurn
}

// marks tell each worker what the others are searching, so that it defers those moves: ABDADA
// (J.-C. Weill 1996) as simplified by T. Kerrigan, with a table of marks beside the transposition
// table. A mark is a part of a key. When two collide the earlier one is lost, and two workers may
// search the same node, as they would without marks.
type marks [1 << 14]atomic.Uint64

func (m *marks) slot(key uint64) *atomic.Uint64 { return &m[key%uint64(len(m))] }

// minMarkedDepth is the least depth that is marked, in steps.
const minMarkedDepth = 2

// mark marks a child as being searched, and reports whether no other worker is searching it. The
// mark is 0 if there is none to remove.
func (w *worker) mark(c *child) (mark uint64, free bool) {
	if w.engine.marks == nil || c.depth < minMarkedDepth {
		return 0, true
	}
	if mark = w.turnRoots[c.k].pointKey(c.p).Lo; c.ends {
		next := c.p.EndTurn()
		mark = next.Key().Lo
	}
	of := w.engine.marks.slot(mark)
	if of.Load() == mark {
		return 0, false
	}
	of.Store(mark)
	return mark, true
}

// unmark removes a mark, unless another has replaced it.
func (w *worker) unmark(mark uint64) {
	if mark != 0 {
		w.engine.marks.slot(mark).CompareAndSwap(mark, 0)
	}
}
