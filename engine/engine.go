package engine

import (
	"context"
	"errors"
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

// ErrNoTurn is the error of a search where no turn is allowed.
var ErrNoTurn = errors.New("the game is over: there is no turn to search for")

// Search finds the best turn in the last position of a game, whose history counts. It ends at a
// limit or when the context is done, and then at once with the best turn that it knows, which is allowed
// in any case. Report, if not nil, is called whenever something new is known. The error is [ErrNoTurn].
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
	first := e.allowed(r)
	known := Report{Turn: first, Line: []arimaa.Turn{first}}
	tell := func(change func(*Report)) {
		change(&known)
		known.Nodes, known.Time = r.nodes.Load(), time.Since(start)
		if report != nil {
			report(known)
		}
	}
	if e.solver != nil {
		if turn, n := e.probe(ctx, g, l); n > 0 {
			tell(func(k *Report) {
				k.Turn, k.Line, k.Win = turn, []arimaa.Turn{turn}, n
				k.Score = win - (2*n-1)*arimaa.StepsPerTurn
			})
			return known, nil
		}
	}
	stop := context.AfterFunc(ctx, func() { r.stop.Store(true) })
	defer stop()
	e.scores.Age()
	var others sync.WaitGroup
	for i, w := range e.workers[1:] {
		others.Go(func() { w.deepen(r, 1+i&1, func(func(*Report)) {}) })
	}
	e.workers[0].deepen(r, 0, tell)
	r.stop.Store(true)
	others.Wait()
	known.Nodes, known.Time = r.nodes.Load(), time.Since(start)
	return known, nil
}

// allowed returns a turn that the rules and the history of the game allow; there is one, as the game is not over.
func (e *Engine) allowed(r *run) arimaa.Turn {
	p := r.root
	for _, o := range p.Options(nil) {
		t := arimaa.Turn{}.WithOption(o)
		if after, ok := p.Try(t); ok && r.occurrences(&after) < 2 {
			return t
		}
	}
	var turns arimaa.Generator
	for i := range turns.Generate(&p) {
		if after := turns.Position(i, p.Side()); r.occurrences(&after) < 2 {
			return turns.Turn(i)
		}
	}
	panic("engine: a game that is not over without a turn")
}

// probeShare is the part of the time that dfpns may take at the root, as a divisor.
const probeShare = 8

// probeTurns is how far dfpns is asked at the root where no time is set.
const probeTurns = 2

// probe asks dfpns for a forced win, and returns its first turn and the number of turns it takes, 0 if none
// was found. A win found that way stands under the rule of the third repetition if no position has
// occurred twice (package solve); otherwise it is left to the search.
func (e *Engine) probe(ctx context.Context, g *arimaa.Game, l Limits) (arimaa.Turn, int) {
	if len(g.Twice(arimaa.Gold))+len(g.Twice(arimaa.Silver)) > 0 {
		return arimaa.Turn{}, 0
	}
	deepest := probeTurns
	if l.Time > 0 {
		deepest = dfpns.MaxTurns
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time/probeShare)
		defer cancel()
	}
	for n := 1; n <= deepest; n++ {
		r, err := e.solver.Solve(ctx, dfpns.Question{Position: g.Last(), N: n})
		switch {
		case err != nil || r.Verdict == answer.Unknown:
			return arimaa.Turn{}, 0
		case r.Verdict == answer.Proved:
			return r.Turn, n
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
	stop   atomic.Bool
	nodes  atomic.Uint64
}

// occurrence counts how often a position stood at the end of a turn.
type occurrence struct {
	board arimaa.Board
	side  arimaa.Side
	n     int
}

func newRun(g *arimaa.Game, l Limits) *run {
	r := &run{root: g.Last(), limits: l}
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
		r.past[k].n++
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
