package endgame_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/dfpns"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/require"
	"goalproof/tables/endgame"
)

// TestSearch compares tables of four pieces with a search that knows nothing of them, on random
// positions: wins in up to four turns, and that there is none in fewer.
func TestSearch(t *testing.T) {
	small, err := endgame.ParseClass("RRR-r")
	require.NoError(t, err)
	all, n := []endgame.Class{small}, boards.Sized(15, 20_000)
	if boards.Deep {
		all = endgame.Classes(4)
	}
	dir := t.TempDir()
	require.NoError(t, endgame.Build(t.Context(), all, endgame.BuildOptions{Dir: dir, Threads: 2}))
	ts, err := endgame.Open(dir, 64<<20)
	require.NoError(t, err)
	defer ts.Close()
	for _, c := range all { // they follow from what comes after them, too
		v, err := ts.Verify(t.Context(), c, endgame.VerifyOptions{Threads: 2, Sample: n / len(all), Referee: n / len(all) / 10})
		if err != nil || v.Wrong != 0 {
			t.Errorf("%v: %d of %d wrong, %v: %v", c, v.Wrong, v.Positions, v.Examples, err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	solver := dfpns.New(dfpns.Options{Facts: 16 << 20, Numbers: 16 << 20, Threads: 1})
	const most = 4
	decided, undecided := 0, 0
	values := map[string]int{}
	for range n {
		// Many positions are won in 1: look for others, too.
		class, rather := all[random.IntN(len(all))], 1+random.IntN(most)
		p, v := endings.Draw(t, ts, class, random)
		for range 100 {
			if turns, wins := v.Win(); wins && turns >= rather {
				break
			}
			p, v = endings.Draw(t, ts, class, random)
		}
		values[v.String()]++
		turns, wins := v.Win()
		type question struct {
			n    int
			want answer.Verdict
		}
		ask := []question{{most, answer.Disproved}}
		if wins {
			ask[0].n = min(turns-1, most)
		}
		if wins && turns <= most {
			ask = append(ask, question{turns, answer.Proved})
		}
		for _, ask := range ask {
			if ask.n == 0 {
				continue
			}
			// Some searches would take minutes: what they would say is left open.
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			r, err := solver.Solve(ctx, dfpns.Question{Position: p, N: ask.n})
			cancel()
			require.NoError(t, err)
			if r.Verdict == answer.Unknown {
				undecided++
				continue
			}
			decided++
			if r.Verdict != ask.want {
				t.Errorf("%v: %v by the table; win in %d: %v", p, v, ask.n, r.Verdict)
			}
		}
		solver.Forget()
	}
	t.Logf("%d positions: %d questions decided, %d not; %v", n, decided, undecided, values)
	if decided <= undecided {
		t.Error("too few questions were decided")
	}
}
