package dfpns

import (
	"context"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/load"
)

// trapped draws few pieces about a trap.
func trapped() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		squares := []byte(strings.Repeat(" ", 64))
		trap := rapid.SampledFrom([]int{18, 21, 42, 45}).Draw(t, "trap")
		put := func(piece byte, far int) {
			file, rank := trap%8+rapid.IntRange(-far, far).Draw(t, "file"), trap/8+rapid.IntRange(-far, far).Draw(t, "rank")
			if file < 0 || file > 7 || rank < 0 || rank > 7 || piece == 'R' && rank == 0 || piece == 'r' && rank == 7 {
				return
			}
			squares[8*rank+file] = piece
		}
		pieces := rapid.Permutation([]byte("RCDHErcdhe")).Draw(t, "pieces")
		for _, piece := range pieces[:rapid.IntRange(2, 5).Draw(t, "number")] {
			put(piece, rapid.IntRange(1, 2).Draw(t, "far"))
		}
		for i, rabbit := range []byte("Rr") {
			if at := 8*(6-5*i) + 7; !strings.Contains(string(squares), string(rabbit)) {
				squares[at] = rabbit
			}
		}
		return rapid.SampledFrom([]string{"g", "s"}).Draw(t, "side") + " [" + string(squares) + "]"
	})
}

// anAim draws an aim other than the win.
func anAim() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"capture", "capture=r", "capture=c", "capture=d", "capture=h", "capture=e"}),
		rapid.SampledFrom([]string{"capture@c3", "capture@f3", "capture@c6", "capture@f6", "capture=r@c3", "capture=c@f6", "capture=d@c6"}),
		rapid.SampledFrom([]string{"rabbit=1", "rabbit=2", "rabbit=3", "rabbit=4", "rabbit=5", "rabbit=6", "rabbit=7", "rabbit=8"}),
	)
}

// TestAims compares aims within one to three turns with the definition by package referee: the
// verdict, the first turn, and all that keep the aim. Both one worker and two answer, after other
// questions about other aims.
func TestAims(t *testing.T) {
	alone(t)
	one, two := New(Options{Facts: 1 << 20, Numbers: 1 << 20}), New(Options{Facts: 1 << 20, Numbers: 1 << 20, Threads: 2})
	var g arimaa.Generator
	var yes, no [4]int
	boards.Check(t, 80, 300, func(t *rapid.T) {
		text := rapid.OneOf(boards.Few(2), boards.Few(4), crowded(), trapped(), trapped()).Draw(t, "position")
		p := boards.Parse(t, text)
		name := anAim().Draw(t, "aim")
		aim, err := goal.ParseAim(name)
		require.NoError(t, err)
		n := 1
		for n < 3 && size(&g, p) <= min(affordable[n+1], 200)*3/2 {
			n++
		}
		n = rapid.IntRange(1, n).Draw(t, "N")
		st := load.State(t, p)
		plainly := enumeration.PlainAim(name)
		plainly.Limit(2_000_000) // seconds; few turns now may become many later
		want := plainly.Results(st, n)
		least := n
		for least > 1 && plainly.Reach(st, least-1) {
			least--
		}
		if !plainly.Ok() {
			t.Skip("too large")
		}
		for _, s := range []*Solver{one, two} {
			q := Question{Position: p, N: n, Aim: aim}
			r, err := s.Solve(context.Background(), q)
			if err != nil || r.Verdict != verdict(len(want) > 0) {
				t.Fatalf("%v, %v in %d: %v, %v; by the referee %d turns reach it", p, aim, n, r.Verdict, err, len(want))
			}
			if r.Verdict == answer.Proved {
				if r.Within > n || r.Within < least || !want[load.State(t, p.AfterTurn(r.Turn)).Board] {
					t.Fatalf("%v, %v in %d: by %v, within %d; by the referee within %d", p, aim, n, r.Turn, r.Within, least)
				}
			}
			if r.Verdict == answer.Disproved || least == n {
				all, stop, err := s.All(context.Background(), q)
				if err != nil || stop != answer.Finished || len(all) != len(want) {
					t.Fatalf("%v, %v in %d: %d first turns (%v, %v), the referee has %d", p, aim, n, len(all), stop, err, len(want))
				}
				for _, solution := range all {
					if !want[load.State(t, solution.After).Board] || p.AfterTurn(solution.Turn) != solution.After {
						t.Fatalf("%v, %v in %d: %v does not reach it", p, aim, n, solution.Turn)
					}
				}
			}
		}
		if len(want) > 0 {
			if least == n {
				yes[n]++
			}
		} else {
			no[n]++
		}
	})
	t.Logf("reached in exactly 1, 2, 3 turns: %v; not reached: %v", yes[1:], no[1:])
	if yes[1] == 0 || yes[2] == 0 || no[1] == 0 || no[2] == 0 || no[3] == 0 {
		t.Error("a kind of answer is missing")
	}
}

// solveAim answers a question.
func solveAim(t *testing.T, s *Solver, q Question) Result {
	t.Helper()
	r, err := s.Solve(context.Background(), q)
	require.NoError(t, err)
	return r
}

// TestAimsAlone refuses the questions that are about wins alone.
func TestAimsAlone(t *testing.T) {
	s := New(Options{Facts: 1 << 16, Numbers: 1 << 16, Threads: 2})
	p := boards.Parse(t, "g [r      r        e                  E       c    R               ]") // the cat falls on c3
	q := Question{Position: p, N: 2, Aim: goal.CaptureOf(arimaa.Cat, arimaa.Traps)}
	if _, err := s.Loss(context.Background(), q); err == nil {
		t.Error("Loss answers about a capture")
	}
	dog := q
	dog.Aim = goal.CaptureOf(arimaa.Dog, arimaa.Traps)
	if r := solveAim(t, s, dog); r.Verdict != answer.Disproved {
		t.Errorf("%v: %v", dog.Aim, r.Verdict)
	}
	// Wins does not, after another question.
	if r := solveAim(t, s, q); r.Verdict != answer.Proved {
		t.Fatalf("%v: %v", q.Aim, r.Verdict)
	}
	if _, err := s.Wins(context.Background(), []arimaa.Position{p}, 2, func(_ int, wins bool) {
		if wins {
			t.Error("Wins answers about a capture")
		}
	}); err != nil {
		t.Error(err)
	}
	if _, err := s.SolveTurn(context.Background(), q, arimaa.Turn{}); err == nil {
		t.Error("SolveTurn answers about a capture")
	}
}
