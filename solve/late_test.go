package solve

import (
	"context"
	"fmt"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/boards"
	"goalproof/internal/published"
)

// late returns the published positions of games so many turns before the goal.
func late(t testing.TB, from, to int) (all []arimaa.Position) {
	t.Helper()
	for _, row := range published.Rows(t, "late.tsv") {
		var before int
		if _, err := fmt.Sscan(row[1], &before); err != nil {
			t.Fatal(err)
		}
		if from <= before && before <= to {
			all = append(all, parse(t, row[3]))
		}
	}
	return all
}

// TestBothBounds finds wins in positions of published games before it is known whether there are shorter ones, and has
// their certificates checked: in some positions, or in all 3 to 5 turns before the goal with the tag large.
func TestBothBounds(t *testing.T) {
	positions, limit := []arimaa.Position{
		parse(t, "s [rrrrrrrr cc   eR h    Edd         Dm                        C C ]"),
		parse(t, "s [rrrrrrrr cc e  R h     Ed      d   Dm                       C C ]"),
	}, time.Duration(0)
	if boards.Large {
		positions, limit = late(t, 3, 5), 5*time.Second
	}
	s := newSolver(t)
	tally := map[string]int{}
	for _, p := range positions {
		s.Forget()
		ctx, cancel := context.Background(), func() {}
		if limit > 0 {
			ctx, cancel = context.WithTimeout(ctx, limit)
		}
		q := Question{Position: p, Deepest: 20, Any: true}
		a := solved(t, s, ctx, q)
		cancel()
		if a.Verdict != answer.Proved {
			tally[a.Verdict.String()]++
			continue
		}
		if a.Within <= a.Refuted || a.Within > 3 && a.Refuted < 2 {
			t.Errorf("%v: a win within %d, and none in %d", p, a.Within, a.Refuted)
		}
		certified(t, s, q, a)
		if limit == 0 {
			checkLine(t, p, a)
		}
		if !a.Exact() {
			tally["two bounds"]++
		}
		tally[fmt.Sprint("within ", a.Within)]++
	}
	t.Log(tally)
	if tally["two bounds"] == 0 {
		t.Error("no win was found before smaller N were decided")
	}
}
