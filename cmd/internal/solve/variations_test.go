package solve

import (
	"os"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
	"goalproof/solve/report"
)

// listed returns the variations of an example.
func listed(t *testing.T, name string, deepest int) *solved {
	t.Helper()
	text, err := os.ReadFile("../../../examples/" + name)
	require.NoError(t, err)
	all, err := notation.ReadPositions(name, string(text))
	require.NoError(t, err)
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
	require.NoError(t, err)
	q := solve.Question{Position: all[0].Position, Deepest: deepest}
	a, err := s.Solve(t.Context(), q)
	require.NoError(t, err)
	v, err := s.Variations(t.Context(), q, a.Within, a.Line[0].Turn, 5)
	require.NoError(t, err)
	q.Number = all[0].Number
	return &solved{Item: inputs.Item{Name: name, Diagram: all[0]}, Report: report.Report{Question: q, Answer: a}, tree: v}
}

// TestAnnotated reads the annotated game again: its turns are the first variation, up to the win.
func TestAnnotated(t *testing.T) {
	for name, n := range map[string]int{"win-in-3.txt": 3, "win-in-2-for-silver.txt": 2} {
		it := listed(t, name, n)
		text, v := it.annotated(), it.tree
		g, _, err := notation.ReadAnnotated("x", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var want []arimaa.Turn
		for next := v; next != nil; {
			want = append(want, next.Turn)
			if len(next.Groups) == 0 {
				break
			}
			want = append(want, next.Groups[0].Replies[0])
			next = next.Groups[0].Answer
		}
		if g.Position(0) != it.Diagram.Position || g.Len() != len(want) || !g.Outcome().Over() {
			t.Fatalf("%d turns, want %d\n%s", g.Len(), len(want), text)
		}
		for i, turn := range want {
			if g.Turn(i) != turn || g.Number(i) != it.Diagram.Number+(i+int(it.Diagram.Position.Side()))/2 {
				t.Errorf("turn %d is %v, want %v\n%s", i, g.Turn(i), turn, text)
			}
		}
		if open := strings.Count(text, "(\n"); open < len(v.Groups)-1 {
			t.Errorf("%d variations\n%s", open, text)
		}
	}
}
