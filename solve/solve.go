// Package solve asks a solver "does the side to move win in N turns?", or whether it reaches
// another aim ([goal.Aim]). It increases N from 1 and returns the distance, a winning turn, a line
// in which the defence holds out longest and, on request, every solution. A longer win may be found
// before a smaller N is decided. The search then looks for a shorter one, and ends when the least N
// is known or a limit is reached: an answer has two bounds, the least N proved and the greatest N
// disproved.
//
// Package proof can check a win without any of this, from a certificate (certificate.go). Both
// searches can share a store of facts, and the solver can prove the facts of a store again
// (verify.go). A search of pns can be saved, while it runs and when it ends, and resumed
// (resume.go).
//
// Package dfpns answers unless the caller asks for pns. It sets the third repetition aside. In a
// game with a history its "yes" stands if no position has occurred twice yet: no position occurs
// twice in a proof, so none occurs for the third time. All other questions go to package pns, which
// counts repetitions along every line.
//
// # Other aims
//
// For an aim other than the win all searches set the third repetition aside. Let d be the least n
// such that the attacker reaches the aim within n turns. By his best play d falls from each
// position with him to move to the next one, as for wins, so no position occurs twice. If none has
// occurred twice in the game before, none occurs for the third time: no turn of such a line is
// forbidden, and nobody wins or loses by the rule before the aim is reached. What the rule forbids
// the defender elsewhere can only help the attacker. So a "yes" stands after such a game too, and a
// "no" says that the rule is set aside. Where a position has occurred twice the question is refused
// ([ErrRepeated]).
package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/goal"
	"goalproof/internal/memory"
	"goalproof/pns"
	"goalproof/proof"
	"goalproof/tables"
	"goalproof/tables/endgame"
)

// MaxTurns is the greatest N that can be asked for.
const MaxTurns = min(dfpns.MaxTurns, pns.MaxTurns)

// Algorithm is the search that answers.
type Algorithm uint8

const (
	// DFPNS is depth-first proof-number search on tables, with all threads.
	DFPNS Algorithm = iota
	// PNS is best-first proof-number search on an explicit graph, with one thread.
	PNS
)

// Question is a position, the attacker to move at the start of his turn, and the greatest N to
// try.
type Question struct {
	Position arimaa.Position
	// Aim is what the attacker is to reach; the zero value is the win. With another aim, "win" in
	// an [Answer] means reaching it. The store and the endgame tables know wins only and are then
	// not used, and no search is saved.
	Aim     goal.Aim
	Deepest int // the greatest N tried, in turns of the attacker; 1 to MaxTurns
	// Game is the game that led to Position, its last position; its repetitions
	// then count. Nil: the third-repetition rule is set aside.
	Game *arimaa.Game
	// Number is the number of the next turn at Position, for saved searches; 0 if unknown.
	Number int
	// All asks for every first turn that keeps the least N.
	All bool
	// Enough, if positive, ends the list once this many solutions are certainly essential. If at
	// least as many are marked, the list may be incomplete, and unmarked solutions may be
	// essential.
	Enough int
	// Any ends the search with the first win found, even if there may be a shorter one.
	Any bool
	// Threats restricts the search for wins in three turns and more to threats; it needs Any and
	// excludes All. If threats do not win within Deepest turns, the verdict is Unknown and Stop is
	// Finished. That disproves nothing, and depends on earlier searches. Only Solve (for a win, by
	// dfpns) and Loss use it.
	Threats bool
	// NoLine limits the line to its first turn.
	NoLine bool
}

// Answer is a solver's answer to a question.
type Answer struct {
	// Verdict is Proved if the attacker wins within Deepest turns, Disproved if not.
	Verdict answer.Verdict
	// Stop is the reason why the verdict is unknown or, for Proved, why the least number of turns
	// is unknown.
	Stop answer.Stop
	// Bounds of N, in turns of the attacker. Within is set for Proved alone.
	answer.Bounds
	// Line begins with a winning turn, for Proved, and continues with the defender's replies that
	// hold out longest. It may end early when a limit is reached.
	Line []Ply
	// Refutation is, for a turn that does not win ([Solver.Try]), the turn and the reply that
	// refutes it, if one is needed.
	Refutation []Ply
	// Solutions are the first turns that keep the least N, if asked for and if the answer is exact.
	// In a game they set the third repetition aside; none are listed where a position has occurred
	// twice, since the rule might forbid some.
	Solutions []dfpns.Solution
	// Listing is Finished, or the reason why the list of solutions is incomplete.
	Listing answer.Stop
	// Unsaved is the reason why the graph could not be saved when the search ended, for example
	// [ErrRecalled], or nil.
	Unsaved error
	// Tabled reports that the answer comes from an endgame table. Value is what the position is
	// worth to the side to move with the third repetition set aside; it answers for every N.
	Tabled bool
	Value  endgame.Value
	// Aside reports, of a question with a game, that Refuted and the claim that Within is the least
	// set the third repetition aside. A win within Within turns stands by the full rule.
	Aside bool
	// Probes is how many positions of the search were decided by endgame tables.
	Probes uint64
	// Nodes and Time are what the search took, including the list of solutions but not the line.
	Nodes uint64
	Time  time.Duration
}

// Essential counts the essential solutions; see [dfpns.Solution].
func (a *Answer) Essential() int { return essential(a.Solutions) }

// essential counts the essential turns of a list.
func essential(all []dfpns.Solution) (n int) {
	for i := range all {
		if all[i].Essential {
			n++
		}
	}
	return n
}

// Ply is a turn of a line.
type Ply struct {
	Before  arimaa.Position
	Turn    arimaa.Turn
	Outcome arimaa.Outcome // after the turn; over for the last ply of a complete line to a win
	Reached bool           // for another aim than the win: the attacker reaches it with this turn, which ends the line
}

// Ends reports whether a complete line ends with the ply.
func (p *Ply) Ends() bool { return p.Outcome.Over() || p.Reached }

// ErrRepeated says that a question about another aim than the win has a game in which a position
// has occurred twice.
var ErrRepeated = errors.New("a position of the game has occurred twice: only a win can be asked for")

// ErrRecalled says that there is no graph to save, because the store had the answer.
var ErrRecalled = errors.New("the store has the answer: there is no graph to save")

// Options are the resources and parameters of a solver.
type Options struct {
	Algorithm Algorithm
	Memory    uint64       // for its tables, in bytes
	Threads   int          // at least 1; pns uses one
	Store     tables.Store // facts on disk; nil: none
	Epsilon   float64      // see dfpns.Options
	// Endgames answer about positions with few pieces, at the root and below it; nil: none.
	Endgames *endgame.Tables
	// ProofTable and TranspositionTable are the sizes, in bytes, of the tables of dfpns, and Scheme
	// is their replacement scheme, for experiments (Majerech 2012, section 4.2); 0: half of what
	// Memory leaves for tables, nil: tables.Greater.
	ProofTable, TranspositionTable uint64
	Scheme                         tables.Scheme
	// Tables are those of dfpns that it shares with other solvers, none of which may Forget; nil: it has its
	// own.
	Tables *dfpns.Tables
}

// Check returns an error if there is no thread or no such algorithm, Epsilon is out of range, or
// the memory is too small, for a search or for the tables.
func (o Options) Check() error {
	switch {
	case o.Threads < 1:
		return fmt.Errorf("a solver of %d threads: it needs at least one", o.Threads)
	case o.Algorithm > PNS:
		return fmt.Errorf("there is no algorithm %d", o.Algorithm)
	case !(o.Epsilon >= 0 && o.Epsilon <= dfpns.MaxEpsilon):
		return fmt.Errorf("epsilon %v: it is more than 0 and at most %d, or 0 for the default", o.Epsilon, dfpns.MaxEpsilon)
	}
	if o.Memory < pns.LeastMemory {
		return fmt.Errorf("a search needs at least %d MiB of memory", pns.LeastMemory>>20)
	}
	if max(o.ProofTable, o.TranspositionTable) > o.Memory {
		return fmt.Errorf("a table of %d bytes does not fit into a memory of %d", max(o.ProofTable, o.TranspositionTable), o.Memory)
	}
	return nil
}

// ForNodes returns the options of a solver for questions with a limit in nodes. The limit alone
// determines the sizes of its tables; Memory becomes what the solver needs.
func (o Options) ForNodes(nodes uint64, threads int) Options {
	o.Memory = memory.ForNodes(nodes)
	if o.Algorithm == PNS {
		o.Memory *= 2 // so that the graph has room for all of them
	}
	o.ProofTable, o.TranspositionTable = o.Memory/4, o.Memory/4
	o.Threads = threads
	return o
}

// Solver answers questions one after the other. It keeps its memory from one question to the
// next, and dfpns its facts. It serves one goroutine; Progress may be called from any.
//
// Make one with [New]: on a nil or zero Solver, methods that return an error return [ErrNoSolver].
// For an invalid question they return the error of [Question.Check]. A nil context sets no limit.
type Solver struct {
	depthFirst *dfpns.Solver // nil until it is needed
	share      uint64        // memory that depthFirst takes with everything that belongs to it, in bytes
	bestFirst  *pns.Solver   // nil until it is needed
	tuning     pns.Parameters
	resumed    resumed // saved search of pns
	number     int     // of the turn that comes next, in the question under way
	saving     saving
	options    Options
	detector   goal.Detector
	// mostEntries is how many entries a certificate may have, proof.MaxEntries except in tests.
	mostEntries int
	replies     arimaa.Generator
	trying      atomic.Int32
	line        atomic.Pointer[[]Ply]         // of the win, as far as it is known; nil: it is not looked for yet
	known       atomic.Pointer[Known]         // of the question under way; nil: nothing is known
	earlier     atomic.Uint64                 // nodes of the searches that have ended
	probes      uint64                        // positions that endgame tables decided in them
	running     atomic.Pointer[func() uint64] // counts those of the one under way
}

// ErrNoSolver is the error of using a solver that was not made by [New].
var ErrNoSolver = errors.New("there is no solver: solve.New makes one")

// made reports whether New made the solver.
func (s *Solver) made() bool { return s != nil && s.options.Threads > 0 }

// asked checks a question, and returns the context, or the background for nil.
func (s *Solver) asked(ctx context.Context, q Question) (context.Context, error) {
	if !s.made() {
		return nil, ErrNoSolver
	}
	return cmp.Or(ctx, context.Background()), q.Check()
}

// askedWin is asked for a win within n turns that begins with a turn; it ignores Deepest.
func (s *Solver) askedWin(ctx context.Context, q Question, n int, turn arimaa.Turn) (context.Context, error) {
	q.Deepest = n
	ctx, err := s.asked(ctx, q)
	if err != nil {
		return nil, err
	}
	if _, legal := q.Position.Try(turn); !legal {
		return nil, fmt.Errorf("%q is no legal turn at %v", turn, q.Position)
	}
	return ctx, nil
}

// New returns a solver. The error is that of [Options.Check].
func New(o Options) (*Solver, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	return &Solver{options: o, share: o.Memory, tuning: pns.Defaults(), mostEntries: proof.MaxEntries}, nil
}

// Algorithm returns the search that answers.
func (s *Solver) Algorithm() Algorithm { return s.options.Algorithm }

// usesDepthFirst reports whether dfpns searches, with the help of pns where needed, rather than pns
// alone.
func (s *Solver) usesDepthFirst() bool { return s.options.Algorithm == DFPNS }

// needDepthFirst makes the dfpns solver unless it exists.
func (s *Solver) needDepthFirst() {
	if s.depthFirst != nil {
		return
	}
	facts, numbers := memory.SolverTables(s.share, s.options.Threads)
	s.depthFirst = dfpns.New(dfpns.Options{
		Facts: cmp.Or(s.options.ProofTable, facts), Numbers: cmp.Or(s.options.TranspositionTable, numbers),
		Scheme: s.options.Scheme, Threads: s.options.Threads, Store: s.options.Store, Epsilon: s.options.Epsilon,
		Endgames: s.options.Endgames, Tables: s.options.Tables,
	})
}

// needBestFirst makes the pns solver unless it exists. Dfpns gives up half of its memory for it
// and, unless its table sizes are fixed, its facts.
func (s *Solver) needBestFirst() (err error) {
	if s.bestFirst != nil {
		return nil
	}
	graph := s.options.Memory
	if s.usesDepthFirst() {
		s.share, graph = memory.BesideGraph(graph)
		if s.options.ProofTable == 0 || s.options.TranspositionTable == 0 { // sizes that are given stay
			s.depthFirst = nil
		}
	}
	if s.bestFirst, err = pns.New(max(graph, pns.LeastMemory)); err != nil {
		return err
	}
	s.bestFirst.UseStore(s.options.Store)
	s.bestFirst.UseEndgames(s.options.Endgames)
	return s.bestFirst.Tune(s.tuning)
}

// Tune sets the parameters of pns for the questions that follow. The error is that of
// [pns.Parameters.Check].
func (s *Solver) Tune(p pns.Parameters) error {
	if !s.made() {
		return ErrNoSolver
	}
	if err := p.Check(); err != nil {
		return err
	}
	s.tuning = p
	if s.bestFirst != nil {
		return s.bestFirst.Tune(p)
	}
	return nil
}

// Progress returns the N that the solver is trying and the nodes made so far.
func (s *Solver) Progress() (n int, nodes uint64) {
	nodes = s.earlier.Load()
	if count := s.running.Load(); count != nil {
		nodes += (*count)()
	}
	return int(s.trying.Load()), nodes
}

// Known is what a search knows about the shortest win before it ends.
type Known struct {
	Position arimaa.Position // of the question
	answer.Bounds
	Turn arimaa.Turn // if Within is not 0: the first turn of that win
}

// Known returns what is known about the question that was put to [Solver.Solve] last: nothing until
// the first N is decided, and at the end what the answer says. It may be called while Solve runs.
// Nothing is known of another question than one for a win, or if an endgame table has the answer.
func (s *Solver) Known() (k Known) {
	if known := s.known.Load(); known != nil {
		k = *known
	}
	return k
}

// LineSoFar returns the line that [Solver.Line] has found so far, or found last; nil if
// [Solver.Solve] has begun since and not reached its line. It may be called while they run. Until
// the search for the shortest win ends, only the first turn of a win is known ([Known]): finding
// the longest defence takes searches of its own, which would change the tables of the running
// search.
func (s *Solver) LineSoFar() []Ply {
	if line := s.line.Load(); line != nil {
		return *line
	}
	return nil
}

// Forget empties all tables, so that the next search starts as a new solver's would. (pns
// starts each search afresh anyway.)
func (s *Solver) Forget() {
	s.detector.Forget()
	if s.depthFirst != nil {
		s.depthFirst.Forget()
	}
}

// Release gives the memory of all tables back, and drops a search that was resumed. The next search
// starts as a new solver's would.
func (s *Solver) Release() {
	s.detector.Forget()
	s.depthFirst, s.bestFirst, s.share, s.resumed = nil, nil, s.options.Memory, resumed{}
}

// Start returns a context with a limit for the questions that follow. For a limit in nodes the
// solver forgets what it knows, so that with one thread its answers do not depend on earlier
// questions.
func (s *Solver) Start(ctx context.Context, l answer.Limit) (context.Context, context.CancelFunc) {
	if l.Nodes > 0 {
		s.Forget()
	}
	return l.Start(ctx)
}

// Check returns an error if Deepest is out of range, Position has no piece or is inside a turn, Aim
// is invalid ([goal.Aim.Check]), Game does not end with Position, or Threats is combined with what
// threats cannot determine: the least N, or every turn that keeps it. For an aim other than the
// win, a position must not have occurred twice in the game ([ErrRepeated]).
func (q Question) Check() error {
	if q.Deepest < 1 || q.Deepest > MaxTurns {
		return fmt.Errorf("a win in %d cannot be asked for: the number of turns is 1 to %d", q.Deepest, MaxTurns)
	}
	if err := cmp.Or(q.Position.CheckStart(), q.Aim.Check()); err != nil {
		return err
	}
	if q.Threats && (q.All || !q.Any) {
		return errors.New("threats alone tell neither the least number of turns nor every turn that keeps it: ask for any win")
	}
	if q.Game != nil && q.Game.Last() != q.Position {
		return fmt.Errorf("the game does not end with the position")
	}
	if q.Game != nil && !q.Aim.Win() && repeated(q.Game) {
		return ErrRepeated
	}
	return nil
}

// Solve answers a question. When the context is done it returns what it knows; [answer.Limit] makes
// contexts with limits in time and nodes. The error is that of [Question.Check], a contradiction
// ([tables.Contradiction]), an error of the store, or that of reading a saved search; the answer is
// then void.
func (s *Solver) Solve(ctx context.Context, q Question) (Answer, error) {
	start := time.Now()
	ctx, err := s.asked(ctx, q)
	if err != nil {
		return Answer{}, err
	}
	s.known.Store(nil)
	s.line.Store(nil)
	if !q.Aim.Win() {
		return s.reach(ctx, q)
	}
	s.earlier.Store(0)
	s.probes, s.number = 0, q.Number
	if a, ok, err := s.tabled(ctx, q); ok || err != nil {
		a.Time = time.Since(start)
		return a, err
	}
	if q.Game != nil && s.depthFirst == nil {
		// A game hardly ever does without pns, and tables of the right size need not be made a
		// second time: the memory of the first would have to be cleared.
		if err := s.needBestFirst(); err != nil {
			return Answer{}, err
		}
	}
	g := growth{s: s, q: q, start: start, search: ctx, stop: func() {}}
	if err := g.grow(ctx); err != nil {
		return Answer{}, err
	}
	a := g.a
	switch {
	case a.Verdict != answer.Proved:
	case q.NoLine:
		s.play(&a.Line, q.Position, q.Game, g.turn)
	default:
		a.Line, err = s.Line(ctx, q, a.Within, s.plainest(&q.Position, g.turn))
	}
	return a, err
}

// growth is a question under way, for growing N.
type growth struct {
	s     *Solver
	q     Question
	start time.Time
	a     Answer
	turn  arimaa.Turn // that begins the win within a.Within turns
	// search limits the searches. Once a win is known it reserves a share for the line.
	search context.Context
	stop   context.CancelFunc
}

// grow decides one N after the other, until the least is known or the limit is reached.
func (g *growth) grow(ctx context.Context) error {
	defer func() { g.stop() }()
	a, q := &g.a, &g.q
	if turn, within := g.s.captures(*q); within > 0 {
		g.wins(ctx, within, turn, 0)
	}
	for n := 1; n <= q.Deepest && (a.Within == 0 || n < a.Within && (n == 1 || !q.Any)); {
		f, err := g.decide(n)
		if err != nil {
			return err
		}
		if f.within > 0 {
			g.wins(ctx, f.within, f.turn, n)
		}
		if f.verdict == answer.Disproved {
			a.Refuted = n
			n++
		} else if a.Stop = f.stop; f.within == 0 || q.Any {
			break
		}
	}
	g.s.known.Store(&Known{q.Position, a.Bounds, g.turn})
	return g.judge()
}

// wins records a win found while n turns were tried.
func (g *growth) wins(ctx context.Context, within int, turn arimaa.Turn, n int) {
	if g.a.Within == 0 && within > n {
		g.search, g.stop = answer.Reserve(ctx, linePart)
	}
	g.a.Within, g.turn = within, turn
}

// decide decides n, and saves the graph if asked to.
func (g *growth) decide(n int) (finding, error) {
	s, a := g.s, &g.a
	s.trying.Store(int32(n))
	s.known.Store(&Known{g.q.Position, a.Bounds, g.turn})
	saves := s.saving.path != "" && !s.waits(g.q, n)
	if saves && s.saving.every > 0 {
		s.bestFirst.SaveEvery(s.saving.path, s.saving.every, s.saving.report)
	}
	longest := g.q.Deepest
	if a.Within > 0 {
		longest = a.Within - 1
	}
	f, err := s.answer(g.search, g.q, n, longest, a)
	if saves {
		s.bestFirst.SaveEvery("", 0, nil) // do not save the searches for the line
	}
	if err != nil {
		return f, err
	}
	g.count()
	if saves && (f.verdict != answer.Disproved || n == g.q.Deepest) {
		if a.Unsaved = ErrRecalled; !f.recalled {
			a.Unsaved = s.bestFirst.SaveFile(s.saving.path)
		}
	}
	return f, nil
}

// judge determines the verdict, and lists the solutions if asked for.
func (g *growth) judge() error {
	a := &g.a
	switch {
	case a.Within == 0 && a.Refuted == g.q.Deepest:
		a.Verdict = answer.Disproved
	case a.Within == 0:
	case !a.Exact():
		if a.Verdict = answer.Proved; g.q.All {
			a.Listing = a.Stop
		}
	default:
		a.Verdict, a.Stop = answer.Proved, answer.Finished
		if g.q.All && !g.s.listDecides(g.q, a.Within) {
			err := g.s.all(g.search, g.q, a.Within, a)
			g.count()
			return err
		}
	}
	return nil
}

// count records what the searches have taken so far.
func (g *growth) count() {
	g.a.Nodes, g.a.Time, g.a.Probes = g.s.earlier.Load(), time.Since(g.start), g.s.probes
}

// linePart is the share of time and nodes reserved for the line while a shorter win is searched
// for, as a divisor.
const linePart = 10

// answer decides a win in n, given that there is none in less, or finds a win within longest turns
// before that is decided. For two turns without a game the list of solutions, if asked for, also
// decides: it takes as long as a disproof.
func (s *Solver) answer(ctx context.Context, q Question, n, longest int, a *Answer) (f finding, err error) {
	if !s.listDecides(q, n) || s.options.Store != nil {
		f, err = s.decide(ctx, q, n, longest)
		if err != nil || f.verdict == answer.Disproved || !s.listDecides(q, n) {
			return f, err
		}
	}
	if err := s.all(ctx, q, n, a); err != nil {
		return f, err
	}
	switch {
	case len(a.Solutions) > 0:
		return finding{verdict: answer.Proved, within: n, turn: a.Solutions[0].Turn}, nil // the same with a store and without
	case a.Listing == answer.Finished:
		return finding{verdict: answer.Disproved}, nil
	case f.verdict == answer.Unknown:
		f.stop, a.Listing = a.Listing, answer.Finished
	}
	return f, nil
}

// listDecides reports whether a win in n is decided by the list of solutions.
func (s *Solver) listDecides(q Question, n int) bool {
	return q.All && n == 2 && q.Game == nil && s.usesDepthFirst()
}

// finding is the result of one search of either solver.
type finding struct {
	verdict answer.Verdict
	stop    answer.Stop
	within  int         // the turns within which the attacker wins, as far as was found; 0 if that is unknown
	turn    arimaa.Turn // that begins this win
	// recalled reports that the store had the answer, so the graph of pns does not show it.
	recalled bool
}

// decide decides for n turns whether the attacker wins; of the question it reads Position, Game and
// Threats. A win within longest turns that is found before also ends the search.
func (s *Solver) decide(ctx context.Context, q Question, n, longest int) (f finding, err error) {
	p, game := q.Position, q.Game
	if game == nil {
		if f, ok := s.decideByTable(&p, n); ok {
			return f, nil
		}
	}
	if s.usesDepthFirst() {
		s.needDepthFirst()
		if game != nil && repeated(game) {
			longest = n // a longer win may not stand
		}
		var r dfpns.Result
		err = s.count(s.depthFirst, func() (err error) {
			r, err = s.depthFirst.Solve(ctx, dfpns.Question{Position: p, N: n, Longest: longest, Threats: q.Threats})
			return err
		})
		f = finding{verdict: r.Verdict, stop: r.Stop, within: r.Within, turn: r.Turn}
		if err != nil || game == nil || f.verdict == answer.Unknown || f.within > 0 && !repeated(game) {
			return f, err
		}
	}
	if err := s.needBestFirst(); err != nil {
		return f, err
	}
	err = s.count(s.bestFirst, func() error {
		question := pns.Question{Position: p, N: n, Game: game, Number: s.number}
		r, ok, err := s.resume(ctx, question)
		if !ok && err == nil {
			r = s.bestFirst.Solve(ctx, question)
		}
		f = finding{verdict: r.Verdict, stop: r.Stop, turn: r.Turn, recalled: r.Recalled}
		if r.Verdict == answer.Proved {
			f.within = n
		}
		return cmp.Or(err, s.bestFirst.Err())
	})
	return f, err
}

// count runs a search and adds its nodes, and what the endgame tables decided, to the sums.
func (s *Solver) count(by searcher, search func() error) error {
	nodes := by.Nodes
	s.running.Store(&nodes)
	err := search()
	s.running.Store(nil)
	s.earlier.Add(nodes())
	s.probes += by.Probes()
	return err
}

// searcher holds the counts of both searches.
type searcher interface {
	Nodes() uint64
	Probes() uint64
}

// repeated reports whether a position of the game has occurred twice.
func repeated(g *arimaa.Game) bool {
	return len(g.Twice(arimaa.Gold))+len(g.Twice(arimaa.Silver)) > 0
}

// all lists the solutions for n.
func (s *Solver) all(ctx context.Context, q Question, n int, a *Answer) error {
	if !s.usesDepthFirst() {
		return errors.New("solutions are listed with dfpns")
	}
	s.needDepthFirst()
	if q.Game != nil && repeated(q.Game) {
		return nil
	}
	return s.count(s.depthFirst, func() (err error) {
		a.Solutions, a.Listing, err = s.depthFirst.All(ctx, dfpns.Question{Position: q.Position, N: n, Aim: q.Aim, Enough: q.Enough})
		return err
	})
}
