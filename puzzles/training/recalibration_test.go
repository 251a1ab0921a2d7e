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
// predicted with a known error. After the games that the schedule brings, the difficulties that are
// told by the results are nearer to the true ones for each ability, if the prediction errs by as much
// as the deviation of a new exercise says, and if it errs by a point. They are farther if it is
// better still, which docs/difficulty.md says as well.
func TestRecalibration(t *testing.T) {
	for _, test := range []struct{ deviation, least, most float64 }{ // of the error; of the squared error after the games, by that before
		{1.7, 0.1, 0.4}, {1, 0.2, 0.8}, {0.5, 1.1, 5},
	} {
		for _, ability := range []float64{1100, 1300, 1500, 1700, 1900} {
			told, before, after := recalibrated(t, ability, test.deviation)
			t.Logf("error %v, ability %.0f: %d told, on average %.2f instead of %.2f", test.deviation, ability, told, math.Sqrt(after/float64(told)), math.Sqrt(before/float64(told)))
			if after < test.least*before || after > test.most*before {
				t.Errorf("error %v, ability %.0f: the squared error goes from %.0f to %.0f", test.deviation, ability, before, after)
			}
		}
	}
}

// recalibrated returns the squared errors of the difficulties of ten persons with a hundred puzzles
// each, as predicted and by the results, and of how many the results say enough.
func recalibrated(t *testing.T, ability, deviation float64) (told int, before, after float64) {
	random := rand.New(rand.NewPCG(1, uint64(ability)))
	for range 10 {
		r, predicted, actual := simulate(random, ability, deviation)
		for i := range r.Exercises {
			e := &r.Exercises[i]
			at, err := strconv.Atoi(e.Position)
			require.NoError(t, err)
			d := e.Difficulty()
			if d == nil {
				continue
			}
			told++
			before += (predicted[at] - actual[at]) * (predicted[at] - actual[at])
			after += (*d - actual[at]) * (*d - actual[at])
		}
	}
	return told, before, after
}

// simulate trains one person on a hundred puzzles: each once, and then for two months whatever is
// due. He solves a puzzle with the probability that the ratings of both say.
func simulate(random *rand.Rand, ability, deviation float64) (r training.Record, predicted, actual [100]float64) {
	r = training.Empty()
	now := noon
	try := func(i int) {
		rating := training.RatingOf(2, &actual[i]).Rating
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

// TestRatingOf compares ratings with which exercises begin: by their length and difficulty.
func TestRatingOf(t *testing.T) {
	for _, test := range []struct {
		winIn             int
		difficulty        *float64
		rating, deviation float64
	}{
		{1, nil, 1150, 350}, {1, new(7.0), 1150, 350},
		{2, nil, 1500, 350}, {2, new(5.0), 1500, 200}, {2, new(7.5), 1800, 200},
		{3, nil, 1620, 350}, {3, new(4.0), 1500, 200},
		{4, nil, 1740, 350}, {4, new(4.0), 1620, 350},
		{5, new(5.0), 1860, 350},
		{0, nil, 1500, 350}, {0, new(6.0), 1620, 200}, // of a set that does not say how long the win takes
	} {
		want := training.Rating{Rating: test.rating, Deviation: test.deviation, Volatility: 0.06}
		if got := training.RatingOf(test.winIn, test.difficulty); got != want {
			t.Errorf("win in %d: %+v, want %+v", test.winIn, got, want)
		}
	}
}

// sure is a deviation with which a rating says how hard an exercise is.
const sure = 100

// TestDifficulty tests that a rating and the difficulty that suggests it are translated into each
// other, and that an exercise about which little is known has none.
func TestDifficulty(t *testing.T) {
	for _, winIn := range []int{2, 3, 5} {
		for _, d := range []float64{0, 2.5, 5, 10} {
			rating := training.RatingOf(winIn, &d)
			e := training.Exercise{WinIn: winIn, Rating: &rating}
			rating.Deviation = sure
			if got := e.Difficulty(); got == nil || math.Abs(*got-d) > 1e-9 {
				t.Errorf("win in %d, difficulty %v: %v of %v", winIn, d, got, rating)
			}
			rating.Rating += 3000
			if got := e.Difficulty(); got == nil || *got != 10 {
				t.Errorf("difficulty %v of %v", got, rating)
			}
		}
	}
	unknown, one := training.RatingOf(2, nil), training.Rating{Rating: 1500, Deviation: sure}
	for _, e := range []training.Exercise{{WinIn: 2}, {WinIn: 2, Rating: &unknown}, {WinIn: 1, Rating: &one}} {
		if d := e.Difficulty(); d != nil {
			t.Errorf("%+v: difficulty %v", e, *d)
		}
	}
}
