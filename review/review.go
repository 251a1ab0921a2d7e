package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/goal"
	"goalproof/proof"
	"goalproof/solve"
)

// Options say how to review.
type Options struct {
	WinIn int           // the longest wins that are looked for, in turns of the winner
	Time  time.Duration // for what is asked about each turn, and again for its line and its certificate
	// Certify gets the proof of every win of the side to move that is proved, before turn i of the
	// game. The review goes on without a certificate that was not completed in time; nil: none are
	// made.
	Certify func(i int, c *proof.Certificate) error
	// Engine evaluates each position, and what its three best turns lead to, with about Effort nodes for
	// each search; nil: there are no evaluations.
	Engine *engine.Engine
	Effort uint64
	Notes  Notes // of other reviews, which spare what they have tried in vain; nil: none are taken
	// Progress is called after each turn that has been looked at; nil: nobody is told.
	Progress func(done, total int)
}

// Review is what was found out about a game.
type Review struct {
	Record      Record
	WinIn       int          // the longest wins that were looked for
	Standings   []Standing   // before each turn, and at the end
	Judgements  []Judgement  // of each turn
	Evaluations []Evaluation // of each position, or nil
	Decision    *Decision    // nil where no side is proved to win at the end
	Nodes       uint64       // made by the solver
	Interrupted bool         // the context was done before the end
	Time        time.Duration
}

// review is a review under way.
type review struct {
	Review
	Options  Options
	solver   *solve.Solver
	detector goal.Detector
}

// Play reviews a game with a solver. When the context is done, what has not been looked at by then is
// unknown. The error is a contradiction ([tables.Contradiction]), or one of Certify or Notes; the review
// is then not to be used.
func Play(ctx context.Context, s *solve.Solver, r Record, o Options) (*Review, error) {
	start := time.Now()
	n := r.Game.Len()
	v := &review{Options: o, solver: s}
	v.Review = Review{Record: r, WinIn: o.WinIn, Standings: make([]Standing, n+1)}
	for i := n; i >= 0; i-- {
		var err error
		if v.Standings[i], err = v.stand(ctx, i); err != nil {
			return nil, fmt.Errorf("%s, turn %s: %w", r.Name, r.Game.Label(i), err)
		}
		if err := v.deduce(ctx, i); err != nil {
			return nil, fmt.Errorf("%s, turn %s: %w", r.Name, r.Game.Label(i), err)
		}
		if o.Progress != nil {
			o.Progress(n+1-i, n+1)
		}
	}
	for i := range n {
		v.Judgements = append(v.Judgements, v.judge(i))
	}
	for i := range v.Judgements {
		if err := v.explain(ctx, i); err != nil {
			return nil, fmt.Errorf("%s, turn %s: %w", r.Name, r.Game.Label(i), err)
		}
	}
	v.Decision = v.decide()
	if err := v.evaluate(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	v.Interrupted = ctx.Err() != nil
	v.Time = time.Since(start)
	return &v.Review, nil
}

// errContradiction is a bug: what was played shows a win that has been refuted.
var errContradiction = errors.New("a win is both proved and refuted")

// exact is the greatest number of turns for which a refutation rules a win out under all rules.
const exact = 1

// deduce adds what the turn that was played at position i shows: where it leaves a position that is
// lost, it wins.
func (v *review) deduce(ctx context.Context, i int) error {
	s := &v.Standings[i]
	if i == v.Record.Game.Len() || s.Win.Proved() || !v.Standings[i+1].Loss.Proved() {
		return nil
	}
	turns := v.Standings[i+1].Loss.Turns + 1
	if turns <= min(s.Win.Refuted, exact) {
		return errContradiction
	}
	s.Win = Fact{Verdict: answer.Proved, Turns: turns, Refuted: min(s.Win.Refuted, turns-1), Deduced: true}
	s.Turn = v.Record.Game.Turn(i)
	s.Loss = Fact{Verdict: answer.Disproved, Refuted: v.WinIn}
	return v.certify(ctx, i, v.history(i), turns, s.Turn)
}

// certify writes down the win in so many turns at position i that begins with a turn.
func (v *review) certify(ctx context.Context, i int, history *arimaa.Game, turns int, t arimaa.Turn) error {
	if v.Options.Certify == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, v.Options.Time)
	defer cancel()
	q := solve.Question{Position: v.Record.Game.Position(i), Deepest: turns, Game: history}
	a := solve.Answer{Verdict: answer.Proved, Least: turns, Line: []solve.Ply{{Turn: t}}}
	c, err := v.solver.Certificate(ctx, q, a)
	if err == nil && v.Standings[i].Win.Deduced {
		// The number may not be the least, on which the making of certificates relies.
		err = c.Check(ctx, nil)
	}
	hole := (*proof.Hole)(nil)
	switch {
	case errors.Is(err, solve.ErrNoCertificate) || errors.As(err, &hole) || ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	return v.Options.Certify(i, c)
}
