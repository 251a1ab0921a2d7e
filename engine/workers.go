package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"goalproof/arimaa"
)

// news is what the workers of a run have found out together. They search one depth at a time: what counts of it
// is the best turn that any of them has found, and the first of them who has searched it completely ends it for all.
type news struct {
	run    *run
	start  time.Time
	report func(Report) // nil: nobody is told
	done   atomic.Int32 // known.Depth, to be read without mu

	mu    sync.Mutex
	known Report
}

// tell changes what is known, and reports it. The caller has locked mu, or there are no workers yet.
func (n *news) tell(change func(*Report)) {
	change(&n.known)
	n.known.Nodes, n.known.Time = n.run.nodes.Load(), time.Since(n.start)
	if n.report != nil {
		n.report(n.known)
	}
}

// next returns the depth to search, and the turn to begin with: the best one that is known, if any.
func (n *news) next() (depth int, first arimaa.Turn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.known.Depth > 0 || n.known.Deeper {
		first = n.known.Turn
	}
	return n.known.Depth + 1, first
}

// improved takes note of the best turn of a worker so far in its depth.
func (n *news) improved(w *worker) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if w.depth <= n.known.Depth || n.known.Deeper && w.score <= n.known.Score {
		return
	}
	n.tell(func(k *Report) { k.Turn, k.Line, k.Score, k.Deeper = w.best, w.line(), w.score, true })
}

// searched takes note that a worker has searched a depth completely, and tells whether that is the end: it is won, or
// lost whatever is played.
func (n *news) searched(depth int) (decided bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if depth <= n.known.Depth {
		return false
	}
	n.tell(func(k *Report) { k.Depth, k.Deeper = depth, false })
	n.done.Store(int32(depth))
	score := n.known.Score
	return score >= Won || score <= -Won && win+score <= 2*arimaa.StepsPerTurn
}

// marks tell each worker what the others are searching, so that it turns to something else first: the ABDADA
// algorithm (J.-C. Weill 1996) as T. Kerrigan simplified it, with a table of marks beside that of scores. Each
// mark is a part of a key. Where two fall together the earlier one is lost, and a worker may search what
// another is at, as it would without marks.
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
