package evaluation

import (
	"math"

	"goalproof/arimaa"
)

// centre is where being able to go counts twice.
const centre arimaa.Bitboard = 0x00003c3c3c3c0000

// mobilityTable turns weighted counts of squares into hundredths: the first squares matter
// most.
var mobilityTable = func() (t [4*(64+16) + 1]int) {
	for i := range t {
		t[i] = int(math.Round(100 * (1 - math.Exp(-float64(i)/40))))
	}
	return t
}()

// mobility counts the squares that the elephant reaches in one to four steps, the near ones
// several times (Wu 2015, section 6.3.7).
func (a *army) mobility() int {
	sum := 0
	for _, set := range a.roam[1:] {
		sum += set.Len() + (set & centre).Len()
	}
	return mobilityTable[sum]
}

// shutIn gives, by the number of squares that an elephant can be on after at most three steps,
// itself included, how far it is blockaded, in hundredths.
var shutIn = [...]int{0, 100, 80, 60, 35, 15}

// edges holds the two outer lines of the board.
const edges = ^centre

// blockade values the enemy's elephant being shut in, away from the centre in full and
// otherwise by half; half of it is lost where the own elephant is needed beside it (Wu 2015,
// section 6.3.7).
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
