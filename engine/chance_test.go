package engine_test

import (
	"math"
	"testing"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/tables/endgame"
)

// TestChance checks the scale: 50 % for nothing, odds of e to one for one Scale, and what one side
// wins the other loses.
func TestChance(t *testing.T) {
	if c := engine.Chance(0); c != 0.5 {
		t.Errorf("%v for nothing", c)
	}
	if c := engine.Chance(engine.Scale); math.Abs(c/(1-c)-math.E) > 1e-12 {
		t.Errorf("odds of %v for %v centi-rabbits", c/(1-c), engine.Scale)
	}
	for score := -2000; score <= 2000; score += 100 {
		gold, silver := engine.Report{Score: score}, engine.Report{Score: -score}
		if g, s := gold.GoldChance(arimaa.Gold), silver.GoldChance(arimaa.Silver); math.Abs(g-s) > 1e-12 || g != engine.Chance(score) {
			t.Errorf("%d: %v with gold to move, %v with silver to move", score, g, s)
		}
		if g, s := engine.GoldScore(score, arimaa.Gold), engine.GoldScore(-score, arimaa.Silver); g != score || s != score {
			t.Errorf("%d: %d with gold to move, %d with silver to move", score, g, s)
		}
	}
}

// TestGoldChanceProved gives what is proved the chance 1 or 0, whatever the score is.
func TestGoldChanceProved(t *testing.T) {
	for _, test := range []struct {
		report engine.Report
		mover  float64 // chance of the side to move
	}{
		{engine.Report{Score: -300, Win: 2}, 1},
		{engine.Report{Score: 300, Loss: 1}, 0},
		{engine.Report{Score: engine.WinScore(3), Win: 3, Tabled: true, Value: endgame.WinIn(3)}, 1},
		{engine.Report{Score: -engine.WinScore(3), Tabled: true, Value: endgame.LossIn(3)}, 0},
	} {
		gold, silver := test.report.GoldChance(arimaa.Gold), test.report.GoldChance(arimaa.Silver)
		if gold != test.mover || silver != 1-test.mover {
			t.Errorf("%+v: %v with gold to move, %v with silver", test.report, gold, silver)
		}
	}
}

// TestPercent writes chances: only what is proved is 0% or 100%, however sure an estimate is.
func TestPercent(t *testing.T) {
	for chance, want := range map[float64]string{0: "0%", 0.0001: "1%", 0.2: "20%", 0.999: "99%", engine.Chance(-engine.Won): "1%", engine.Chance(engine.Won): "99%", 1: "100%"} {
		if got := engine.Percent(chance); got != want {
			t.Errorf("%v: %s, want %s", chance, got, want)
		}
	}
}
