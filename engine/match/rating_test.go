package match

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"goalproof/internal/testkit/require"
)

// baseball holds the games of the American League's eastern division in 1987 (Agresti, Categorical
// Data Analysis, 2002, section 10.6): Milwaukee, Detroit, Toronto, New York, Boston, Cleveland,
// Baltimore.
var baseball = Wins{
	{0, 7, 9, 7, 7, 9, 11}, {6, 0, 7, 5, 11, 9, 9}, {4, 6, 0, 7, 7, 8, 12}, {6, 8, 6, 0, 6, 7, 10},
	{6, 2, 6, 7, 0, 7, 12}, {4, 4, 5, 6, 6, 0, 6}, {2, 4, 1, 3, 1, 7, 0},
}

// TestRatings compares a fit with the published one of the R package BradleyTerry2 (Turner and
// Firth 2012): leads over Baltimore, in logits, with their standard errors.
func TestRatings(t *testing.T) {
	ratings, err := baseball.Ratings()
	require.NoError(t, err)
	const logit = 400 / math.Ln10
	mean := 0.0
	strength := make([]float64, len(ratings))
	for i, r := range ratings {
		mean += r.Elo / float64(len(ratings))
		strength[i] = math.Exp(r.Elo / logit)
	}
	if math.Abs(mean) > 1e-6 {
		t.Errorf("the mean is %v", mean)
	}
	c := baseball.covariance(strength)
	for i, want := range [][2]float64{{1.5814, 0.3433}, {1.4364, 0.3396}, {1.2945, 0.3367}, {1.2476, 0.3359}, {1.1077, 0.3339}, {0.6839, 0.3319}} {
		lead := (ratings[i].Elo - ratings[6].Elo) / logit
		deviation := math.Sqrt(c[i][i] + c[6][6] - 2*c[i][6])
		if math.Abs(lead-want[0]) > 6e-5 || math.Abs(deviation-want[1]) > 6e-5 {
			t.Errorf("player %d: %.4f with a standard error of %.4f, published %v", i, lead, deviation, want)
		}
		if half := logit * z * math.Sqrt(c[i][i]); math.Abs(ratings[i].High-ratings[i].Elo-half) > 1e-9 || math.Abs(ratings[i].Elo-ratings[i].Low-half) > 1e-9 {
			t.Errorf("player %d: %+v, not plus or minus %v", i, ratings[i], half)
		}
	}
}

// TestUnrated checks results without a best fit, found by trying all pairs of groups.
func TestUnrated(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	rated := 0
	for range 2000 {
		n := 2 + random.IntN(4)
		w := make(Wins, n)
		for i := range w {
			w[i] = make([]int, n)
			for j := range w[i] {
				if i != j && random.IntN(3) == 0 {
					w[i][j] = 1 + random.IntN(9)
				}
			}
		}
		want := true
		for group := 1; group < 1<<n-1; group++ {
			won := false
			for i := range n {
				for j := range n {
					won = won || group>>i&1 == 1 && group>>j&1 == 0 && w[i][j] > 0
				}
			}
			want = want && won
		}
		ratings, err := w.Ratings()
		if (err == nil) != want || err != nil && !errors.Is(err, ErrUnrated) {
			t.Fatalf("%v: %v, want ratings: %v", w, err, want)
		}
		if err != nil {
			continue
		}
		rated++
		// At the maximum each player is expected to win what he has won.
		for i := range n {
			won, expected := 0.0, 0.0
			for j := range n {
				won += float64(w[i][j])
				expected += float64(w[i][j]+w[j][i]) * score(ratings[i].Elo-ratings[j].Elo)
			}
			if math.Abs(won-expected) > 1e-6 {
				t.Errorf("%v: player %d has won %v, expected %v", w, i, won, expected)
			}
		}
	}
	if rated < 100 {
		t.Errorf("%d results have ratings", rated)
	}
}
