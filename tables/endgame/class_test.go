package endgame

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestClasses checks the lists of classes and their names.
func TestClasses(t *testing.T) {
	for n, want := range map[int]string{
		2: "[R-r]",
		3: "[RR-r ER-r]",
		4: "[RR-rr ER-rr ER-er ER-hr RRR-r ERR-r HHR-r EHR-r]",
		5: "[RRR-rr RRR-er ERR-rr ERR-er HRR-er HHR-rr HHR-hr HHR-er ERR-hr EHR-rr EHR-hr EHR-er HCR-er HHR-cr ECR-hr EHR-cr " +
			"RRRR-r ERRR-r HHRR-r EHRR-r EHHR-r HHCR-r EHCR-r]",
	} {
		if got := fmt.Sprint(Classes(n)); got != want {
			t.Errorf("%d pieces: %s, want %s", n, got, want)
		}
		for _, c := range Classes(n) {
			if same, err := ParseClass(c.String()); same != c || err != nil {
				t.Errorf("%v is read as %v, %v", c, same, err)
			}
		}
	}
}

// TestParseClass checks that material is read up to relative strength and colours.
func TestParseClass(t *testing.T) {
	for text, want := range map[string]string{
		"r-R": "R-r", "ER-r": "ER-r", "r-rc": "ER-r", "DCR-dr": "EHR-er", "dr-rmd": "EHR-hr", "CRC-r": "HHR-r",
		"cr-dr": "ER-hr", "rd-cr": "ER-hr", "MR-mr": "ER-er", "EEER-r": "HHHR-r",
	} {
		if c, err := ParseClass(text); err != nil || c.String() != want {
			t.Errorf("%s: %v, %v, want %s", text, c, err, want)
		}
	}
	for _, text := range []string{"", "R", "-", "R-", "ER-e", "R-r-r", "XR-r", "EHR-ehr", "R–r"} {
		if c, err := ParseClass(text); err == nil {
			t.Errorf("%q is read as %v", text, c)
		}
	}
}

// TestNumbers checks that numbers and boards, and both numberings, belong together.
func TestNumbers(t *testing.T) {
	boards.Check(t, 1500, 300_000, func(t *rapid.T) {
		all := append(append(smallClasses(), Classes(4)...), Classes(5)...)
		c := rapid.SampledFrom(all).Draw(t, "class")
		l, g := newLayout(c), newGeometry(c)
		number := rapid.IntRange(0, l.size-1).Draw(t, "number")
		b, ok := l.board(number)
		index, also := l.index(g, number)
		if ok != also {
			t.Fatalf("%v %d: %v by one numbering, %v by the other", c, number, ok, also)
		}
		if !ok {
			return
		}
		if index != g.canonical(index) || index>>g.bits != 0 {
			t.Fatalf("%v %d: the index %o is not canonical", c, number, index)
		}
		same := g.board(index)
		if l.numberOf(&b, &l.kinds, false) != number && g.mirror != 0 || l.numberOf(&same, &l.kinds, false) != l.numberOf(&b, &l.kinds, false) {
			t.Fatalf("%v %d: %v is %d, %v is %d", c, number, b, l.numberOf(&b, &l.kinds, false), same, l.numberOf(&same, &l.kinds, false))
		}
	})
}

// board returns the same board as other packages know it.
func (g *geometry) board(index uint32) (b arimaa.Board) {
	kinds := g.class.kinds()
	i := 0
	for side, a := range []army{gold: g.class.gold, silver: g.class.silver} {
		for _, s := range a.pieces() {
			b.Put(squareOf(index>>g.shift[i]&63), arimaa.NewPiece(arimaa.Side(side), kinds[s]))
			i++
		}
	}
	return b
}

// squareOf returns the square of a cell.
func squareOf(c uint32) arimaa.Square { return arimaa.Square(c&7<<3 | c>>3) }
