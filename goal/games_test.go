package goal

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
)

// gamePositions returns every position of the published games, with either side to move.
func gamePositions(t testing.TB) []arimaa.Position {
	var all []arimaa.Position
	for _, p := range games.Positions(t) {
		all = append(all, p, p.EndTurn())
	}
	return all
}

// TestExactInGames compares the detector with enumeration on the positions of the published games:
// some of them.
func TestExactInGames(t *testing.T) {
	t.Parallel()
	every := boards.Sized(2_991, 7) // odd, to meet both sides
	var d Detector
	positions, tally := gamePositions(t), map[string]int{}
	for i := 0; i < len(positions); i += every {
		p := positions[i]
		checkBoth(t, &d, &p, &p.Board)
		tally[p.Side().String()]++
	}
	boards.ExpectAll(t, tally, "gold", "silver")
}
