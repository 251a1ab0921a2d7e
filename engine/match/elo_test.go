package match

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestScore compares the Elo curve with published values: D. J. Wu, Move Ranking and Evaluation in
// the Game of Arimaa (2011), notes to the introduction.
func TestScore(t *testing.T) {
	for _, c := range []struct {
		elo  float64
		want string
	}{{0, "50%"}, {100, "64%"}, {300, "85%"}, {-100, "36%"}} {
		if got := percent(score(c.elo)); got != c.want {
			t.Errorf("%g Elo: %s, want %s", c.elo, got, c.want)
		}
	}
}

func percent(p float64) string { return points(100 * p)[1:] + "%" }

// TestWilson compares intervals with published ones: R. G. Newcombe, Two-sided confidence intervals
// for the single proportion (1998), table I, method 3.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		times, n  int
		low, high float64
	}{{81, 263, .2553, .3662}, {15, 148, .0624, .1605}, {0, 20, 0, .1611}, {1, 29, .0061, .1718}} {
		low, high := wilson(c.times, c.n)
		if math.Abs(low-c.low) > 5.1e-5 || math.Abs(high-c.high) > 5.1e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.times, c.n, low, high, c.low, c.high)
		}
	}
}

// TestElo checks that a difference lies in its interval, and changes its sign with the players.
func TestElo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.IntRange(0, 500).Draw(t, "a"), rapid.IntRange(0, 500).Draw(t, "b")
		if a+b == 0 {
			return
		}
		d, low, high := Tally{a, b}.Elo()
		if !(low <= d && d <= high && low < high) {
			t.Errorf("%g is not from %g to %g", d, low, high)
		}
		d2, low2, high2 := Tally{b, a}.Elo()
		for _, pair := range [][2]float64{{d, -d2}, {low, -high2}, {high, -low2}} {
			if !(pair[0] == pair[1] || math.Abs(pair[0]-pair[1]) < 1e-6) {
				t.Errorf("%g and %g", pair[0], pair[1])
			}
		}
		if !math.IsInf(d, 0) && math.Abs(score(d)-float64(a)/float64(a+b)) > 1e-9 {
			t.Errorf("%g Elo is a score of %g", d, score(d))
		}
	})
}

// TestTallyString checks how results are written, with no or few games too.
func TestTallyString(t *testing.T) {
	for want, tally := range map[string]Tally{
		"0-0, Elo unknown":              {},
		"1-0, Elo +Inf [-234, +Inf]":    {1, 0},
		"5-5, Elo +0 [-204, +204]":      {5, 5},
		"320-180, Elo +100 [+68, +132]": {320, 180},
	} {
		if got := tally.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
