package goal

import (
	"testing"

	"goalproof/arimaa"
)

// TestNoAim makes aims that are none, each of which differs from the win and is refused.
func TestNoAim(t *testing.T) {
	for name, a := range map[string]Aim{
		"rank 0":            RabbitOn(0),
		"rank 9":            RabbitOn(9),
		"rank below":        RabbitOn(-1),
		"rank of 8 bits":    RabbitOn(1<<8 + 3),
		"no trap":           CaptureOf(arimaa.Elephant, 0),
		"any piece nowhere": CaptureOf(arimaa.None, 0),
		"no trap there":     CaptureOf(arimaa.Elephant, arimaa.FileA),
		"no kind":           CaptureOf(arimaa.Elephant+1, arimaa.Traps),
	} {
		if err := a.Check(); err == nil || a.Win() {
			t.Errorf("%s: the aim is %v, the error %v", name, a, err)
		}
	}
	for _, text := range []string{"win", "capture", "capture=e", "capture@f6", "capture=r@c3", "rabbit=1", "rabbit=8"} {
		if a, err := ParseAim(text); err != nil || a.Check() != nil {
			t.Errorf("%s: %v, %v", text, err, a.Check())
		}
	}
	if a, err := ParseAim(""); err == nil {
		t.Errorf("no text is the aim %v", a)
	}
}

// TestZeroPosition asks about the zero Position and an empty board: nothing is reached there.
func TestZeroPosition(t *testing.T) {
	var d Detector
	var zero arimaa.Position
	empty := arimaa.NewPosition(arimaa.Board{}, arimaa.Gold)
	for _, p := range []*arimaa.Position{&zero, &empty} {
		_, wins := d.CanWin(p, &p.Board)
		_, threat := d.Threat(p)
		_, reached := d.Reach(p, Aim{})
		_, holds := d.Defence(p)
		win, _ := d.Win(p, &p.Board)
		goal, _ := d.Goal(p, &p.Board)
		capture, _ := d.Capture(p, Aim{})
		if wins || threat || reached || holds || win != None || goal != None || capture != None || len(d.ReachAll(p, Aim{})) > 0 {
			t.Errorf("%v: wins %v, threatens %v, reaches %v, holds %v, win %v, goal %v, capture %v", p, wins, threat, reached, holds, win, goal, capture)
		}
	}
}
