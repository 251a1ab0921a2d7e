package endgame

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

// plainPosition is a position at the start of a turn, as the plain analysis knows it.
type plainPosition struct {
	board referee.Board
	side  referee.Side
}

// plain is a retrograde analysis over whole turns, written with the referee alone: N by N it looks
// at all positions that are not decided yet, and at all that each leads to. It includes the smaller
// materials that captures lead to. A value is 2N-1 for a win in N, 2N for a loss in N, and 0 for
// neither.
func plain(materials []string) map[plainPosition]int {
	var all []plainPosition
	number := map[plainPosition]int32{}
	for _, material := range materials {
		gold, silver, _ := strings.Cut(material, "-")
		place(referee.EmptyBoard(), gold+silver, 0, func(b referee.Board) {
			for _, side := range []referee.Side{referee.Gold, referee.Silver} {
				p := plainPosition{b, side}
				if _, _, over := referee.Outcome(b, side.Other()); over || unsettled(b) {
					continue
				}
				number[p] = int32(len(all))
				all = append(all, p)
			}
		})
	}
	type turns struct {
		wins bool    // at once
		to   []int32 // the positions of the opponent that are not over
	}
	from := make([]turns, len(all))
	var group sync.WaitGroup
	threads := runtime.GOMAXPROCS(0)
	for first := range threads {
		group.Go(func() {
			for i := first; i < len(all); i += threads {
				p := all[i]
				for _, r := range referee.Results(referee.NewState(p.board, p.side)) {
					winner, _, over := referee.Outcome(r.Board, p.side)
					if !over {
						from[i].to = append(from[i].to, number[plainPosition{r.Board, p.side.Other()}])
					} else if winner == p.side {
						from[i].wins = true
					}
				}
			}
		})
	}
	group.Wait()
	value := make([]int, len(all))
	for n, found := 1, true; found; n++ {
		found = false
		// A win in n: a turn that wins at once, or after which the opponent loses in n-1 or fewer.
		for i := range all {
			if value[i] != 0 {
				continue
			}
			win := from[i].wins
			for _, j := range from[i].to {
				win = win || value[j] != 0 && value[j]%2 == 0 && value[j] <= 2*(n-1)
			}
			if win {
				value[i], found = 2*n-1, true
			}
		}
		// A loss in n: every turn loses at once, or the opponent wins in n or fewer.
		for i := range all {
			if value[i] != 0 {
				continue
			}
			loss := true
			for _, j := range from[i].to {
				loss = loss && value[j]%2 == 1
			}
			if loss {
				value[i], found = 2*n, true
			}
		}
	}
	values := map[plainPosition]int{}
	for i, p := range all {
		values[p] = value[i]
	}
	return values
}

// place calls yield with every way to place the pieces; equal pieces stand next to each other in
// the list.
func place(b referee.Board, pieces string, from int, yield func(referee.Board)) {
	if pieces == "" {
		yield(b)
		return
	}
	for s := from; s < 64; s++ {
		if b[s] != referee.Empty {
			continue
		}
		next := 0
		if len(pieces) > 1 && pieces[1] == pieces[0] {
			next = s + 1
		}
		after := b
		after[s] = pieces[0]
		place(after, pieces[1:], next, yield)
	}
}

// unsettled reports whether a piece stands on a trap without a friend beside it.
func unsettled(b referee.Board) bool {
	for _, s := range []int{18, 21, 42, 45} {
		if b[s] == referee.Empty {
			continue
		}
		defended := false
		for _, t := range []int{s - 8, s - 1, s + 1, s + 8} {
			defended = defended || b[t] != referee.Empty && (b[t] < 'a') == (b[s] < 'a')
		}
		if !defended {
			return true
		}
	}
	return false
}

// TestPlain compares tables with the plain analysis, every position of it.
func TestPlain(t *testing.T) {
	ts := open(t, "")
	tests := [][]string{{"R-r"}}
	if boards.Large {
		tests = append(tests, []string{"RR-r", "R-r"}, []string{"HR-r", "R-r"})
	}
	for _, materials := range tests {
		t.Run(materials[0], func(t *testing.T) {
			values := plain(materials)
			longest, wrong := 0, 0
			for p, want := range values {
				position := arimaaPosition(t, p)
				if got, ok := ts.Probe(&position.Board, position.Side()); !ok || int(got) != want {
					if wrong++; wrong < 10 {
						t.Errorf("%v: the table says %v (%v), the referee %v", position, got, ok, Value(want))
					}
				}
				longest = max(longest, want)
			}
			t.Logf("%d positions, %d wrong, longest %v", len(values), wrong, Value(longest))
		})
	}
}

func arimaaPosition(t *testing.T, p plainPosition) arimaa.Position {
	position, err := notation.ParsePosition(referee.NewState(p.board, p.side).Position())
	require.NoError(t, err)
	return position
}

// open opens tables and closes them after the test.
func open(t testing.TB, dir string) *Tables {
	ts, err := Open(dir, 64<<20)
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := errors.Join(ts.Err(), ts.Close()); err != nil {
			t.Error(err)
		}
	})
	return ts
}
