package evaluation

import (
	"math"

	"goalproof/arimaa"
)

// Trap control (Wu 2015, section 6.3.3): each piece adds its strength times a factor for its
// distance from the trap, the side with the strongest piece nearby gets a bonus, and a logistic
// function of the difference is the control.

// traps lists the traps in the order of their numbers.
var traps = [4]arimaa.Square{18, 21, 42, 45} // c3, f3, c6, f6

// trapStrength returns the strength of a kind at a trap, by the number of stronger enemies.
func trapStrength(k arimaa.Kind, stronger int) uint {
	if k == arimaa.Rabbit {
		return 7
	}
	table := [...]uint{32, 24, 20, 18, 16, 14, 12}
	return table[min(stronger, len(table)-1)]
}

// trapFactors[s] packs the factors of square s for the four traps into 16 bits each, so that one
// multiplication serves them all. The sums of a board full of elephants stay below 1<<16.
var trapFactors = func() (f [64]uint64) {
	byDistance := [15]uint64{6, 14, 9, 4, 2, 1}
	for s := range f {
		for i, trap := range traps {
			factor := byDistance[distance[s][trap]]
			file, rank := s%8, s/8
			if distance[s][trap] == 1 && (file == 1 || file == 6 || rank == 1 || rank == 6) {
				factor += 2 // harder to push away: on the side of the edge
			}
			f[s] |= factor << (16 * i)
		}
	}
	return f
}()

const (
	localLead   = 100 // bonus for the strongest piece within two squares of a trap
	logisticCut = 128 // entries of the table on either side of 0
	logisticBy  = 12  // strength from one entry to the next
)

// logistic[logisticCut+i] is the control, in thousandths, for a lead of i*logisticBy in strength. A
// lone elephant beside a trap has about four fifths of the control.
var logistic = func() (t [2*logisticCut + 1]int) {
	for i := range logisticCut + 1 {
		share := int(math.Round(1000 / (1 + math.Exp(-math.Log(4)/500*float64(i*logisticBy)))))
		t[logisticCut+i], t[logisticCut-i] = share, 1000-share
	}
	return t
}()

// setControl computes the control of the traps and, in the same pass over the pieces, PieceSquare.
func (p *position) setControl() {
	gold, silver := &p.armies[arimaa.Gold], &p.armies[arimaa.Silver]
	atGold, atSilver := gold.gather(), silver.gather()
	for i, trap := range traps {
		lead := int(atGold>>(16*i)&0xffff) - int(atSilver>>(16*i)&0xffff)
		lead += localLead * strongestWithin(gold, silver, trap.Within(2))
		lead = max(-logisticCut, min(logisticCut, lead/logisticBy))
		gold.control[i] = logistic[logisticCut+lead]
		silver.control[i] = logistic[logisticCut-lead]
	}
}

// gather sums strength times factor at the four traps, 16 bits each, and sets squares. Frozen
// pieces count half at the traps.
func (a *army) gather() (at uint64) {
	a.squares = 0
	for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
		table, strength := &squareValues[a.worth.class[k]], uint64(a.worth.strength[k])
		for rest := a.kind[k]; rest != 0; rest = rest.Rest() {
			s := rest.First() & 63
			a.squares += int(table[s^a.turned])
			at += trapFactors[s] * (strength >> (a.frozen >> s & 1))
		}
	}
	return at
}

// strongestWithin returns 1 if the strongest piece in an area is Gold's, -1 if it is Silver's, 0 if
// neither.
func strongestWithin(gold, silver *army, area arimaa.Bitboard) int {
	for k := arimaa.Elephant; k >= arimaa.Cat; k-- {
		g, s := gold.kind[k]&area != 0, silver.kind[k]&area != 0
		switch {
		case g && s:
			return 0
		case g:
			return 1
		case s:
			return -1
		}
	}
	return 0
}
