package evaluation

import (
	"testing"

	"goalproof/arimaa"
)

// TestCaptures checks what Gold can capture in one turn, by the cases that captures tells
// apart. Value is what is seen of the worth of the dearest, in hundredths.
func TestCaptures(t *testing.T) {
	tests := []struct {
		name  string
		rows  [8]string
		prey  arimaa.Square
		share int
	}{
		{"pushed in from beside", [8]string{
			"r.......",
			"........",
			"...hE...",
			"........",
			"........",
			"........",
			"........",
			"R.......",
		}, 43, 100},
		{"a step nearer first", [8]string{
			"r.......",
			"........",
			"...h.E..",
			"....R...",
			"........",
			"........",
			"........",
			"R.......",
		}, 43, 95},
		{"the defender is driven away", [8]string{
			"r.......",
			"..dE....",
			"..h.....",
			"........",
			"........",
			"........",
			"........",
			"R.......",
		}, 42, 100},
		{"pushed twice", [8]string{
			"r.......",
			"........",
			"........",
			"...hE...",
			"........",
			"........",
			"........",
			"R.......",
		}, 35, 85},
		{"pulled twice", [8]string{
			"r.......",
			"........",
			"hE......",
			"..D.....",
			"........",
			"........",
			"........",
			"R.......",
		}, 40, 85},
	}
	for _, c := range tests {
		b := drawn(c.rows)
		e := New(&Default)
		e.Score(&b, arimaa.Gold)
		own, foe := &e.position.armies[arimaa.Gold], &e.position.armies[arimaa.Silver]
		if own.prey != c.prey.Set() {
			t.Errorf("%s: prey %x, want %v", c.name, own.prey, c.prey)
		}
		want := foe.worth.loss[foe.kindAt(c.prey)] * c.share / 100
		if got := e.values[arimaa.Gold][CaptureNow]; got != want {
			t.Errorf("%s: %d, want %d", c.name, got, want)
		}
	}
}

// TestCapturesInGames compares with all turns of the side to move in the published games, every
// 37th position: that something can be captured, and that nothing can, is seen nearly always.
func TestCapturesInGames(t *testing.T) {
	e := New(&Default)
	var g arimaa.Generator
	var right, missed, wrong int
	list := gamePositions(t)
	for i := 0; i < len(list); i += 37 {
		p := list[i]
		foe := p.Side().Other()
		can := false
		for j := range g.Generate(&p) {
			can = can || g.Board(j).Of(foe).Len() < p.Of(foe).Len()
		}
		e.Score(&p.Board, p.Side())
		switch seen := e.position.armies[p.Side()].prey != 0; {
		case seen && can:
			right++
		case seen:
			wrong++
		case can:
			missed++
		}
	}
	t.Logf("captures seen %d, missed %d, imagined %d", right, missed, wrong)
	if missed*5 > right || wrong*5 > right {
		t.Errorf("captures seen %d, missed %d, imagined %d", right, missed, wrong)
	}
}
