package goal

import (
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// checkWithin compares the detector with enumeration at the start of a turn and after one and two
// random options of it.
func checkWithin(t testing.TB, d *Detector, p arimaa.Position, random *rand.Rand) {
	t.Helper()
	start := p.Board
	checkBoth(t, d, &p, &start)
	for range 2 {
		options := p.Options(nil)
		if len(options) == 0 {
			return
		}
		p = p.After(options[random.IntN(len(options))])
		checkBoth(t, d, &p, &start)
	}
}

// TestExactInSearch compares the detector with enumeration on the positions that a search for a win
// in two meets, where rabbits are near their goal and few steps decide: some of them.
func TestExactInSearch(t *testing.T) {
	t.Parallel()
	every := boards.Sized(6_247, 21) // not of 5: a turn adds five positions, of three kinds
	var d Detector
	random := rand.New(rand.NewPCG(3, 4))
	positions := searchPositions(t)
	for i := 0; i < len(positions); i += every {
		checkWithin(t, &d, positions[i], random)
	}
}
