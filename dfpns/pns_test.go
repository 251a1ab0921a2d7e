package dfpns

import (
	"context"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
	"goalproof/pns"
)

// best returns a solver of package pns with a number of MiB.
func best(t rapid.TB, mebibytes uint64) *pns.Solver {
	t.Helper()
	s, err := pns.New(mebibytes << 20)
	require.NoError(t, err)
	return s
}

// TestAsPNS compares the verdicts with those of package pns, which searches another graph in
// another order, on random positions that pns decides within a little memory.
func TestAsPNS(t *testing.T) {
	alone(t)
	slow, s := best(t, 1), newSolver(1<<20, 2)
	tally := map[string]int{}
	drawings := rapid.OneOf(boards.Position(), boards.Few(6), crowded())
	boards.Check(t, 30, 600, func(t *rapid.T) {
		p := boards.Parse(t, drawings.Draw(t, "position"))
		for n := 1; n <= 3; n++ {
			want := slow.Solve(context.Background(), pns.Question{Position: p, N: n})
			if want.Verdict == answer.Unknown {
				tally["unknown to pns"]++
				break
			}
			if got := ask(t, s, p, n); got.Verdict != want.Verdict {
				t.Fatalf("%v: a win in %d is %v (%v), pns says %v (%v)", p, n, got.Verdict, got.Turn, want.Verdict, want.Turn)
			}
			tally[want.Verdict.String()+" in "+string(rune('0'+n))]++
			if want.Verdict == answer.Proved {
				break
			}
		}
	})
	boards.ExpectAll(t, tally, "proved in 1", "disproved in 1", "proved in 2", "disproved in 2", "disproved in 3")
}
