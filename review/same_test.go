package review_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
	"goalproof/review"
	"goalproof/solve"
)

// TestSame reviews games with one solver, with three, and with the tag large on a busy machine: a
// limit in nodes lets nothing of that show, nor that a review has rested.
func TestSame(t *testing.T) {
	// What they have learned from other games must not show.
	all, e := []*solve.Solver{newSolver(t), newSolver(t), newSolver(t)}, newEngine(t)
	for n, r := range archives(t, boards.Sized(2, 8)) {
		write := func(solvers int) string {
			o := review.Options{WinIn: 3, Limit: answer.Limit{Nodes: 5_000}, Engine: e, Effort: 200}
			rests := 0
			if solvers > 1 {
				o.Rest = func() func() { return func() { rests++ } }
			}
			v := reviewed(t, r, o, all[:solvers]...)
			if o.Rest != nil && rests <= r.Game.Len() {
				t.Errorf("%s: %d rests", r.Name, rests)
			}
			page := html(t, v)
			return fmt.Sprint(v.Nodes, "\n") + v.Annotated() + known(v) + page
		}
		first := write(1)
		if n == 0 && boards.Large {
			boards.Busy(t)
		}
		for range boards.Sized(1, 4) {
			if diff := cmp.Diff(first, write(3)); diff != "" {
				t.Fatalf("%s (-one solver +three):\n%s", r.Name, diff)
			}
		}
	}
}
