package describe

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
)

// TestSame tests that a description depends neither on the threads of the solver nor on what was
// described before.
func TestSame(t *testing.T) {
	var first []any
	for _, threads := range []int{1, 2, 2} {
		s := newSolver(t, threads)
		d, eye := Describer{Solver: s}, NewEye(0)
		var all []any
		for _, name := range []string{"zugzwang-in-2.txt", "win-in-3.txt", "win-in-2.txt", "zugzwang-in-2.txt"} {
			p := load.Example(t, name)
			a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: 3, All: true, NoLine: true})
			require.NoError(t, err)
			z, ok, err := d.Win(t.Context(), p, &a)
			if err != nil || !ok {
				t.Fatalf("%s: %v, %v", name, ok, err)
			}
			sight, err := eye.See(t.Context(), p, &a)
			require.NoError(t, err)
			if !sight.Seen || sight.Depth == 0 {
				t.Errorf("%s: %+v: the engine sees this solution", name, sight)
			}
			all = append(all, z, sight)
		}
		if diff := cmp.Diff(all[:2], all[6:], cmp.AllowUnexported(arimaa.Position{}, arimaa.Board{}, arimaa.Turn{})); diff != "" {
			t.Errorf("the same puzzle again, %d threads:\n%s", threads, diff)
		}
		if first == nil {
			first = all
		} else if diff := cmp.Diff(first, all, cmp.AllowUnexported(arimaa.Position{}, arimaa.Board{}, arimaa.Turn{})); diff != "" {
			t.Errorf("%d threads:\n%s", threads, diff)
		}
	}
}
