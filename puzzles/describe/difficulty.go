package describe

import (
	"math"
	"strconv"

	"goalproof/arimaa"
)

// Features are what the difficulty of a puzzle is computed from.
type Features [NumFeatures]float64

// NumFeatures is the number of features.
const NumFeatures = 3

// FeatureNames are the names of the features, in their order.
var FeatureNames = [NumFeatures]string{"one", "surprise", "winning"}

// Counts are figures of a win; its difficulty depends on some.
type Counts struct {
	Turns    int     // distinct results of the first turn
	Winning  int     // those that keep the shortest win
	Threats  int     // others that threaten to win at once
	Surprise float64 // of the least surprising essential solution, in bits; see [Surprise]
}

// Features returns the features of a win: the surprise, and the binary logarithm of the number of
// winning turns.
func (c Counts) Features() Features {
	return Features{1, c.Surprise, math.Log2(float64(max(c.Winning, 1)))}
}

// weights are the output of `go run ./tools/difficulty -fit docs/difficulty.tsv`; see
// docs/difficulty.md.
var weights = Features{3.740, 0.171, -0.422}

// Weights returns what the features count.
func Weights() Features { return weights }

// MaxDifficulty is the greatest difficulty.
const MaxDifficulty = 10

// Difficulty estimates how hard it is to see the solution of a win in two turns or more, from 0 to
// [MaxDifficulty]: half the binary logarithm of the nodes after which an engine sees it ([Eye]), so
// that a point more stands for four times as many.
func (c Counts) Difficulty() (d float64) {
	for i, x := range c.Features() {
		d += weights[i] * x
	}
	return min(max(d, 0), MaxDifficulty)
}

// Shown returns a difficulty as it is shown, with one decimal.
func Shown(difficulty float64) float64 {
	d, _ := strconv.ParseFloat(strconv.FormatFloat(difficulty, 'f', 1, 64), 64)
	return d
}

// Difficulty is that of the counts of a puzzle; ok is false for a win in one.
func (z *Puzzle) Difficulty() (d float64, ok bool) { return z.Counts.Difficulty(), z.N > 1 }

// Weigh sets the surprise of a win of the side to move at p, the least of its essential solutions.
func (z *Puzzle) Weigh(p *arimaa.Position) {
	z.Surprise = math.Inf(1)
	for i := range z.Solutions {
		z.Surprise = min(z.Surprise, Surprise(*p, z.Solutions[i].Turn))
	}
}
