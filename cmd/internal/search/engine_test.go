package search

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/tables/endgame"
)

// TestWorth checks that a win or a loss is called proved where it is, and otherwise what the engine
// sees.
func TestWorth(t *testing.T) {
	for want, r := range map[string]engine.Report{
		"proved: wins":                                                    {Win: 1, Score: engine.Won},
		"proved: wins within 3 turns":                                     {Win: 3, Score: engine.Won},
		"proved: loses within 2 turns":                                    {Loss: 2, Score: -engine.Won},
		"the engine sees a win, depth 7":                                  {Score: engine.Won, Depth: 7},
		"the engine sees a loss, depth 7":                                 {Score: -engine.Won, Depth: 7},
		"proved: wins in 3 turns, endgame table":                          {Win: 3, Tabled: true, Value: endgame.WinIn(3)},
		"wins in 3 turns, endgame table, the third repetition set aside":  {Tabled: true, Value: endgame.WinIn(3)},
		"loses in 2 turns, endgame table, the third repetition set aside": {Tabled: true, Value: endgame.LossIn(2)},
	} {
		if got := Worth(r, arimaa.Gold); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
