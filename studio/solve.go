package studio

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/solve"
	"goalproof/solve/report"
)

// asking is in a request that puts a question to a solver.
type asking struct {
	kind
	position
	WinIn int `json:"win_in"` // the greatest number of turns; 0: no limit
	searching
	timed
}

// solveRequest asks whether the side to move wins.
type solveRequest struct {
	asking
	All bool `json:"all"` // list every first turn that keeps the shortest win
	Any bool `json:"any"` // the first win that is found will do
}

// tryRequest asks whether it wins with a given turn. Without a limit, the turn must keep the
// shortest win.
type tryRequest struct {
	asking
	Turn  string `json:"turn"`
	tried string // the turn as records write it
}

func (r *tryRequest) label() string { return r.tried }

// certificateRequest asks for the proof of the answer.
type certificateRequest struct{ asking }

// variationsRequest asks for what follows each reply to the win.
type variationsRequest struct {
	asking
	Width int `json:"width"` // answers beside the most frequent one; 0: 5
}

func (r *solveRequest) submit(s *Server) (Job, error) {
	return r.ask(s, r, r.All, func(a *asked) error {
		a.question.All, a.question.Any = r.All, r.Any
		return nil
	})
}

func (r *tryRequest) submit(s *Server) (Job, error) {
	return r.ask(s, r, false, func(a *asked) error {
		turn, err := a.point.try(r.Turn)
		a.tried = a.question.Position.Notation(turn)
		r.tried = a.tried
		try := (*solve.Solver).TryShortest
		if r.WinIn > 0 {
			try = (*solve.Solver).Try
		}
		a.find = func(ctx context.Context, solver *solve.Solver) (solve.Answer, error) {
			return try(solver, ctx, a.question, turn)
		}
		return err
	})
}

func (r *certificateRequest) submit(s *Server) (Job, error) {
	return r.ask(s, r, true, func(a *asked) error {
		a.then = a.certify
		return nil
	})
}

func (r *variationsRequest) submit(s *Server) (Job, error) {
	return r.ask(s, r, true, func(a *asked) error {
		if r.Width < 0 || r.Width > maxWidth {
			return fmt.Errorf("width %d: it is 0 to %d", r.Width, maxWidth)
		}
		a.width, a.then = cmp.Or(r.Width, defaultWidth), a.vary
		return nil
	})
}

// asked is a question to a solver.
type asked struct {
	s        *Server
	point    *point
	question solve.Question
	tried    string // the turn that is tried, or ""
	width    int    // of variations
	find     func(context.Context, *solve.Solver) (solve.Answer, error)
	// then, if not nil, adds to the answer what else was asked for.
	then func(context.Context, *job, *solve.Solver, *report.Report, *Result) error
}

// ask checks what all questions have in common, lets set add what the kind of the request needs,
// and queues the job.
func (r *asking) ask(s *Server, request request, needsDFPNS bool, set func(*asked) error) (Job, error) {
	a := &asked{s: s}
	var err error
	if a.point, err = r.start(); err != nil {
		return Job{}, err
	}
	o, err := r.settle(s, needsDFPNS)
	if err != nil {
		return Job{}, err
	}
	limit, err := r.each(time.Minute)
	if err != nil {
		return Job{}, err
	}
	if a.question, err = a.point.question(r.WinIn); err != nil {
		return Job{}, err
	}
	a.find = func(ctx context.Context, solver *solve.Solver) (solve.Answer, error) {
		return solver.Solve(ctx, a.question)
	}
	if err := set(a); err != nil {
		return Job{}, err
	}
	return s.queue.add(request, limit, &o, o.Memory, func(ctx context.Context, j *job) (*Result, error) {
		s.queue.follow(j, a.progress(j.solver))
		return a.answer(ctx, j, j.solver)
	})
}

// progress returns a function that shows the progress of a solver. A solver that was just taken
// still has the bounds of its last question, and bounds do not apply to a turn that is tried.
func (a *asked) progress(solver *solve.Solver) func(*Job) {
	return func(shown *Job) {
		shown.Trying, shown.Nodes = solver.Progress()
		known := solver.Known()
		if a.tried != "" || known.Position != a.question.Position {
			return
		}
		shown.Repetition = answer.Repetition(a.question.Game == nil)
		if shown.Bounds = report.BoundsOf(known.Bounds); known.Within > 0 {
			shown.First = a.question.Position.Notation(known.Turn)
			if line := solver.LineSoFar(); len(line) > 0 && line[0].Before == a.question.Position {
				shown.Line = new(report.LineOf(a.question.Number, line))
			}
		}
	}
}

// answer answers the question. What it reports as kept is durable.
func (a *asked) answer(ctx context.Context, j *job, solver *solve.Solver) (*Result, error) {
	found, err := a.find(ctx, solver)
	if err != nil {
		return nil, err
	}
	known := &report.Report{Question: a.question, Answer: found, Tried: a.tried}
	r := &Result{Verdict: found.Verdict.String(), Says: known.Sentence(), Answer: new(known.JSON()), Listed: known.Listed()}
	if a.then != nil {
		err = a.then(ctx, j, solver, known, r)
	}
	if err == nil && a.s.options.Sync != nil && found.Verdict != answer.Unknown {
		err = a.s.options.Sync()
		r.Kept = err == nil
	}
	return r, err
}

// try reads a turn to try.
func (p *point) try(text string) (arimaa.Turn, error) {
	g := p.game.At(p.game.Len())
	if err := notation.Play(g, text); err != nil {
		return arimaa.Turn{}, fmt.Errorf("turn: %w", err)
	}
	return g.Turn(g.Len() - 1), nil
}

// certify writes the proof of an answer down and checks it.
func (a *asked) certify(ctx context.Context, j *job, solver *solve.Solver, found *report.Report, r *Result) error {
	var text bytes.Buffer
	out := &limited{to: &text, left: maxKept, what: "certificate"}
	switch found.Verdict {
	case answer.Proved:
		c, err := solver.Certificate(ctx, a.question, found.Answer)
		if err == nil {
			err = c.Check(ctx, func(done, total int) { a.s.queue.report(j, done, total) })
		}
		if err == nil {
			err = c.Write(out)
		}
		if err != nil {
			return fmt.Errorf("the proof is not written down: %w", answer.Explain(ctx, err))
		}
		r.Says += " The certificate has been checked by the plain rules."
	case answer.Disproved:
		c, err := solve.Refutation(ctx, a.question.Position, found.Refuted)
		if err == nil {
			err = c.Write(out)
		}
		if err != nil {
			return fmt.Errorf("the proof is not written down: %w", answer.Explain(ctx, err))
		}
		r.Says += " The certificate is written and not yet checked: that may take minutes."
		if a.question.Game != nil {
			r.Says += " It is of the position without its history."
		}
	default:
		return errors.New(r.Says + " There is nothing to write down.")
	}
	a.s.queue.mu.Lock()
	defer a.s.queue.mu.Unlock()
	j.file, r.Bytes = text.Bytes(), text.Len()
	return nil
}

// limited is a writer of a limited number of bytes.
type limited struct {
	to   io.Writer
	left int
	what string // is written
}

func (l *limited) Write(b []byte) (int, error) {
	if l.left -= len(b); l.left < 0 {
		return 0, fmt.Errorf("the %s has more than %d bytes", l.what, maxKept)
	}
	return l.to.Write(b)
}
