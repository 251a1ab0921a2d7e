package dfpns

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/published/games"
)

// gamePositions draws positions of the published games, each with the side to move and nobody
// having won.
func gamePositions(t testing.TB, n int, random *rand.Rand) (drawn []arimaa.Position) {
	t.Helper()
	var all []arimaa.Position
	for _, p := range games.Positions(t) {
		if !p.Board.Ended(p.Side().Other()).Over() {
			all = append(all, p)
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if len(all) < n {
		t.Fatalf("%d positions, %d are wanted", len(all), n)
	}
	return all[:n]
}

// refuted checks by enumeration that a first turn leaves no win in two. The reply that the detector
// suggests is tried first; it is judged as the others.
func refuted(t *testing.T, e *enumeration.Enumeration, d *goal.Detector, p, after *arimaa.Position) {
	t.Helper()
	if !after.Board.Ended(p.Side()).Over() {
		if reply, ok := d.Defence(after); ok {
			e.Suggest(reply)
		}
	}
	if e.Forces(after) {
		t.Fatalf("%v: no win in 2, but the turn that leads to %v keeps one", p, after)
	}
}

// TestGames asks for a win in two at positions of the published games, and confirms by enumeration
// every yes, some no's with every first turn, and more no's with a sample of first turns.
func TestGames(t *testing.T) {
	alone(t)
	positions, whole, some, sample := boards.Sized(10, 300), boards.Sized(1, 4), boards.Sized(2, 25), boards.Sized(10, 200)
	random := rand.New(rand.NewPCG(2026, 4))
	s := newSolver(16<<20, 2)
	var e enumeration.Enumeration
	var no []arimaa.Position
	yes := 0
	for _, p := range gamePositions(t, positions, random) {
		got := ask(t, s, p, 2)
		if got.Verdict == answer.Disproved {
			no = append(no, p)
			continue
		}
		yes++
		e.Forget()
		if after, ok := p.Try(got.Turn); !ok || !e.Forces(&after) {
			t.Errorf("%v: %v does not keep a win in 2", p, got.Turn)
		}
	}
	t.Logf("%d yes, %d no", yes, len(no))
	if yes == 0 || len(no) < whole+some {
		t.Fatal("too few of a kind")
	}
	var g arimaa.Generator
	slices.SortStableFunc(no, func(a, b arimaa.Position) int { return cmp.Compare(g.Generate(&a), g.Generate(&b)) })
	for i := range whole + some {
		at := i * len(no) / (2 * whole)
		if i >= whole {
			at = (i - whole) * len(no) / some
		}
		p := no[at]
		seed := random.Uint64()
		t.Run("no", func(t *testing.T) {
			t.Parallel()
			var e enumeration.Enumeration
			var d goal.Detector
			var first arimaa.Generator
			turns := rand.New(rand.NewPCG(2026, seed)).Perm(first.Generate(&p))
			if i >= whole {
				turns = turns[:min(sample, len(turns))]
			}
			for _, i := range turns {
				after := first.Position(i, p.Side())
				refuted(t, &e, &d, &p, &after)
			}
			t.Logf("%v: %d of %d first turns are refuted", p, len(turns), first.Len())
		})
	}
}
