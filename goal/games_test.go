package goal

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/boards"
	"goalproof/internal/published"
)

// gamePositions returns every position of the published games, with either side
// to move.
func gamePositions(t testing.TB) []arimaa.Position {
	var all []arimaa.Position
	for _, file := range []string{"archive-2026.tsv", "archive-2002.tsv"} {
		records, err := arimaa.ReadArchive(file, published.Read(t, "games/"+file))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			g, err := r.Game()
			if err != nil {
				continue // two games hold a step that today's rules forbid
			}
			for i := range g.Len() + 1 {
				p := g.Position(i)
				all = append(all, p, p.EndTurn())
			}
		}
	}
	return all
}

// TestExactInGames holds the detector against enumeration on the positions of
// the published games: every 29th, or all with the tag large.
func TestExactInGames(t *testing.T) {
	apart := 29
	if boards.Large {
		apart = 1
	}
	var d Detector
	positions := gamePositions(t)
	for i := 0; i < len(positions); i += apart {
		p := positions[i]
		checkBoth(t, &d, &p, &p.Board)
	}
}
