package dfpns

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestEnough compares lists that may end once k essential solutions are certain with complete ones:
// they mark k or more exactly if there are as many, nothing is marked or listed that a complete
// list does not mark or list, and with fewer the lists are the same.
func TestEnough(t *testing.T) {
	alone(t)
	var g arimaa.Generator
	tally := map[string]int{}
	drawings := rapid.OneOf(smallBoards(), boards.Few(4), boards.Position())
	solvers := []*Solver{newSolver(1<<20, 1), newSolver(1<<20, 3)}
	most := [...]int{1: 20_000, 2: 3_000, 3: 400}
	compare := func(t rapid.TB, p arimaa.Position) {
		work := size(&g, p)
		for n := 1; n <= 3 && work <= most[n]; n++ {
			if ask(t, solvers[0], p, n).Verdict == answer.Disproved {
				continue
			}
			complete := list(t, solvers[0], p, n)
			for enough := 1; enough <= 3; enough++ {
				for _, s := range solvers {
					s.Forget()
					if enough%2 == 0 { // with a win that is known, and without
						ask(t, s, p, n)
					}
					q := Question{Position: p, N: n, Enough: enough}
					compareEnough(t, s, q, complete, tally)
					cancelled, cancel := context.WithCancel(context.Background())
					cancel()
					if got, stop, err := s.All(cancelled, q); n > 1 && (len(got) > 0 || stop != answer.Interrupted || err != nil) {
						t.Fatalf("%v: interrupted: %v, %v, %v", p, got, stop, err)
					}
				}
			}
			break
		}
	}
	boards.Check(t, 100, 3000, func(t *rapid.T) { compare(t, boards.Parse(t, drawings.Draw(t, "position"))) })
	for _, text := range []string{
		"s [  r                                                       R     ]",
		"s [  rr                                                      R     ]",
		"s [  r  r                                                    R     ]",
		"s [  c     r                                                  R    ]",
	} {
		compare(t, boards.Parse(t, text))
	}
	boards.ExpectAll(t, tally, "1: ended early in 2", "2: ended early in 2", "3: ended early in 2", "2: ended early in 3",
		"1: ended early with all", "2: ended early with all",
		"2: one of several in 1", "2: one of several in 2", "2: one of several in 3")
}

// compareEnough compares the answer to a question that asks for enough solutions with the complete
// list.
func compareEnough(t rapid.TB, s *Solver, q Question, complete []Solution, tally map[string]int) {
	t.Helper()
	early, stop, err := s.All(context.Background(), q)
	if err != nil || stop != answer.Finished {
		t.Fatalf("%v: all wins in %d: %v, %v", q.Position, q.N, stop, err)
	}
	essential := func(solutions []Solution) (n int) {
		for _, s := range solutions {
			if s.Essential {
				n++
			}
		}
		return n
	}
	all, marked := essential(complete), essential(early)
	if min(all, q.Enough) != min(marked, q.Enough) {
		t.Fatalf("%v: %d essential wins in %d, with %d wanted %d", q.Position, all, q.N, q.Enough, marked)
	}
	k := string(rune('0' + q.Enough))
	in := " in " + string(rune('0'+q.N))
	if all < q.Enough {
		if !slices.Equal(early, complete) {
			t.Fatalf("%v: %v with %d wanted, the complete list is %v", q.Position, early, q.Enough, complete)
		}
		if all == 1 && len(complete) > 1 {
			tally[k+": one of several"+in]++
		}
		return
	}
	if len(early) < len(complete) {
		tally[k+": ended early"+in]++
		if all == q.Enough {
			tally[k+": ended early with all"]++
		}
	}
	listed := map[arimaa.Position]Solution{}
	for _, s := range complete {
		listed[s.After] = s
	}
	for _, s := range early {
		if want, ok := listed[s.After]; !ok || s.Turn != want.Turn || s.Essential && !want.Essential {
			t.Fatalf("%v: with %d wanted %v (essential: %t), the complete list has %v",
				q.Position, q.Enough, s.Turn, s.Essential, want)
		}
	}
}
