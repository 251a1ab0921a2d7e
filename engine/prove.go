package engine

import (
	"context"
	"errors"

	"goalproof/arimaa"
	"goalproof/solve"
)

// WinScore returns the score of a win within a number of turns, at least one.
func WinScore(turns int) int { return win - (2*turns-1)*arimaa.StepsPerTurn }

// ErrNoProver is the error of a question to an engine without [Probe].
var ErrNoProver = errors.New("the prover is switched off")

// Prove asks package solve whether the side to move in the last position of a game wins within n
// turns, 1 to [solve.MaxTurns]. It ends with the first win that is found, or when the context is
// done. In a game without turns the third repetition is set aside. A nil context sets no limit. The
// error is [ErrNoProver], [ErrNoGame], [ErrNoEngine], that of [solve.Question.Check], or one of the
// solver.
func (e *Engine) Prove(ctx context.Context, g *arimaa.Game, n int) (solve.Answer, error) {
	ctx, err := e.check(ctx, g)
	if err != nil {
		return solve.Answer{}, err
	}
	if e.solver == nil {
		return solve.Answer{}, ErrNoProver
	}
	e.used = true
	q := solve.Question{Position: g.Last(), Deepest: n, Any: true}
	if g.Len() > 0 {
		q.Game = g
	}
	return e.solver.Solve(ctx, q)
}
