package learn

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/engine/evaluation"
	"goalproof/internal/testkit/require"
)

// TestBeginnings counts the games that begin after random turns, and the elephants behind the front
// row, where no sound setup has them: a varied game may begin in this way, another has one setup in
// forty in no order.
func TestBeginnings(t *testing.T) {
	const games = 40
	for _, test := range []struct {
		name   string
		play   SelfPlay
		varied bool
	}{
		{"without a network", SelfPlay{}, true},
		{"varied", SelfPlay{Network: evaluation.Learned(), Varied: true}, true},
		{"sound", SelfPlay{Network: evaluation.Learned()}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.play.Seed, test.play.Nodes, test.play.Threads = 1, 1, 2
			turns, behind := 0, 0
			for g, err := range test.play.Games(t.Context(), 0, games) {
				require.NoError(t, err)
				b := &g.Start.Board
				if g.Start.Side() == arimaa.Silver || b.Occupied()&^(arimaa.HomeRanks(arimaa.Gold)|arimaa.HomeRanks(arimaa.Silver)) != 0 {
					turns++
				}
				for side := range arimaa.Side(2) {
					behind += (b.Pieces(side, arimaa.Elephant) & arimaa.GoalRank(side.Other())).Len()
				}
			}
			t.Logf("of %d games %d begin after random turns; %d elephants stand behind", games, turns, behind)
			if test.varied != (turns > games/2) || !test.varied && turns > 0 {
				t.Errorf("%d of %d games begin after random turns", turns, games)
			}
			if test.varied != (behind >= 5) {
				t.Errorf("%d of %d elephants stand behind", behind, 2*games)
			}
		})
	}
}
