package solve

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/boards"
)

// sparse draws a position with few pieces, some of them near a trap.
func sparse(random *rand.Rand) arimaa.Position {
	var b arimaa.Board
	traps := [...]int{18, 21, 42, 45}
	t := traps[random.IntN(4)]
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		b.Put(arimaa.Square(8+random.IntN(48)), arimaa.NewPiece(side, arimaa.Rabbit))
	}
	for range 3 + random.IntN(3) {
		at := arimaa.Square(max(0, min(63, t+8*(random.IntN(5)-2)+random.IntN(5)-2)))
		if b.At(at) == arimaa.Empty {
			b.Put(at, arimaa.NewPiece(arimaa.Side(random.IntN(2)), arimaa.Cat+arimaa.Kind(random.IntN(5))))
		}
	}
	for rest := b.Undefended(); rest != 0; rest = rest.Rest() {
		b.Put(rest.First(), arimaa.Empty)
	}
	return arimaa.NewPosition(b, arimaa.Side(random.IntN(2)))
}

// mustSolve answers a question without a limit of time.
func mustSolve(t *testing.T, s *Solver, q Question) Answer {
	t.Helper()
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	a, err := s.Solve(context.Background(), q)
	if err != nil || a.Verdict == answer.Unknown {
		t.Fatalf("%v, %v: %v, %v", q.Position, q.Aim, a.Verdict, err)
	}
	return a
}

// TestCaptureInTwo lets both searches answer about captures in two turns.
func TestCaptureInTwo(t *testing.T) {
	t.Parallel()
	n := 200
	if boards.Large {
		n = 2_000
	}
	random := rand.New(rand.NewPCG(2, 3))
	solvers := [2]*Solver{}
	for i, algorithm := range []Algorithm{DFPNS, PNS} {
		s, err := New(Options{Algorithm: algorithm, Memory: 256 << 20, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		solvers[i] = s
	}
	var proved [3]int
	for range n {
		q := Question{Position: sparse(random), Deepest: 2, Aim: goal.CaptureOf(arimaa.None, arimaa.Traps)}
		a, b := mustSolve(t, solvers[0], q), mustSolve(t, solvers[1], q)
		if a.Verdict != b.Verdict || a.Within != b.Within || a.Refuted != b.Refuted {
			t.Fatalf("%v: dfpns says %v in %d, pns says %v in %d", q.Position, a.Verdict, a.Within, b.Verdict, b.Within)
		}
		proved[a.Within]++
		for _, a := range []Answer{a, b} {
			if a.Verdict != answer.Proved {
				continue
			}
			if last := a.Line[len(a.Line)-1]; !last.Ends() || len(a.Line) > 2*a.Within-1 {
				t.Errorf("%v: the line in %d does not end: %v", q.Position, a.Within, a.Line)
			}
		}
	}
	t.Logf("no capture, in 1, in 2: %v", proved)
}

// TestAimInGame takes a game without repetitions, labels its "no", and refuses one with a position that has occurred twice.
func TestAimInGame(t *testing.T) {
	s, err := New(Options{Memory: 64 << 20, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	var b arimaa.Board
	b.Put(0, arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit))
	b.Put(8, arimaa.NewPiece(arimaa.Gold, arimaa.Cat))
	b.Put(63, arimaa.NewPiece(arimaa.Silver, arimaa.Rabbit))
	b.Put(40, arimaa.NewPiece(arimaa.Silver, arimaa.Elephant))
	g := arimaa.NewGame(arimaa.NewPosition(b, arimaa.Gold), 2)
	cat, elephant := arimaa.NewPiece(arimaa.Gold, arimaa.Cat), arimaa.NewPiece(arimaa.Silver, arimaa.Elephant)
	for i, step := range []arimaa.Step{
		arimaa.NewStep(cat, 8, arimaa.North), arimaa.NewStep(elephant, 40, arimaa.South),
		arimaa.NewStep(cat, 16, arimaa.South), arimaa.NewStep(elephant, 32, arimaa.North),
	} {
		if err := g.Play(arimaa.Turn{}.With(step)); err != nil {
			t.Fatal(err)
		}
		if i != 1 {
			continue
		}
		q := Question{Position: g.Last(), Deepest: 2, Game: g.At(g.Len()), Aim: goal.CaptureOf(arimaa.Elephant, arimaa.Traps)}
		if a := mustSolve(t, s, q); a.Verdict != answer.Disproved || !a.Aside {
			t.Errorf("%v, aside %v", a.Verdict, a.Aside)
		}
	}
	q := Question{Position: g.Last(), Deepest: 1, Game: g, Aim: goal.RabbitOn(3)}
	if err := q.Check(); !errors.Is(err, ErrRepeated) {
		t.Errorf("a repeated position: %v", err)
	}
	if q.Aim = (goal.Aim{}); q.Check() != nil {
		t.Errorf("a win is refused: %v", q.Check())
	}
}
