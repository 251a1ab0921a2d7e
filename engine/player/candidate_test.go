package player

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof/referee"
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

// TestSettle compares what is said of turns without a search with package referee: that a turn wins
// at once, that the game is lost after it, and that the opponent can end it with his next turn. A
// turn that is proved to win stays so.
func TestSettle(t *testing.T) {
	tally := map[string]int{}
	var d goal.Detector
	boards.Check(t, 150, 2000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Few(6).Draw(t, "position"))
		state := load.State(t, p)
		g := arimaa.NewGame(p, 2)
		if g.Outcome().Over() {
			return
		}
		var turns arimaa.Generator
		var all []engine.Report
		n := turns.Generate(&p)
		for i := range n {
			if i%max(n/8, 1) == 0 {
				all = append(all, engine.Report{Turn: turns.Turn(i), Depth: 1, Score: i})
			}
		}
		if len(all) == 0 {
			return
		}
		proved := all[0].Turn // as if a search had proved it
		all[0].Win = 3
		Settle(&d, g, all)
		ranks := []string{"wins", "open", "loses"}
		var order []int
		for i := range all {
			r, want := &all[i], "open"
			after := load.State(t, p.AfterTurn(r.Turn)).Board
			if winner, _, over := referee.Outcome(after, state.Side); over && winner == state.Side {
				want = "wins"
			} else if over || canWin(referee.NewState(after, state.Side.Other())) {
				want = "loses"
			}
			got := "open"
			switch {
			case r.Win == 1 && r.Loss == 0, r.Win == 3 && r.Turn == proved:
				got = "wins"
			case r.Win == 0 && r.Loss == 1:
				got = "loses"
			}
			if r.Turn != proved && got != want {
				t.Errorf("%v, %v: %+v, want %s", p, r.Turn, r, want)
			}
			tally[got]++
			order = append(order, slices.Index(ranks, got))
		}
		if !slices.IsSorted(order) {
			t.Errorf("%v: the order is %v", p, order)
		}
	})
	boards.ExpectAll(t, tally, "wins", "open", "loses")
}

// canWin reports whether the side to move can end the game with one turn, and win.
func canWin(st referee.State) bool {
	for b := range referee.Ends(st) {
		if winner, _, over := referee.Outcome(b, st.Side); over && winner == st.Side {
			return true
		}
	}
	return false
}
