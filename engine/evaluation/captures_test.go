package evaluation

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestCaptures checks the value of the capture of a horse for the patterns that captures knows.
// Share is the part of its value, in hundredths.
func TestCaptures(t *testing.T) {
	tests := []struct {
		name     string
		position string
		share    int
	}{
		{"pushed in from beside", "Ra1 Ee6 hd6 ra8 g", 100},
		{"a step nearer first", "Ra1 Re5 Ef6 hd6 ra8 g", 95},
		{"the defender is driven away", "Ra1 Ed7 hc6 dc7 ra8 g", 100},
		{"pushed twice", "Ra1 Ee5 hd5 ra8 g", 85},
		{"pulled twice", "Ra1 Dc5 Eb6 ha6 ra8 g", 85},
	}
	for _, c := range tests {
		p := boards.Parse(t, c.position)
		e := New(&Default, nil)
		e.Score(&p.Board, arimaa.Gold)
		want := e.position.armies[arimaa.Silver].worth.loss[arimaa.Horse] * c.share / 100
		if got := e.values[arimaa.Gold][CaptureNow]; got != want {
			t.Errorf("%s: %d, want %d", c.name, got, want)
		}
	}
}

// TestCapturesInGames compares with all turns of the side to move in every 37th position of the
// published games: whether there is a capture is nearly always estimated correctly.
func TestCapturesInGames(t *testing.T) {
	e := New(&Default, nil)
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
		switch seen := e.values[p.Side()][CaptureNow] != 0; {
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
