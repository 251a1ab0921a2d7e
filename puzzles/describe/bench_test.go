package describe

import (
	"testing"

	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
)

// BenchmarkWin describes a composed win in two, whose solutions are known: the cost of the counts.
func BenchmarkWin(b *testing.B) {
	s := newSolver(b, 1)
	p := load.Example(b, "win-in-2.txt")
	a, err := s.Solve(b.Context(), solve.Question{Position: p, Deepest: 2, All: true, NoLine: true})
	require.NoError(b, err)
	d := Describer{Solver: s}
	for b.Loop() {
		if _, ok, err := d.Win(b.Context(), p, &a); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
