package engine

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/engine/evaluation"
	"goalproof/tables"
)

// Limits end a search. The zero value of each sets no limit.
type Limits struct {
	Time  time.Duration // to spend on this turn, at most
	Depth int           // in steps, at most [MaxDepth]
	Nodes uint64        // roughly
	// Except are turns from the root that are not to be played, nor others that lead to the same positions: with the
	// best turn in it, what is found is the second best.
	Except []arimaa.Turn
	// Begins are steps with which the turn must begin, without half of a push; the depth counts them, but at least
	// one option behind them is tried. Nothing is proved about such turns.
	Begins arimaa.Turn
}

// Report is what a search knows, while it runs or when it has ended.
type Report struct {
	Turn   arimaa.Turn   // the best one
	Line   []arimaa.Turn // the best play, Turn first
	Score  int           // centi-rabbits for the side to move; from [Won] on it has found a win
	Win    int           // turns within which the side to move wins, proved; 0: nothing is proved
	Depth  int           // steps searched completely
	Deeper bool          // the next depth has begun, and may have changed the turn
	Nodes  uint64
	Time   time.Duration // since the search began
}

// Options are what an engine has to work with.
type Options struct {
	Threads int                 // at least 1
	Memory  uint64              // for its tables, in bytes
	Without Part                // parts of the search that are switched off
	Weights *evaluation.Weights // nil: those of package evaluation
}

// Engine finds turns to play. It keeps what it has found out from one search to the next. It
// serves one goroutine.
type Engine struct {
	options Options
	scores  *tables.Scores
	solver  *dfpns.Solver // nil without Probe
	workers []*worker
	marks   *marks // nil with one worker
}

// LeastMemory is the memory in bytes that an engine needs.
const LeastMemory = 1 << 20

// New returns an engine. The error says that the memory is too little, or that there are no threads.
func New(o Options) (*Engine, error) {
	switch {
	case o.Threads < 1:
		return nil, errors.New("an engine needs at least one thread")
	case o.Memory < LeastMemory:
		return nil, errors.New("an engine needs at least 1 MiB of memory")
	}
	if o.Weights == nil {
		o.Weights = &evaluation.Default
	}
	e := &Engine{options: o}
	forSolver := uint64(0)
	if o.Without&Probe == 0 {
		forSolver = o.Memory / 8
		e.solver = dfpns.New(dfpns.Options{Facts: forSolver / 2, Numbers: forSolver / 2, Threads: o.Threads})
	}
	e.scores = tables.NewScores(o.Memory - forSolver)
	if o.Threads > 1 {
		e.marks = new(marks)
	}
	for range o.Threads {
		e.workers = append(e.workers, newWorker(e))
	}
	return e, nil
}

// Forget empties all tables, for a new game.
func (e *Engine) Forget() {
	e.scores.Clear()
	if e.solver != nil {
		e.solver.Forget()
	}
	for _, w := range e.workers {
		w.forget()
	}
}

// ErrNoTurn is the error of a search where no turn is allowed, or all are excepted.
var ErrNoTurn = errors.New("the game is over: there is no turn to search for")

// Search finds the best turn in the last position of a game, whose history counts. It ends at a
// limit or when the context is done, and then at once with the best turn that it knows, which is allowed
// in any case. Report, if not nil, is called whenever something new is known: by the goroutines of the workers, one
// at a time and not after the end, and they wait for it. The error is [ErrNoTurn], also where Begins cannot be played.
func (e *Engine) Search(ctx context.Context, g *arimaa.Game, l Limits, report func(Report)) (Report, error) {
	start := time.Now()
	if l.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time)
		defer cancel()
	}
	if g.Outcome().Over() {
		return Report{}, ErrNoTurn
	}
	r := newRun(g, l)
	begun, ok := r.root.TryPart(l.Begins)
	first := l.Begins
	if ok {
		first, ok = r.anyTurn(begun, l.Begins)
	}
	if !ok {
		return Report{}, ErrNoTurn
	}
	n := &r.news
	n.start, n.report = start, report
	n.known = Report{Turn: first, Line: []arimaa.Turn{first}}
	if e.solver != nil && l.Begins.Len() == 0 {
		if turn, turns := e.probe(ctx, r, g); turns > 0 {
			n.tell(func(k *Report) {
				k.Turn, k.Line, k.Win = turn, []arimaa.Turn{turn}, turns
				k.Score = win - (2*turns-1)*arimaa.StepsPerTurn
			})
			return n.known, nil
		}
	}
	stop := context.AfterFunc(ctx, func() { r.stop.Store(true) })
	defer stop()
	e.scores.Age()
	var others sync.WaitGroup
	for _, w := range e.workers[1:] {
		others.Go(func() { w.deepen(r) })
	}
	e.workers[0].deepen(r)
	others.Wait()
	n.known.Nodes, n.known.Time = r.nodes.Load(), time.Since(start)
	return n.known, nil
}

// probeShare is the part of the time that dfpns may take at the root, as a divisor.
const probeShare = 8

// probeTurns is how far dfpns is asked at the root where no time is set. Where its part of the time is less than
// leastProbe it is asked for a win in one turn alone, which takes microseconds: two turns take milliseconds, and for
// more all turns of the position are listed first. (At 5 ms a turn the search won 63 of 96 games with the time that
// wins in two took.)
const (
	probeTurns = 2
	leastProbe = 25 * time.Millisecond
)

// probe asks dfpns for a forced win, and returns its first turn and the number of turns it takes, 0 if none
// was found. A win found that way stands under the rule of the third repetition if no position has
// occurred twice (package solve); otherwise it is left to the search.
func (e *Engine) probe(ctx context.Context, r *run, g *arimaa.Game) (arimaa.Turn, int) {
	if len(g.Twice(arimaa.Gold))+len(g.Twice(arimaa.Silver)) > 0 {
		return arimaa.Turn{}, 0
	}
	deepest := probeTurns
	if share := r.limits.Time / probeShare; share > 0 {
		deepest = 1
		if share >= leastProbe {
			deepest = dfpns.MaxTurns
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, share)
		defer cancel()
	}
	for n := 1; n <= deepest; n++ {
		q := dfpns.Question{Position: r.root, N: n}
		found, err := e.solver.Solve(ctx, q)
		switch {
		case err != nil || found.Verdict == answer.Unknown:
			return arimaa.Turn{}, 0
		case found.Verdict == answer.Proved && r.allows(found.Turn):
			return found.Turn, n
		case found.Verdict == answer.Proved:
			return e.probeOthers(ctx, r, q)
		}
	}
	return arimaa.Turn{}, 0
}

// probeOthers looks for a win where the first one found is excepted: among those that take as many turns.
func (e *Engine) probeOthers(ctx context.Context, r *run, q dfpns.Question) (arimaa.Turn, int) {
	solutions, _, err := e.solver.All(ctx, q)
	for _, s := range solutions {
		if err == nil && r.allows(s.Turn) {
			return s.Turn, q.N
		}
	}
	return arimaa.Turn{}, 0
}

// run is one search, for all workers.
type run struct {
	root   arimaa.Position
	limits Limits
	past   []occurrence // what has stood at the end of a turn of the game
	filter [16]uint64   // bits of the keys of past
	except []arimaa.Board
	// forbidden mixes the keys of the positions to which the first turn must not lead: what is found out about a
	// point within that turn holds where these are forbidden, and the table tells it apart by them.
	forbidden uint64
	stop      atomic.Bool
	nodes     atomic.Uint64
	news      news
}

// occurrence counts how often a position stood at the end of a turn.
type occurrence struct {
	board arimaa.Board
	side  arimaa.Side
	n     int
}

func newRun(g *arimaa.Game, l Limits) *run {
	r := &run{root: g.Last(), limits: l}
	r.news.run = r
	for _, t := range l.Except {
		if after, ok := r.root.Try(t); ok {
			r.except = append(r.except, after.Board)
			r.forbidden ^= bits.RotateLeft64(after.PiecesKey().Hi, len(r.except))
		}
	}
	for i := range g.Len() + 1 {
		p := g.Position(i)
		h := p.PiecesKey().Lo
		r.filter[h>>6%16] |= 1 << (h % 64)
		k := 0
		for k < len(r.past) && (r.past[k].board != p.Board || r.past[k].side != p.Side()) {
			k++
		}
		if k == len(r.past) {
			r.past = append(r.past, occurrence{p.Board, p.Side(), 0})
		}
		if r.past[k].n++; r.past[k].n == 2 && p.Side() != r.root.Side() {
			r.forbidden ^= p.PiecesKey().Hi
		}
	}
	return r
}

// occurrences returns how often a position has stood at the end of a turn of the game.
func (r *run) occurrences(p *arimaa.Position) int {
	if h := p.PiecesKey().Lo; r.filter[h>>6%16]>>(h%64)&1 == 0 {
		return 0
	}
	for i := range r.past {
		if r.past[i].side == p.Side() && r.past[i].board == p.Board {
			return r.past[i].n
		}
	}
	return 0
}

// permits tells whether a turn from the root may lead to a position.
func (r *run) permits(after *arimaa.Position) bool {
	return r.occurrences(after) < 2 && !slices.Contains(r.except, after.Board)
}

// allows tells whether a turn may be played from the root.
func (r *run) allows(t arimaa.Turn) bool {
	after, ok := r.root.Try(t)
	return ok && r.permits(&after)
}

// anyTurn returns a turn that may be played from the root and begins with some steps, after which p is reached, if
// there is one.
func (r *run) anyTurn(p arimaa.Position, begins arimaa.Turn) (arimaa.Turn, bool) {
	if begins.Len() > 0 && r.allows(begins) {
		return begins, true
	}
	options := p.Options(nil)
	for _, o := range options {
		if t := begins.WithOption(o); r.allows(t) {
			return t, true
		}
	}
	if begins.Len() > 0 {
		for _, o := range options {
			if t, ok := r.anyTurn(p.After(o), begins.WithOption(o)); ok {
				return t, true
			}
		}
		return arimaa.Turn{}, false
	}
	var turns arimaa.Generator
	for i := range turns.Generate(&r.root) {
		if after := turns.Position(i, r.root.Side()); r.permits(&after) {
			return turns.Turn(i), true
		}
	}
	return arimaa.Turn{}, false
}
