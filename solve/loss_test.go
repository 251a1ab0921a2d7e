package solve

import (
	"errors"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
)

// TestLoss asks about positions after the turns of a win in three: the winning turn leaves a loss
// in two, whose bounds are found for every greatest N, and other turns leave a reply that holds.
func TestLoss(t *testing.T) {
	p, s := exampleOf(t, "win-in-3.txt"), newSolver(t)
	win, err := s.Solve(t.Context(), Question{Position: p, Deepest: 3, NoLine: true})
	if err != nil || win.Within != 3 {
		t.Fatalf("%+v, %v", win, err)
	}
	lost := p.AfterTurn(win.Line[0].Turn)
	for _, q := range []Question{{Deepest: 1}, {Deepest: 2}, {Deepest: 5}, {Deepest: 5, Any: true}} {
		q.Position = lost
		a, err := newSolver(t).Loss(t.Context(), q) // which knows nothing from the search for the win
		want := Loss{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}}
		if q.Deepest == 1 {
			want = Loss{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 1}}
		}
		if err != nil || a.Verdict != want.Verdict || a.Within != want.Within || a.Refuted != want.Refuted || a.Stop != answer.Finished {
			t.Errorf("%+v: %+v, %v", q, a, err)
		}
		if after, legal := lost.Try(a.Reply); !legal {
			t.Errorf("%+v: the reply %v is illegal", q, a.Reply)
		} else if r, err := s.Solve(t.Context(), Question{Position: after, Deepest: 1}); err != nil || r.Verdict != answer.Disproved {
			t.Errorf("%+v: after %v: %v, %v", q, a.Reply, r.Verdict, err)
		}
	}
	other := p.AfterTurn(arimaa.Turn{}.With(win.Line[0].Turn.Step(0)))
	a, err := s.Loss(t.Context(), Question{Position: other, Deepest: 2})
	if err != nil || a.Verdict != answer.Disproved || a.Refuted != 2 {
		t.Fatalf("after one step of the turn: %+v, %v", a, err)
	}
	after, _ := other.Try(a.Reply)
	if r, err := s.Solve(t.Context(), Question{Position: after, Deepest: 2}); err != nil || r.Verdict != answer.Disproved {
		t.Errorf("%v: after %v: %v, %v", other, a.Reply, r.Verdict, err)
	}
	loose := parse(t, "g [r                                   M     R   e                 ]")
	if _, err := s.Loss(t.Context(), Question{Position: loose, Deepest: 1}); !errors.Is(err, dfpns.ErrUnsettled) {
		t.Errorf("a board that is not settled: %v", err)
	}
}
