package review_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

// race is a game in which gold, one turn from its goal, stops a step short of it: the silver
// elephant freezes the rabbit, and the silver rabbit runs. Gold's elephant could have waited for it
// on h1.
const race = `1w Ra6 Ee1
1b ec8 rh7
2w Ra6n
2b ec8w eb8s rh7s rh6s
3w Ee1n
3b rh5s rh4s rh3s rh2s
`

// waits is a game that is lost because gold's elephant waits instead of stopping the rabbit.
const waits = `1w Ra2 Ee2
1b ea8 rh5
2w Ra2n
2b rh5s rh4s rh3s rh2s
`

// TestGames reviews games whose truth is plain, or that of an example, with wins in two as the
// limit.
func TestGames(t *testing.T) {
	for _, test := range []struct {
		name, turns, want string
		decision          *review.Decision
		ended             string
	}{
		{"a win in one missed and thrown away", race, `2g win 1 threat 2: throws away, gives 2
2s win 2 threat 1: delays, gives 0
3g loss 2 threat 1
3s win 1: wins, gives 0
4g loss 0 threat 0
`, &review.Decision{Winner: arimaa.Silver, From: 1, Last: 0, Losing: true, Holds: 2, Turns: 2}, "goal"},

		// examples/win-in-2.txt
		{"a win in two thrown away", `1w Ra7 Ed6 Rh2 Ra1 Rd1 Re1 Rh1
1b ra8 rb7 rh7 df6 rg6 ed3 rg3
2w Rd1n
2b rg3s rg2s
`, `2g win 2 threat 1: throws away, gives 1
2s win 1 threat 2: wins, gives 0
3g loss 0 threat 0
`, &review.Decision{Winner: arimaa.Silver, From: 1, Last: 0, Losing: true, Holds: 2, Turns: 1}, "goal"},

		// examples/immobilisation.txt
		{"immobilisation", `1w Ed7 Ma6 Hd6 Ra5 Rb5 Dc5 Cd8
1b ra8 rb8 cc8 ea7 rc7 cb6 rc6
2w cb6n Ma6e Ra5n Rb5w
2b
`, `2g win 1: wins, gives 0
2s loss 0 threat 0
`, &review.Decision{Winner: arimaa.Gold, From: 0, Last: -1, Turns: 1}, "immobilisation"},

		// examples/elimination.txt
		{"elimination", `1w Md7 Rh5 Ef4 Rg2 Ra1 Rb1 Rf1 Rg1
1b rc6 rd6 cg5 dc4 ed3
2w rd6e rc6x Md7s re6e rf6x Md6e
`, `2g win 1 threat 2: wins, gives 0
2s loss 0 threat 0
`, &review.Decision{Winner: arimaa.Gold, From: 0, Last: -1, Turns: 1}, "elimination"},

		// Silver's only turn brings the board back, and may do so once. The first turn wins for that
		// reason, which only what follows shows: the board has been there once, and its repetitions are
		// not yet looked at.
		{"the third repetition", repeating, `2g win 2 deduced: reaches, gives 0
2s loss 1 threat 1
3g win 1: wins, gives 0
3s loss 0 threat 0
`, &review.Decision{Winner: arimaa.Gold, From: 0, Last: -1, Turns: 2}, "repetition"},

		{"a turn taken back", `1w Ra6 Ee1
1b ec8 rh7
2w Ra6n
2b takeback
2w Ra6n Ra7n
`, `2g win 1 threat 2: wins, gives 0
2s loss 0 threat 0
`, &review.Decision{Winner: arimaa.Gold, From: 0, Last: -1, Turns: 1}, "goal"},

		{"resigned in a won position", `1w Ra6 Ee1
1b ec8 rh7
2w resigns
`, `2g win 1 threat 2
`, &review.Decision{Winner: arimaa.Gold, From: 0, Last: -1}, "resignation"},

		{"nothing decided", `1w Ra1 Ee1
1b ec8 rh7
2w Ee1n
`, `2g
2s
`, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := play(t, read(t, test.turns), 2)
			if diff := cmp.Diff(test.want, describe(v)); diff != "" {
				t.Errorf("what is known (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.decision, v.Decision); diff != "" {
				t.Errorf("decision (-want +got):\n%s", diff)
			}
			if v.Record.Ended != test.ended {
				t.Errorf("ended by %q, want %q", v.Record.Ended, test.ended)
			}
		})
	}
}

// TestAllows looks at the turn that lets a race be won: the elephant must stop the rabbit. That
// gold would have held for good is not proved, so the turn is not called the losing one.
func TestAllows(t *testing.T) {
	v := play(t, read(t, waits), 2)
	want := "2g threat 1: allows, gives 1\n2s win 1: wins, gives 0\n3g loss 0 threat 0\n"
	if diff := cmp.Diff(want, describe(v)); diff != "" {
		t.Errorf("what is known (-want +got):\n%s", diff)
	}
	saving := v.Standings[0].Saving
	if len(saving) != 3 {
		t.Fatalf("%d saving turns, want 3", len(saving))
	}
	for _, s := range saving {
		after, ok := v.Record.Game.Position(0), false
		if after, ok = after.Try(s.Turn); !ok || s.Holds != 2 {
			t.Errorf("%v: legal %v, holds %d, want 2", s.Turn, ok, s.Holds)
		}
		if near := after.Pieces(arimaa.Gold, arimaa.Elephant).First(); near.String()[0] < 'f' {
			t.Errorf("%v: the elephant is on %v and stops nobody", s.Turn, near)
		}
	}
	decision := &review.Decision{Winner: arimaa.Silver, From: 1, Last: 0, Holds: 2, Turns: 1}
	if diff := cmp.Diff(decision, v.Decision); diff != "" {
		t.Errorf("decision (-want +got):\n%s", diff)
	}
}

// TestMissedLine checks the win that is shown for a turn that missed it.
func TestMissedLine(t *testing.T) {
	v := play(t, read(t, race), 2)
	for i, plies := range []int{1, 3, 0, 0} {
		line := v.Judgements[i].Line
		if len(line) != plies {
			t.Errorf("%s: a line of %d plies, want %d", v.Record.Game.Label(i), len(line), plies)
			continue
		}
		if plies > 0 {
			game := v.Record.Game.At(i)
			for _, turn := range line {
				require.NoError(t, game.Play(turn))
			}
			p := v.Record.Game.Position(i)
			if end := game.Outcome(); !end.Over() || end.Winner != p.Side() {
				t.Errorf("%s: the line ends with %+v", v.Record.Game.Label(i), end)
			}
		}
	}
}
