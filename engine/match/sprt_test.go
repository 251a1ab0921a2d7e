package match

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSPRTBounds checks the bounds that programs publish for errors of 5 %, and the ratio of a win
// and of a loss by hand: 50 % against 10/11.
func TestSPRTBounds(t *testing.T) {
	if math.Abs(limit-2.944) > 5e-4 {
		t.Errorf("the bound is %g", limit)
	}
	s := SPRT{0, 400}
	if win, loss := s.LLR(Tally{1, 0}), s.LLR(Tally{0, 1}); math.Abs(win-math.Log(20./11)) > 1e-9 || math.Abs(loss-math.Log(2./11)) > 1e-9 {
		t.Errorf("a win is worth %g, a loss %g", win, loss)
	}
	for tally, want := range map[Tally]Decision{{}: Undecided, {4, 0}: Undecided, {5, 0}: AcceptH1, {0, 1}: Undecided, {0, 2}: AcceptH0, {5, 1}: Undecided} {
		if got := s.Decide(tally); got != want {
			t.Errorf("%v: %v, want %v", tally, got, want)
		}
	}
}

// TestSPRTSimulation lets the test decide about players of a known difference: it errs no more
// often than it says, and takes about as many games as Wald (1945) expects.
func TestSPRTSimulation(t *testing.T) {
	const matches = 2000
	s := SPRT{0, 50}
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		elo   float64
		wrong Decision
	}{{s.Elo0, AcceptH1}, {s.Elo1, AcceptH0}} {
		p := score(c.elo)
		errors, games := 0, 0
		for range matches {
			var tally Tally
			for s.Decide(tally) == Undecided {
				if random.Float64() < p {
					tally[0]++
				} else {
					tally[1]++
				}
			}
			games += tally.Games()
			if s.Decide(tally) == c.wrong {
				errors++
			}
		}
		deviation := math.Sqrt(errorRate * (1 - errorRate) / matches)
		if rate := float64(errors) / matches; rate > errorRate+3*deviation || rate < errorRate/2 {
			t.Errorf("%g Elo: wrong in %.1f %%", c.elo, 100*rate)
		}
		each := p*s.LLR(Tally{1, 0}) + (1-p)*s.LLR(Tally{0, 1}) // expected from a game
		expected := (1 - 2*errorRate) * limit / math.Abs(each)
		if mean := float64(games) / matches; mean < 0.95*expected || mean > 1.1*expected {
			t.Errorf("%g Elo: %.0f games, expected %.0f", c.elo, mean, expected)
		}
	}
}

// TestIntervalAfterStop simulates what the package documentation says about the interval and the
// estimate after a test has stopped the match.
func TestIntervalAfterStop(t *testing.T) {
	const matches, most = 4000, 400
	s := SPRT{0, 30}
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ elo, holds, over float64 }{{0, .92, math.NaN()}, {15, .91, math.NaN()}, {-100, .95, -11}, {100, .95, 11}} {
		p := score(c.elo)
		holds, over := 0, 0.0
		for range matches {
			var tally Tally
			for tally.Games() < most && s.Decide(tally) == Undecided {
				if random.Float64() < p {
					tally[0]++
				} else {
					tally[1]++
				}
			}
			difference, low, high := tally.Elo()
			if low <= c.elo && c.elo <= high {
				holds++
			}
			over += difference - c.elo
		}
		if part := float64(holds) / matches; math.Abs(part-c.holds) > .012 {
			t.Errorf("%g Elo: in %.1f %% of the intervals, want %.0f %%", c.elo, 100*part, 100*c.holds)
		}
		if mean := over / matches; math.Abs(mean-c.over) > 2 {
			t.Errorf("%g Elo: the estimates are %+.1f off, want %+.0f", c.elo, mean, c.over)
		}
	}
}

// TestParseSPRT checks what is read and what is refused.
func TestParseSPRT(t *testing.T) {
	if s, err := ParseSPRT("-5,30.5"); err != nil || s != (SPRT{-5, 30.5}) {
		t.Errorf("%v, %v", s, err)
	}
	for _, text := range []string{"", "30", "30,0", "0,0", "0,x", "nan,3", "0,1e9", "0,30,60", "-inf,0"} {
		if s, err := ParseSPRT(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}
