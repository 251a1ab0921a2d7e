package describe

import "math"

// Features are what the difficulty of a puzzle is computed from: the counts as binary logarithms,
// with 1 added.
type Features [NumFeatures]float64

// NumFeatures is the number of features.
const NumFeatures = 5

// FeatureNames are the names of the features, in their order.
var FeatureNames = [NumFeatures]string{"one", "turns", "winning", "threats", "steps"}

// Counts are what the difficulty of a win depends on.
type Counts struct {
	Turns   int // distinct results of the first turn
	Winning int // those that keep the shortest win
	Threats int // others that threaten to win at once
	Steps   int // of the first essential solution, 1 to 4
}

// Features returns the features of a win.
func (c Counts) Features() Features {
	log := func(n int) float64 { return math.Log2(float64(1 + n)) }
	return Features{1, log(c.Turns), log(c.Winning), log(c.Threats), float64(c.Steps)}
}

// weights are the output of `go run ./tools/difficulty -fit docs/difficulty.tsv`; see
// docs/difficulty.md.
var weights = Features{-2.565, 0.412, -0.386, 0.088, 0.790}

// Weights returns what the features count.
func Weights() Features { return weights }

// MaxDifficulty is the greatest difficulty.
const MaxDifficulty = 10

// Difficulty estimates how hard it is to see the solution of a win in two turns or more, from 0 to
// [MaxDifficulty]: half the binary logarithm of the nodes after which an engine sees it ([Eye]), so
// that a point more stands for four times as many. The weights were fitted to wins in two.
func (c Counts) Difficulty() (d float64) {
	for i, x := range c.Features() {
		d += weights[i] * x
	}
	return min(max(d, 0), MaxDifficulty)
}

// Difficulty is that of the counts of a puzzle; ok is false for a win in one.
func (z *Puzzle) Difficulty() (d float64, ok bool) { return z.Counts.Difficulty(), z.N > 1 }
