package pns

import (
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof/referee"
)

// checkWin checks with the referee that a first turn keeps a win in n: it is legal, and wins at
// once, or whatever the reply, it has lost at once or leaves a win in n-1. It notes what made the
// proof special.
func checkWin(t rapid.TB, p arimaa.Position, first arimaa.Turn, n int, tally map[string]int) {
	t.Helper()
	st := load.State(t, p)
	_, end, err := st.ReadTurn(first.String())
	if err != nil {
		t.Fatalf("%v: the first turn: %v", p, err)
	}
	next, err := end.Stop()
	if err != nil {
		t.Fatalf("%v: the first turn %v: %v", p, first, err)
	}
	if winner, reason, over := referee.Outcome(next.Board, st.Side); over {
		if winner != st.Side {
			t.Fatalf("%v: %v loses by %v", p, first, reason)
		}
		tally["by "+reason.String()]++
		return
	}
	if n == 1 {
		t.Fatalf("%v: %v does not win in 1", p, first)
	}
	for _, reply := range referee.Results(next) {
		winner, reason, over := referee.Outcome(reply.Board, next.Side)
		switch {
		case over && winner != st.Side:
			t.Fatalf("%v: after %v the reply %v wins by %v", p, first, reply.Turn, reason)
		case over:
			tally["a reply loses by "+reason.String()]++
		case !referee.WinIn(referee.NewState(reply.Board, st.Side), n-1):
			t.Fatalf("%v: %v leaves no win in %d after %v", p, first, n-1, reply.Turn)
		}
	}
	if !referee.WinIn(referee.NewState(next.Board, st.Side), n-1) {
		tally["zugzwang"]++ // the defender holds if he need not move
	}
}

// TestKinds looks at positions each of which is won in its own way.
func TestKinds(t *testing.T) {
	tests := []struct {
		name    string
		side    arimaa.Side
		drawing string
		least   int // turns; 0 for no win in 2
	}{
		{"a rabbit runs", arimaa.Gold, `
			8 .......r
			4 R.......`, 1},
		{"a rabbit runs for two turns", arimaa.Gold, `
			8 .......r
			3 R.......`, 2},
		{"a rabbit runs, but silver is first", arimaa.Gold, `
			5 .......r
			3 R.......`, 0},
		{"the last rabbit is pushed onto a trap", arimaa.Gold, `
			4 .Er.....
			1 R.......`, 1},
		{"silver's last rabbit is shut in", arimaa.Gold, `
			4 r..E....
			1 R.......`, 1},
		{"silver has no steps after the second turn", arimaa.Gold, `
			8 .....r..
			2 ....M...
			1 ....R...`, 2},
		{"silver waits, and gold has to move", arimaa.Silver, `
			7 ..rr....
			6 ...R....`, 2},
		{"silver waits for the last rabbit to be frozen", arimaa.Silver, `
			8 r.......
			7 c.......
			6 .h......
			2 .......R`, 2},
		{"silver may step onto the trap with his last rabbit, or be caught", arimaa.Gold, `
			6 .....re.
			3 ....R...`, 2},
		{"silver may carry gold's rabbit home", arimaa.Gold, `
			8 rc......
			7 HReR....`, 2},
		{"silver cannot move at all", arimaa.Gold, `
			2 ..R..Crr
			1 .....Cc.`, 2},
		{"gold has no turn", arimaa.Gold, `
			2 rc......
			1 Rr......`, 0},
		{"gold has lost before the turn", arimaa.Gold, `
			2 R.......
			1 .......r`, 0},
		{"gold has no rabbit", arimaa.Gold, `
			4 .Er....r`, 0},
	}
	s := fresh(t, 16)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := drawn(t, tt.side, tt.drawing)
			for n := 1; n <= 2; n++ {
				want := verdict(tt.least > 0 && n >= tt.least)
				got := ask(s, Question{Position: p, N: n})
				if got.Verdict != want {
					t.Errorf("a win in %d is %v, want %v", n, got.Verdict, want)
				}
				if referees := verdict(referee.WinIn(load.State(t, p), n)); referees != want {
					t.Errorf("the referee says of a win in %d: %v, want %v", n, referees, want)
				}
				if got.Verdict == answer.Proved {
					checkWin(t, p, got.Turn, n, map[string]int{})
				}
			}
		})
	}
}

// TestAsReferee compares the verdicts on positions with few pieces with complete enumeration, and
// checks the first turns of the wins.
func TestAsReferee(t *testing.T) {
	var g arimaa.Generator
	s := fresh(t, 16)
	tally := map[string]int{}
	drawings := rapid.OneOf(small(), small(), jammed())
	boards.Check(t, 700, 3_000, func(t *rapid.T) {
		text := drawings.Draw(t, "position")
		p := boards.Parse(t, text)
		st := load.State(t, p)
		least := 0
		for n := 1; n <= 3; n++ {
			if work(&g, p, 1) > affordable[n] {
				break
			}
			want := verdict(referee.WinIn(st, n))
			got := ask(s, Question{Position: p, N: n})
			if got.Verdict != want {
				t.Fatalf("%v: a win in %d is %v (%v), the referee says %v", p, n, got.Verdict, got.Stop, want)
			}
			if want == answer.Disproved {
				tally["no win in "+string(rune('0'+n))]++
				continue
			}
			checkWin(t, p, got.Turn, n, tally)
			if least == 0 {
				least = n
				tally["wins in "+string(rune('0'+n))]++
			}
		}
	})
	boards.ExpectAll(t, tally, "no win in 1", "wins in 1", "no win in 2", "wins in 2", "no win in 3",
		"by goal", "by elimination", "by immobilisation", "a reply loses by self-elimination", "zugzwang")
}
