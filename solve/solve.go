// Package solve puts the question "does the side to move win in N turns?" to a solver:
// it grows N from 1, so that the first proof is the shortest, and reads off the answer
// what people want to see: the distance, a winning turn, and a line in which the
// defence holds out longest.
package solve

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/pns"
)

// DefaultDeepest is the greatest N that is tried when the question names none.
const DefaultDeepest = 3

// Question is a position, the attacker to move at the start of his turn, and how far
// to look.
type Question struct {
	Position arimaa.Position
	Deepest  int // the greatest N tried, in turns of the attacker; at least 1
	// Game is the game that led to Position, which is its last one; its repetitions
	// then count. Nil: the third-repetition rule is set aside.
	Game *arimaa.Game
}

// Answer is what a solver found out about a question.
type Answer struct {
	// Verdict is Proved if the attacker wins within Deepest turns, Disproved if not.
	Verdict answer.Verdict
	Stop    answer.Stop // why the verdict is unknown
	Least   int         // for Proved: the least N, in turns
	Refuted int         // the greatest N for which there is no win, 0 if none was decided
	// Line begins with a winning turn, for Proved. Where the defender has several
	// replies it goes on with one that holds out longest. It may break off when time is up.
	Line []Ply
	// Nodes and Time are what the search took until it knew; Line comes after that.
	Nodes uint64
	Time  time.Duration
}

// Ply is a turn of a line.
type Ply struct {
	Before  arimaa.Position
	Turn    arimaa.Turn
	Outcome arimaa.Outcome // after the turn; over for the last ply of a whole line
}

// Solver answers questions one after the other. It keeps its memory from one to the
// next. It serves one goroutine; Progress may be called from any.
type Solver struct {
	search   *pns.Solver
	detector goal.Detector
	replies  arimaa.Generator
	trying   atomic.Int32
	earlier  atomic.Uint64 // nodes of the searches for smaller N
}

// New returns a solver that keeps its tables within memory, in bytes. The error says
// that this is too little.
func New(memory uint64) (*Solver, error) {
	search, err := pns.New(memory)
	if err != nil {
		return nil, err
	}
	return &Solver{search: search}, nil
}

// Progress returns the N that is being tried and the nodes made so far.
func (s *Solver) Progress() (n int, nodes uint64) {
	return int(s.trying.Load()), s.earlier.Load() + s.search.Nodes()
}

// Check says what is wrong with a question: a Deepest that cannot be asked for, or a
// Game that does not end with Position.
func (q Question) Check() error {
	if q.Deepest < 1 || q.Deepest > pns.MaxTurns {
		return fmt.Errorf("a win in %d cannot be asked for: the number of turns is 1 to %d", q.Deepest, pns.MaxTurns)
	}
	if q.Position.StepsLeft() != arimaa.StepsPerTurn {
		return fmt.Errorf("the position is not at the start of a turn")
	}
	if q.Game != nil && q.Game.Last() != q.Position {
		return fmt.Errorf("the game does not end with the position")
	}
	return nil
}

// Solve answers a question, which must be sound ([Question.Check]). When the context is
// done it stops and says what is known by then.
func (s *Solver) Solve(ctx context.Context, q Question) Answer {
	start := time.Now()
	var a Answer
	s.earlier.Store(0)
	for n := 1; n <= q.Deepest; n++ {
		s.trying.Store(int32(n))
		r := s.search.Solve(ctx, pns.Question{Position: q.Position, N: n, Game: q.Game})
		a.Nodes += r.Nodes
		s.earlier.Store(a.Nodes)
		a.Verdict, a.Stop = r.Verdict, r.Stop
		a.Time = time.Since(start)
		switch r.Verdict {
		case answer.Proved:
			a.Least = n
			a.Line = s.line(ctx, q, n, r.Turn)
			return a
		case answer.Unknown:
			return a
		}
		a.Refuted = n
	}
	return a
}
