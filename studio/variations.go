package studio

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"goalproof/answer"
	"goalproof/solve"
	"goalproof/solve/report"
)

// The limits of variations: groups of replies to the first turn.
const (
	maxWidth     = 10
	defaultWidth = 5
)

// vary lists the variations of a win that was found.
func (a *asked) vary(ctx context.Context, j *job, solver *solve.Solver, found *report.Report, _ *Result) error {
	if found.Verdict != answer.Proved {
		return nil
	}
	if len(found.Line) == 0 {
		return errors.New("the variations are not listed: time was up before the first turn of the win was known")
	}
	v, err := solver.Variations(ctx, a.question, found.Within, found.Line[0].Turn, a.width)
	if err != nil {
		return fmt.Errorf("the variations are not listed: %w", answer.Explain(ctx, err))
	}
	shown := report.VariationOf(v, a.question.Number)
	a.s.queue.mu.Lock()
	defer a.s.queue.mu.Unlock()
	j.varied = shown
	return nil
}

// variations answers with the variations that a job has listed.
func (s *Server) variations(w http.ResponseWriter, r *http.Request) {
	s.queue.mu.Lock()
	j := s.queue.jobs[r.PathValue("id")]
	var v *report.Variation
	if j != nil {
		v = j.varied
	}
	s.queue.mu.Unlock()
	switch {
	case j == nil:
		refuse(w, http.StatusNotFound, errNoJob)
	case v == nil:
		refuse(w, http.StatusNotFound, errUnvaried)
	default:
		reply(w, http.StatusOK, v)
	}
}
