package solve

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
)

// TestSameTurn checks that a winning turn reads the same in the plain answers of both searches and
// in the list of all solutions: the same steps in the same order. The best-first search, whose
// memory may be full before it is done, need not answer every time, but most times.
func TestSameTurn(t *testing.T) {
	s, slow := newSolver(t), best(t, 64<<20)
	wins, asked, full := 0, 0, 0
	positions := rapid.OneOf(boards.Few(5), boards.Position())
	boards.Check(t, 100, 1000, func(t *rapid.T) {
		p := drawn(t, positions)
		if p.Ended(p.Side().Other()).Over() {
			return
		}
		q := Question{Position: p, Deepest: 2}
		answers := []Answer{solved(t, s, context.Background(), q)}
		asked++
		if a := solved(t, slow, context.Background(), q); a.Verdict == answer.Unknown && a.Stop == answer.Memory {
			full++
		} else {
			answers = append(answers, a)
		}
		q.All = true
		all := solved(t, s, context.Background(), q)
		for _, a := range append(answers, all) {
			if a.Verdict != all.Verdict {
				t.Fatalf("%v: %v, with all solutions %v", p, a.Verdict, all.Verdict)
			}
			if a.Verdict != answer.Proved {
				continue
			}
			found := false
			for i := range all.Solutions {
				found = found || all.Solutions[i].Turn == a.Line[0].Turn
			}
			if wins++; !found {
				t.Errorf("%v: %s is not among the solutions %v", p, p.Notation(a.Line[0].Turn), all.Solutions)
			}
		}
	})
	if wins == 0 {
		t.Error("there is no win")
	}
	if 10*full > asked {
		t.Errorf("the memory of the best-first search was full in %d of %d positions", full, asked)
	}
}
