package training_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"goalproof/internal/testkit/glicko"
	"goalproof/puzzles/training"
)

// TestPublished compares with the example of the paper "Example of the Glicko-2 system".
func TestPublished(t *testing.T) {
	player := training.Rating{Rating: 1500, Deviation: 200, Volatility: 0.06}
	against := func(rating, deviation, score float64) training.Game {
		return training.Game{Opponent: training.Rating{Rating: rating, Deviation: deviation}, Score: score}
	}
	got := player.After(against(1400, 30, 1), against(1550, 100, 0), against(1700, 300, 0))
	want := training.Rating{Rating: 1464.06, Deviation: 151.52, Volatility: 0.05999}
	if !(math.Abs(got.Rating-want.Rating) < 0.01 && math.Abs(got.Deviation-want.Deviation) < 0.01 && math.Abs(got.Volatility-want.Volatility) < 0.00001) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// alike reports whether two ratings differ by no more than the convergence of the search.
func alike(a, b training.Rating) bool {
	return math.Abs(a.Rating-b.Rating) < 1e-3 && math.Abs(a.Deviation-b.Deviation) < 1e-3 && math.Abs(a.Volatility-b.Volatility) < 1e-6
}

// TestPlain compares ratings after a game with a plain computation.
func TestPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rating := func(name string) training.Rating {
			return training.Rating{Rating: rapid.Float64Range(500, 2800).Draw(t, name), Deviation: rapid.Float64Range(30, 350).Draw(t, name+" deviation"),
				Volatility: rapid.Float64Range(0.03, 0.2).Draw(t, name+" volatility")}
		}
		r, o, score := rating("player"), rating("puzzle"), float64(rapid.IntRange(0, 1).Draw(t, "score"))
		if got, want := r.After(training.Game{Opponent: o, Score: score}), glicko.Game(r, o, score); !alike(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}
