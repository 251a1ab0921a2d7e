package evaluation

import "goalproof/arimaa"

// closeness is the influence of two pieces on each other by their distance.
var closeness = [15]int{1: 12, 2: 11, 3: 9, 4: 7, 5: 5, 6: 4, 7: 3, 8: 2, 9: 1}

// alignmentShare scales alignment to centi-rabbits: a camel beside a horse on its home ranks is
// worth about 15.
const alignmentShare = 1200

// alignment is the value of having each piece near the strongest enemy pieces that it dominates (Wu
// 2015, section 6.4.1): in proportion to their value, and half as much again for each two ranks
// that they have advanced. A frozen piece counts half. Rabbits are no targets, as every piece
// dominates them.
func (a *army) alignment(foe *army) int {
	sum := 0
	for k := arimaa.Elephant; k > arimaa.Cat; k-- {
		if a.kind[k] == 0 {
			continue
		}
		target := k - 1
		for target > arimaa.Rabbit && foe.kind[target] == 0 {
			target--
		}
		if target == arimaa.Rabbit {
			break
		}
		pairs := 0
		for targets := foe.kind[target]; targets != 0; targets = targets.Rest() {
			t := targets.First() & 63
			advanced := 4 + int(t^foe.turned)>>3
			for hunters := a.kind[k]; hunters != 0; hunters = hunters.Rest() {
				h := hunters.First() & 63
				pairs += closeness[distance[h][t]] * advanced >> (a.frozen >> h & 1)
			}
		}
		sum += pairs * foe.worth.loss[target]
	}
	return sum / alignmentShare
}

// imbalance measures how much the strong pieces, horses and up, crowd together instead of covering
// the board (Wu 2015, section 6.4.2): the closeness of each pair, and more for a pair on the same
// wing.
func (a *army) imbalance() int {
	sum := 0
	for rest := a.least[arimaa.Horse]; rest != 0; rest = rest.Rest() {
		s := rest.First() & 63
		for others := rest.Rest(); others != 0; others = others.Rest() {
			t := others.First() & 63
			sum += closeness[distance[s][t]]
			if (s^t)&4 == 0 {
				sum += sameWing
			}
		}
	}
	return sum / 2
}

// sameWing is added to the closeness of two pieces that are both on files a to d, or on e to h.
const sameWing = 3
