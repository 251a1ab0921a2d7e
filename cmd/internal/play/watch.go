package play

import (
	"context"
	"fmt"
	"time"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/solve"
)

// A game that begins from an INPUT may be a puzzle: while a person has a proved win, the solver
// tries each turn, and play reports a turn that does not keep the win. The first position without
// such a win ends this until a turn is taken back, since it takes time that no clock counts.
const (
	watchTurns = 4           // the longest win to look for
	watchTime  = time.Second // for the win, and again for the turn
)

// watch reports to the person if the turn that was just played, turn n of the game, gave a proved
// win away.
func (s *sitting) watch(ctx context.Context, n int) error {
	if !s.watching || s.game.Outcome().Over() {
		return nil
	}
	if s.solver == nil {
		var err error
		if s.solver, err = solve.New(solve.Options{Threads: s.engine.Threads, Memory: s.proofs, Endgames: s.engine.Tables()}); err != nil {
			s.watching = false // there is too little memory
			return nil
		}
	}
	before := s.game.At(n)
	q := solve.Question{Position: before.Last(), Game: before, Deepest: watchTurns, NoLine: true}
	limited, cancel := context.WithTimeout(ctx, watchTime)
	defer cancel()
	a, err := s.solver.Solve(limited, q)
	if err != nil {
		return cli.Exit(cli.Internal, err)
	}
	if s.watching = a.Verdict == answer.Proved; !s.watching {
		return nil
	}
	limited, cancel = context.WithTimeout(ctx, watchTime)
	defer cancel()
	q.Deepest = a.Within
	most := a.AtMost()
	if a, err = s.solver.Try(limited, q, s.game.Turn(n)); err != nil {
		return cli.Exit(cli.Internal, err)
	}
	if a.Verdict == answer.Disproved {
		fmt.Fprintf(s.t.Out, "Proved: %v had a win in %s%s, and with this turn there is none in %d%s. Type takeback at your next turn to try again.\n",
			q.Position.Side(), most, printable.Amount(q.Deepest, "turn"), q.Deepest, answer.Aside(a.Aside && a.Refuted > 1))
	}
	return nil
}
