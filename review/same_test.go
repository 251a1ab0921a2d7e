package review_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/review"
	"goalproof/solve"
)

// TestSame reviews games with one solver, with three, and beside goroutines that keep all
// processors busy: a limit in nodes lets nothing of that show.
func TestSame(t *testing.T) {
	var ended atomic.Bool
	defer ended.Store(true)
	// What they have learned from other games must not show.
	all, e := []*solve.Solver{newSolver(t), newSolver(t), newSolver(t)}, newEngine(t)
	for n, r := range archives(t, 4, "") {
		write := func(solvers int) string {
			o := review.Options{WinIn: 3, Limit: answer.Limit{Nodes: 5_000}, Engine: e, Effort: 200}
			v := reviewed(t, r, o, all[:solvers]...)
			page := html(t, v)
			return fmt.Sprint(v.Nodes, "\n") + v.Annotated() + known(v) + page
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
