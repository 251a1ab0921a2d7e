package training_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
	"goalproof/puzzles/training"
)

// TestRecalibration trains simulated persons of known abilities on puzzles whose difficulty was
// predicted with a known error. After the games that the schedule brings, the difficulties by the
// results are nearer to the true ones for each ability, if the prediction errs by as much as the
// deviation of a new exercise says, and if it errs by a point. They are farther if it is better
// still, which docs/difficulty.md says as well.
func TestRecalibration(t *testing.T) {
	for _, test := range []struct{ deviation, least, most float64 }{ // of the error; of the squared error after the games, by that before
		{1.7, 0.2, 0.9}, {1, 0.5, 1}, {0.5, 1.1, 5},
	} {
		for _, ability := range []float64{1100, 1300, 1500, 1700, 1900} {
			before, after := recalibrated(t, ability, test.deviation)
			t.Logf("error %v, ability %.0f: on average %.2f instead of %.2f", test.deviation, ability, math.Sqrt(after/1000), math.Sqrt(before/1000))
			if after < test.least*before || after > test.most*before {
				t.Errorf("error %v, ability %.0f: the squared error goes from %.0f to %.0f", test.deviation, ability, before, after)
			}
		}
	}
}

// recalibrated returns the squared errors of the difficulties of ten persons with a hundred puzzles
// each, as predicted and by the results.
func recalibrated(t *testing.T, ability, deviation float64) (before, after float64) {
	random := rand.New(rand.NewPCG(1, uint64(ability)))
	for range 10 {
		r, predicted, actual := simulate(random, ability, deviation)
		for i := range r.Exercises {
			e := &r.Exercises[i]
			at, err := strconv.Atoi(e.Position)
			require.NoError(t, err)
			d := e.Difficulty()
			if d == nil {
				t.Fatalf("there is no difficulty by the rating %+v", *e.Rating)
			}
			before += (predicted[at] - actual[at]) * (predicted[at] - actual[at])
			after += (*d - actual[at]) * (*d - actual[at])
		}
	}
	return before, after
}

// simulate trains one person on a hundred puzzles: each once, and then for two months whatever is
// due. He solves a puzzle with the probability that the ratings of both say.
func simulate(random *rand.Rand, ability, deviation float64) (r training.Record, predicted, actual [100]float64) {
	r = training.Empty()
	now := noon
	try := func(i int) {
		rating := training.RatingOf(&actual[i]).Rating
		solved := random.Float64() < 1/(1+math.Pow(10, (rating-ability)/400))
		r.Add(&training.Attempt{Position: strconv.Itoa(i), WinIn: 2, Difficulty: &predicted[i], Solved: solved}, now)
	}
	for i := range predicted {
		predicted[i] = 2 + 6*random.Float64()
		actual[i] = predicted[i] + deviation*random.NormFloat64()
		try(i)
	}
	for range 60 {
		now = now.Add(24 * time.Hour)
		for i := range predicted {
			if at := r.Find(strconv.Itoa(i), 2); r.IsDue(&r.Exercises[at], now) {
				try(i)
			}
		}
	}
	return r, predicted, actual
}

// TestDifficulty tests that a rating and the difficulty that suggests it are translated into each
// other, and that an exercise about which little is known has none.
func TestDifficulty(t *testing.T) {
	for _, d := range []float64{0, 2.5, 5, 10} {
		rating := training.RatingOf(&d)
		e := training.Exercise{Rating: &rating}
		if got := e.Difficulty(); got == nil || math.Abs(*got-d) > 1e-9 {
			t.Errorf("difficulty %v: %v of %v", d, got, rating)
		}
		rating.Rating += 3000
		if got := e.Difficulty(); got == nil || *got != 10 {
			t.Errorf("difficulty %v of %v", got, rating)
		}
	}
	unknown := training.RatingOf(nil)
	for _, e := range []training.Exercise{{}, {Rating: &unknown}} {
		if d := e.Difficulty(); d != nil {
			t.Errorf("%+v: difficulty %v", e, *d)
		}
	}
}
