package dfpns

import (
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/load"
)

// TestPublished decides the 101 published wins in two: none is a win in one, all but the three
// false claims are wins in two. The list of solutions, of every fourth or of all with the tag
// large, holds the turn that Solve returned.
func TestPublished(t *testing.T) {
	alone(t)
	s := newSolver(16<<20, 2)
	solutions, unique := 0, 0
	for i, c := range load.Claims(t, load.WinsInTwo) {
		if got := ask(t, s, c.Position, 1); got.Verdict != answer.Disproved {
			t.Errorf("%s: a win in 1, %v", c.Name, got.Turn)
		}
		got := ask(t, s, c.Position, 2)
		if want := verdict(!c.False); got.Verdict != want {
			t.Errorf("%s: a win in 2 is %v, want %v", c.Name, got.Verdict, want)
		}
		if i%4 != 0 && !boards.Large {
			continue
		}
		all := list(t, s, c.Position, 2)
		check(t, c.Position, all)
		after, ok := c.Position.Try(got.Turn)
		found := slices.ContainsFunc(all, func(s Solution) bool { return ok && s.After == after })
		if found != (got.Verdict == answer.Proved) || found != (len(all) > 0) {
			t.Errorf("%s: %v with %v, and %d solutions", c.Name, got.Verdict, got.Turn, len(all))
		}
		solutions += len(all)
		if len(all) == 1 {
			unique++
		}
	}
	t.Logf("%d solutions, %d positions with only one", solutions, unique)
}

// TestPublishedSolutions confirms solutions of the published positions by enumeration: the first of
// every eighth position, or all of all with the tag large.
func TestPublishedSolutions(t *testing.T) {
	alone(t)
	var e enumeration.Enumeration
	s := newSolver(16<<20, 2)
	every, most := boards.Sized(40, 1), boards.Sized(1, 30)
	confirmed := 0
	all := load.Claims(t, load.WinsInTwo)
	for i := 0; i < len(all); i += every {
		e.Forget()
		found := list(t, s, all[i].Position, 2)
		for _, solution := range found[:min(most, len(found))] {
			if !e.Forces(&solution.After) {
				t.Errorf("%s: %v does not keep a win in 2", all[i].Name, solution.Turn)
			}
			confirmed++
		}
	}
	t.Logf("%d solutions confirmed", confirmed)
	if confirmed == 0 {
		t.Error("nothing was confirmed")
	}
}

// TestPublishedRest confirms by enumeration that no solution is missing in the lists: a first turn
// that is in none has a refutation. It looks at a few turns of each position, and at some of the
// false claims.
func TestPublishedRest(t *testing.T) {
	alone(t)
	var e enumeration.Enumeration
	var first arimaa.Generator
	s := newSolver(16<<20, 2)
	every, sample := boards.Sized(100, 1), boards.Sized(5, 100)
	random := rand.New(rand.NewPCG(2026, 3))
	refuted := 0
	for i, c := range load.Claims(t, load.WinsInTwo) {
		if i%every != 0 && !c.False {
			continue
		}
		keep := map[arimaa.Position]bool{}
		for _, solution := range list(t, s, c.Position, 2) {
			keep[solution.After] = true
		}
		e.Forget()
		turns := random.Perm(first.Generate(&c.Position))
		for _, i := range turns[:min(sample, len(turns))] {
			after := first.Position(i, c.Position.Side())
			if keep[after] {
				continue
			}
			if e.Forces(&after) {
				t.Errorf("%s: %v keeps a win in 2 and is not listed", c.Name, first.Turn(i))
			}
			refuted++
		}
	}
	t.Logf("%d first turns refuted", refuted)
	if refuted == 0 {
		t.Error("no first turn was refuted")
	}
}
