// Package solve puts the question "does the side to move win in N turns?" to a solver:
// it grows N from 1, so that the first proof is the shortest, and reads off the answer
// what people want to see: the distance, a winning turn, a line in which the
// defence holds out longest, and on request every first turn that solves.
//
// The win can be written down as a certificate, which package proof checks without any of this
// (certificate.go). Facts may be kept in a store, one for both searches, and those of a store proved
// again (verify.go). A search of pns may be saved, while it runs and when it ends, and go on another
// time (resume.go).
//
// Package dfpns is asked unless the caller wants pns. It sets the third repetition
// aside. With the history of a game its "yes" stands if no position has occurred twice
// yet: a proof meets none twice, so none for the third time. All else is put to
// package pns, which counts repetitions along every line.
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
	"goalproof/pns"
	"goalproof/tables"
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

// Question is a position, the attacker to move at the start of his turn, and how far
// to look.
type Question struct {
	Position arimaa.Position
	Deepest  int // the greatest N tried, in turns of the attacker; 1 to MaxTurns
	// Game is the game that led to Position, which is its last one; its repetitions
	// then count. Nil: the third-repetition rule is set aside.
	Game *arimaa.Game
	// All asks for every first turn that keeps the least N.
	All bool
	// Save is the file that the graph of the last N tried goes to, with pns; empty: none. It goes there
	// when the search ends and, if SaveEvery is more than 0, each time so much time has passed. As long as
	// a search that is to go on has not begun to ([Solver.Resume]), nothing is saved. SaveFailed, if it is not
	// nil, is called from the search where a save on the way fails.
	Save       string
	SaveEvery  time.Duration
	SaveFailed func(error)
	// NoLine leaves out everything of the line but its first turn.
	NoLine bool
}

// Answer is what a solver found out about a question.
type Answer struct {
	// Verdict is Proved if the attacker wins within Deepest turns, Disproved if not.
	Verdict answer.Verdict
	Stop    answer.Stop // why the verdict is unknown
	Least   int         // for Proved: the least N, in turns
	Refuted int         // the greatest N for which there is no win, 0 if none was decided
	// Line begins with a winning turn, for Proved. Where the defender has several
	// replies it goes on with one that holds out longest. It may break off when time is up.
	Line []Ply
	// Solutions are the first turns that keep the least N, if they were asked for and the
	// verdict is Proved. In a game they are those that do so with the third repetition set aside;
	// none are listed where a position has occurred twice, which might forbid something.
	Solutions []dfpns.Solution
	// Listing is why the list of solutions is not complete, or Finished.
	Listing answer.Stop
	// Unsaved is why the graph could not be saved when the search ended, [ErrRecalled] among others, or nil.
	Unsaved error
	// Nodes and Time are what the search took until it knew, with the list of solutions if
	// that was asked for; Line comes after that.
	Nodes uint64
	Time  time.Duration
}

// Essential counts the solutions that have no other one on the way; see [dfpns.Solution].
func (a *Answer) Essential() (n int) {
	for i := range a.Solutions {
		if a.Solutions[i].Essential {
			n++
		}
	}
	return n
}

// Ply is a turn of a line.
type Ply struct {
	Before  arimaa.Position
	Turn    arimaa.Turn
	Outcome arimaa.Outcome // after the turn; over for the last ply of a whole line
}

// ErrRecalled says that there is no graph to save, because the store had the answer.
var ErrRecalled = errors.New("the store has the answer: there is no graph to save")

// Options are what a solver has to work with.
type Options struct {
	Algorithm Algorithm
	Memory    uint64       // for its tables, in bytes
	Threads   int          // at least 1; pns uses one
	Store     tables.Store // where facts last; nil: nowhere
	Epsilon   float64      // see dfpns.Options
}

// Check says what is wrong with options: too little memory.
func (o Options) Check() error {
	if o.Memory < pns.LeastMemory {
		return fmt.Errorf("a search needs at least %d MiB of memory", pns.LeastMemory>>20)
	}
	return nil
}

// Solver answers questions one after the other. It keeps its memory from one to the
// next, and dfpns its facts. It serves one goroutine; Progress may be called from any.
type Solver struct {
	fast     *dfpns.Solver // nil: pns alone
	exact    *pns.Solver   // nil until it is needed
	tuning   pns.Parameters
	saved    saved // search of pns that is to go on
	options  Options
	detector goal.Detector
	replies  arimaa.Generator
	trying   atomic.Int32
	earlier  atomic.Uint64                 // nodes of the searches that have ended
	running  atomic.Pointer[func() uint64] // counts those of the one under way
}

// New returns a solver. The error says that the memory is too little.
func New(o Options) (*Solver, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	s := &Solver{options: o, tuning: pns.Defaults()}
	if o.Algorithm == DFPNS {
		s.fast = s.newFast(o.Memory)
	}
	return s, nil
}

// What a process takes besides its tables, in bytes.
const (
	processMemory = 12 << 20
	threadMemory  = 8 << 20
)

// newFast returns a dfpns solver that takes so much memory with all that belongs to it. Where that
// is little more than what it takes anyway, half is for tables all the same.
func (s *Solver) newFast(memory uint64) *dfpns.Solver {
	// An eighth is room for the collector, which else never rests below the process's limit.
	overhead := processMemory + threadMemory*uint64(s.options.Threads) + memory/8
	forTables := max(memory-min(memory, overhead), memory/2)
	return dfpns.New(dfpns.Options{
		Facts: forTables / 2, Numbers: forTables / 2, Threads: s.options.Threads, Store: s.options.Store, Epsilon: s.options.Epsilon,
	})
}

// needExact makes the pns solver if it is not there yet. Dfpns, if there is one, gives up half of the
// memory for it with the facts in it.
func (s *Solver) needExact() error {
	if s.exact != nil {
		return nil
	}
	memory := s.options.Memory
	if s.fast != nil {
		memory /= 2
		s.fast = nil // before its successor takes the place
		s.fast = s.newFast(memory)
	}
	exact, err := pns.New(max(memory, pns.LeastMemory))
	if err != nil {
		return err
	}
	s.exact = exact
	exact.UseStore(s.options.Store)
	return exact.Tune(s.tuning)
}

// Tune sets the parameters of pns for the questions that follow. The error says what is wrong with
// them.
func (s *Solver) Tune(p pns.Parameters) error {
	if err := p.Check(); err != nil {
		return err
	}
	s.tuning = p
	if s.exact != nil {
		return s.exact.Tune(p)
	}
	return nil
}

// Progress returns the N that is being tried and the nodes made so far.
func (s *Solver) Progress() (n int, nodes uint64) {
	nodes = s.earlier.Load()
	if count := s.running.Load(); count != nil {
		nodes += (*count)()
	}
	return int(s.trying.Load()), nodes
}

// Forget empties all tables, so that the next answer takes what it takes at first. (pns
// begins each question afresh anyway.)
func (s *Solver) Forget() {
	if s.fast != nil {
		s.fast.Forget()
	}
}

// Check says what is wrong with a question: a Deepest that cannot be asked for, or a
// Game that does not end with Position.
func (q Question) Check() error {
	if q.Deepest < 1 || q.Deepest > MaxTurns {
		return fmt.Errorf("a win in %d cannot be asked for: the number of turns is 1 to %d", q.Deepest, MaxTurns)
	}
	if q.Position.StepsLeft() != arimaa.StepsPerTurn {
		return fmt.Errorf("the position is not at the start of a turn")
	}
	if q.Game != nil && q.Game.Last() != q.Position {
		return fmt.Errorf("the game does not end with the position")
	}
	return nil
}

// Solve answers a question, which must be sound ([Question.Check]). When the context is
// done it stops and says what is known by then. The error is a contradiction
// ([tables.Contradiction]), one of the store, or that of a saved search that could not be read: the answer
// is then not to be used.
func (s *Solver) Solve(ctx context.Context, q Question) (Answer, error) {
	start := time.Now()
	var a Answer
	if q.Save != "" && s.fast != nil {
		return a, errors.New("a graph is saved with pns")
	}
	if q.Save != "" {
		if err := s.needExact(); err != nil {
			return a, err
		}
	}
	s.earlier.Store(0)
	for n := 1; n <= q.Deepest; n++ {
		s.trying.Store(int32(n))
		saves := q.Save != "" && !s.waits(q, n)
		if saves && q.SaveEvery > 0 {
			s.exact.SaveEvery(q.Save, q.SaveEvery, q.SaveFailed)
		}
		f, err := s.answer(ctx, q, n, &a)
		if saves {
			s.exact.SaveEvery("", 0, nil) // the questions of the line are others
		}
		if err != nil {
			return Answer{}, err
		}
		a.Verdict, a.Stop = f.verdict, f.stop
		a.Nodes, a.Time = s.earlier.Load(), time.Since(start)
		if saves && (f.verdict != answer.Disproved || n == q.Deepest) {
			if a.Unsaved = ErrRecalled; !f.recalled {
				a.Unsaved = s.exact.SaveFile(q.Save)
			}
		}
		switch f.verdict {
		case answer.Proved:
			a.Least = n
			if q.NoLine {
				s.play(&a.Line, q.Position, q.Game, f.turn)
				return a, nil
			}
			a.Line, err = s.Line(ctx, q, n, f.turn)
			return a, err
		case answer.Unknown:
			return a, nil
		}
		a.Refuted = n
	}
	return a, nil
}

// answer decides about a win in n, given that there is none in less, and lists the solutions
// if that is asked for. For two turns without a game the list is the decision: to refute them
// all, or to find all that win, takes the same.
func (s *Solver) answer(ctx context.Context, q Question, n int, a *Answer) (f finding, err error) {
	if !q.All || n != 2 || q.Game != nil || s.fast == nil {
		if f, err = s.decide(ctx, q.Position, n, q.Game); err != nil || !q.All || f.verdict != answer.Proved {
			return f, err
		}
	}
	if err := s.all(ctx, q, n, a); err != nil {
		return f, err
	}
	switch {
	case f.verdict == answer.Proved:
	case len(a.Solutions) > 0:
		f = finding{verdict: answer.Proved, turn: a.Solutions[0].Turn}
	case a.Listing == answer.Finished:
		f.verdict = answer.Disproved
	default:
		f.stop, a.Listing = a.Listing, answer.Finished
	}
	return f, nil
}

// finding is what one search found out.
type finding struct {
	verdict answer.Verdict
	stop    answer.Stop
	turn    arimaa.Turn // for Proved
	// recalled tells that the store had the answer of pns, whose graph has nothing to do with it.
	recalled bool
}

// decide asks whether the side to move at p, the last position of the game if there is
// one, wins within n turns.
func (s *Solver) decide(ctx context.Context, p arimaa.Position, n int, game *arimaa.Game) (f finding, err error) {
	if s.fast != nil {
		var r dfpns.Result
		err = s.count(s.fast.Nodes, func() (err error) {
			r, err = s.fast.Solve(ctx, dfpns.Question{Position: p, N: n})
			return err
		})
		f = finding{verdict: r.Verdict, stop: r.Stop, turn: r.Turn}
		if err != nil || game == nil || f.verdict == answer.Unknown || f.verdict == answer.Proved && !repeated(game) {
			return f, err
		}
	}
	if err := s.needExact(); err != nil {
		return f, err
	}
	err = s.count(s.exact.Nodes, func() error {
		question := pns.Question{Position: p, N: n, Game: game}
		r, ok, err := s.goOn(ctx, question)
		if !ok && err == nil {
			r = s.exact.Solve(ctx, question)
		}
		f = finding{r.Verdict, r.Stop, r.Turn, r.Recalled}
		return cmp.Or(err, s.exact.Err())
	})
	return f, err
}

// count runs a search, whose nodes are those of nodes, and adds them up.
func (s *Solver) count(nodes func() uint64, search func() error) error {
	s.running.Store(&nodes)
	err := search()
	s.running.Store(nil)
	s.earlier.Add(nodes())
	return err
}

// repeated tells whether a position of the game has occurred twice.
func repeated(g *arimaa.Game) bool {
	return len(g.Twice(arimaa.Gold))+len(g.Twice(arimaa.Silver)) > 0
}

// all lists the solutions for n.
func (s *Solver) all(ctx context.Context, q Question, n int, a *Answer) error {
	if s.fast == nil {
		return errors.New("solutions are listed with dfpns")
	}
	if q.Game != nil && repeated(q.Game) {
		return nil
	}
	return s.count(s.fast.Nodes, func() (err error) {
		a.Solutions, a.Listing, err = s.fast.All(ctx, dfpns.Question{Position: q.Position, N: n})
		return err
	})
}
