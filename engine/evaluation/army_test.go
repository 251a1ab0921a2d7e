package evaluation

import (
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestArmy checks the sets of squares that have a plain definition against it.
func TestArmy(t *testing.T) {
	boards.Check(t, 5000, 100000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		var v position
		v.set(&p.Board)
		for side := range arimaa.Side(2) {
			a := &v.armies[side]
			if want := p.Frozen(side); a.frozen != want {
				t.Errorf("%v: frozen %x, want %x", side, a.frozen, want)
			}
			var grip arimaa.Bitboard // enemy pieces beside a stronger piece that is not frozen
			for s := range arimaa.Square(64) {
				if !p.Of(side.Other()).Has(s) {
					continue
				}
				kind := p.At(s).Kind()
				if v.armies[side.Other()].kindAt(s) != kind {
					t.Errorf("%v is %v, not %v", s, v.armies[side.Other()].kindAt(s), kind)
				}
				if s.Beside()&p.AtLeast(side, kind+1)&^p.Frozen(side) != 0 {
					grip |= s.Set()
				}
			}
			if a.grip[0] != grip {
				t.Errorf("%v: grip %x, want %x", side, a.grip[0], grip)
			}
			for n := 1; n < len(a.grip); n++ {
				if a.grip[n-1]&^a.grip[n] != 0 {
					t.Errorf("%v: grip in %d steps is less than in %d", side, n, n-1)
				}
			}
		}
	})
}

// TestReach checks on drawn boards where Gold's strongest piece comes within two steps, and is not
// frozen: the digits on empty squares say after how many. Rank 8 is above.
func TestReach(t *testing.T) {
	tests := []struct {
		name string
		kind arimaa.Kind
		rows [8]string
	}{
		{"not on a trap without help", arimaa.Elephant, [8]string{
			"........",
			"........",
			"...2....",
			"..212...",
			".21E12..",
			"...12...",
			"...2....",
			"........",
		}},
		{"on a trap with help", arimaa.Elephant, [8]string{
			"........",
			"........",
			"...2....",
			"..212...",
			".21E12..",
			"..212...",
			"..R2....",
			"........",
		}},
		{"not where it freezes, nor beyond", arimaa.Camel, [8]string{
			"........",
			"........",
			"...2....",
			"..21.e..",
			".21M1...",
			"...12...",
			"...2....",
			"........",
		}},
		{"on beside a stronger piece where a friend helps", arimaa.Camel, [8]string{
			"........",
			"........",
			"...2....",
			"..21.e..",
			".21M12R.",
			"...12...",
			"...2....",
			"........",
		}},
		{"a frozen piece stays", arimaa.Camel, [8]string{
			"........",
			"........",
			"........",
			"...e....",
			"...M....",
			"........",
			"........",
			"........",
		}},
		{"past a friend that steps aside", arimaa.Horse, [8]string{
			"........",
			"........",
			"........",
			"........",
			"R.......",
			"R.......",
			"HR......",
			"1R......",
		}},
	}
	for _, c := range tests {
		b := drawn(c.rows)
		var want [approach + 1]arimaa.Bitboard
		for i, row := range c.rows {
			for file, digit := range row {
				for n := int(digit - '0'); n > 0 && n <= approach; n++ {
					want[n] |= arimaa.Square(8*(7-i) + file).Set()
				}
			}
		}
		var v position
		v.set(&b)
		for n := range want {
			if got := v.armies[arimaa.Gold].reach[n][c.kind] &^ b.Occupied(); got != want[n] {
				t.Errorf("%s: within %d steps %x, want %x", c.name, n, got, want[n])
			}
		}
	}
}
