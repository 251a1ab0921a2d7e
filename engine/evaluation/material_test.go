package evaluation

import (
	"math"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// have gives numbers of pieces by kind.
func have(r, c, d, h, m, e int) counts {
	return counts{arimaa.Rabbit: r, arimaa.Cat: c, arimaa.Dog: d, arimaa.Horse: h, arimaa.Camel: m, arimaa.Elephant: e}
}

// TestHarLog compares with numbers worked out by hand from the formula.
func TestHarLog(t *testing.T) {
	full := have(8, 2, 2, 2, 1, 1)
	const complete = 2/1.447530126 + 1/2.447530126 + 2/3.447530126 + 2/5.447530126 + 2/7.447530126
	tests := []struct {
		name       string
		own, foe   counts
		ownf, foef float64 // in units of the formula, constants as published
	}{
		{
			"no losses", full, full,
			complete + 0.6314442034*math.Log(8*16),
			complete + 0.6314442034*math.Log(8*16),
		},
		{
			"dog against camel and cat", have(3, 0, 1, 0, 0, 0), have(2, 1, 0, 0, 1, 0),
			1/2.447530126 + 0.6314442034*math.Log(3*4),
			2/1.447530126 + 1/2.447530126 + 0.6314442034*math.Log(2*4),
		},
		{
			"equals are not stronger", have(1, 0, 0, 2, 0, 0), have(1, 0, 0, 1, 0, 0),
			4/1.447530126 + 0.6314442034*math.Log(1*3),
			2/1.447530126 + 0.6314442034*math.Log(1*2),
		},
	}
	for _, c := range tests {
		if got := harLog(&c.own, &c.foe) / perHarLog; math.Abs(got-c.ownf) > 1e-9 {
			t.Errorf("%s: %f, want %f", c.name, got, c.ownf)
		}
		if got := harLog(&c.foe, &c.own) / perHarLog; math.Abs(got-c.foef) > 1e-9 {
			t.Errorf("%s, turned over: %f, want %f", c.name, got, c.foef)
		}
	}
	fewer := have(7, 2, 2, 2, 1, 1)
	if got := harLog(&full, &full) - harLog(&fewer, &full); math.Abs(got-100) > 1e-9 {
		t.Errorf("the first rabbit is worth %f, not 100", got)
	}
}

// TestLoss checks the worth of each kind in the initial position: stronger pieces are worth more.
func TestLoss(t *testing.T) {
	p := boards.Parse(t, "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")
	e := New(&Default, nil)
	e.Score(&p.Board, p.Side())
	loss := e.position.armies[arimaa.Gold].worth.loss
	if loss[arimaa.Rabbit] != 100 {
		t.Errorf("a rabbit is worth %d, not 100", loss[arimaa.Rabbit])
	}
	for k := arimaa.Cat; k <= arimaa.Elephant; k++ {
		if loss[k] <= loss[k-1] {
			t.Errorf("a %v is worth %d, a %v %d", k, loss[k], k-1, loss[k-1])
		}
	}
}

// TestCache scores positions with other pieces in between, so that entries are replaced.
func TestCache(t *testing.T) {
	e := New(&Default, nil)
	var list []arimaa.Board
	for n := range 12 * 64 { // more sets of pieces than entries
		var b arimaa.Board
		put := func(kind arimaa.Kind, side arimaa.Side, from, n int) {
			for i := range n {
				b.Put(arimaa.Square(from+i), arimaa.NewPiece(side, kind))
			}
		}
		put(arimaa.Rabbit, arimaa.Gold, 0, n%8)
		put(arimaa.Horse, arimaa.Gold, 24, n/8%8)
		put(arimaa.Rabbit, arimaa.Silver, 56, n/64)
		list = append(list, b)
	}
	for range 2 {
		for _, b := range list {
			if got, want := e.Score(&b, arimaa.Gold), New(&Default, nil).Score(&b, arimaa.Gold); got != want {
				t.Fatalf("%v: %d, without the cache %d", arimaa.NewPosition(b, arimaa.Gold), got, want)
			}
		}
	}
}
