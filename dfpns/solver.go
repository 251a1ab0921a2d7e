package dfpns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/tables"
	"goalproof/tables/endgame"
	"goalproof/zobrist"
)

// MaxTurns is the greatest N that can be asked for.
const MaxTurns = 200

// Question asks whether the side to move at the start of its turn, the attacker, wins within N of
// its turns, or reaches another aim. The third repetition is set aside.
type Question struct {
	Position arimaa.Position
	N        int // 1 to MaxTurns
	// Aim is what the attacker is to reach; the zero value is the win. For another aim "win" means
	// that he reaches it, wherever this package says it of an answer; the store and the endgame
	// tables, which know of wins alone, are not used.
	Aim goal.Aim
	// Longest, if it is more than N, lets a longer win end the search as well: one within this
	// number of turns, at most MaxTurns, that is found before N is decided. It takes effect from N
	// = 3 on.
	Longest int
	// Threats ends a search for a win in three turns and more, or a loss, once threats alone do not
	// win within N and Longest turns: without a verdict, unless the tables or the store have one.
	// SolveTurn and All ignore it.
	Threats bool
	// Enough, if it is more than 0, lets [Solver.All] end once this many solutions are certainly
	// essential. If at least as many are marked in its list, others may be missing, and more of
	// those in it may be essential.
	Enough int
}

// check returns an error for a position or an aim that is not valid, or an N or Longest out of
// range.
func (q *Question) check() error {
	if err := q.Position.CheckStart(); err != nil {
		return err
	}
	return cmp.Or(q.Aim.Check(), checkTurns(q.N), checkTurns(max(q.Longest, 1)))
}

// checkTurns returns an error if a number of turns is out of range.
func checkTurns(n int) error {
	if n < 1 || n > MaxTurns {
		return fmt.Errorf("a win in %d cannot be asked for: the number of turns is 1 to %d", n, MaxTurns)
	}
	return nil
}

// Result is the result of a search.
type Result struct {
	Verdict answer.Verdict
	// Stop says why the verdict is unknown: Finished if a longer win was found or, with Threats, if
	// they do not win.
	Stop answer.Stop
	// Within is the number of turns within which the attacker is known to win; 0 if no win has been
	// found. It is at most N if the verdict is Proved, and may be more if it is Unknown.
	Within int
	Turn   arimaa.Turn // a first turn that keeps the win
	Nodes  uint64      // turns evaluated, of either side
}

// Solver searches. It keeps its memory, and the facts in it, from one search to the next. It serves
// one goroutine, but Nodes may be called from any. It comes from [New]. The methods that take a
// question return an error if its position, number of turns or aim is not valid. A nil context sets
// no limit.
type Solver struct {
	tables  Tables
	workers []*worker
	turns   arimaa.Generator // of the root, for all workers
	used    bool             // there may be something in the tables
	options Options
	nodes   atomic.Uint64
}

// Tables are the memory of a solver. Several may share it, and search at the same time, each its own
// question: what one has found the others know.
type Tables struct {
	full    *tables.Table // facts, and numbers of the full tree
	threats *tables.Table // what threats alone do not win, and numbers of the threat tree
	points  *points       // points within turns that force no win in 2
	killers *killers
}

// NewTables returns empty tables. Facts and numbers are the greatest sizes, in bytes, of the proof
// table and the transposition table, with a share of each for the threat tree and for points within
// turns. With 0 a table has room for a few entries.
func NewTables(facts, numbers uint64) *Tables { return newTables(facts, numbers, tables.Greater) }

func newTables(facts, numbers uint64, scheme tables.Scheme) *Tables {
	facted, numbered, threats := facts/pointShare, numbers/pointShare, numbers/threatShare
	return &Tables{
		full:    tables.New(facts-facted, numbers-numbered-threats, scheme),
		threats: tables.New(threats/2, threats/2, scheme),
		points:  newPoints(facted + numbered),
		killers: new(killers),
	}
}

// Options are the resources and parameters of a solver.
type Options struct {
	// Facts and Numbers are those of [NewTables]. The workers need a few MiB each in addition.
	Facts, Numbers uint64
	Scheme         tables.Scheme // how entries are replaced; nil: tables.Greater
	Tables         *Tables       // to be shared with other solvers; nil: its own. None of them may Forget.
	Threads        int           // workers; 0: one
	Store          tables.Store  // facts on disk; nil: none
	Epsilon        float64       // more than 0 and up to MaxEpsilon; 0: DefaultEpsilon
	// Endgames are asked about the positions below the root; nil: none. A damaged table is ignored.
	Endgames *endgame.Tables
}

// Threshold margin epsilon over the second-best child (the 1+epsilon rule, Pawlewicz and Lew 2007).
// It takes effect from wins in three on.
const (
	DefaultEpsilon = 0.25
	MaxEpsilon     = 100
)

// threatShare is the part of the memory for numbers that goes to the threat tree, as a divisor. It
// has few nodes, and each takes long.
const threatShare = 8

// pointShare is the part of the memory for facts and of that for numbers that goes to the points
// within turns, as a divisor.
const pointShare = 4

// New returns a solver.
func New(o Options) *Solver {
	if o.Epsilon == 0 {
		o.Epsilon = DefaultEpsilon
	}
	if o.Scheme == nil {
		o.Scheme = tables.Greater
	}
	s := &Solver{options: o, used: o.Tables != nil}
	if o.Tables == nil {
		o.Tables = newTables(o.Facts, o.Numbers, o.Scheme)
	}
	s.tables = *o.Tables
	for range max(o.Threads, 1) {
		s.workers = append(s.workers, &worker{Tables: s.tables, epsilon: o.Epsilon})
	}
	return s
}

// ask prepares the workers for a question about an aim.
func (s *Solver) ask(a goal.Aim) {
	for _, w := range s.workers {
		w.aim, w.aimKey = a, a.Key()
		w.store, w.endgames = nil, nil
		if a.Win() {
			w.store, w.endgames = s.options.Store, s.options.Endgames
		}
	}
}

// errAim is the error of a question about an aim that the method cannot decide.
var errAim = errors.New("only a win can be asked for in this way")

// Forget empties the tables and the lists of recent turns, so that the next search starts as the
// first did.
func (s *Solver) Forget() {
	s.used = false
	s.tables.full.Clear()
	s.tables.threats.Clear()
	s.tables.points.clear()
	s.tables.killers.clear()
	for _, w := range s.workers {
		w.detector.Forget()
		w.wins, w.attacks = nil, nil
		w.captures, w.refutations = nil, nil
	}
}

// Nodes returns the number of nodes of the current search, or of the last one. It lags a little
// behind.
func (s *Solver) Nodes() uint64 { return s.nodes.Load() }

// run is the current search, shared by the workers.
type run struct {
	stop   atomic.Bool // set when the search is decided, the context is done or the effort is spent
	nodes  *atomic.Uint64
	limit  uint64         // of nodes, for one pass; 0: none
	budget *answer.Budget // of the question; nil: none
	mu     sync.Mutex
	err    error // a contradiction
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

// Solve searches until the question is decided or the context is done; then the result says why
// ([answer.StopOf]). The error is a contradiction between facts, which only a bug or broken memory
// can cause, or one of the store.
func (s *Solver) Solve(ctx context.Context, q Question) (r Result, err error) {
	ctx = cmp.Or(ctx, context.Background())
	if err := q.check(); err != nil {
		return Result{}, err
	}
	s.nodes.Store(1)
	s.ask(q.Aim)
	if t, ok, stopped := s.reachNow(ctx, q); ok {
		return Result{Verdict: answer.Proved, Within: 1, Turn: t, Nodes: 1}, nil
	} else if stopped {
		return Result{Stop: answer.StopOf(ctx), Nodes: 1}, nil
	}
	if q.N == 1 {
		return Result{Verdict: answer.Disproved, Nodes: 1}, nil
	}
	r, stored, err := s.recall(q)
	if stored || err != nil {
		return r, err
	}
	if r.Verdict == answer.Unknown && r.Within == 0 {
		if q.N == 2 {
			r.Verdict, r.Turn, err = s.winInTwo(ctx, &q.Position)
			if r.Verdict == answer.Proved {
				r.Within = 2
			}
		} else {
			r, err = s.winInMore(ctx, q)
		}
		r.Nodes = s.nodes.Load()
		if r.Verdict == answer.Unknown && r.Within == 0 && (!q.Threats || ctx.Err() != nil) {
			r.Stop = answer.StopOf(ctx)
		}
	}
	if err == nil {
		err = s.putRoot(q, r)
	}
	return r, err
}

// reachNow reports whether the attacker reaches the aim with his first turn. If it has stopped
// before it knows, ok is false.
func (s *Solver) reachNow(ctx context.Context, q Question) (t arimaa.Turn, ok, stopped bool) {
	w := s.workers[0]
	if q.Aim.Win() {
		t, ok = w.detector.CanWin(&q.Position, &q.Position.Board)
		return t, ok, false
	}
	r, done := s.begin(ctx)
	defer done()
	t, ok = w.detector.Reach(&q.Position, q.Aim)
	return t, ok, !ok && r.stop.Load()
}

// putRoot hands the answer to a question to the store, however little work it took: it will be
// asked again. The worker that answered may have kept nothing, since others did the work, or the
// table had it from an earlier question.
func (s *Solver) putRoot(q Question, r Result) error {
	w := s.workers[0]
	if w.store == nil {
		return nil
	}
	f := tables.Nothing
	if r.Within > 0 {
		f.ProvedWithin, f.Turn = uint8(r.Within), r.Turn.Code()
	}
	if r.Verdict == answer.Disproved {
		f.RefutedUpTo = uint8(q.N)
	}
	if !f.Known() {
		return nil
	}
	return w.store.Put(q.Position.AppendPacked(nil), f)
}

// recall answers a question if the tables or the store do, and reports whether the store did.
func (s *Solver) recall(q Question) (r Result, stored bool, err error) {
	w, run := s.workers[0], &run{nodes: &s.nodes}
	if q.N == 2 && w.store == nil && !s.used {
		return r, false, nil // first touching the memory of the tables takes longer than many searches
	}
	w.begin(run)
	key := w.attackKey(&q.Position)
	e := w.full.Get(key)
	answers := func(f tables.Fact) bool {
		return int(f.RefutedUpTo) >= q.N || int(f.ProvedWithin) <= max(q.N, q.Longest)
	}
	if !answers(e.Fact) {
		e.Fact = e.Fact.Merge(w.recall(&q.Position, key))
		stored = answers(e.Fact)
	}
	if int(e.RefutedUpTo) >= q.N {
		r.Verdict = answer.Disproved
	}
	if n := int(e.ProvedWithin); n <= max(q.N, q.Longest) {
		if t, _, legal := q.Position.Decode(e.Turn); legal {
			if r.Within, r.Turn = n, t; n <= q.N {
				r.Verdict = answer.Proved
			}
		}
	}
	return r, stored && (r.Verdict != answer.Unknown || r.Within > 0), run.err
}

// winInTwo decides a win in 2, given that there is none in 1. The workers share the turns, a batch
// at a time. The result is the first winning turn in the generator's order, whatever the number of
// workers, without its idle steps.
func (s *Solver) winInTwo(ctx context.Context, p *arimaa.Position) (verdict answer.Verdict, turn arimaa.Turn, err error) {
	r, done := s.begin(ctx)
	defer done()
	w := s.workers[0]
	winner := -1
	skip := leaveOutCalm(p.Side())
	if !w.aim.Win() {
		skip = nil
	}
	// Half of the published wins are found within 31 turns: most calm points need not be found
	// before them.
	s.turns.LongestLate(p, skip, priority(p.Side()), func(from, to int) bool {
		winner = s.firstThatForces(r, p.Side(), from, to)
		return winner < 0 && !r.stop.Load()
	})
	switch {
	case winner >= 0:
		verdict, turn = answer.Proved, w.shorten(p, s.turns.Turn(winner))
	case !r.stop.Load():
		verdict = answer.Disproved
	}
	// The fact does not go into the table: first touching its memory takes longer than many
	// searches.
	return verdict, turn, r.err
}

// firstThatForces returns the first of the turns from..to-1 that forces a win in 2, or -1.
func (s *Solver) firstThatForces(r *run, side arimaa.Side, from, to int) int {
	var next, first atomic.Int64
	next.Store(int64(from))
	first.Store(int64(to))
	s.share(func(w *worker) {
		var after arimaa.Position // hoisted out of the loop: it escapes to the heap
		for i := next.Add(1) - 1; i < first.Load() && !r.stop.Load(); i = next.Add(1) - 1 {
			after = s.turns.Position(int(i), side)
			if !w.forces(&after) {
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

// The effort of the first pass, in nodes, and the factor from one round to the next. Each pass
// begins at the root, and an OR node of the threat tree takes milliseconds to expand, so there
// should be few.
const (
	firstEffort  = 1 << 18
	effortGrowth = 4
)

// winInMore decides a win in N >= 3, given that there is none in 1.
func (s *Solver) winInMore(ctx context.Context, q Question) (r Result, err error) {
	p := &q.Position
	by := searches{
		threats: func(w *worker, n int) outcome {
			return w.mid(node{at: p, tree: threatTree, turns: n}, unlimited)
		},
		full: func(w *worker) outcome { return w.mid(node{at: p, turns: q.N}, unlimited) },
	}
	var got outcome
	if q.Aim.Win() {
		got, err = s.alternate(ctx, q, by)
	} else {
		s.used = true
		got, err = s.pass(ctx, 0, by.full) // the threat tree is one of threats to win
	}
	switch {
	case err != nil:
		return r, err
	case got.numbers == disproved:
		r.Verdict = answer.Disproved
	case got.numbers == proved:
		if e := s.tables.full.Get(s.workers[0].attackKey(p)); e.ProvedWithin < got.bound && e.Turn != 0 {
			got.bound, got.turn = e.ProvedWithin, e.Turn
		}
		if t, _, ok := p.Decode(got.turn); ok {
			if r.Within, r.Turn = int(got.bound), t; r.Within <= q.N {
				r.Verdict = answer.Proved
			}
		}
	}
	return r, nil
}

// searches are the two searches from a root: by threats, for a win within n turns, and over all
// turns, for N.
type searches struct {
	threats func(w *worker, n int) outcome
	full    func(w *worker) outcome
}

// alternate runs three passes in rounds, each round with more effort: one by threats alone for a
// win in few turns; one over all turns, for N; and one by threats for a win in many turns, because
// to disprove few turns may take longer than to find a win in more. The search ends when a pass
// finds a win, or the full one disproves N. Once the attacker has run out of threats all effort
// goes to the full search; if only threats are asked for there is none, and the search ends. Where
// no more than fewThreats turns are asked for, both passes by threats would be the same, so the
// second is left out.
func (s *Solver) alternate(ctx context.Context, q Question, by searches) (got outcome, err error) {
	s.used = true
	longest := max(q.N, q.Longest)
	ruledOut := 2 // the greatest number of turns in which threats do not win
	threats := func(n int, effort uint64) (got outcome, err error) {
		got.numbers = fresh
		for effort += s.nodes.Load(); ruledOut < longest && s.nodes.Load() < effort && ctx.Err() == nil; n += 2 {
			n = min(max(n, ruledOut+1), longest)
			got, err = s.pass(ctx, effort-s.nodes.Load(), func(w *worker) outcome { return by.threats(w, n) })
			if err != nil || got.numbers != disproved {
				return got, err
			}
			ruledOut = int(got.bound)
		}
		return outcome{numbers: fresh}, nil
	}
	few := fewThreats
	if q.Threats {
		few = q.N // no other search may find a win that ends with two quiet turns
	}
	for effort := uint64(firstEffort); ctx.Err() == nil; effort *= effortGrowth {
		got, err = threats(few, effort)
		if q.Threats && err == nil && ruledOut >= longest {
			return outcome{numbers: fresh}, nil
		}
		if err == nil && got.numbers != proved && !q.Threats {
			limit := effort
			if ruledOut >= longest {
				limit = 0
			}
			got, err = s.pass(ctx, limit, by.full)
		}
		if err == nil && !got.solved() && min(manyThreats, longest) != min(few, longest) {
			got, err = threats(manyThreats, effort)
		}
		if err != nil || got.solved() {
			return got, err
		}
	}
	return outcome{numbers: fresh}, nil
}

// The turns of the wins that passes by threats look for first.
const (
	fewThreats  = 4
	manyThreats = 12
)

// pass runs a search on all workers until one of them has solved it, the context is done or the
// effort, in nodes, is spent; 0 is no limit.
func (s *Solver) pass(ctx context.Context, effort uint64, search func(*worker) outcome) (got outcome, err error) {
	got.numbers = fresh
	var mu sync.Mutex
	err = s.each(ctx, effort, func(w *worker) {
		found := search(w)
		if !found.solved() {
			return
		}
		w.run.stop.Store(true)
		mu.Lock()
		defer mu.Unlock()
		if !got.solved() {
			got = found
		}
	})
	return got, err
}

// SolveTurn decides whether a turn of the side to move wins within q.N turns, itself the first of
// them. An illegal turn does not. It is asked about wins alone.
func (s *Solver) SolveTurn(ctx context.Context, q Question, t arimaa.Turn) (r Result, err error) {
	ctx = cmp.Or(ctx, context.Background())
	if err := q.check(); err != nil {
		return Result{}, err
	}
	s.nodes.Store(1)
	if !q.Aim.Win() {
		return r, errAim
	}
	s.ask(q.Aim)
	r.Turn, r.Nodes = t, 1
	after, legal := q.Position.Try(t)
	o := after.Board.Ended(q.Position.Side())
	switch {
	case legal && o.WonBy(q.Position.Side()):
		r.Verdict = answer.Proved
		return r, nil
	case !legal || o.Over() || q.N == 1:
		r.Verdict = answer.Disproved
		return r, nil
	}
	got, err := s.pass(ctx, 0, func(w *worker) outcome {
		return w.mid(node{at: &after, and: true, turns: q.N - 1, depth: 1}, unlimited)
	})
	r.Nodes = s.nodes.Load()
	switch got.numbers {
	case proved:
		r.Verdict = answer.Proved
	case disproved:
		r.Verdict = answer.Disproved
	default:
		r.Stop = answer.StopOf(ctx)
	}
	return r, err
}

// begin prepares a run that ends with the context. The caller calls done after it; done does not
// wait.
func (s *Solver) begin(ctx context.Context) (r *run, done func() bool) {
	r = &run{nodes: &s.nodes, budget: answer.BudgetOf(ctx)}
	for _, w := range s.workers {
		w.begin(r)
	}
	r.stop.Store(ctx.Err() != nil) // AfterFunc may run late
	return r, context.AfterFunc(ctx, func() { r.stop.Store(true) })
}

// share runs a part of a search on all workers and waits for them.
func (s *Solver) share(search func(*worker)) {
	var wait sync.WaitGroup
	for _, w := range s.workers[1:] {
		wait.Go(func() { w.work(search) })
	}
	s.workers[0].work(search)
	wait.Wait()
}

// each runs one search on all workers, with an effort as that of pass.
func (s *Solver) each(ctx context.Context, effort uint64, search func(*worker)) error {
	r, done := s.begin(ctx)
	defer done()
	if effort > 0 {
		r.limit = s.nodes.Load() + effort
	}
	s.share(search)
	return r.err
}

// mostRecent is the length of the lists of recent turns, MostKillers that of the replies among them.
const (
	mostRecent  = 6
	MostKillers = mostRecent
)

// worker is one of the goroutines of a search.
type worker struct {
	// Shared by the workers:
	Tables
	store    tables.Store    // nil: none
	endgames *endgame.Tables // nil: none
	epsilon  float64
	run      *run

	// Of the question:
	aim    goal.Aim
	aimKey zobrist.Key // zero for the win

	// Nodes visited in this search:
	nodes    uint64
	reported uint64 // of them
	counted  uint64 // nodes of the detector that nodes contains
	probes   uint64 // positions that the endgame tables decided

	// Recent turns, tried first:
	wins        []arimaa.Turn // first turns of wins in 2
	attacks     recentTurns   // turns that won by threats
	captures    []arimaa.Turn // turns that captured at once
	refutations []arimaa.Turn // replies after which the attacker does not reach the aim at once

	detector goal.Detector
	frames   []*frame
	replies  arimaa.Generator // of an AND node, with another aim than the win
	after    arimaa.Position  // after a turn of winInTwo: it escapes to the heap
	packed   []byte           // room for a key of the store
}

func (w *worker) begin(r *run) {
	w.run, w.nodes, w.reported, w.probes = r, 0, 0, 0
	w.detector.Stop = &r.stop
	if r.budget != nil {
		w.counted = w.detector.Nodes() // those of earlier searches do not count
	}
}

func (w *worker) work(search func(*worker)) {
	search(w)
	if w.run.budget != nil { // nodes of the detector since the last one belong to this search
		w.count()
	}
	w.report()
}

// visit counts a node, and those that the detector has visited since the last call.
func (w *worker) visit() {
	w.nodes++
	w.count()
	if w.nodes-w.reported >= 1<<10 {
		w.report()
	}
}

// count counts the nodes that the detector has visited since the last call.
func (w *worker) count() {
	inner := w.detector.Nodes()
	w.nodes += inner - w.counted
	w.counted = inner
}

func (w *worker) report() {
	all := w.run.nodes.Add(w.nodes - w.reported)
	if spent := w.run.budget.Spend(w.nodes - w.reported); spent || w.run.limit > 0 && all >= w.run.limit {
		w.run.stop.Store(true)
	}
	w.reported = w.nodes
}
