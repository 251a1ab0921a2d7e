package dfpns

import (
	"context"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
)

// verdict is the verdict that a yes or no stands for.
func verdict(yes bool) answer.Verdict {
	if yes {
		return answer.Proved
	}
	return answer.Disproved
}

// ask solves a question without a limit of time.
func ask(t rapid.TB, s *Solver, p arimaa.Position, n int) Result {
	t.Helper()
	r, err := s.Solve(context.Background(), Question{Position: p, N: n})
	if err != nil {
		t.Fatalf("%v: a win in %d: %v", p, n, err)
	}
	if r.Verdict == answer.Unknown {
		t.Fatalf("%v: a win in %d is unknown (%v), and nobody stopped the search", p, n, r.Stop)
	}
	return r
}

// list lists the solutions of a question without a limit of time.
func list(t rapid.TB, s *Solver, p arimaa.Position, n int) []Solution {
	t.Helper()
	solutions, stop, err := s.All(context.Background(), Question{Position: p, N: n})
	if err != nil || stop != answer.Finished {
		t.Fatalf("%v: all wins in %d: %v, %v", p, n, stop, err)
	}
	return solutions
}

// check looks at a list of solutions by itself: each turn is legal and leads to the position it
// comes with, fewer steps come first, no position comes twice, the first solution is essential.
func check(t rapid.TB, p arimaa.Position, solutions []Solution) {
	t.Helper()
	seen := map[arimaa.Position]bool{}
	for i, s := range solutions {
		after, ok := p.Try(s.Turn)
		switch {
		case !ok || after != s.After:
			t.Fatalf("%v: %v does not lead to %v", p, s.Turn, s.After)
		case seen[s.After]:
			t.Fatalf("%v: %v leads to a solution listed before", p, s.Turn)
		case i == 0 && !s.Essential:
			t.Fatalf("%v: %v is not essential, with nothing shorter before it", p, s.Turn)
		case i > 0 && s.Turn.Len() < solutions[i-1].Turn.Len():
			t.Fatalf("%v: %v comes behind a longer turn", p, s.Turn)
		}
		seen[s.After] = true
	}
}

// newSolver returns a solver whose two tables take half of the memory each.
func newSolver(memory uint64, threads int) *Solver {
	return New(Options{Facts: memory / 2, Numbers: memory / 2, Threads: threads})
}
