package search

import (
	"context"

	"goalproof/answer"
	"goalproof/pns"
	"goalproof/solve"
	"goalproof/tables"
)

// Cell is what the searches of a cell of an experiment search with, on one thread. It is written as
// JSON.
type Cell struct {
	Algorithm  solve.Algorithm
	Memory     uint64  // of a search, in bytes
	Epsilon    float64 // see [solve.Options], as the others
	Parameters pns.Parameters

	ProofTable, TranspositionTable uint64
	Scheme                         string // a name that [tables.SchemeNamed] knows
}

// Options are those of a solver.
func (c *Cell) Options() solve.Options {
	return solve.Options{Algorithm: c.Algorithm, Memory: c.Memory, Threads: 1, Epsilon: c.Epsilon,
		ProofTable: c.ProofTable, TranspositionTable: c.TranspositionTable, Scheme: tables.SchemeNamed(c.Scheme)}
}

// Search answers a question within a limit, with a new solver. Cut is that of [answer.Cut]. A win
// that is proved when the limit ends the search for a shorter one is a finished search.
func (c *Cell) Search(ctx context.Context, q solve.Question, l answer.Limit) (a solve.Answer, cut bool, err error) {
	s, err := c.solver(ctx, q)
	if err != nil {
		return a, false, err
	}
	ctx, cancel := s.Start(ctx, l)
	defer cancel()
	a, err = s.Solve(ctx, q)
	if a.Verdict == answer.Proved && (a.Stop == answer.Time || a.Stop == answer.Nodes) {
		a.Stop = answer.Finished
	}
	return a, answer.Cut(ctx), err
}

// solver returns a new solver for a question. It has already answered a win in one, which takes no
// search but sets up the tables: that is not part of the measurement.
func (c *Cell) solver(ctx context.Context, q solve.Question) (*solve.Solver, error) {
	s, err := solve.New(c.Options())
	if err != nil {
		return nil, err
	}
	if err := s.Tune(c.Parameters); err != nil {
		return nil, err
	}
	q.Deepest = 1
	_, err = s.Solve(ctx, q)
	return s, err
}
