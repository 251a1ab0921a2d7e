package pns

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/load"
)

// confirm checks by enumeration that a first turn keeps the win in one or two.
func confirm(t *testing.T, e *enumeration.Enumeration, c load.Claim, n int, first arimaa.Turn) {
	t.Helper()
	e.Forget()
	after, ok := c.Position.Try(first)
	if !ok {
		t.Fatalf("%s: the first turn %v is not legal", c.Name, first)
	}
	if !e.Forces(&after) || n == 1 && !after.Board.Ended(c.Position.Side()).Over() {
		t.Errorf("%s: %v does not win in %d", c.Name, first, n)
	}
}

// TestPuzzles solves the four published puzzles, whose claims are true and the least.
func TestPuzzles(t *testing.T) {
	var e enumeration.Enumeration
	s := fresh(t, 64)
	all := load.Claims(t, load.Puzzles)
	if len(all) != 4 {
		t.Fatalf("%d puzzles", len(all))
	}
	for _, c := range all {
		for n := 1; n <= c.Turns; n++ {
			got := ask(s, Question{Position: c.Position, N: n})
			if want := verdict(n == c.Turns); got.Verdict != want {
				t.Fatalf("%s: a win in %d is %v, want %v", c.Name, n, got.Verdict, want)
			}
			if n == c.Turns {
				confirm(t, &e, c, n, got.Turn)
			}
		}
	}
}

// TestPublishedWins proves published wins in two and confirms the first turns by enumeration: a
// sample of those that take little time, or all with the tag large.
func TestPublishedWins(t *testing.T) {
	var e enumeration.Enumeration
	all := load.Claims(t, load.WinsInTwo)
	sample, limit := boards.Sized(4, len(all)), time.Second
	if boards.Deep {
		limit = 2 * time.Minute
	}
	random := rand.New(rand.NewPCG(2026, 2))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s := fresh(t, 128)
	confirmed := 0
	for _, c := range all {
		for n := 1; n <= 2; n++ {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			got := s.Solve(ctx, Question{Position: c.Position, N: n})
			cancel()
			if got.Verdict == answer.Proved {
				confirm(t, &e, c, n, got.Turn)
				confirmed++
				break
			}
		}
		if confirmed == sample {
			break
		}
	}
	t.Logf("%d confirmed", confirmed)
	if confirmed < sample*9/10 {
		t.Errorf("only %d of %d are proved", confirmed, sample)
	}
}

// TestPublishedFalseClaims disproves the false claims and confirms by enumeration that a first turn
// has a refutation: for a sample of first turns, or for all with the tag large.
func TestPublishedFalseClaims(t *testing.T) {
	var e enumeration.Enumeration
	var first arimaa.Generator
	s := fresh(t, 64)
	random := rand.New(rand.NewPCG(2026, 2))
	for _, c := range load.Claims(t, load.WinsInTwo) {
		if !c.False {
			continue
		}
		p, file := c.Position, c.Name
		if got := ask(s, Question{Position: p, N: 2}); got.Verdict != answer.Disproved {
			t.Errorf("%s: %v", file, got.Verdict)
		}
		n := first.Generate(&p)
		turns := random.Perm(n)[:boards.Sized(40, n)]
		e.Forget()
		for _, i := range turns {
			if after := first.Position(i, p.Side()); e.Forces(&after) {
				t.Fatalf("%s: %v has no refutation", file, first.Turn(i))
			}
		}
		t.Logf("%s: %d of %d first turns are refuted", file, len(turns), n)
	}
}
