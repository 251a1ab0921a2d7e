package endgame_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/endgame"
	"goalproof/internal/boards"
)

// TestSearch compares tables of four pieces with a search that knows nothing of them, on random positions: wins in up to
// four turns, and that there is none in fewer.
func TestSearch(t *testing.T) {
	classes, n := []string{"RRR-r"}, 30
	if boards.Large {
		classes, n = nil, 20_000
		for _, c := range endgame.Classes(4) {
			classes = append(classes, c.String())
		}
	}
	dir := t.TempDir()
	var all []endgame.Class
	for _, name := range classes {
		c, err := endgame.ParseClass(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if err := endgame.Build(t.Context(), all, endgame.BuildOptions{Dir: dir, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	ts, err := endgame.Open(dir, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
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
		class, rather := classes[random.IntN(len(classes))], 1+random.IntN(most)
		p, v := draw(t, ts, class, random)
		for range 100 {
			if turns, wins := v.Win(); wins && turns >= rather {
				break
			}
			p, v = draw(t, ts, class, random)
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
			if err != nil {
				t.Fatal(err)
			}
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

// draw draws a position of a class that is not over.
func draw(t *testing.T, ts *endgame.Tables, class string, random *rand.Rand) (arimaa.Position, endgame.Value) {
	for range 1000 {
		var b arimaa.Board
		side := arimaa.Gold
		for _, letter := range class {
			if letter == '-' {
				side = arimaa.Silver
				continue
			}
			kind := map[rune]arimaa.Kind{'E': arimaa.Elephant, 'H': arimaa.Horse, 'R': arimaa.Rabbit}[letter&^0x20]
			s := arimaa.Square(random.IntN(64))
			for b.At(s) != arimaa.Empty {
				s = arimaa.Square(random.IntN(64))
			}
			b.Put(s, arimaa.NewPiece(side, kind))
		}
		if random.IntN(2) == 0 {
			b = b.Swapped()
		}
		side = arimaa.Side(random.IntN(2))
		if v, ok := ts.Probe(&b, side); ok {
			return arimaa.NewPosition(b, side), v
		}
	}
	t.Fatalf("no position of %s is known", class)
	return arimaa.Position{}, 0
}
