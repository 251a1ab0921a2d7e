package review_test

import (
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/review"
	"goalproof/solve"
)

// TestSame reviews games with one solver, with three, and beside goroutines that keep all processors busy: a limit in nodes lets
// nothing of that show.
func TestSame(t *testing.T) {
	var ended atomic.Bool
	defer ended.Store(true)
	for n, r := range archives(t, 4) {
		write := func(solvers int) string {
			var all []*solve.Solver
			for range solvers {
				all = append(all, newSolver(t))
			}
			o := review.Options{WinIn: 3, Limit: answer.Limit{Nodes: 5_000}, Engine: newEngine(t), Effort: 200}
			v, err := review.Game(t.Context(), all, r, o)
			if err != nil {
				t.Fatal(err)
			}
			page, err := v.HTML()
			if err != nil {
				t.Fatal(err)
			}
			return v.Annotated() + known(v) + page
		}
		first := write(1)
		if n == 0 {
			for range 4 {
				go func() {
					for i := 0; !ended.Load(); i++ {
						_ = i * i
					}
				}()
			}
		}
		for range 2 {
			if diff := cmp.Diff(first, write(3)); diff != "" {
				t.Fatalf("%s (-one solver +three):\n%s", r.Name, diff)
			}
		}
	}
}
