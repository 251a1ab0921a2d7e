package endgame

import (
	"testing"

	"goalproof/internal/testkit/require"
)

// TestStats checks the statistics of the small tables against their headers, and by looking again.
func TestStats(t *testing.T) {
	ts := open(t, "")
	for _, table := range ts.classes {
		h, c := table.header, table.layout.class
		s, err := ts.Stats(t.Context(), c, 2)
		require.NoError(t, err)
		total, wins, losses := 0, 0, 0
		for i := range s.ToMove {
			a, b, c := s.ToMove[i].Total()
			total, wins, losses = total+a, wins+b, losses+c
		}
		if total != h.Positions || wins != h.Wins || losses != h.Losses || s.N != h.Longest {
			t.Errorf("%v: %d positions, %d wins, %d losses, longest %d; its header: %+v", c, total, wins, losses, s.N, h)
		}
		if v, ok := ts.Probe(&s.Longest.Board, s.Longest.Side()); !ok || v != WinIn(s.N) {
			t.Errorf("%v: the longest win is %v, %v", c, v, ok)
		}
		line, err := ts.Line(s.Longest)
		if err != nil || len(line) != 2*s.N-1 && len(line) != 2*s.N-2 {
			t.Errorf("%v: a win in %d takes the turns %v: %v", c, s.N, line, err)
		}
		t.Logf("%v: %+v\n%v\n%v", c, s.Zugzwangs, s.Longest, line)
	}
}
