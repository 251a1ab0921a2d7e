package referee

import (
	"strconv"
	"strings"
	"testing"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

// readRows returns the tab-separated rows of a file of published positions, without comments and
// without the header of perft.tsv. It skips the test where the files are absent.
func readRows(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	for line := range strings.Lines(published.Read(t, name)) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "position\t") {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s: no rows", name)
	}
	return rows
}

// number reads a column of a row.
func number(t *testing.T, row []string, column int) int {
	t.Helper()
	if column >= len(row) {
		t.Fatalf("row %q has no column %d", row, column)
	}
	n, err := strconv.Atoi(strings.TrimSpace(row[column]))
	if err != nil {
		t.Fatalf("row %q: %v", row, err)
	}
	return n
}

func TestPublishedCounts(t *testing.T) {
	for _, row := range readRows(t, "perft.tsv") {
		st := mustPosition(t, row[0])
		steps, pushes, pulls := options(st)
		for i, c := range []struct {
			what string
			got  int
		}{{"distinct results", Distinct(st)}, {"options", steps + pushes + pulls}, {"single steps", steps}, {"pushes", pushes}, {"pulls", pulls}} {
			if want := number(t, row, 1+i); c.got != want {
				t.Errorf("%s: %d %s, want %d", row[0], c.got, c.what, want)
			}
		}
	}
}

// Every result must be reached by its own turn, and walking all step orders by Steps and Play must
// reach the same boards with the same fewest steps.
func TestResultsAgreeWithWalkingTheSteps(t *testing.T) {
	t.Run("few pieces", func(t *testing.T) {
		compareWithWalk(t, start(t, Gold, `
			6 .hR.....
			5 ..Er....
			4 ..rc....
			3 ..D.....`))
	})
	t.Run("published", func(t *testing.T) {
		for _, row := range readRows(t, "perft.tsv") {
			if number(t, row, 1) < boards.Sized(4_000, 36_000) {
				compareWithWalk(t, mustPosition(t, row[0]))
			}
		}
	})
}

func compareWithWalk(t *testing.T, st State) {
	t.Helper()
	walked := map[Board]int{} // the fewest steps to each end of the turn
	seen := map[State]bool{}  // nothing is merged but equal States, to check the merging in Results
	var walk func(State)
	walk = func(at State) {
		if seen[at] {
			return
		}
		seen[at] = true
		if used := StepsPerTurn - at.Left; at.MayStop() {
			if least, ok := walked[at.Board]; !ok || used < least {
				walked[at.Board] = used
			}
		}
		for _, step := range at.Steps() {
			next, _, err := at.Play(step)
			if err != nil {
				t.Fatalf("%s: Steps lists %s, Play says: %v", st.Position(), step, err)
			}
			walk(next)
		}
	}
	walk(st)
	results := Results(st)
	if len(results) != len(walked) {
		t.Errorf("%s: %d results, %d found by walking", st.Position(), len(results), len(walked))
	}
	for _, r := range results {
		least, ok := walked[r.Board]
		if !ok || least != len(r.Turn) {
			t.Fatalf("%s: a result with %d steps, by walking %d (found: %t)\n%s",
				st.Position(), len(r.Turn), least, ok, r.Board)
		}
		end, err := st.PlayTurn(r.Turn)
		if err != nil || end.Board != r.Board || !end.MayStop() {
			t.Fatalf("%s: turn %v does not lead to its result: %v", st.Position(), r.Turn, err)
		}
	}
}

func TestPublishedGoals(t *testing.T) {
	for _, name := range []string{"composed.tsv", "from-games.tsv"} {
		t.Run(name, func(t *testing.T) {
			for i, row := range readRows(t, "goal-this-turn/"+name) {
				if i%5 != 0 && !boards.Large {
					continue
				}
				st := mustPosition(t, row[0])
				want := number(t, row, 1)
				got, turn, ok := FewestGoal(st)
				if ok != (want > 0) || got != want {
					t.Errorf("%s: goal in %d (%t), want %d", row[0], got, ok, want)
					continue
				}
				if !ok {
					continue
				}
				end, err := st.PlayTurn(turn)
				if err != nil || len(turn) != got || !end.MayStop() {
					t.Errorf("%s: turn %v: %v", row[0], turn, err)
					continue
				}
				if winner, reason, _ := Outcome(end.Board, st.Side); winner != st.Side || reason != Goal {
					t.Errorf("%s: turn %v ends with %v for %v", row[0], turn, reason, winner)
				}
			}
		})
	}
}
