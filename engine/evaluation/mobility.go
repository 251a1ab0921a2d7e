package evaluation

import (
	"math"

	"goalproof/arimaa"
)

// centre holds the squares that count twice.
const centre arimaa.Bitboard = 0x00003c3c3c3c0000

// mobilityTable converts weighted numbers of squares to hundredths, with diminishing returns.
var mobilityTable = func() (t [4*(64+16) + 1]int) {
	for i := range t {
		t[i] = int(math.Round(100 * (1 - math.Exp(-float64(i)/40))))
	}
	return t
}()

// mobility counts the squares that the elephant reaches within one, two, three and four steps, so
// that near ones count several times (Wu 2015, section 6.3.7).
func (a *army) mobility() int {
	sum := 0
	for _, set := range a.roam[1:] {
		sum += set.Len() + (set & centre).Len()
	}
	return mobilityTable[sum]
}

// shutIn is the degree of a blockade, in hundredths, by the number of squares that the elephant
// reaches within three steps, its own included.
var shutIn = [...]int{0, 100, 80, 60, 35, 15}

// edges holds the squares outside the centre.
const edges = ^centre

// blockade measures how far the enemy elephant is shut in (Wu 2015, section 6.3.7): half as much in
// the centre, and half as much if the own elephant has to stay beside it.
func (a *army) blockade(foe *army) int {
	n := foe.roam[3].Len()
	if n >= len(shutIn) {
		return 0
	}
	value := shutIn[n]
	if foe.kind[arimaa.Elephant]&edges == 0 {
		value /= 2
	}
	if foe.kind[arimaa.Elephant]&a.near[arimaa.Elephant] != 0 {
		value /= 2
	}
	return value
}
