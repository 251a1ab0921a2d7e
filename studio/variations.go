package studio

import (
	"context"
	"errors"
	"fmt"

	"goalproof/answer"
	"goalproof/solve"
	"goalproof/solve/report"
)

// The limits of variations: groups of replies to the first turn.
const (
	maxWidth     = 10
	defaultWidth = 5
)

// vary lists the variations of a proved win.
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

// variations returns the variations that a job has listed.
func (q *queue) variations(id string) (*report.Variation, error) {
	return ofJob(q, id, func(j *job) (*report.Variation, error) { return j.varied, absent(j.varied == nil, errUnvaried) })
}
