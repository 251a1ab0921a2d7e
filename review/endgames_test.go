package review_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/review"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

// TestEndgames reviews endings with tables and without: of wins within the limit they say the same,
// and tables also know the longer ones.
func TestEndgames(t *testing.T) {
	ts, err := endgame.Open("", 16<<20)
	require.NoError(t, err)
	defer ts.Close()
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1, Endgames: ts})
	require.NoError(t, err)
	bare := newSolver(t)
	const winIn = 2
	tally := map[string]int{}
	boards.Check(t, 60, 1_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Few(2).Draw(t, "position"))
		game := arimaa.NewGame(p, 2)
		random := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		var g arimaa.Generator
		for range 6 {
			last := game.Last()
			if n := g.Generate(&last); n == 0 || game.Outcome().Over() || game.Play(g.Turn(random.IntN(n))) != nil {
				break
			}
		}
		r := review.NewRecord("test", game)
		var with, without *review.Review
		for solver, v := range map[*solve.Solver]**review.Review{s: &with, bare: &without} {
			if *v, err = review.Game(t.Context(), []*solve.Solver{solver}, r, review.Options{WinIn: winIn, Limit: unhurried}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range with.Standings {
			a, b := &with.Standings[i], &without.Standings[i]
			for k, f := range []*review.Fact{&a.Win, &a.Threat, &a.Loss} {
				g := []*review.Fact{&b.Win, &b.Threat, &b.Loss}[k]
				if f.Tabled {
					tally["tabled"]++
				}
				if f.Tabled && f.Proved() && f.Within > winIn {
					tally["long"]++
					if g.Proved() && !g.Deduced {
						t.Fatalf("%v: %+v, without tables %+v", game.Position(i), *f, *g)
					}
				} else if f.Verdict != g.Verdict || f.Proved() && f.Within != g.Within && !f.Deduced && !g.Deduced {
					t.Fatalf("%v, question %d: %+v, without tables %+v", game.Position(i), k, *f, *g)
				}
			}
		}
		with.Summary()
		for i := range with.Judgements {
			if strings.Contains(with.Remark(i), "endgame table") {
				tally["remarks"]++
			}
		}
	})
	t.Log(tally)
	for _, what := range []string{"tabled", "long", "remarks"} {
		if tally[what] == 0 {
			t.Errorf("%s: not met once", what)
		}
	}
}
