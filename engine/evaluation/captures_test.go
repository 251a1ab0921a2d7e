package evaluation

import (
	"testing"

	"goalproof/arimaa"
)

// TestCaptures checks the value of a single capture for the patterns that captures knows. Share is
// the part of the victim's value, in hundredths.
func TestCaptures(t *testing.T) {
	tests := []struct {
		name   string
		rows   [8]string
		victim arimaa.Square
		share  int
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
		e := New(&Default, nil)
		e.Score(&b, arimaa.Gold)
		foe := &e.position.armies[arimaa.Silver]
		want := foe.worth.loss[foe.kindAt(c.victim)] * c.share / 100
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
