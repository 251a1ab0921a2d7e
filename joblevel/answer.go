package joblevel

import (
	"context"

	"goalproof/answer"
	"goalproof/solve"
)

// Ask answers a question by a search of a solver, with so many nodes for each of its threads times
// the effort. What the solver has found in earlier searches stays in its tables: so answers vary in
// how far they go, and never in what is true. The error is that of the context, of the question or
// of the search.
func Ask(ctx context.Context, s *solve.Solver, threads int, nodes uint64, q *Question) (a Answer, err error) {
	p, err := q.position()
	if err != nil {
		return a, err
	}
	limit := answer.Limit{Nodes: nodes * uint64(q.Effort) * uint64(threads)}
	if q.Whole() && q.N == 2 { // it is decided in milliseconds
		limit = answer.Limit{}
	}
	limited, cancel := limit.Start(ctx)
	defer cancel()
	q.Killers.try(s)
	defer func() { a.Killers = killersOf(s, q.N) }()
	question := solve.Question{Position: p, Deepest: q.N, Any: true, NoLine: true}
	if q.Whole() {
		found, err := s.Solve(limited, question)
		if err != nil {
			return a, err
		}
		a.Nodes = found.Nodes
		switch found.Verdict {
		case answer.Proved:
			a.Win = found.Line[0].Turn.Code()
		case answer.Disproved:
			a.Refuted = true
		}
		return a, ctx.Err()
	}
	found, err := s.Turns(limited, question, q.From, q.To)
	if err != nil {
		return a, err
	}
	a.To, a.Nodes = found.To, found.Nodes
	if found.Win >= 0 {
		a.Number, a.Win = found.Win, found.Turn.Code()
	}
	for _, o := range found.Open {
		a.Open = append(a.Open, Open{o.Number, 2*o.Nodes > nodes*uint64(q.Effort)})
	}
	return a, ctx.Err()
}
