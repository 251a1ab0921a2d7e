package puzzles

import (
	"context"
	"errors"
	"fmt"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/dfpns"
	"goalproof/goal"
	"goalproof/proof"
	"goalproof/puzzles/describe"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

// Findings are what a solver found out about a puzzle, but for the time it took: with the puzzle
// and the options they are the whole [Result]. They are written as JSON. Turns are codes
// (arimaa.Turn.Code).
type Findings struct {
	Verdict       answer.Verdict
	answer.Bounds                   // of the least number of turns
	Stop          answer.Stop       `json:",omitempty"`
	Listing       answer.Stop       `json:",omitempty"`
	Solutions     []foundTurn       `json:",omitempty"`
	Line          []uint32          `json:",omitempty"`
	Value         endgame.Value     `json:",omitempty"` // by an endgame table, if Tabled
	Tabled        bool              `json:",omitempty"`
	Refutation    []uint32          `json:",omitempty"`
	Description   *foundDescription `json:",omitempty"`
	Undescribed   answer.Stop       `json:",omitempty"`
	Certificate   Certificate       `json:",omitempty"`
	Uncertified   answer.Stop       `json:",omitempty"`
	Failed        string            `json:",omitempty"` // why there is no certificate, for good
	TooMany       bool              `json:",omitempty"` // it is that there are too many replies
}

// foundTurn is a first turn that keeps the win.
type foundTurn struct {
	Turn      uint32
	Essential bool `json:",omitempty"`
}

// foundDescription is a [describe.Puzzle], without what follows from the solutions.
type foundDescription struct {
	Solutions                []foundThemes // the essential ones
	Turns, Threats           int
	NearTries, SingleDefence int
	Replies, Longest         int
	Stop                     answer.Stop `json:",omitempty"`
}

type foundThemes struct {
	Themes    describe.Themes
	Threatens int
}

// Find is [Verify] for a puzzle that is not refused, and returns the findings as well. The error is
// that of the solver; no certificate is no error.
func Find(ctx context.Context, s *solve.Solver, p Puzzle, o Options) (r Result, found Findings, err error) {
	r, f := verify(ctx, s, p, o)
	if f.broken != nil {
		return r, found, f.broken
	}
	a := &f.answer
	found = Findings{Verdict: a.Verdict, Bounds: a.Bounds, Stop: a.Stop, Listing: a.Listing, Value: a.Value, Tabled: a.Tabled,
		Undescribed: f.undescribed, Certificate: r.Certificate, Uncertified: f.uncertified}
	for i := range a.Solutions {
		found.Solutions = append(found.Solutions, foundTurn{a.Solutions[i].Turn.Code(), a.Solutions[i].Essential})
	}
	found.Line, found.Refutation = codesOf(a.Line), codesOf(f.refutation)
	if z := r.Description; z != nil {
		d := &foundDescription{Turns: z.Turns, Threats: z.Threats, NearTries: z.NearTries, SingleDefence: z.SingleDefence,
			Replies: z.Replies, Longest: z.Longest, Stop: z.Stop}
		for i := range z.Solutions {
			d.Solutions = append(d.Solutions, foundThemes{z.Solutions[i].Themes, z.Solutions[i].Threatens})
		}
		found.Description = d
	}
	if f.failed != nil {
		found.Failed, found.TooMany = f.failed.Error(), errors.Is(f.failed, proof.ErrTooManyReplies)
	}
	return r, found, nil
}

// codesOf returns the codes of the turns of a line.
func codesOf(line []solve.Ply) (codes []uint32) {
	for i := range line {
		codes = append(codes, line[i].Turn.Code())
	}
	return codes
}

// stopped reports whether a search with a limit in nodes alone may have stopped for a reason.
func stopped(s answer.Stop) bool { return s == answer.Nodes || s == answer.Memory }

// Result returns the result of a puzzle that is not refused, given what was found, with the options
// and the endgame tables of the search, which had a limit in nodes. The findings may come from
// anybody: the error says what cannot be true of them. What is said of a win is right if there is a
// certificate of it; the rest is possible.
func (f *Findings) Result(p Puzzle, o Options, ts *endgame.Tables) (r Result, err error) {
	a, err := f.answer(&p, &o, ts)
	if err != nil {
		return r, err
	}
	r = Result{Puzzle: p}
	r.answer(a)
	r.retrace()
	given := r.judgeSolution(a)
	if err := f.refutes(&r, &a, given); err != nil {
		return r, err
	}
	if o.Describe {
		if r.Description, err = f.describe(&a, &p); err != nil {
			return r, err
		}
		r.described(f.Undescribed)
	}
	if f.Undescribed != answer.Finished && (!o.Describe || r.Description != nil || !r.Listed || !stopped(f.Undescribed)) {
		return r, errors.New("there is no reason why a description is missing")
	}
	return r, f.certified(&r, &o)
}

// answer returns what the solver answered.
func (f *Findings) answer(p *Puzzle, o *Options, ts *endgame.Tables) (a solve.Answer, err error) {
	a = solve.Answer{Verdict: f.Verdict, Bounds: f.Bounds, Stop: f.Stop, Listing: f.Listing, Value: f.Value, Tabled: f.Tabled}
	if err := f.bounds(o.deepest(p.Claim)); err != nil {
		return a, err
	}
	if v, known := ts.Probe(&p.Position.Board, p.Position.Side()); f.Tabled && (!known || v != f.Value) || !f.Tabled && f.Value != 0 {
		return a, errors.New("the endgame tables say something else")
	}
	if n, wins := f.Value.Win(); f.Tabled && (f.Verdict == answer.Unknown || wins && n <= o.deepest(p.Claim) && f.Within != n) {
		return a, errors.New("the endgame tables give another number of turns")
	}
	if f.Refuted > 0 && wins(&p.Position) {
		return a, errOneTurn
	}
	met := map[arimaa.Position]bool{}
	for _, s := range f.Solutions {
		t, after, ok := p.Position.Decode(s.Turn)
		if !ok || met[after] {
			return a, fmt.Errorf("solution %d is no turn, or there twice", s.Turn)
		}
		met[after] = true
		a.Solutions = append(a.Solutions, dfpns.Solution{Turn: t, After: after, Essential: s.Essential})
	}
	if err := f.listed(&a); err != nil {
		return a, err
	}
	if a.Line, err = readLine(p.Position, f.Line, f.Within); err != nil {
		return a, err
	}
	if f.Verdict != answer.Proved {
		return a, nil
	}
	if first, _ := p.Position.Try(a.Line[0].Turn); f.Listing == answer.Finished && !met[first] {
		return a, errors.New("the line does not begin with a solution")
	}
	return a, nil
}

// errOneTurn is the error of findings that deny a win in one turn, or say that there is one.
var errOneTurn = errors.New("whether there is a win in 1 is easy to see")

// wins reports whether the side to move wins with one turn.
func wins(p *arimaa.Position) bool {
	var d goal.Detector
	_, wins := d.CanWin(p, &p.Board)
	return wins
}

// bounds checks the verdict on a win within so many turns, its bounds, and why more is not known.
func (f *Findings) bounds(deepest int) error {
	possible := f.Within >= 0 && f.Refuted >= 0
	switch f.Verdict {
	case answer.Proved:
		possible = possible && f.Within > f.Refuted && f.Within <= deepest
		switch exact := f.Exact(); {
		case exact:
			possible = possible && f.Stop == answer.Finished && (f.Listing == answer.Finished || stopped(f.Listing))
		default:
			possible = possible && stopped(f.Stop) && f.Listing == f.Stop
		}
	case answer.Disproved:
		possible = possible && f.Within == 0 && f.Refuted == deepest && f.Stop == answer.Finished && f.Listing == answer.Finished
	case answer.Unknown:
		possible = possible && f.Within == 0 && f.Refuted < deepest && stopped(f.Stop) && f.Listing == answer.Finished
	default:
		possible = false
	}
	if !possible {
		return fmt.Errorf("the verdict %d with the bounds %+v, stopped by %d and %d, cannot be", f.Verdict, f.Bounds, f.Stop, f.Listing)
	}
	return nil
}

// listed checks which solutions there are.
func (f *Findings) listed(a *solve.Answer) error {
	switch complete := f.Verdict == answer.Proved && f.Listing == answer.Finished; {
	case len(a.Solutions) > 0 && !(f.Verdict == answer.Proved && f.Exact()):
		return errors.New("there are solutions without a shortest win")
	case complete && a.Essential() == 0:
		return errors.New("no solution is essential")
	case !complete && a.Essential() > 0:
		return errors.New("a solution is essential though not all are known")
	}
	return nil
}

// readLine reads a line, which begins with a win of the side to move within so many turns, or is
// empty for 0.
func readLine(p arimaa.Position, codes []uint32, within int) (line []solve.Ply, err error) {
	if within == 0 != (len(codes) == 0) || len(codes) > max(2*within-1, 0) {
		return nil, fmt.Errorf("a line of %d turns for a win in %d", len(codes), within)
	}
	attacker := p.Side()
	for i, code := range codes {
		t, after, ok := p.Decode(code)
		if !ok || i > 0 && line[i-1].Outcome.Over() {
			return nil, fmt.Errorf("turn %d of a line is not legal", i+1)
		}
		o := after.Board.Ended(p.Side())
		if o.Over() && o.Winner != attacker {
			return nil, errors.New("a line ends with the wrong winner")
		}
		line = append(line, solve.Ply{Before: p, Turn: t, Outcome: o})
		p = after
	}
	if within == 1 && !line[0].Outcome.Over() || len(codes) == max(2*within-1, 0) && within > 0 && !line[len(line)-1].Outcome.Over() {
		return nil, errors.New("a line does not end with the win")
	}
	return line, nil
}

// refutes adds the refutation of the given solution, or of a threat, to the result.
func (f *Findings) refutes(r *Result, a *solve.Answer, given arimaa.Turn) error {
	if len(f.Refutation) == 0 {
		return nil
	}
	turns := r.refutable(given)
	if turns == 0 || len(f.Refutation) > 2 {
		return errors.New("there is nothing to refute")
	}
	p := r.Puzzle.Position
	t, after, ok := p.Decode(f.Refutation[0])
	var d goal.Detector
	switch threatens := false; {
	case !ok, given.Len() > 0 && t.Code() != given.Code():
		return errors.New("another turn is refuted than the given solution")
	case given.Len() == 0:
		if _, threatens = d.Threat(&after); !threatens {
			return errors.New("the turn that is refuted is no threat")
		}
	}
	plies := []solve.Ply{{Before: p, Turn: t, Outcome: after.Board.Ended(p.Side())}}
	if o := plies[0].Outcome; o.Over() && o.Winner == p.Side() || len(f.Refutation) == 1 && turns > 1 && !o.Over() || o.Over() && len(f.Refutation) > 1 {
		return errors.New("the refutation does not refute")
	}
	if len(f.Refutation) == 2 {
		reply, err := replyOf(after, f.Refutation[1], turns)
		if err != nil {
			return err
		}
		plies = append(plies, reply)
	}
	r.show(a, turns, given.Len() > 0, plies)
	return nil
}

// replyOf returns the reply of a refutation of a win within so many turns.
func replyOf(p arimaa.Position, code uint32, turns int) (ply solve.Ply, err error) {
	reply, next, ok := p.Decode(code)
	o := next.Board.Ended(p.Side())
	if !ok || o.Over() && o.Winner != p.Side() {
		return ply, errors.New("the reply of a refutation is no turn, or a blunder")
	}
	var d goal.Detector
	if !o.Over() && turns > 1 {
		if _, wins := d.CanWin(&next, &next.Board); wins {
			return ply, errors.New("the reply of a refutation does not hold")
		}
	}
	return solve.Ply{Before: p, Turn: reply, Outcome: o}, nil
}

// describe returns the description of a win.
func (f *Findings) describe(a *solve.Answer, p *Puzzle) (*describe.Puzzle, error) {
	d := f.Description
	if d == nil {
		return nil, nil
	}
	if a.Verdict != answer.Proved || !a.Exact() || a.Listing != answer.Finished || len(d.Solutions) != a.Essential() ||
		min(d.Turns, d.Threats, d.NearTries, d.SingleDefence, d.Replies) < 0 || d.Longest < -1 || d.Longest > d.Replies ||
		d.SingleDefence > d.NearTries || d.Turns < len(a.Solutions) || d.Threats > d.Turns || d.Stop != answer.Finished && !stopped(d.Stop) {
		return nil, errors.New("the description cannot be that of the win")
	}
	z := &describe.Puzzle{N: a.Within, Counts: describe.Counts{Turns: d.Turns, Winning: len(a.Solutions), Threats: d.Threats},
		NearTries: d.NearTries, SingleDefence: d.SingleDefence, Replies: d.Replies, Longest: d.Longest, Stop: d.Stop, Themes: ^describe.Themes(0)}
	for i := range a.Solutions {
		s := &a.Solutions[i]
		if !s.Essential {
			continue
		}
		if !s.After.Board.Ended(p.Position.Side()).Over() && a.Within == 1 {
			return nil, errors.New("a solution does not win at once")
		}
		of := d.Solutions[len(z.Solutions)]
		if of.Themes&^describe.All != 0 || of.Threatens < 0 || of.Threatens >= max(a.Within, 1) {
			return nil, errors.New("there are no such themes")
		}
		z.Solutions = append(z.Solutions, describe.Solution{Turn: s.Turn, After: s.After, Themes: of.Themes, Threatens: of.Threatens})
		z.Themes &= of.Themes
	}
	z.Weigh(&p.Position)
	return z, nil
}

// certified adds the state of the certificate to the result.
func (f *Findings) certified(r *Result, o *Options) error {
	states := 0
	for _, one := range []bool{f.Certificate != NoCertificate, f.Uncertified != answer.Finished, f.Failed != ""} {
		if one {
			states++
		}
	}
	asked := o.Certify != nil && r.Verdict != answer.Unknown
	switch {
	case f.TooMany && f.Failed == "", states > 1, states > 0 && !asked, f.Uncertified != answer.Finished && f.Uncertified != answer.Nodes:
		return errors.New("the certificate is in no state that there is")
	case f.Certificate != NoCertificate && f.Certificate != Accepted && f.Certificate != Written && f.Certificate != Sampled:
		return fmt.Errorf("the certificate is %q", string(f.Certificate))
	}
	r.Certificate = f.Certificate
	why := findings{uncertified: f.Uncertified}
	if f.Failed != "" {
		why.failed = errors.New(notation.Legible(f.Failed))
		if f.TooMany {
			why.failed = &tooMany{why.failed}
		}
	}
	r.uncertified(&why)
	return nil
}

// tooMany is an error that says that there are too many replies.
type tooMany struct{ error }

func (e *tooMany) Is(target error) bool { return target == proof.ErrTooManyReplies }

// MiningFindings are a [Look] without what follows from the position. They are written as JSON.
type MiningFindings struct {
	Verdict answer.Verdict
	Stop    answer.Stop `json:",omitempty"`
	Least   int         `json:",omitempty"`
	Found   *foundMined `json:",omitempty"`
}

type foundMined struct {
	Solutions             []foundTurn
	Replies, Tries, First int
	Themes                describe.Themes
	Line                  []string `json:",omitempty"`
}

// Findings returns what the miner found out, with a limit in nodes.
func (l *Look) Findings() MiningFindings {
	f := MiningFindings{Verdict: l.Verdict, Stop: l.Stop, Least: l.Least}
	if m := l.Found; m != nil {
		f.Found = &foundMined{Replies: m.Replies, Tries: m.Tries, First: m.First, Themes: m.Themes, Line: m.Line}
		for i := range m.winning {
			f.Found.Solutions = append(f.Found.Solutions, foundTurn{m.winning[i].Turn.Code(), m.winning[i].Essential})
		}
	}
	return f
}

// Look returns what a miner with a limit in nodes sees in a position, where it looks for wins in so
// many turns, and adds lines or not. The findings may come from anybody: the error says what cannot
// be true of them. What is said of a puzzle's win is right if there is a certificate of it; the
// rest is possible.
func (f *MiningFindings) Look(p arimaa.Position, turns int, lines bool) (l Look, err error) {
	l.Verdict, l.Stop, l.Least = f.Verdict, f.Stop, f.Least
	possible := false
	switch f.Verdict {
	case answer.Proved:
		possible = f.Stop == answer.Finished && f.Least >= 1 && f.Least <= turns
	case answer.Disproved:
		possible = f.Stop == answer.Finished && f.Least == 0
	case answer.Unknown:
		possible = stopped(f.Stop) && (f.Least == 0 || f.Least == turns)
	}
	switch {
	case !possible || f.Found != nil && (f.Verdict != answer.Proved || f.Least != turns):
		return l, fmt.Errorf("the verdict %d with a win in %d, stopped by %d, cannot be", f.Verdict, f.Least, f.Stop)
	case f.Verdict != answer.Unknown && wins(&p) != (f.Least == 1):
		return l, errOneTurn
	case f.Found != nil:
		l.Found, err = f.Found.mined(p, turns, lines)
	}
	return l, err
}

// mined returns a puzzle.
func (f *foundMined) mined(p arimaa.Position, turns int, lines bool) (*Mined, error) {
	m := &Mined{Position: p, Turns: turns, Solutions: len(f.Solutions), Pieces: p.Occupied().Len(), Replies: f.Replies, Tries: f.Tries,
		First: f.First, Themes: f.Themes, Line: f.Line}
	essential := 0
	var after arimaa.Position
	met := map[arimaa.Position]bool{}
	for _, s := range f.Solutions {
		t, next, ok := p.Decode(s.Turn)
		if !ok || met[next] {
			return nil, fmt.Errorf("solution %d is no turn, or there twice", s.Turn)
		}
		met[next] = true
		m.winning = append(m.winning, dfpns.Solution{Turn: t, After: next, Essential: s.Essential})
		if s.Essential {
			essential++
			m.Solution, after = t, next
		}
	}
	var d goal.Detector
	_, threatens := d.Threat(&after)
	m.Quiet = !threatens
	quiet := m.Themes&describe.Quiet != 0
	if essential != 1 || min(f.Replies, f.Tries) < 0 || f.First < len(f.Solutions) || f.Tries > f.First || f.Themes&^describe.All != 0 || m.Quiet != quiet {
		return nil, errors.New("the figures cannot be those of a puzzle")
	}
	if !lines && len(f.Line) > 0 {
		return nil, errors.New("nobody wants a line")
	}
	if !lines {
		return m, nil
	}
	var codes []uint32
	at := p
	for _, text := range f.Line {
		state := arimaa.NewState(at)
		t, err := notation.PlaySteps(&state, text)
		if err != nil || at.Notation(t) != text || len(codes) > 2*turns {
			return nil, fmt.Errorf("%q of a line is no turn", notation.Legible(text))
		}
		codes = append(codes, t.Code())
		at, _ = at.Try(t)
	}
	line, err := readLine(p, codes, turns)
	if err == nil && line[0].Turn != m.Solution {
		err = errors.New("the line does not begin with the solution")
	}
	return m, err
}
