package dfpns

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof/referee"
)

// askLoss asks a question about a loss without a limit of time.
func askLoss(t rapid.TB, s *Solver, p arimaa.Position, n int) Loss {
	t.Helper()
	r, err := s.Loss(context.Background(), Question{Position: p, N: n})
	if err != nil || r.Verdict == answer.Unknown {
		t.Fatalf("%v: a loss in %d: %+v, %v", p, n, r, err)
	}
	return r
}

// holding are the boards after a turn with which the side to move wins at once, or leaves its
// opponent no win in n, as the rules define them.
func holding(st referee.State, n int) map[referee.Board]bool {
	holds := map[referee.Board]bool{}
	for _, reply := range referee.Results(st) {
		winner, _, over := referee.Outcome(reply.Board, st.Side)
		if over && winner == st.Side || !over && !referee.WinIn(referee.NewState(reply.Board, st.Side.Other()), n) {
			holds[reply.Board] = true
		}
	}
	return holds
}

// TestLossAsReferee compares with complete enumeration by the referee on small boards: the verdict,
// and the reply that holds.
func TestLossAsReferee(t *testing.T) {
	alone(t)
	var g arimaa.Generator
	s := newSolver(1<<20, 1)
	tally := map[string]int{}
	drawings := smallBoards()
	boards.Check(t, 50, 700, func(t *rapid.T) {
		p := boards.Parse(t, drawings.Draw(t, "position"))
		if p.Ended(p.Side().Other()).Over() {
			return
		}
		if p.Undefended() != 0 {
			if r, err := s.Loss(context.Background(), Question{Position: p, N: 1}); !errors.Is(err, ErrUnsettled) {
				t.Fatalf("%v: %+v, %v; the board is not settled", p, r, err)
			}
			tally["not settled"]++
			return
		}
		st := load.State(t, p)
		work := size(&g, p)
		for n := 1; n <= 2 && work <= affordable[n+1]; n++ {
			holds := holding(st, n)
			got := askLoss(t, s, p, n)
			if want := verdict(len(holds) == 0); got.Verdict != want {
				t.Fatalf("%v: a loss in %d is %v, the referee says %v", p, n, got.Verdict, want)
			}
			tally[got.Verdict.String()+" in "+string(rune('0'+n))]++
			if got.Verdict == answer.Proved {
				if got.Within != n { // that it takes more than n-1 turns has been seen
					t.Fatalf("%v: a loss in %d within %d", p, n, got.Within)
				}
				break
			}
			if after, ok := p.Try(got.Reply); !ok || !holds[load.State(t, after).Board] {
				t.Fatalf("%v: %v does not hold against wins in %d", p, got.Reply, n)
			}
		}
	})
	boards.ExpectAll(t, tally, "proved in 1", "disproved in 1", "disproved in 2", "not settled")
}

// mostReplies is the size up to which all replies are asked about on their own.
var mostReplies = [4]int{2: 1_000, 3: 100}

// TestLossByReplies compares losses of random endings with the answers about each reply on its own.
func TestLossByReplies(t *testing.T) {
	alone(t)
	endings := boards.Sized(16, 400)
	random := rand.New(rand.NewPCG(2026, 19))
	tally := map[string]int{}
	var g arimaa.Generator
	for range endings {
		p := ending(t, random).EndTurn()
		s := newSolver(8<<20, 2)
		replies := newSolver(8<<20, 2)
		for n := 1; n == 1 || n <= 3 && size(&g, p) <= mostReplies[n]; n++ {
			held := map[arimaa.Position]bool{}
			for i := range g.Generate(&p) {
				after := g.Position(i, p.Side())
				if o := after.Board.Ended(p.Side()); o.Over() && o.Winner == p.Side() || !o.Over() && ask(t, replies, after, n).Verdict == answer.Disproved {
					held[after] = true
				}
			}
			got := askLoss(t, s, p, n)
			if want := verdict(len(held) == 0); got.Verdict != want {
				t.Fatalf("%v: a loss in %d is %v, its %d replies say %v", p, n, got.Verdict, g.Len(), want)
			}
			tally[got.Verdict.String()+" in "+string(rune('0'+n))]++
			if n == 3 {
				by, err := newSolver(8<<20, 2).Loss(context.Background(), Question{Position: p, N: n, Threats: true})
				if err != nil || by.Stop != answer.Finished || by.Verdict != answer.Unknown && by.Verdict != got.Verdict {
					t.Fatalf("%v: a loss in %d is %v, and by threats alone: %+v, %v", p, n, got.Verdict, by, err)
				}
				tally["by threats "+by.Verdict.String()]++
			}
			if got.Verdict == answer.Proved {
				if got.Within != n {
					t.Fatalf("%v: a loss in %d within %d", p, n, got.Within)
				}
				break
			}
			if after, ok := p.Try(got.Reply); !ok || !held[after] {
				t.Fatalf("%v: %v does not hold against wins in %d", p, got.Reply, n)
			}
		}
	}
	boards.ExpectAll(t, tally, "proved in 1", "proved in 2", "disproved in 3", "by threats unknown")
}
