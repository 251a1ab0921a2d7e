package dfpns

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// threatsAlone looks for a win within n turns by threats alone, in tables of its own.
func threatsAlone(t testing.TB, p arimaa.Position, n int) (got outcome, first arimaa.Turn) {
	t.Helper()
	s := newSolver(8<<20, 1)
	got, err := s.pass(context.Background(), 0, func(w *worker) outcome {
		return w.mid(node{at: &p, tree: threatTree, turns: n}, unlimited)
	})
	if err != nil || !got.solved() {
		t.Fatalf("%v: within %d by threats: %v, %v", p, n, got, err)
	}
	first, _, ok := p.Decode(got.turn)
	if got.numbers == proved && !ok {
		t.Fatalf("%v: within %d by threats: no turn", p, n)
	}
	got.turn = 0
	return got, first
}

// complete decides a win in n >= 3 by all turns alone, in tables of its own.
func complete(t testing.TB, p arimaa.Position, n int) answer.Verdict {
	t.Helper()
	s := newSolver(8<<20, 1)
	got, err := s.pass(context.Background(), 0, func(w *worker) outcome {
		return w.mid(node{at: &p, turns: n}, unlimited)
	})
	if err != nil || !got.solved() {
		t.Fatalf("%v: a win in %d: %v, %v", p, n, got, err)
	}
	return verdict(got.numbers == proved)
}

// TestQuietWins asks for wins in three. In two of the positions the first turn threatens nothing:
// threats fail there, for any number of turns, and that is no "no". In the third only a turn after
// it threatens nothing, one of the last two, which are decided over all turns.
func TestQuietWins(t *testing.T) {
	for _, tt := range []struct {
		board   string
		threats outcome
	}{
		{"s [   h   r                        R d   c                R  R     ]", failed},
		{"s [                       D  r         R   e            M      h c ]", failed},
		{"s [ r           r                      R         R                 ]", outcome{numbers: proved, bound: 3}},
	} {
		p := boards.Parse(t, tt.board)
		if got, _ := threatsAlone(t, p, 3); got != tt.threats {
			t.Errorf("%v: threats give %v, want %v", p, got, tt.threats)
		}
		s := newSolver(8<<20, 1)
		if r := ask(t, s, p, 2); r.Verdict != answer.Disproved {
			t.Errorf("%v: a win in 2 is %v", p, r.Verdict)
		}
		for _, longest := range []int{0, 20} {
			r, err := s.Solve(context.Background(), Question{Position: p, N: 3, Longest: longest})
			if err != nil || r.Verdict != answer.Proved || r.Within != 3 {
				t.Errorf("%v, at most %d turns: %v within %d, %v; there is a win in 3", p, longest, r.Verdict, r.Within, err)
			}
		}
		r, err := newSolver(8<<20, 1).Solve(context.Background(), Question{Position: p, N: 3, Longest: MaxTurns, Threats: true})
		want := Result{Verdict: verdict(tt.threats.numbers == proved), Within: int(tt.threats.bound)}
		if tt.threats == failed {
			want = Result{Verdict: answer.Unknown, Stop: answer.Finished}
		}
		if err != nil || r.Verdict != want.Verdict || r.Stop != want.Stop || r.Within != want.Within {
			t.Errorf("%v, by threats alone: %+v, %v; want %+v", p, r, err, want)
		}
	}
}

// TestThreats looks for wins by threats in random endings, the same in every run. A win within n
// must be one by the search over all turns, and begin with its turn.
func TestThreats(t *testing.T) {
	alone(t)
	endings, longest := boards.Sized(40, 300), 4
	random := rand.New(rand.NewPCG(2026, 18))
	tally := map[string]int{}
	for range endings {
		p := ending(t, random)
		if ask(t, newSolver(1<<20, 1), p, 1).Verdict == answer.Proved {
			continue
		}
		got, turn := threatsAlone(t, p, longest)
		if got.numbers == disproved {
			tally["failed"]++
			if got.bound == never {
				tally["out of threats"]++
			}
			continue
		}
		tally[fmt.Sprintf("within %d", got.bound)]++
		q := Question{Position: p, N: int(got.bound)}
		if q.N > 2 && complete(t, p, q.N) != answer.Proved || q.N <= 2 && ask(t, newSolver(1<<20, 1), p, q.N).Verdict != answer.Proved {
			t.Fatalf("%v: within %d by %v, and not by all turns", p, q.N, turn)
		}
		if r, err := newSolver(8<<20, 1).SolveTurn(context.Background(), q, turn); err != nil || r.Verdict != answer.Proved {
			t.Fatalf("%v: within %d: %v does not keep the win: %v, %v", p, q.N, turn, r.Verdict, err)
		}
	}
	boards.ExpectAll(t, tally, "within 2", "within 3", "failed", "out of threats")
}
