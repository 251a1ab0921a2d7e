package main

import (
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles/describe"
)

// TestWeights tests that the weights in use are those that the rows in docs give, and that the
// tables of the document are those of the rows.
func TestWeights(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "difficulty.tsv")
	rows, err := readRows(file)
	require.NoError(t, err)
	for i, w := range fit(halve(rows).fitted, (*row).features) {
		if used := describe.Weights()[i]; math.Abs(w-used) > 0.0006 {
			t.Errorf("the weight of %s is %.3f, the rows give %.3f", describe.FeatureNames[i], used, w)
		}
	}
	var report strings.Builder
	require.NoError(t, fitFile(file, &report))
	require.NoError(t, checkFile(filepath.Join("..", "..", "docs", "difficulty-later.tsv"), &report))
	t.Log("\n" + report.String())
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "difficulty.md"))
	require.NoError(t, err)
	for table := range strings.SplitSeq(report.String(), "\n\n") {
		if !strings.Contains(string(text), strings.TrimSpace(table)) {
			t.Errorf("docs/difficulty.md lacks the table\n%s", table)
		}
	}
	if err := fitFile(filepath.Join(t.TempDir(), "none"), io.Discard); err == nil {
		t.Error("a file that is not there was read")
	}
}

// TestHeldOut tests that no game is on both sides, and that both have a good part.
func TestHeldOut(t *testing.T) {
	rows, err := readRows(filepath.Join("..", "..", "docs", "difficulty.tsv"))
	require.NoError(t, err)
	h := halve(rows)
	fitted := map[string]bool{}
	for i := range h.fitted {
		fitted[h.fitted[i].game] = true
	}
	for i := range h.held {
		if fitted[h.held[i].game] {
			t.Errorf("%s is on both sides", h.held[i].game)
		}
	}
	if 3*len(h.fitted) < len(h.held) || 3*len(h.held) < len(h.fitted) {
		t.Errorf("%d are fitted, and %d held out", len(h.fitted), len(h.held))
	}
}

// TestFit fits rows whose weights are known.
func TestFit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	want := describe.Features{3, 0.2, -0.5}
	var rows []row
	for range 5000 {
		r := row{values: map[string]float64{"surprise": 5 + 30*random.Float64(), "winning": float64(1 + random.IntN(30))}}
		target := predict(want[:], r.features()) + random.NormFloat64()*0.01
		r.values["eye_nodes"] = math.Exp2(2*target) - 1
		rows = append(rows, r)
	}
	for i, w := range fit(rows, (*row).features) {
		if math.Abs(w-want[i]) > 0.01 {
			t.Errorf("weight %d is %.3f, want %.3f", i, w, want[i])
		}
	}
}

// TestRank compares the likelihoods of results with the surprise of turns: none is less surprising
// than the likeliest way to its result, and many are that way. The rank of a result is its place.
func TestRank(t *testing.T) {
	p := load.Example(t, "win-in-2.txt")
	all, same, sum := likelihoods(p), 0, 0.0
	var turns arimaa.Generator
	for i := range turns.Generate(&p) {
		likely, ok := all[*turns.Board(i)]
		least, surprise := -likely/math.Ln2, describe.Surprise(p, turns.Turn(i))
		switch sum += math.Exp(likely); {
		case !ok || surprise < least-1e-6:
			t.Errorf("%v: surprise %v, and %v is the least", turns.Turn(i), surprise, least)
		case surprise < least+1e-6:
			same++
		}
	}
	if len(all) != turns.Len() || same < 20 || !(sum > 0.1 && sum < 1) {
		t.Errorf("%d results of %d, %d by their likeliest way; the likelihoods add up to %v", len(all), turns.Len(), same, sum)
	}
	places := map[float64]int{} // of a likelihood: the place of the first result that has it
	for place := range 10 {
		best, last := math.Inf(-1), arimaa.Board{}
		for board, likely := range all {
			if likely > best {
				best, last = likely, board
			}
		}
		if _, met := places[best]; !met {
			places[best] = place + 1
		}
		solution := dfpns.Solution{After: arimaa.NewPosition(last, p.Side().Other())}
		if got := rank(p, []dfpns.Solution{solution}); got != places[best] {
			t.Errorf("the rank of number %d is %d", place+1, got)
		}
		delete(all, last)
	}
}

func TestSpearman(t *testing.T) {
	for _, test := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 10}, []float64{5, 6, 7, 8}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 2, 3}, []float64{1, 3, 2, 4}, 4.5 / math.Sqrt(4.5*5)}, // ranks 0, 1.5, 1.5, 3 and 0, 2, 1, 3
	} {
		if got := spearman(test.a, test.b); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%v, %v: %v, want %v", test.a, test.b, got, test.want)
		}
	}
}
