package jobs

import (
	"testing"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/joblevel"
	"goalproof/solve"
)

// TestDecideStore looks into the store while a position is decided: what workers find is there only
// at the end, since it is dropped if a worker proves to lie.
func TestDecideStore(t *testing.T) {
	nodes, memory := decidingNodes, decidingMemory
	decidingNodes, decidingMemory = 1<<13, 64<<20
	defer func() { decidingNodes, decidingMemory = nodes, memory }()
	AnswerHere(t, nil)
	found, answers := NewFound(), 0
	d := Decide{
		Position: boards.Parse(t, "s [           R  r  e                               R   R          ]"), Solving: solve.Options{Store: found},
		Wanted: func(n int, _ answer.Verdict) int { return 0 },
		Progress: func(*joblevel.Graph) {
			if answers++; len(found.facts) > 0 {
				t.Fatalf("%d facts are in the store after %d answers", len(found.facts), answers)
			}
		},
	}
	require.NoError(t, d.Run(t.Context(), &Flags{}, 4))
	if answers < 2 || len(found.facts) < 2 {
		t.Errorf("%d answers, and %d facts at the end", answers, len(found.facts))
	}
}
