package evaluation

import "goalproof/arimaa"

// frames values enemy pieces that stand on a trap with one defender and cannot leave it: the
// defender may not move away (Wu 2015, section 6.3.6). All other squares beside the trap hold
// pieces that the framed one cannot push: as strong ones, or weaker ones without an empty
// square behind. The worth of the framed piece counts, and half of it again where an elephant
// is tied down.
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
