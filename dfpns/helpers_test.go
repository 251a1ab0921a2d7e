package dfpns

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/published"
	"goalproof/proof/referee"
)

// failer is a test or a case of a property.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// short reads a position in short form.
func short(t failer, text string) arimaa.Position {
	t.Helper()
	p, err := notation.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// plain gives a position to the referee, as text.
func plain(t failer, p arimaa.Position) referee.State {
	t.Helper()
	st, err := referee.ParsePosition(p.String())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// verdict is the verdict that a yes or no stands for.
func verdict(yes bool) answer.Verdict {
	if yes {
		return answer.Proved
	}
	return answer.Disproved
}

// ask solves a question without a limit of time.
func ask(t failer, s *Solver, p arimaa.Position, n int) Result {
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
func list(t failer, s *Solver, p arimaa.Position, n int) []Solution {
	t.Helper()
	solutions, stop, err := s.All(context.Background(), Question{Position: p, N: n})
	if err != nil || stop != answer.Finished {
		t.Fatalf("%v: all wins in %d: %v, %v", p, n, stop, err)
	}
	return solutions
}

// check looks at a list of solutions by itself: each turn is legal and leads to the position it
// comes with, fewer steps come first, no position comes twice, the first solution is essential.
func check(t failer, p arimaa.Position, solutions []Solution) {
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

// example reads a position of the folder examples.
func example(t testing.TB, name string) arimaa.Position {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	positions, err := notation.ReadPositions(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return positions[0].Position
}

// claim is a published position that claims a win in two turns.
type claim struct {
	file     string
	position arimaa.Position
}

// falseClaims are the published wins in two that are none.
var falseClaims = map[string]bool{
	"win-in-2/reduced/11778.txt": true,
	"win-in-2/big/08829.txt":     true,
	"win-in-2/big/11255.txt":     true,
}

// claims reads the published positions, or skips the test.
func claims(t testing.TB) (all []claim) {
	t.Helper()
	for _, name := range published.Names(t, "win-in-2/*/*.txt") {
		positions, err := notation.ReadPositions(name, published.Read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, claim{name, positions[0].Position})
	}
	if len(all) != 101 {
		t.Fatalf("%d published positions, there were 101", len(all))
	}
	return all
}

// expectAll checks that every case was met, so that a test cannot pass for want of cases.
func expectAll(t *testing.T, tally map[string]int, cases ...string) {
	t.Helper()
	t.Log(tally)
	for _, c := range cases {
		if tally[c] == 0 {
			t.Errorf("%s: not met once", c)
		}
	}
}

// newSolver returns a solver whose two tables take half of the memory each.
func newSolver(memory uint64, threads int) *Solver {
	return New(Options{Facts: memory / 2, Numbers: memory / 2, Threads: threads})
}
