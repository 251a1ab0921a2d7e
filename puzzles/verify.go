package puzzles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/retro"
	"goalproof/proof"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// Certificate is the state of the certificate of a verdict.
type Certificate string

const (
	Accepted      Certificate = "accepted" // made and checked
	Sampled       Certificate = "sampled"  // made, and checked in part: only of a refutation
	Written       Certificate = "written"  // made
	Rejected      Certificate = "rejected" // made and rejected: a bug
	NoCertificate Certificate = ""         // not asked for, or not completed
)

// Certify makes the certificate of an answer, a win or no win. The error says why there is none;
// that of the context means that the limit was reached.
type Certify func(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer) (Certificate, error)

// Options configure the verification.
type Options struct {
	// WinIn is the longest win to look for, in turns; 0: the claim, but at least 2, and without a
	// claim [solve.MaxTurns]. A puzzle is always searched up to its claim.
	WinIn   int
	Limit   answer.Limit // for a puzzle, and as much again for its certificate
	Unusual bool         // accept positions that no game can reach
	Certify Certify      // nil: no certificates
	// Describe asks for themes and difficulty, which takes several times as long.
	Describe bool
	// Tries asks for near tries, set play and duals, within a limit of their own.
	Tries bool
}

// deepest returns the longest win to look for, given a claim.
func (o *Options) deepest(claim int) int {
	switch {
	case o.WinIn > 0:
		return max(claim, o.WinIn)
	case claim > 0:
		return max(claim, 2)
	}
	return solve.MaxTurns
}

// Solution is a winning first turn.
type Solution struct {
	Turn      string // in notation, with captures
	Essential bool   // no other solution lies on the way to it
	Given     bool   // it is the given solution
}

// Result is the result for a puzzle.
type Result struct {
	Puzzle  Puzzle
	Verdict answer.Verdict // Proved if the side to move wins within the limit, Disproved if not
	answer.Bounds
	// Solutions holds, if Exact, the first turns that keep the least number, those with fewest steps
	// first. Listed reports whether the list is complete; otherwise none counts as essential.
	Solutions []Solution
	Listed    bool
	// SolutionOK reports whether the given solution is one of them; nil: none is given, or it is not
	// known.
	SolutionOK *bool
	// Refutation shows why the given solution is wrong, or why a claim is false if there is no win in
	// so few turns. It holds the given solution, or else a turn that threatens to win, and the reply
	// after which the side to move does not win within the limit of turns; no reply if the win should
	// have come with the first turn. It is nil if there is nothing to refute, or no reply was found
	// within the limit. Shows says in words what it shows, such as "the given solution wins in 2, not
	// in 1".
	Refutation []string
	Shows      string
	// Line is the win against the longest defence. It may be incomplete if the limit was reached.
	Line        []string
	Certificate Certificate
	// Description has the themes and the difficulty of a win, if Listed. It is nil if nobody asked, or
	// the limit was reached.
	Description *describe.Puzzle
	// Phases has the near tries, set play and duals. It is nil if nobody asked, or they cannot be
	// listed; Unlisted says why.
	Phases   *Phases
	Unlisted answer.Stop
	// Impossible says why no game leads to the position, as far as that is cheap to find out (one turn
	// back, in few nodes); empty if that is not known.
	Impossible string
	Table      string        // what the position is worth by an endgame table, for example "win in 4"; empty if none knows it
	Stop       answer.Stop   // why something is unknown, or Finished
	Cut        bool          // a limit in time has cut a search short of its limit in nodes, see [answer.Cut]
	Open       []Gap         // what is not known of what was asked for
	Time       time.Duration // in all
	// Err says why the result has Failed, or what is wrong with the given solution, or why there is
	// no certificate.
	Err error
}

// Gap is something that is not known about a puzzle although it was asked for, and why, in words
// such as "time is up".
type Gap struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// What may not be known.
const (
	openVerdict     = "verdict"
	openLonger      = "longer wins" // without a claim: than those refuted
	openLeast       = "least number of turns"
	openSolutions   = "list of solutions"
	openDescription = "themes and difficulty"
	openTries       = "tries, set play and duals"
	openCertificate = "certificate"
)

// open notes that something is not known, unless the search for it finished.
func (r *Result) open(what string, why answer.Stop) {
	if why != answer.Finished {
		r.Open = append(r.Open, Gap{what, why.String()})
	}
}

// Instead says in words what is true instead of a false claim, for example "the least is 2".
func (r *Result) Instead() string {
	switch {
	case r.Exact():
		return fmt.Sprintf("the least is %d", r.Within)
	case r.Within > 0 && r.Within < r.Puzzle.Claim:
		return fmt.Sprintf("the least is at most %d", r.Within)
	}
	return fmt.Sprintf("there is no win in %d", r.Refuted)
}

// ClaimTrue reports whether the claim is true, and whether that is known: not if the search stopped
// before or there is no claim.
func (r *Result) ClaimTrue() (yes, known bool) {
	claim := r.Puzzle.Claim
	switch {
	case claim == 0:
		return false, false
	case r.Verdict == answer.Proved && r.Within <= claim:
		return r.Within == claim && r.Exact(), r.Within < claim || r.Exact()
	}
	return false, r.Refuted >= claim
}

// Truth says in a few words what is proved: "win in 2", "win in at most 5", "no win in 3". It is
// "unknown" if nothing is, and "error" if it has Failed.
func (r *Result) Truth() string {
	switch {
	case r.Within > 0:
		return "win in " + r.In()
	case r.Refuted > 0:
		return fmt.Sprintf("no win in %d", r.Refuted)
	}
	return r.Word()
}

// Failed reports whether there is no verdict although no limit was reached: the entry is broken, or
// the search failed. Err says which.
func (r *Result) Failed() bool { return r.Verdict == answer.Unknown && r.Stop == answer.Finished }

// Word returns the verdict in a word: "error" if it has Failed.
func (r *Result) Word() string {
	if r.Failed() {
		return "error"
	}
	return r.Verdict.String()
}

// Aside says in words that "no win in Refuted turns" sets the third repetition aside, where that
// could matter.
func (r *Result) Aside() string { return answer.Aside(r.Refuted > 1) }

// Essential counts the essential solutions.
func (r *Result) Essential() (n int) {
	for _, s := range r.Solutions {
		if s.Essential {
			n++
		}
	}
	return n
}

// Unique reports whether there is only one solution, and whether that is known.
func (r *Result) Unique() (yes, known bool) {
	return len(r.Solutions) == 1, r.Verdict == answer.Proved && (r.Listed || len(r.Solutions) > 1)
}

// EssentiallyUnique reports whether there is only one essential solution, and whether that is
// known.
func (r *Result) EssentiallyUnique() (yes, known bool) {
	return r.Essential() == 1, r.Verdict == answer.Proved && r.Listed
}

// Second returns the second solutions (cooks): of several essential ones, all but the given one. If
// the list is incomplete it is not known which are essential, and all count.
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

// Verify verifies a puzzle. The result contains errors, too. When the context is done it returns at
// once what is known. With a limit in nodes the result does not depend on what the solver was asked
// before.
func Verify(ctx context.Context, s *solve.Solver, p Puzzle, o Options) Result {
	r, _ := verify(ctx, s, p, o)
	return r
}

// Refuses returns the result of a puzzle that needs no solver, as its text or its position is
// broken.
func (o *Options) Refuses(p Puzzle) (r Result, refused bool) {
	r = Result{Puzzle: p}
	if r.Err = p.Err; r.Err != nil {
		return r, true
	}
	q := o.question(&p)
	if err := p.Position.Unusual(); err != nil && !o.Unusual {
		r.Puzzle.fail("%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	} else if err := q.Check(); err != nil {
		r.Puzzle.fail("%v", err)
	}
	r.Err = r.Puzzle.Err
	return r, r.Err != nil
}

// question returns the question about a puzzle.
func (o *Options) question(p *Puzzle) solve.Question {
	return solve.Question{Position: p.Position, Deepest: o.deepest(p.Claim), All: true}
}

// findings are what a solver found out about a puzzle. With the puzzle and the options they are the
// whole result.
type findings struct {
	answer      solve.Answer
	refutation  []solve.Ply
	undescribed answer.Stop // why there is no description, or Finished
	uncertified answer.Stop // why there is no certificate, or Finished
	failed      error       // why none can be made
	broken      error       // of the solver
}

func verify(ctx context.Context, s *solve.Solver, p Puzzle, o Options) (r Result, f findings) {
	start := time.Now()
	defer func() { r.Time = time.Since(start) }()
	r, refused := o.Refuses(p)
	if refused {
		return r, f
	}
	q := o.question(&p)
	limited, cancel := s.Start(ctx, o.Limit)
	defer cancel()
	defer r.noteCut(limited)
	a, err := s.Solve(limited, q)
	if err != nil {
		r.Err = fmt.Errorf("%s: %w", p.Label(), err)
		f.broken = r.Err
		return r, f
	}
	f.answer = a
	r.answer(a)
	r.retrace()
	given := r.judgeSolution(a)
	if f.refutation, err = r.refute(limited, s, &a, given); err != nil {
		r.Err = fmt.Errorf("%s: refutation: %w", p.Label(), err)
		f.broken = r.Err
	}
	if o.Describe {
		describer := describe.Describer{Solver: s}
		if r.Description, _, err = describer.Win(limited, p.Position, &a); err != nil {
			r.Err = fmt.Errorf("%s: description: %w", p.Label(), err)
			f.broken = r.Err
		}
		if r.Description == nil && r.Listed && limited.Err() != nil {
			f.undescribed = answer.StopOf(limited)
		}
		r.described(f.undescribed)
	}
	if o.Tries {
		if err := r.listTries(ctx, s, &a, o.Limit); err != nil {
			r.Err = fmt.Errorf("%s: tries: %w", p.Label(), err)
			f.broken = r.Err
		}
	}
	if r.Verdict != answer.Unknown && o.Certify != nil {
		r.certify(ctx, s, q, &f, o)
	}
	return r, f
}

// listTries adds the phases of the position.
func (r *Result) listTries(ctx context.Context, s *solve.Solver, a *solve.Answer, limit answer.Limit) error {
	ctx, cancel := limit.Start(ctx)
	defer cancel()
	defer r.noteCut(ctx)
	d := describe.Describer{Solver: s}
	f, missing, err := d.Phases(ctx, r.Puzzle.Position, a, r.Puzzle.Claim)
	if r.Unlisted = missing; f != nil {
		r.Phases = &Phases{Phases: f, Position: r.Puzzle.Position, Claim: r.Puzzle.Claim}
		missing = r.Phases.Stop()
	}
	r.open(openTries, missing)
	return err
}

// described notes why a description, or a part of it, is not known.
func (r *Result) described(missing answer.Stop) {
	if r.Description != nil {
		missing = r.Description.Stop
	}
	r.open(openDescription, missing)
}

// noteCut notes whether a limit in time has cut a search short of its limit in nodes.
func (r *Result) noteCut(ctx context.Context) { r.Cut = r.Cut || answer.Cut(ctx) }

// answer fills in the answer of the solver.
func (r *Result) answer(a solve.Answer) {
	r.Verdict, r.Bounds = a.Verdict, a.Bounds
	if a.Tabled {
		r.Table = a.Value.String()
	}
	switch a.Verdict {
	case answer.Proved:
		r.Listed, r.Stop = a.Listing == answer.Finished, a.Listing
		if !r.Exact() {
			r.open(openLeast, a.Stop)
		}
		r.open(openSolutions, a.Listing)
	case answer.Unknown:
		what := openVerdict
		if r.Puzzle.Claim == 0 && r.Refuted > 0 {
			what = openLonger
		}
		r.Stop = a.Stop
		r.open(what, a.Stop)
	}
	for _, s := range a.Solutions {
		r.Solutions = append(r.Solutions, Solution{Turn: r.Puzzle.Position.Notation(s.Turn), Essential: s.Essential})
	}
	for _, ply := range a.Line {
		r.Line = append(r.Line, ply.Before.Notation(ply.Turn))
	}
}

// retrace notes why no game leads to the position. A puzzle may be sound all the same.
func (r *Result) retrace() {
	const nodes = 20_000
	ctx, cancel := answer.Limit{Nodes: nodes}.Start(context.Background())
	defer cancel()
	if a, err := retro.Trace(ctx, r.Puzzle.Position, 1); err == nil {
		r.Impossible = strings.ReplaceAll(a.Reason(r.Puzzle.Position.Side()), "\n", "; ")
	}
}

// judgeSolution looks up the given solution among those found, and returns its turn, which is empty
// if there is none.
func (r *Result) judgeSolution(a solve.Answer) (turn arimaa.Turn) {
	if r.Puzzle.Solution == "" {
		return turn
	}
	judged := func(ok bool) { r.SolutionOK = &ok }
	turn, err := ReadTurn(r.Puzzle.Position, r.Puzzle.Solution)
	if err != nil {
		r.Err = &notation.ParseError{File: r.Puzzle.File, Line: r.Puzzle.Line, Reason: fmt.Sprintf("the given solution %q: %v", r.Puzzle.Solution, err)}
		judged(false)
		return arimaa.Turn{}
	}
	after, _ := r.Puzzle.Position.Try(turn)
	for i := range a.Solutions {
		if a.Solutions[i].After == after {
			r.Solutions[i].Given = true
			judged(true)
			return turn
		}
	}
	if r.Verdict == answer.Disproved || r.Verdict == answer.Proved && r.Listed {
		judged(false)
	}
	return turn
}

// certify makes the certificate of the verdict.
func (r *Result) certify(ctx context.Context, s *solve.Solver, q solve.Question, f *findings, o Options) {
	ctx, cancel := o.Limit.Start(ctx)
	defer cancel()
	defer r.noteCut(ctx)
	c, err := o.Certify(ctx, s, q, f.answer)
	switch {
	case err == nil:
		r.Certificate = c
	case ctx.Err() != nil:
		f.uncertified = answer.StopOf(ctx)
	default:
		f.failed = err
	}
	r.uncertified(f)
}

// uncertified notes why there is no certificate.
func (r *Result) uncertified(f *findings) {
	if f.uncertified != answer.Finished {
		r.Stop = f.uncertified
		r.open(openCertificate, r.Stop)
	}
	if f.failed != nil {
		r.Err = fmt.Errorf("%s: certificate: %w", r.Puzzle.Label(), f.failed)
		if errors.Is(f.failed, proof.ErrTooManyReplies) {
			r.Open = append(r.Open, Gap{openCertificate, "there are too many replies"})
		}
	}
}
