package pns

import (
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/tables/endgame"
)

// withAndWithoutTables runs a test with the endgame tables that are part of the program, and
// without.
func withAndWithoutTables(t *testing.T, run func(*testing.T, *endgame.Tables)) {
	t.Run("without tables", func(t *testing.T) { run(t, nil) })
	t.Run("with tables", func(t *testing.T) {
		ts, err := endgame.Open("", 16<<20)
		require.NoError(t, err)
		defer ts.Close()
		run(t, ts)
	})
}

// TestEndgamesWithHistory compares the verdicts with and without tables where many positions have
// occurred twice, so that the winner of a table may be forbidden what he needs. That those without
// tables are right is what TestCountsAsReferee says.
func TestEndgamesWithHistory(t *testing.T) {
	var g arimaa.Generator
	ts, err := endgame.Open("", 16<<20)
	require.NoError(t, err)
	defer ts.Close()
	with, without := fresh(t, 16), fresh(t, 16)
	with.UseEndgames(ts)
	evaluator := with.evaluator
	drawings := rapid.OneOf(boards.Few(0), boards.Few(1), edge())
	tally := map[string]int{}
	boards.Check(t, 300, 20_000, func(t *rapid.T) {
		root := boards.Parse(t, drawings.Draw(t, "position"))
		if root.Ended(root.Side().Other()).Over() {
			return
		}
		counts, _ := unlucky(t, &g, root, evaluator)
		if len(counts.twice) > 0 {
			tally["twice"]++
		}
		with.evaluator = &counted{evaluator, with, counts}
		without.evaluator = &counted{evaluator, without, counts}
		for n := 1; n <= 3; n++ {
			q := Question{Position: root, N: n, Game: arimaa.NewGame(root, 0)}
			got, want := ask(with, q), ask(without, q)
			if got.Verdict != want.Verdict && got.Verdict != answer.Unknown && want.Verdict != answer.Unknown {
				t.Fatalf("%v: a win in %d is %v by the tables, and %v without", root, n, got.Verdict, want.Verdict)
			}
			if with.Probes() > 0 {
				tally["by tables"]++
			}
			if wins, ok := ts.Wins(&root.Board, root.Side(), root.Side(), n); ok && wins != (want.Verdict == answer.Proved) {
				tally["by repetition"]++
			}
		}
	})
	boards.ExpectAll(t, tally, "twice", "by tables", "by repetition")
}

// edge draws a position with three pieces, two of them beside each other on the edge, where they
// have few turns.
func edge() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		squares := []byte("                                                                ")
		first := rapid.SampledFrom([]int{0, 8, 16, 24, 32, 40, 48}).Draw(t, "first")
		for i, piece := range rapid.Permutation([]byte(rapid.SampledFrom([]string{"Rr", "RrC", "Rrc", "RRr"}).Draw(t, "pieces"))).Draw(t, "order") {
			at := first + []int{0, 1, 8}[i] + rapid.SampledFrom([]int{0, 0, 0, 8, 1}).Draw(t, "away")
			for at > 63 || squares[at] != ' ' {
				at = (at + 1) % 64
			}
			squares[at] = piece
		}
		return rapid.SampledFrom([]string{"g", "s"}).Draw(t, "side") + " [" + string(squares) + "]"
	})
}
