package solve

import (
	"context"

	"goalproof/arimaa"
	"goalproof/dfpns"
)

// Turns decides of the first turns with the numbers from to to-1, as [arimaa.Generator] lists them,
// whether they keep a win within q.Deepest, until one does: see [dfpns.Solver.Turns]. It reads
// Position and Deepest, and goes on from what earlier searches have found.
func (s *Solver) Turns(ctx context.Context, q Question, from, to int) (r dfpns.Turns, err error) {
	if ctx, err = s.asked(ctx, q); err != nil {
		return r, err
	}
	s.needDepthFirst()
	return s.depthFirst.Turns(ctx, dfpns.Question{Position: q.Position, N: q.Deepest}, from, to)
}

// Killers is [dfpns.Solver.Killers], and TryFirst [dfpns.Solver.TryFirst].
func (s *Solver) Killers(n int) []arimaa.Turn {
	s.needDepthFirst()
	return s.depthFirst.Killers(n)
}

// TryFirst has dfpns try replies first: see Killers.
func (s *Solver) TryFirst(n int, replies []arimaa.Turn) {
	s.needDepthFirst()
	s.depthFirst.TryFirst(n, replies)
}
