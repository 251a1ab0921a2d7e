package referee

import (
	"testing"

	"goalproof/internal/testkit/require"
)

func TestOutcome(t *testing.T) {
	// Each board is the end of a turn of gold; the table is checked from the top.
	tests := []struct {
		name   string
		board  string
		over   bool
		winner Side
		reason Reason
	}{
		{"nothing", `
			8 .......r
			1 R.......`, false, 0, Undecided},
		{"row 1", `
			8 R......r`, true, Gold, Goal},
		{"row 1 before row 2", `
			8 R.......
			1 .......r`, true, Gold, Goal},
		{"row 1 before row 3", `
			8 R.......`, true, Gold, Goal},
		{"row 2", `
			2 R.......
			1 .......r`, true, Silver, OpponentGoal},
		{"row 2 before row 4", `
			1 .......r`, true, Silver, OpponentGoal},
		{"row 3", `
			8 .......e
			2 R.......`, true, Gold, Elimination},
		{"row 3 before row 4", `
			8 E......e`, true, Gold, Elimination},
		{"row 3 before row 5: no pieces at all", ``, true, Gold, Elimination},
		{"row 4", `
			8 E......r`, true, Silver, SelfElimination},
		{"row 4 before row 5", `
			8 .......r
			7 .......E`, true, Silver, SelfElimination},
		{"row 5, frozen", `
			8 .......r
			7 .......E
			1 R.......`, true, Gold, Immobilisation},
		{"a rabbit that can step forward", `
			4 .R......
			3 r.......
			1 .R......`, false, 0, Undecided},
		{"row 5, a rabbit that could only step backward", `
			4 .R......
			3 rR......
			2 R.......`, true, Gold, Immobilisation},
		{"a rabbit can still be pushed out of the way", `
			4 cR......
			3 rR......
			2 R.......`, false, 0, Undecided},
		{"row 5, nowhere to push to", `
			6 D.......
			5 cM......
			4 rRD.....
			3 RM......`, true, Gold, Immobilisation},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := parseBoard(t, tt.board)
			winner, reason, over := Outcome(b, Gold)
			if over != tt.over || reason != tt.reason || over && winner != tt.winner {
				t.Errorf("%v by %v (over: %t), want %v by %v (%t)\n%s",
					winner, reason, over, tt.winner, tt.reason, tt.over, b)
			}
			// The same with the colours exchanged.
			winner, reason, over = Outcome(mirror(b), Silver)
			if over != tt.over || reason != tt.reason || over && winner != tt.winner.Other() {
				t.Errorf("mirrored: %v by %v (over: %t)", winner, reason, over)
			}
		})
	}
}

// mirror exchanges the colours and turns the board upside down.
func mirror(b Board) Board {
	m := EmptyBoard()
	for square, piece := range b {
		if isPiece(piece) {
			m[8*(7-square/8)+square%8] = piece ^ ('a' - 'A')
		}
	}
	return m
}

func TestReasonNames(t *testing.T) {
	seen := map[string]bool{}
	for r := Undecided; r <= Repetition+1; r++ {
		if seen[r.String()] {
			t.Errorf("two reasons are called %q", r)
		}
		seen[r.String()] = true
	}
}

func TestFewestWin(t *testing.T) {
	tests := []struct {
		name   string
		side   Side
		board  string
		steps  int
		ok     bool
		reason Reason
	}{
		{"goal", Gold, `
			8 .......r
			6 R.......`, 2, true, Goal},
		{"silver's goal", Silver, `
			7 .......R
			3 r.......`, 2, true, Goal},
		{"elimination of the last rabbit", Gold, `
			8 c.......
			5 .....r..
			4 .....E..
			1 R.......`, 2, true, Elimination},
		{"immobilisation", Gold, `
			8 r.......
			6 E.......
			1 R.......`, 1, true, Immobilisation},
		{"none", Gold, `
			8 r......r
			1 R.......`, 0, false, Undecided},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := start(t, tt.side, tt.board)
			steps, turn, ok := FewestWin(st)
			if steps != tt.steps || ok != tt.ok || len(turn) != steps {
				t.Fatalf("win in %d steps by %v (%t), want %d", steps, turn, ok, tt.steps)
			}
			if WinIn(st, 1) != ok {
				t.Error("WinIn 1 says otherwise")
			}
			if !ok {
				return
			}
			end, err := st.PlayTurn(turn)
			require.NoError(t, err)
			if winner, reason, _ := Outcome(end.Board, tt.side); winner != tt.side || reason != tt.reason {
				t.Errorf("%v by %v, want %v", winner, reason, tt.reason)
			}
		})
	}
}

func TestFewestGoalWithinATurn(t *testing.T) {
	st := start(t, Gold, `6 R.......`)
	at := play(t, st, "Ra6n Ra7n")
	if steps, turn, ok := FewestGoal(at); !ok || steps != 0 || len(turn) != 0 {
		t.Errorf("standing on the goal rank: %d steps by %v (%t)", steps, turn, ok)
	}
	// A rabbit that already stands there must see the board changed.
	there := start(t, Gold, `
		8 R.......
		1 E.......`)
	if steps, _, ok := FewestGoal(there); !ok || steps != 1 {
		t.Errorf("the board must change: %d steps (%t)", steps, ok)
	}
	if steps, _, ok := FewestGoal(play(t, start(t, Gold, `4 R.......`), "Ra4e")); ok {
		t.Errorf("goal in %d steps with three left and four to go", steps)
	}
}
