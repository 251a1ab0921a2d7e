package goal

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/boards"
	"goalproof/internal/published/games"
)

// gamePositions returns every position of the published games, with either side
// to move.
func gamePositions(t testing.TB) []arimaa.Position {
	var all []arimaa.Position
	for _, p := range games.Positions(t) {
		all = append(all, p, p.EndTurn())
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
