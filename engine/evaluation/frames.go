package evaluation

import "goalproof/arimaa"

// frames is the value of the enemy's framed pieces (Wu 2015, section 6.3.6): a piece on a trap
// whose only defender may not leave, and which cannot leave itself, as each other square beside the
// trap holds a piece that it cannot push: one as strong, or a weaker one without an empty
// neighbour. A frame is worth as much as the framed piece, and half as much again if it ties down
// the elephant.
func (p *position) frames(own, foe *army) int {
	sum := 0
	room := p.empty.Neighbors()
	for _, trap := range traps {
		if !foe.all.Has(trap) {
			continue
		}
		beside := trap.Beside()
		defenders := foe.all & beside
		k := foe.kindAt(trap)
		weaker := own.all &^ own.least[k]
		if defenders.Len() != 1 || beside&(p.empty|weaker&room) != 0 {
			continue
		}
		value := foe.worth.loss[k]
		if defenders&foe.kind[arimaa.Elephant] != 0 {
			value += value / 2
		}
		sum += value
	}
	return sum
}
