package dfpns

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/tables"
)

// MaxTurns is the greatest N that can be asked for.
const MaxTurns = 200

// Question asks whether the side to move at the start of its turn, the attacker, wins
// within N of its turns. The third repetition is set aside.
type Question struct {
	Position arimaa.Position
	N        int // 1 to MaxTurns
}

// Result is what a search found out.
type Result struct {
	Verdict answer.Verdict
	Stop    answer.Stop // why the verdict is unknown
	Turn    arimaa.Turn // for Proved: a first turn that keeps the win
	Nodes   uint64      // turns looked at, of either side
}

// Solver searches. It keeps its memory, and the facts in it, from one search to the next. It
// serves one goroutine, but Nodes may be called from any.
type Solver struct {
	table   *tables.Table
	workers []*worker
	turns   arimaa.Generator // of the root, for all workers
	nodes   atomic.Uint64
}

// Options are what a solver has to work with.
type Options struct {
	// Facts and Numbers are the most bytes that the proof table and the transposition table
	// take. What the workers need for themselves, a few MiB each, comes on top.
	Facts, Numbers uint64
	Scheme         tables.Scheme // how entries are replaced; nil: tables.Greater
	Threads        int           // workers; at least one
	Store          tables.Store  // where facts last; nil: nowhere
	Epsilon        float64       // more than 0 and up to MaxEpsilon; 0: DefaultEpsilon
}

// The threshold of the best child exceeds the number of the second best by epsilon times that number
// (Pawlewicz and Lew 2007). It counts from wins in three on.
const (
	DefaultEpsilon = 0.25
	MaxEpsilon     = 100
)

// New returns a solver.
func New(o Options) *Solver {
	if o.Scheme == nil {
		o.Scheme = tables.Greater
	}
	if o.Epsilon == 0 {
		o.Epsilon = DefaultEpsilon
	}
	s := &Solver{table: tables.New(o.Facts, o.Numbers, o.Scheme)}
	for range max(o.Threads, 1) {
		s.workers = append(s.workers, &worker{table: s.table, store: o.Store, epsilon: o.Epsilon})
	}
	return s
}

// Forget empties the table and everything else that guides a search, so that the next
// one is as the first.
func (s *Solver) Forget() {
	s.table.Clear()
	for _, w := range s.workers {
		w.detector.Forget()
		w.wins, w.replies = recent{}, nil
	}
}

// Nodes returns the number of nodes of the search under way, or of the last one. It lags a
// little behind.
func (s *Solver) Nodes() uint64 { return s.nodes.Load() }

// run is a search under way, shared by the workers.
type run struct {
	stop  atomic.Bool // the search is decided, or the context is done
	nodes *atomic.Uint64
	mu    sync.Mutex
	err   error // a contradiction
}

// fail ends the search with an error.
func (r *run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	r.stop.Store(true)
}

// Solve searches until the question is decided or the context is done. A context with a
// deadline that passes stops it with answer.Time, another cancellation with
// answer.Interrupted. The error is a contradiction between facts, which only a bug or
// broken memory can cause, or one of the store.
func (s *Solver) Solve(ctx context.Context, q Question) (r Result, err error) {
	s.nodes.Store(1)
	w := s.workers[0]
	if t, ok := w.detector.CanWin(&q.Position, &q.Position.Board); ok {
		return Result{Verdict: answer.Proved, Turn: t, Nodes: 1}, nil
	}
	if q.N == 1 {
		return Result{Verdict: answer.Disproved, Nodes: 1}, nil
	}
	if r, err := s.recall(q); err != nil || r.Verdict != answer.Unknown {
		return r, err
	}
	if q.N == 2 {
		r.Verdict, r.Turn, err = s.two(ctx, &q.Position)
	} else {
		r.Verdict, r.Turn, err = s.deep(ctx, &q.Position, q.N)
	}
	r.Nodes = s.nodes.Load()
	if r.Verdict == answer.Unknown {
		r.Stop = stopOf(ctx)
	}
	return r, err
}

// recall answers a question that the tables or the store have decided.
func (s *Solver) recall(q Question) (r Result, err error) {
	w, run := s.workers[0], &run{nodes: &s.nodes}
	if q.N == 2 && w.store == nil {
		return r, nil // see two
	}
	w.begin(run)
	key := attackKey(&q.Position)
	e := w.table.Get(key)
	if _, ok := e.Solved(q.N); !ok {
		e.Fact = e.Fact.Merge(w.recall(&q.Position, key))
	}
	switch got, ok := known(&e, q.N); {
	case ok && got == refuted:
		r.Verdict = answer.Disproved
	case ok:
		if t, _, legal := q.Position.Decode(e.Turn); legal {
			r.Verdict, r.Turn = answer.Proved, t
		}
	}
	return r, run.err
}

// two decides a win in 2, given that there is none in 1. The workers share the turns, a batch
// at a time; what comes out is the first one in the generator's order that wins, however
// many workers there are, without its idle steps.
func (s *Solver) two(ctx context.Context, p *arimaa.Position) (verdict answer.Verdict, turn arimaa.Turn, err error) {
	r, done := s.begin(ctx)
	defer done()
	w := s.workers[0]
	winner := -1
	s.turns.Longest(p, promise(p.Side()), func(from, to int) bool {
		winner = s.firstThatKeeps(r, p.Side(), from, to)
		return winner < 0 && !r.stop.Load()
	})
	got := refuted
	switch {
	case winner >= 0:
		got, verdict, turn = proved, answer.Proved, w.shorten(p, s.turns.Turn(winner))
	case r.stop.Load():
		return answer.Unknown, turn, r.err
	default:
		verdict = answer.Disproved
	}
	// Not into the table: the first touch of its memory takes longer than many an answer.
	if s.nodes.Load() >= tables.WorthStoring {
		w.keep(p, w.fact(2, got, turn.Code()))
	}
	return verdict, turn, r.err
}

// firstThatKeeps returns the first of the turns from..to-1 that keeps a win in 2, or -1.
func (s *Solver) firstThatKeeps(r *run, side arimaa.Side, from, to int) int {
	var next, first atomic.Int64
	next.Store(int64(from))
	first.Store(int64(to))
	s.share(func(w *worker) {
		for i := next.Add(1) - 1; i < first.Load() && !r.stop.Load(); i = next.Add(1) - 1 {
			after := s.turns.Position(int(i), side)
			if !w.keeps(&after) {
				continue
			}
			for least := first.Load(); i < least && !first.CompareAndSwap(least, i); {
				least = first.Load()
			}
		}
	})
	if i := int(first.Load()); i < to {
		return i
	}
	return -1
}

// deep decides a win in n >= 3, given that there is none in 1.
func (s *Solver) deep(ctx context.Context, p *arimaa.Position, n int) (verdict answer.Verdict, turn arimaa.Turn, err error) {
	var mu sync.Mutex
	err = s.each(ctx, func(w *worker) {
		v, t := w.root(p, n)
		if v == answer.Unknown {
			return
		}
		w.run.stop.Store(true)
		mu.Lock()
		defer mu.Unlock()
		if verdict == answer.Unknown {
			verdict, turn = v, t
		}
	})
	return verdict, turn, err
}

// Keeps decides whether a turn of the side to move wins within q.N turns, itself the first of them.
// One that is not legal does not.
func (s *Solver) Keeps(ctx context.Context, q Question, t arimaa.Turn) (r Result, err error) {
	s.nodes.Store(1)
	r.Turn, r.Nodes = t, 1
	after, legal := q.Position.Try(t)
	if !legal {
		r.Verdict = answer.Disproved
		return r, nil
	}
	if o := after.Board.Ended(q.Position.Side()); o.Over() || q.N == 1 {
		r.Verdict = answer.Disproved
		if o.Over() && o.Winner == q.Position.Side() {
			r.Verdict = answer.Proved
		}
		return r, nil
	}
	var mu sync.Mutex
	err = s.each(ctx, func(w *worker) {
		got := w.defend(&after, q.N-1, 1, numbers{infinite, infinite})
		if !got.solved() {
			return
		}
		w.run.stop.Store(true)
		mu.Lock()
		defer mu.Unlock()
		if r.Verdict = answer.Disproved; got == proved {
			r.Verdict = answer.Proved
		}
	})
	r.Nodes = s.nodes.Load()
	if r.Verdict == answer.Unknown {
		r.Stop = stopOf(ctx)
	}
	return r, err
}

func stopOf(ctx context.Context) answer.Stop {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return answer.Time
	}
	return answer.Interrupted
}

// begin prepares a run that ends with the context; done is to be called after it, and does
// not wait for anything.
func (s *Solver) begin(ctx context.Context) (r *run, done func() bool) {
	r = &run{nodes: &s.nodes}
	for _, w := range s.workers {
		w.begin(r)
	}
	r.stop.Store(ctx.Err() != nil) // the function may come late
	return r, context.AfterFunc(ctx, func() { r.stop.Store(true) })
}

// share does a part of a run on all workers and waits for them.
func (s *Solver) share(search func(*worker)) {
	var wait sync.WaitGroup
	for _, w := range s.workers[1:] {
		wait.Go(func() { w.work(search) })
	}
	s.workers[0].work(search)
	wait.Wait()
}

// each makes a run of one search on all workers.
func (s *Solver) each(ctx context.Context, search func(*worker)) error {
	r, done := s.begin(ctx)
	defer done()
	s.share(search)
	return r.err
}

// worker is one of the goroutines of a search. Everything in it is its own, except the
// table and the run.
type worker struct {
	table    *tables.Table
	store    tables.Store // nil: none
	epsilon  float64
	packed   []byte // key of a position in it
	run      *run
	detector goal.Detector
	nodes    uint64 // looked at in this search
	reported uint64 // of them
	frames   []*frame
	wins     recent   // first turns of wins in 2
	replies  []recent // replies that refuted, by the turns that the attacker had left
}

func (w *worker) begin(r *run) { w.run, w.nodes, w.reported = r, 0, 0 }

func (w *worker) work(search func(*worker)) {
	search(w)
	w.report()
}

// look counts a look at a turn of the attacker, and reports now and then.
func (w *worker) look() {
	if w.nodes += 1 + w.detector.Looked(); w.nodes-w.reported >= 1<<10 {
		w.report()
	}
}

func (w *worker) report() {
	w.run.nodes.Add(w.nodes - w.reported)
	w.reported = w.nodes
}

// recent is a short list of turns, the latest successful first.
type recent struct {
	turns [6]arimaa.Turn
	n     int
}

// add puts a turn in front. It leaves its old place, or the last one is forgotten when the list is full.
func (r *recent) add(t arimaa.Turn) {
	i := 0
	for i < r.n && r.turns[i] != t {
		i++
	}
	if i == r.n {
		r.n = min(r.n+1, len(r.turns))
		i = r.n - 1
	}
	copy(r.turns[1:i+1], r.turns[:i])
	r.turns[0] = t
}
