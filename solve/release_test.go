package solve

import (
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
)

// TestRelease releases the tables of a solver that has answered. It holds none of them, and
// searches again as a new solver does.
func TestRelease(t *testing.T) {
	p, err := notation.ParsePosition("Ra4 Eb2 rh5 eg7 g")
	require.NoError(t, err)
	for _, algorithm := range []Algorithm{DFPNS, PNS} {
		s, err := New(Options{Algorithm: algorithm, Memory: 8 << 20, Threads: 1})
		require.NoError(t, err)
		q := Question{Position: p, Deepest: 2}
		first, err := s.Solve(t.Context(), q)
		require.NoError(t, err)
		s.Release()
		if s.depthFirst != nil || s.bestFirst != nil {
			t.Errorf("%v: it has tables", algorithm)
		}
		again, err := s.Solve(t.Context(), q)
		require.NoError(t, err)
		if again.Nodes != first.Nodes || again.Verdict != first.Verdict || again.Bounds != first.Bounds || first.Nodes == 0 {
			t.Errorf("%v: %+v, want %+v", algorithm, again, first)
		}
	}
}
