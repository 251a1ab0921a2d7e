package retro

import (
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// TestGames checks that the positions of published games are possible, and soon found to be.
func TestGames(t *testing.T) {
	positions, whole := 0, 0
	for _, name := range published.Names(t, "games/*.tsv") {
		records, err := notation.ReadArchive(name, published.Read(t, name))
		require.NoError(t, err)
		for i := 0; i < len(records); i += boards.Sized(8, 1) {
			g, err := records[i].Game()
			if err != nil {
				continue // two games of 2002 have a turn that is forbidden today
			}
			for turn := range g.Len() + 1 {
				p := g.Position(turn)
				a := traced(t, p, 1)
				positions++
				if a.Whole() {
					whole++
				}
			}
		}
	}
	if whole == 0 || whole == positions {
		t.Errorf("%d of %d positions are led back to the setups", whole, positions)
	}
}

// traced checks that a position is possible, within few nodes.
func traced(t *testing.T, p arimaa.Position, back int) Answer {
	t.Helper()
	ctx, cancel := answer.Limit{Nodes: 100_000}.Start(t.Context())
	defer cancel()
	a, err := Trace(ctx, p, back)
	require.NoError(t, err)
	if a.Verdict != Possible {
		t.Fatalf("%v: %v, %s", p, a.Verdict, a.Reason(p.Side()))
	}
	replay(t, a.Line, p)
	return a
}

// TestPublished checks the same of published puzzles.
func TestPublished(t *testing.T) {
	for _, c := range load.Claims(t, load.WinsInTwo) {
		traced(t, c.Position, 2)
	}
}
