package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine/evaluation"
	"goalproof/engine/ordering"
	"goalproof/internal/memory"
	"goalproof/solve"
	"goalproof/tables"
	"goalproof/tables/endgame"
)

// Limits end a search. A zero value sets no limit.
type Limits struct {
	Time  time.Duration // for this turn, at most
	Aim   time.Duration // the usual time: less if the best turn is clear, up to Time if not; 0: Time
	Depth int           // in steps, at most [MaxDepth]
	Nodes uint64        // approximate
	// Exclude lists turns that are not to be played at the root, nor any others that lead to the
	// same positions. With the best turn excluded, a search finds the second best.
	Exclude []arimaa.Turn
	// Prefix holds steps with which the turn must begin, without half of a push or pull. The depth
	// counts them, but at least one option after them is searched. Nothing is proved about such
	// turns.
	Prefix arimaa.Turn
}

// aim returns the time for a turn as a rule; 0: no limit.
func (l *Limits) aim() time.Duration { return cmp.Or(l.Aim, l.Time) }

// Report is the state of a search, during the search and at its end.
type Report struct {
	Turn   arimaa.Turn   // the best turn
	Line   []arimaa.Turn // the principal variation, Turn first
	Score  int           // centi-rabbits for the side to move; at least [Won] for a win found
	Win    int           // the side to move is proved to win within so many turns; 0: not proved
	Loss   int           // it is proved to lose within so many turns of its opponent; 0: not proved
	Depth  int           // steps searched completely
	Deeper bool          // Turn, Line and Score come from the next depth, which is incomplete
	// Tabled is true if the turn and the score come from an endgame table; Value is then the value
	// of the turn.
	Tabled bool
	Value  endgame.Value
	Nodes  uint64
	Time   time.Duration // since the start of the search
}

// Options configure an engine.
type Options struct {
	Threads int                 // at least 1
	Memory  uint64              // of the tables, in bytes
	Without Part                // techniques that are switched off
	Network *evaluation.Network // nil: evaluation.Learned
	// Ordering is the order of options; nil: ordering.Learned.
	Ordering *ordering.Weights
	Weights  *evaluation.Weights // nil: those of the network, or evaluation.Default without Network
	// Endgames give exact scores of positions with few pieces; nil: none.
	Endgames *endgame.Tables
}

// Engine finds turns to play. Its tables persist from one search to the next. It serves one
// goroutine. Engines come from [New]; the methods of a nil or zero Engine return [ErrNoEngine].
type Engine struct {
	options Options
	scores  *tables.Scores
	solver  *solve.Solver // nil without Probe
	workers []*worker
	marks   *marks // nil with one worker
	used    bool   // there may be something in the tables
}

// LeastMemory is the least memory of an engine, in bytes.
const LeastMemory = 1 << 20

// New returns an engine. The error says that the memory is too small, or that there are no threads.
func New(o Options) (*Engine, error) {
	switch {
	case o.Threads < 1:
		return nil, errors.New("an engine needs at least one thread")
	case o.Memory < LeastMemory:
		return nil, errors.New("an engine needs at least 1 MiB of memory")
	}
	e := &Engine{options: o}
	forScores := o.Memory
	if o.Without&Probe == 0 {
		var forSolver uint64
		forScores, forSolver = memory.EngineParts(o.Memory)
		var err error
		if e.solver, err = solve.New(solve.Options{Memory: max(forSolver, LeastMemory), Threads: o.Threads, Endgames: o.Endgames}); err != nil {
			return nil, err
		}
	}
	e.scores = tables.NewScores(forScores)
	if o.Threads > 1 {
		e.marks = new(marks)
	}
	for range o.Threads {
		e.workers = append(e.workers, newWorker(e))
	}
	return e, nil
}

// Forget clears all tables, for a new game. If nothing has been searched it leaves their memory
// alone: touching it takes longer than many searches.
func (e *Engine) Forget() {
	if !e.used {
		return
	}
	e.used = false
	e.scores.Clear()
	if e.solver != nil {
		e.solver.Forget()
	}
	for _, w := range e.workers {
		w.forget()
	}
}

// ErrNoEngine is the error of an engine that does not come from [New].
var ErrNoEngine = errors.New("there is no engine: engine.New makes one")

// ErrNoGame is the error of a search without a game, or of one without a position.
var ErrNoGame = errors.New("there is no game: arimaa.NewGame makes one")

// check returns an error if there is no engine, no game, or no position at the start of a turn. It
// replaces a nil context.
func (e *Engine) check(ctx context.Context, g *arimaa.Game) (context.Context, error) {
	if e == nil || len(e.workers) == 0 {
		return nil, ErrNoEngine
	}
	if g == nil {
		return nil, ErrNoGame
	}
	p := g.Last()
	if err := p.CheckStart(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoGame, err)
	}
	return cmp.Or(ctx, context.Background()), nil
}

// ErrNoTurn is the error of a search without an allowed turn: the game is over, or the limits
// exclude every turn.
var ErrNoTurn = errors.New("the game is over: there is no turn to search for")

// Search finds the best turn in the last position of a game, whose history counts. It ends at a
// limit or when the context is done, and returns at once the best turn known, which is always
// allowed. Report, if not nil, is called with each new result, by one worker at a time, which waits
// for it, and not after the end. A nil context sets no limit. The error is [ErrNoTurn], also if no
// turn completes Prefix, ErrNoGame or ErrNoEngine.
func (e *Engine) Search(ctx context.Context, g *arimaa.Game, l Limits, report func(Report)) (Report, error) {
	start := time.Now()
	ctx, err := e.check(ctx, g)
	if err != nil {
		return Report{}, err
	}
	e.used = true
	if e.options.Without&Timing != 0 {
		l.Time, l.Aim = l.aim(), 0
	}
	if l.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time)
		defer cancel()
	}
	if g.Outcome().Over() {
		return Report{}, ErrNoTurn
	}
	r := newRun(g, l)
	begun, ok := r.root.TryPart(l.Prefix)
	first := l.Prefix
	if ok {
		first, ok = r.anyTurn(begun, l.Prefix)
	}
	if !ok {
		return Report{}, ErrNoTurn
	}
	known := &r.shared
	known.start, known.report = start, report
	known.best = Report{Turn: first, Line: []arimaa.Turn{first}}
	if best, ok := e.tableTurn(r, g); ok {
		known.publish(func(r *Report) { *r = best })
		return known.best, nil
	}
	if e.solver != nil && l.Prefix.Len() == 0 {
		if turn, turns := e.probe(ctx, r, g); turns > 0 {
			known.publish(func(r *Report) {
				r.Turn, r.Line, r.Win = turn, []arimaa.Turn{turn}, turns
				r.Score = WinScore(turns)
			})
			return known.best, nil
		}
		if turns := e.probeLoss(ctx, r, g); turns > 0 {
			known.publish(func(r *Report) { r.Loss = turns })
		}
	}
	stop := context.AfterFunc(ctx, func() { r.stop.Store(true) })
	defer stop()
	if l.Aim > 0 {
		defer known.watch()()
	}
	e.scores.Age()
	var others sync.WaitGroup
	for _, w := range e.workers[1:] {
		others.Go(func() { w.deepen(r) })
	}
	e.workers[0].deepen(r)
	others.Wait()
	known.best.Nodes, known.best.Time = r.nodes.Load(), time.Since(start)
	return known.best, nil
}

// probeShare is the part of the time that the probe may take, as a divisor.
const probeShare = 8

// Without a time limit the probe looks for wins of up to probeTurns turns. If its share of the time
// is less than minProbe it looks for a win in one turn alone, which takes microseconds; wins in two
// take milliseconds. It looks for longer wins by threats alone: in three of four positions the
// threats run out at once, and a search of all turns would decide little in the time.
const (
	probeTurns = 2
	minProbe   = 25 * time.Millisecond
)

// probe asks package solve for a forced win, and returns its first turn and the number of turns
// that it takes at most, 0 if there is none. Once a position of the game has occurred twice, such a
// proof may break the rule of the third repetition, and the exact search with history takes too
// long here: the win is then left to the search.
func (e *Engine) probe(ctx context.Context, r *run, g *arimaa.Game) (arimaa.Turn, int) {
	if anyTwice(g) {
		return arimaa.Turn{}, 0
	}
	q := solve.Question{Position: r.root, Deepest: probeTurns, Any: true, NoLine: true}
	ctx, cancel := limitProbe(ctx, &q, r.limits.aim()/probeShare)
	defer cancel()
	a, err := e.solver.Solve(ctx, q)
	if err != nil || a.Verdict != answer.Proved {
		return arimaa.Turn{}, 0
	}
	if t := a.Line[0].Turn; r.allows(t) {
		return t, a.Within
	}
	// That turn is excluded: another may win in as many turns.
	q.Deepest, q.Any, q.All, q.Threats = a.Within, false, true, false
	all, err := e.solver.Solve(ctx, q)
	for _, s := range all.Solutions {
		if err == nil && r.allows(s.Turn) {
			return s.Turn, a.Within
		}
	}
	return arimaa.Turn{}, 0
}

// probeLoss asks package solve whether the opponent wins whatever is played, and returns the number
// of turns that he takes at most, 0 if that is not proved. The engine still searches for the best
// turn. The question is worth its time, half of that for wins, only if the opponent threatens to
// win at once. With excluded turns it is not asked again: they lose like the others.
func (e *Engine) probeLoss(ctx context.Context, r *run, g *arimaa.Game) int {
	threat := r.root.EndTurn()
	if _, wins := e.workers[0].detector.CanWin(&threat, &threat.Board); !wins || anyTwice(g) || len(r.excluded) > 0 || r.root.Undefended() != 0 {
		return 0
	}
	q := solve.Question{Position: r.root, Deepest: probeTurns, Any: true}
	ctx, cancel := limitProbe(ctx, &q, r.limits.aim()/(2*probeShare))
	defer cancel()
	a, err := e.solver.Loss(ctx, q)
	if err != nil {
		return 0
	}
	return a.Within
}

// limitProbe limits a question to a share of the time: to one turn if the share is small, else to
// threats from three turns on. A share of 0 stands for no time limit and leaves the question as it
// is.
func limitProbe(ctx context.Context, q *solve.Question, share time.Duration) (context.Context, context.CancelFunc) {
	if share == 0 {
		return context.WithCancel(ctx)
	}
	q.Deepest = 1
	if share >= minProbe {
		q.Deepest, q.Threats = solve.MaxTurns, true
	}
	return context.WithTimeout(ctx, share)
}

// anyTwice reports whether a position of a game has occurred twice.
func anyTwice(g *arimaa.Game) bool {
	return len(g.Twice(arimaa.Gold))+len(g.Twice(arimaa.Silver)) > 0
}

// run is the state of one search, for all workers.
type run struct {
	root     arimaa.Position
	limits   Limits
	past     []occurrence // positions at the ends of turns of the game
	filter   [16]uint64   // bits of the keys of past
	excluded []arimaa.Board
	// forbidden combines the keys of the positions to which the first turn must not lead. It is
	// part of the table keys of points within that turn, whose scores depend on them.
	forbidden uint64
	stop      atomic.Bool
	nodes     atomic.Uint64
	shared    shared
}

// occurrence counts how often a position has occurred at the end of a turn.
type occurrence struct {
	board arimaa.Board
	side  arimaa.Side
	n     int
}

func newRun(g *arimaa.Game, l Limits) *run {
	r := &run{root: g.Last(), limits: l}
	r.shared.run = r
	for _, t := range l.Exclude {
		if after, ok := r.root.Try(t); ok {
			r.excluded = append(r.excluded, after.Board)
			r.forbidden ^= bits.RotateLeft64(after.PiecesKey().Hi, len(r.excluded))
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

// occurrences returns how often a position has occurred at the end of a turn of the game.
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

// permits reports whether a turn at the root may lead to a position.
func (r *run) permits(after *arimaa.Position) bool {
	return r.occurrences(after) < 2 && !slices.Contains(r.excluded, after.Board)
}

// allows reports whether a turn may be played at the root.
func (r *run) allows(t arimaa.Turn) bool {
	after, ok := r.root.Try(t)
	return ok && r.permits(&after)
}

// anyTurn returns some turn that is allowed at the root and begins with a prefix, which leads to p.
func (r *run) anyTurn(p arimaa.Position, prefix arimaa.Turn) (arimaa.Turn, bool) {
	if prefix.Len() > 0 && r.allows(prefix) {
		return prefix, true
	}
	options := p.Options(nil)
	for _, o := range options {
		if t := prefix.WithOption(o); r.allows(t) {
			return t, true
		}
	}
	if prefix.Len() > 0 {
		for _, o := range options {
			if t, ok := r.anyTurn(p.After(o), prefix.WithOption(o)); ok {
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
