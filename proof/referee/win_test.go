package referee

import "testing"

func TestWinIn(t *testing.T) {
	tests := []struct {
		name  string
		board string
		least int // the least n with a win in n, looked for up to 2; 0 for none
	}{
		{"four steps to goal", `
			8 .......r
			4 R.......`, 1},
		{"five steps to goal", `
			8 .......r
			3 R.......`, 2},
		{"a dog that can hold the rabbit", `
			8 d......r
			3 R.......`, 0},
		{"silver is first", `
			5 .......r
			3 R.......`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := start(t, Gold, tt.board)
			for n := 0; n <= 2; n++ {
				want := tt.least > 0 && n >= tt.least
				if got := WinIn(st, n); got != want {
					t.Errorf("win in %d: %t, want %t", n, got, want)
				}
				if got := NewHistory(st).WinIn(st, n); got != want {
					t.Errorf("with a history, win in %d: %t, want %t", n, got, want)
				}
			}
		})
	}
}

// A reply that loses at once by the table needs no further turn of the attacker.
func TestRepliesThatLoseAtOnce(t *testing.T) {
	// The only step of silver's last rabbit is onto the trap.
	st := start(t, Silver, `
		4 .RrR....
		1 R.......`)
	onlySteps(t, st, "rc4s")
	w := winner{known: map[question]bool{}}
	if !w.everyReplyLoses(st, 0) {
		t.Error("silver captures its own last rabbit and has not lost")
	}
	free := start(t, Silver, `
		4 .Rr.....
		1 R.......`)
	if w.everyReplyLoses(free, 0) {
		t.Error("silver has another step and has lost")
	}
}
