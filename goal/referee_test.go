package goal

import (
	"flag"
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/published"
	"goalproof/proof/referee"
)

// checkReferee compares both questions with brute force by package referee, with the steps of p
// left.
func checkReferee(t testing.TB, d *Detector, p arimaa.Position) {
	t.Helper()
	st := load.State(t, p)
	st.Left = p.StepsLeft()
	for _, q := range []struct {
		name  string
		ask   func(*arimaa.Position, *arimaa.Board) (Distance, arimaa.Turn)
		brute func(referee.State) (int, []referee.Step, bool)
	}{
		{"goal", d.Goal, referee.FewestGoal},
		{"win", d.Win, referee.FewestWin},
	} {
		got, _ := q.ask(&p, &p.Board)
		want := None
		if n, _, ok := q.brute(st); ok {
			want = After(n)
		}
		if got != want {
			t.Fatalf("%v with %d steps left: %s in %v, the referee says %v", p, p.StepsLeft(), q.name, got, want)
		}
	}
}

// full makes TestReferee leave nothing out: half an hour.
var full = flag.Bool("full", false, "TestReferee with every position of the games and 200,000 random ones")

// TestReferee compares the detector with package referee, which shares no code with it: on the
// published rows, on positions of the published games with either side to move and one to four
// steps left, on positions of a search, and on random ones.
func TestReferee(t *testing.T) {
	every := func(few, many int) int {
		if *full {
			return 1
		}
		return boards.Sized(few, many)
	}
	check := func(positions []arimaa.Position, every int) {
		var d Detector
		for i := 0; i < len(positions); i += every {
			checkReferee(t, &d, positions[i])
		}
	}
	t.Run("rows", func(t *testing.T) {
		t.Parallel()
		var rows []arimaa.Position
		for _, file := range []string{"composed.tsv", "from-games.tsv"} {
			for _, row := range published.Rows(t, "goal-this-turn/"+file) {
				rows = append(rows, boards.Parse(t, row[0]))
			}
		}
		check(rows, every(50, 4))
	})
	t.Run("games", func(t *testing.T) {
		t.Parallel()
		var all []arimaa.Position
		for _, p := range gamePositions(t) {
			for left := 1; left <= arimaa.StepsPerTurn; left++ {
				all = append(all, p.WithStepsLeft(left))
			}
		}
		check(all, every(8_009, 251))
	})
	t.Run("search", func(t *testing.T) {
		t.Parallel()
		check(searchPositions(t), every(8_009, 401))
	})
	t.Run("random", func(t *testing.T) {
		t.Parallel()
		random := rand.New(rand.NewPCG(7, 8))
		n := boards.Sized(50, 2_000)
		if *full {
			n = 200_000
		}
		var all []arimaa.Position
		for range n / 2 {
			all = append(all, dangerous(random), hemmed(random))
		}
		check(all, 1)
	})
}
