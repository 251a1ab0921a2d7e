package review

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/goal"
	"goalproof/internal/batch"
	"goalproof/proof"
	"goalproof/solve"
)

// UsualNodes is the usual limit of the questions about a turn: a game of 100 turns then takes less
// than 20 s on two cores.
const UsualNodes = 250_000

// Options configure a review.
type Options struct {
	WinIn int // the longest wins to look for, in turns of the winner
	// Limit is that of the questions about a turn; as much again is for its line, and for its
	// certificate. With a limit in nodes and none in time a review says the same whatever the machine,
	// its load and the number of solvers.
	Limit answer.Limit
	// Defence is the limit for counting the turns that would have stopped a win in two turns or more
	// that a turn gave; none: only those that stop a win in 1 are counted.
	Defence answer.Limit
	// Certify receives the certificate of each proved win of the side to move, before turn i of the
	// game. Certificates that are not completed within the limit are left out. Nil: none are made.
	Certify func(i int, c *proof.Certificate) error
	// Engine evaluates each position and the positions after its three best turns, with about Effort
	// nodes for each search. Nil: there are no evaluations. It must have one thread.
	Engine *engine.Engine
	Effort uint64
	Notes  Notes // results of other reviews; may be nil
	// Progress is called after each position; may be nil.
	Progress func(done, total int)
	// Rest is called between positions; may be nil. If it returns a function, the review calls that
	// when no solver and no engine searches and the memory of the solvers has been released
	// ([solve.Solver.Release]), and continues when the function returns.
	Rest func() (rest func())
	// Examined is called with what is proved about position i, which stays so, and Evaluated with
	// Gold's chance there by the engine alone: it is replaced at the end. Both may be called at the
	// same time; each may be nil.
	Examined  func(i int, p Proved)
	Evaluated func(i int, gold float64)
}

// Review is the result of a review.
type Review struct {
	Record      Record
	WinIn       int          // the longest wins looked for
	Standings   []Standing   // before each turn, and at the end
	Judgements  []Judgement  // of each turn
	Evaluations []Evaluation // of each position, or nil
	Decision    *Decision    // nil if no win is proved at the end
	Nodes       uint64       // of the solvers
	Examined    int          // positions examined, from the last one back; all unless the review was interrupted
	Interrupted bool         // the context was done before the end
	Time        time.Duration
}

// review is a review in progress. Its answers do not depend on which solver is asked: with a limit
// in nodes a solver forgets before each position what it knows.
type review struct {
	Review
	Options  Options
	solvers  chan *solve.Solver // that are free; the engine takes the place of one while it searches
	solver   *solve.Solver      // of the questions that follow from others
	detector goal.Detector
	nodes    atomic.Uint64
	busy     sync.WaitGroup // goroutines that use a solver or the engine
}

// Game reviews a game. The solvers, at least one, each of one thread, answer questions about
// different positions at the same time, beside the engine. When the context is done the remaining
// answers are unknown. The error is a contradiction ([tables.Contradiction]), or one of Certify or
// Notes.
func Game(ctx context.Context, solvers []*solve.Solver, r Record, o Options) (*Review, error) {
	switch {
	case len(solvers) == 0:
		return nil, errors.New("a review needs a solver")
	case r.Game == nil:
		return nil, errors.New("a review needs a game")
	case o.WinIn < 1 || o.WinIn > solve.MaxTurns:
		return nil, fmt.Errorf("wins in %d cannot be looked for: the number of turns is 1 to %d", o.WinIn, solve.MaxTurns)
	case o.Limit.None():
		return nil, errors.New("a review needs a limit in nodes or in time")
	}
	first := r.Game.Last()
	if r.Game.Len() > 0 {
		first = r.Game.Position(0)
	}
	if err := first.CheckStart(); err != nil {
		return nil, fmt.Errorf("the game: %w", err)
	}
	start := time.Now()
	v := &review{Options: o, solvers: make(chan *solve.Solver, len(solvers)), solver: solvers[0]}
	for _, s := range solvers {
		v.solvers <- s
	}
	if !setUp(&first) {
		v.Options.Engine = nil
	}
	v.Review = Review{Record: r, WinIn: o.WinIn, Standings: make([]Standing, r.Game.Len()+1)}
	if err := v.run(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	v.Decision = v.decide()
	v.Interrupted = ctx.Err() != nil
	v.Nodes = v.nodes.Load()
	v.Time = time.Since(start)
	return &v.Review, nil
}

// run makes all searches, and judges the turns.
func (v *review) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	g := v.Record.Game
	at := func(i int, err error) error {
		if err == nil {
			return nil
		}
		return fmt.Errorf("turn %s: %w", g.Label(i), err)
	}
	defer v.busy.Wait() // the solvers and the engine belong to the caller
	defer cancel()
	analyses, examined := v.analyse(ctx), v.examine(ctx)
	for i := g.Len(); i >= 0; i-- {
		e := <-examined[i]
		if e.err != nil {
			return at(i, e.err)
		}
		if err := at(i, v.conclude(ctx, i, e)); err != nil {
			return err
		}
		v.tell(i, ctx.Err() == nil)
		v.rest()
	}
	for i := range g.Len() {
		v.Judgements = append(v.Judgements, v.judge(i))
	}
	for i := range v.Judgements {
		v.rest()
		if err := v.explain(ctx, i); err != nil {
			return at(i, err)
		}
	}
	if err := v.evaluate(ctx, analyses); err != nil {
		return err
	}
	for i := range v.Judgements { // evaluate may have found saving turns
		j, now := &v.Judgements[i], v.judge(i)
		j.Mark, j.Gives = now.Mark, now.Gives
	}
	for i := range v.Judgements {
		v.rest()
		if err := v.stops(ctx, i); err != nil {
			return at(i, err)
		}
	}
	return nil
}

// tell reports that all has been asked about position i, and whether it has been examined: the
// context was not done before.
func (v *review) tell(i int, examined bool) {
	if examined {
		v.Examined++
		if v.Options.Examined != nil {
			v.Options.Examined(i, v.proven(i))
		}
	}
	if n := len(v.Standings); v.Options.Progress != nil {
		v.Options.Progress(n-i, n)
	}
}

// safely turns a panic in a goroutine of the review into an error. No caller could recover it.
func safely(do func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &batch.Panic{Value: v, Stack: debug.Stack()}
		}
	}()
	return do()
}

// borrow waits for a free solver, which the caller gives back.
func (v *review) borrow() (s *solve.Solver, giveBack func()) {
	s = <-v.solvers
	return s, func() { v.solvers <- s }
}

// rest stops all searches while the caller needs the memory of the solvers. Nothing but the engine,
// which takes the place of a solver, and those who borrow one search meanwhile.
func (v *review) rest() {
	if v.Options.Rest == nil {
		return
	}
	rest := v.Options.Rest()
	if rest == nil {
		return
	}
	for range cap(v.solvers) {
		s, giveBack := v.borrow()
		defer giveBack()
		s.Release()
	}
	rest()
}

// errContradiction means a bug: the turn that was played proves a win that has been refuted.
var errContradiction = errors.New("a win is both proved and refuted")

// exact is the greatest number of turns for which a refutation is exact under the rule of the third
// repetition.
const exact = 1

// deduce adds what follows from the turn played at position i: it wins if it leaves a lost
// position.
func (v *review) deduce(ctx context.Context, i int) error {
	s := &v.Standings[i]
	if i == v.Record.Game.Len() || s.Win.Proved() || !v.Standings[i+1].Loss.Proved() {
		return nil
	}
	turns := v.Standings[i+1].Loss.Within + 1
	if turns <= min(s.Win.Refuted, exact) {
		return errContradiction
	}
	s.Win = Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: turns, Refuted: min(s.Win.Refuted, turns-1)}, Deduced: true}
	s.Turn = v.Record.Game.Turn(i)
	s.Loss = v.none()
	return v.certify(ctx, i, turns, s.Turn)
}

// certify makes a certificate of the win at position i that begins with a turn and takes a number
// of turns, if one is wanted.
func (v *review) certify(ctx context.Context, i, turns int, t arimaa.Turn) error {
	if v.Options.Certify == nil {
		return nil
	}
	s, giveBack := v.borrow()
	defer giveBack()
	c, err := v.certificate(ctx, s, v.Options.Limit, i, turns, t)
	if c == nil || err != nil {
		return err
	}
	return v.Options.Certify(i, c)
}

// certificate returns the certificate of the win at position i that begins with a turn and takes a
// number of turns; nil if it is not completed within the limit. It carries the game up to there.
func (r *Review) certificate(ctx context.Context, s *solve.Solver, limit answer.Limit, i, turns int, t arimaa.Turn) (*proof.Certificate, error) {
	q := solve.Question{Position: r.Record.Game.Position(i), Deepest: turns, Game: r.Record.Game.At(i)}
	ctx, cancel := s.Start(ctx, limit)
	defer cancel()
	c, err := s.CertificateFor(ctx, q, turns, t)
	if err == nil && r.Standings[i].Win.Deduced {
		// It may not be the shortest win, as a certificate needs.
		err = c.Check(ctx, nil)
	}
	hole := (*proof.Hole)(nil)
	if errors.Is(err, solve.ErrNoCertificate) || errors.As(err, &hole) || errors.Is(err, proof.ErrTooManyReplies) || ctx.Err() != nil {
		return nil, nil
	}
	return c, err
}

// Certify makes the certificates that [Options.Certify] would have received within the same limit,
// with a solver of one thread. The error is that of the context, a contradiction, or one of
// certify.
func (r *Review) Certify(ctx context.Context, s *solve.Solver, limit answer.Limit, certify func(i int, c *proof.Certificate) error) error {
	for i := range r.Standings {
		if !r.Claims(i) {
			continue
		}
		c, err := r.Certificate(ctx, s, limit, i)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && c != nil {
			err = certify(i, c)
		}
		if err != nil {
			return fmt.Errorf("%s: turn %s: %w", r.Record.Name, r.Record.Game.Label(i), err)
		}
	}
	return nil
}

// Claims reports whether the side to move at position i is proved to win, where the game is not
// over.
func (r *Review) Claims(i int) bool {
	w := &r.Standings[i].Win
	return w.Proved() && w.Within > 0
}

// Certificate returns the certificate of the proved win of the side to move at position i, nil if
// it is not completed within the limit. The error is that of [Review.Certify].
func (r *Review) Certificate(ctx context.Context, s *solve.Solver, limit answer.Limit, i int) (*proof.Certificate, error) {
	c, err := r.certificate(ctx, s, limit, i, r.Standings[i].Win.Within, r.Standings[i].Turn)
	if ctx.Err() != nil { // it may not be completed for that reason alone
		return nil, ctx.Err()
	}
	return c, err
}
