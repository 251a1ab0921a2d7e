package compose

import (
	"os"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/internal/files"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
	"goalproof/solve"
)

func TestTry(t *testing.T) {
	o := solve.Options{Memory: 64 << 20, Threads: 1}.ForNodes(20000, 1)
	s, err := solve.New(o)
	require.NoError(t, err)
	c := New(s, answer.Limit{Nodes: 20000})
	for p := range puzzles.Read(files.NewSource(t.Context(), nil), os.Getenv("SET"), nil) {
		if p.Err != nil {
			continue
		}
		claim := p.Claim
		if claim == 0 {
			claim = 2
		}
		z, err := c.Puzzle(t.Context(), p.Position, claim)
		if err != nil {
			t.Log(p.Label(), err)
			continue
		}
		c.Forget()
		began := time.Now()
		v, err := c.Longer(t.Context(), z, 300, 1)
		require.NoError(t, err)
		t.Log(p.Label(), z.Position, "LONGER", c.Judged(), v.Tried, v.Refused, v.All, time.Since(began))
		for _, f := range v.Found {
			t.Log(f.Puzzle.Position, f.Puzzle.Position.Notation(f.Puzzle.Solution), f.Reply, f.Mined.Difficulty())
		}
	}
}
