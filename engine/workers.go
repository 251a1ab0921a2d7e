package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"goalproof/arimaa"
)

// news is what the workers of a run have found out: of the turns that they think best that of the greatest depth,
// and at the same depth the one with the best score.
type news struct {
	run    *run
	start  time.Time
	report func(Report) // nil: nobody is told

	mu    sync.Mutex
	known Report
	depth int // of known.Turn; more than known.Depth while it is under way
}

// tell changes what is known, and reports it. Reports come one at a time.
func (n *news) tell(change func(*Report)) {
	change(&n.known)
	n.known.Nodes, n.known.Time = n.run.nodes.Load(), time.Since(n.start)
	if n.report != nil {
		n.report(n.known)
	}
}

// next returns the least depth that no worker has searched completely, and the turn to begin with: the best one
// of the depth before, or none.
func (n *news) next() (depth int, first arimaa.Turn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.depth > 0 {
		first = n.known.Turn
	}
	return n.known.Depth + 1, first
}

// improved takes note of the best turn of a worker in the depth under way.
func (n *news) improved(w *worker) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if w.depth < n.depth || w.depth == n.depth && w.score <= n.known.Score {
		return
	}
	n.depth = w.depth
	n.tell(func(k *Report) {
		k.Turn, k.Line, k.Score = w.best, w.line(), w.score
		k.Depth, k.Deeper = w.depth-1, true
	})
}

// searched takes note of a depth that a worker has searched completely.
func (n *news) searched(depth int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if depth <= n.known.Depth {
		return
	}
	n.tell(func(k *Report) { k.Depth, k.Deeper = depth, false })
}

// marks tell each worker what the others are searching, so that it turns to something else first (Feldmann,
// Mysliwietz and Monien's young brothers wait, without the waiting; the marks after Tom Kerrigan's simplified
// ABDADA of 2017). Each is a part of a key. Where two fall together the earlier one is lost, and
// a worker may search what another is at, as it would without marks.
type marks [1 << 14]atomic.Uint64

func (m *marks) of(key uint64) *atomic.Uint64 { return &m[key%uint64(len(m))] }

// leastMarked is the least depth in steps of what is marked.
const leastMarked = 2

// mark marks what is to be searched after p as under way, and tells whether nobody else was at it. The mark is 0 where
// there is none to take away.
func (w *worker) mark(p *arimaa.Position, k int, ends bool) (mark uint64, free bool) {
	if mark = w.begins[k].within(p).Lo; ends {
		next := p.EndTurn()
		mark = next.Key().Lo
	}
	of := w.engine.marks.of(mark)
	if of.Load() == mark {
		return 0, false
	}
	of.Store(mark)
	return mark, true
}

// unmark takes back a mark, if it is still there.
func (w *worker) unmark(mark uint64) { w.engine.marks.of(mark).CompareAndSwap(mark, 0) }
