package evaluation

import "goalproof/arimaa"

// closeness gives, by the distance of two pieces, how much they have to do with each other.
var closeness = [15]int{1: 12, 2: 11, 3: 9, 4: 7, 5: 5, 6: 4, 7: 3, 8: 2, 9: 1}

// alignmentShare makes alignment centi-rabbits: a camel beside a horse on its home ranks is
// worth about 15.
const alignmentShare = 1200

// alignment values each piece's being near the strongest enemy pieces that it beats (Wu 2015,
// section 6.4.1), by what those are worth, and by half more for each two ranks that they have
// advanced. A frozen piece counts half. Rabbits are no targets: everything beats them.
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

// imbalance counts how much strong pieces (horses and up) stand in each other's company instead
// of covering the board (Wu 2015, section 6.4.2): closeness for each two of them, and more
// where both are on the same wing.
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

// sameWing is added to closeness for two pieces on files a to d, or e to h.
const sameWing = 3
