package puzzles

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/solve"
)

// Verdict is what is true about a puzzle.
type Verdict string

const (
	Win     Verdict = "win"     // the side to move wins within the limit
	NoWin   Verdict = "no-win"  // it does not
	Unknown Verdict = "unknown" // the search stopped before it knew
	Error   Verdict = "error"   // the entry is broken, or the search failed
)

// Certificate is what became of the certificate of a win.
type Certificate string

const (
	Accepted      Certificate = "accepted" // it was written down and checked
	Rejected      Certificate = "rejected" // it does not hold: somewhere there is a bug
	NoCertificate Certificate = "none"     // none was asked for, or it could not be completed
)

// Certify writes down a win that was proved and checks it. The error says why there is no
// certificate to judge; that of the context means that time was up.
type Certify func(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer) (accepted bool, err error)

// Options say how to verify.
type Options struct {
	// WinIn is how far to look for the least number, in turns; 0: the claim, and at least 2.
	// A puzzle is always searched up to its claim.
	WinIn   int
	Time    time.Duration // for the search of a puzzle, and again for its certificate; 0: no limit
	Unusual bool          // accept positions that cannot come up in a game
	Certify Certify       // nil: no certificates
}

// deepest is how many turns are searched for a claim.
func (o *Options) deepest(claim int) int {
	if o.WinIn == 0 {
		return max(claim, 2)
	}
	return max(claim, o.WinIn)
}

// Solution is a winning first turn.
type Solution struct {
	Turn      string // in notation, with captures
	Essential bool   // no other one lies on the way to it
	Given     bool   // it is the puzzle's own
}

// Result is what was found out about a puzzle.
type Result struct {
	Puzzle  Puzzle
	Verdict Verdict
	Least   int // for Win: the least number of turns
	Refuted int // the greatest number of turns for which there is no win; 0 if none was decided
	// Solutions are the first turns that keep the least number, fewest steps first, for Win. Listed
	// tells whether they are all; otherwise none counts as essential.
	Solutions []Solution
	Listed    bool
	// SolutionOK tells whether the given solution is one of them; nil: none is given, or it is not known.
	SolutionOK *bool
	// Line is the turns of a win against a defence that holds out longest. It may break off when time is up.
	Line        []string
	Certificate Certificate
	Stop        answer.Stop   // why something is not known, or Finished
	Time        time.Duration // for all of it
	// Err says what is broken, for Error. For another verdict it says what is wrong with the given
	// solution, or why there is no certificate.
	Err error
}

// ClaimTrue tells whether the claim is true, which is known unless the search stopped before
// or the puzzle claims nothing.
func (r *Result) ClaimTrue() (yes, known bool) {
	claim := r.Puzzle.Claim
	switch {
	case claim == 0 || r.Verdict == Error:
		return false, false
	case r.Verdict == Win:
		return r.Least == claim, true
	}
	return false, r.Refuted >= claim
}

// Essential counts the essential solutions.
func (r *Result) Essential() (n int) {
	for _, s := range r.Solutions {
		if s.Essential {
			n++
		}
	}
	return n
}

// Unique tells whether there is only one solution, if that is known.
func (r *Result) Unique() (yes, known bool) {
	return len(r.Solutions) == 1, r.Verdict == Win && (r.Listed || len(r.Solutions) > 1)
}

// EssentiallyUnique tells whether there is only one essential solution, if that is known.
func (r *Result) EssentiallyUnique() (yes, known bool) {
	return r.Essential() == 1, r.Verdict == Win && r.Listed
}

// Second returns the second solutions: the essential ones where there is more than one, without the
// given one. Where not all solutions are listed it is not known which are essential, and all count.
func (r *Result) Second() (second []Solution) {
	for _, s := range r.Solutions {
		if s.Essential || !r.Listed {
			second = append(second, s)
		}
	}
	if len(second) < 2 {
		return nil
	}
	return slices.DeleteFunc(second, func(s Solution) bool { return s.Given })
}

// Verify finds out what is true about a puzzle. What goes wrong is in the result. When the context is
// done it says at once what is known by then.
func Verify(ctx context.Context, s *solve.Solver, p Puzzle, o Options) (r Result) {
	start := time.Now()
	r = Result{Puzzle: p, Verdict: Error, Certificate: NoCertificate}
	defer func() { r.Time = time.Since(start) }()
	q := solve.Question{Position: p.Position, Deepest: o.deepest(p.Claim), All: true}
	if r.Err = p.Err; r.Err != nil {
		return r
	}
	if err := p.Position.Unusual(); err != nil && !o.Unusual {
		r.Puzzle.fail("%s", strings.ReplaceAll(err.Error(), "\n", "; "))
		r.Err = r.Puzzle.Err
		return r
	}
	if err := q.Check(); err != nil {
		r.Puzzle.fail("%v", err)
		r.Err = r.Puzzle.Err
		return r
	}
	limited, cancel := o.limit(ctx)
	defer cancel()
	a, err := s.Solve(limited, q)
	if err != nil {
		r.Err = fmt.Errorf("%s: %w", p.Label(), err)
		return r
	}
	r.answer(a)
	r.judgeSolution(a)
	if r.Verdict == Win && o.Certify != nil {
		r.certify(ctx, s, q, a, o)
	}
	return r
}

// limit gives a context the time for a puzzle.
func (o *Options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, o.Time)
}

// answer takes over what the solver found out.
func (r *Result) answer(a solve.Answer) {
	r.Refuted = a.Refuted
	switch a.Verdict {
	case answer.Proved:
		r.Verdict, r.Least = Win, a.Least
		r.Listed, r.Stop = a.Listing == answer.Finished, a.Listing
	case answer.Disproved:
		r.Verdict = NoWin
	default:
		r.Verdict, r.Stop = Unknown, a.Stop
	}
	for _, s := range a.Solutions {
		r.Solutions = append(r.Solutions, Solution{Turn: r.Puzzle.Position.Notation(s.Turn), Essential: s.Essential})
	}
	for _, ply := range a.Line {
		r.Line = append(r.Line, ply.Before.Notation(ply.Turn))
	}
}

// judgeSolution looks for the given solution among those that were found.
func (r *Result) judgeSolution(a solve.Answer) {
	if r.Puzzle.Solution == "" {
		return
	}
	judged := func(ok bool) { r.SolutionOK = &ok }
	turn, err := firstTurn(r.Puzzle.Position, r.Puzzle.Solution)
	if err != nil {
		r.Err = &arimaa.ParseError{File: r.Puzzle.File, Line: r.Puzzle.Line, Reason: fmt.Sprintf("the given solution %q: %v", r.Puzzle.Solution, err)}
		judged(false)
		return
	}
	after, _ := r.Puzzle.Position.Try(turn)
	for i := range a.Solutions {
		if a.Solutions[i].After == after {
			r.Solutions[i].Given = true
			judged(true)
			return
		}
	}
	if r.Verdict == NoWin || r.Verdict == Win && r.Listed {
		judged(false)
	}
}

// certify has the win written down and checked.
func (r *Result) certify(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer, o Options) {
	ctx, cancel := o.limit(ctx)
	defer cancel()
	accepted, err := o.Certify(ctx, s, q, a)
	switch {
	case err == nil && accepted:
		r.Certificate = Accepted
	case err == nil:
		r.Certificate = Rejected
	case ctx.Err() == context.DeadlineExceeded:
		r.Stop = answer.Time
	case ctx.Err() != nil:
		r.Stop = answer.Interrupted
	default:
		r.Err = fmt.Errorf("%s: certificate: %w", r.Puzzle.Label(), err)
	}
}
