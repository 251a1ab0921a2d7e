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

// Options configure a review.
type Options struct {
	WinIn int           // the longest wins to look for, in turns of the winner
	Time  time.Duration // for the questions about a turn; as much again for its line, and for its certificate
	// Defence is the time to count the turns that would have stopped a win in two turns or more that a turn gave; 0: only
	// those that stop a win in 1 are counted.
	Defence time.Duration
	// Certify receives the certificate of each proved win of the side to move, before turn i of the game. Certificates
	// that are not completed in time are left out. Nil: none are made.
	Certify func(i int, c *proof.Certificate) error
	// Engine evaluates each position and the positions after its three best turns, with about Effort nodes for each
	// search. Nil: there are no evaluations.
	Engine *engine.Engine
	Effort uint64
	Notes  Notes // results of other reviews; may be nil
	// Progress is called after each position; may be nil.
	Progress func(done, total int)
}

// Review is the result of a review.
type Review struct {
	Record      Record
	WinIn       int          // the longest wins looked for
	Standings   []Standing   // before each turn, and at the end
	Judgements  []Judgement  // of each turn
	Evaluations []Evaluation // of each position, or nil
	Decision    *Decision    // nil if no win is proved at the end
	Nodes       uint64       // of the solver
	Examined    int          // positions examined, from the last one back; all unless the review was interrupted
	Interrupted bool         // the context was done before the end
	Time        time.Duration
}

// review is a review in progress.
type review struct {
	Review
	Options  Options
	solver   *solve.Solver
	detector goal.Detector
}

// Game reviews a game. When the context is done the remaining questions are unknown. The error is a contradiction
// ([tables.Contradiction]), or one of Certify or Notes; the review must then not be used.
func Game(ctx context.Context, s *solve.Solver, r Record, o Options) (*Review, error) {
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
		if ctx.Err() == nil {
			v.Examined++
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
	if err := v.evaluate(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	for i := range v.Judgements { // evaluate may have found saving turns
		j, now := &v.Judgements[i], v.judge(i)
		j.Mark, j.Gives = now.Mark, now.Gives
	}
	for i := range v.Judgements {
		if err := v.stops(ctx, i); err != nil {
			return nil, fmt.Errorf("%s, turn %s: %w", r.Name, r.Game.Label(i), err)
		}
	}
	v.Decision = v.decide()
	v.Interrupted = ctx.Err() != nil
	v.Time = time.Since(start)
	return &v.Review, nil
}

// errContradiction means a bug: the turn that was played proves a win that has been refuted.
var errContradiction = errors.New("a win is both proved and refuted")

// exact is the greatest number of turns for which a refutation is exact under the rule of the third repetition.
const exact = 1

// deduce adds what follows from the turn played at position i: it wins if it leaves a lost position.
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
	return v.certify(ctx, i, turns, s.Turn)
}

// certify makes a certificate of the win at position i that begins with a turn and takes a number of turns. It
// carries the game up to there.
func (v *review) certify(ctx context.Context, i, turns int, t arimaa.Turn) error {
	if v.Options.Certify == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, v.Options.Time)
	defer cancel()
	q := solve.Question{Position: v.Record.Game.Position(i), Deepest: turns, Game: v.Record.Game.At(i)}
	c, err := v.solver.CertificateFor(ctx, q, turns, t)
	if err == nil && v.Standings[i].Win.Deduced {
		// It may not be the shortest win, as a certificate needs.
		err = c.Check(ctx, nil)
	}
	hole := (*proof.Hole)(nil)
	switch {
	case errors.Is(err, solve.ErrNoCertificate) || errors.As(err, &hole) || errors.Is(err, proof.ErrTooManyReplies) || ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	return v.Options.Certify(i, c)
}
