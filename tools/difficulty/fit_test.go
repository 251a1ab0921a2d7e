package main

import (
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/puzzles/describe"
)

// TestWeights tests that the weights in use are those that the rows in docs give.
func TestWeights(t *testing.T) {
	rows, err := readRows(filepath.Join("..", "..", "docs", "difficulty.tsv"))
	require.NoError(t, err)
	var train []row
	for _, r := range rows {
		if r.set == training {
			train = append(train, r)
		}
	}
	for i, w := range fit(train) {
		if used := describe.Weights()[i]; math.Abs(w-used) > 0.0006 {
			t.Errorf("the weight of %s is %.3f, the rows give %.3f", describe.FeatureNames[i], used, w)
		}
	}
	var report strings.Builder
	if err := fitFile(filepath.Join("..", "..", "docs", "difficulty.tsv"), &report); err != nil {
		t.Error(err)
	}
	t.Log(report.String())
	if err := fitFile(filepath.Join(t.TempDir(), "none"), io.Discard); err == nil {
		t.Error("a file that is not there was read")
	}
}

// TestFit fits rows whose weights are known.
func TestFit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	want := describe.Features{3, 1, -2, 0.5, 4}
	var rows []row
	for range 5000 {
		r := row{features: describe.Features{1}}
		for i := 1; i < describe.NumFeatures; i++ {
			r.features[i] = random.NormFloat64()*float64(i) + 7
		}
		r.target = predict(want, r) + random.NormFloat64()*0.01
		rows = append(rows, r)
	}
	for i, w := range fit(rows) {
		if math.Abs(w-want[i]) > 0.05 {
			t.Errorf("weight %d is %.3f, want %.3f", i, w, want[i])
		}
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
