package evaluation

import "goalproof/arimaa"

// Freeing and domination distance (Wu 2015, section 6.3.4). There they are parts of other features;
// here they are features, and the domination distance (grip) serves others as well.

// freeing is the value of the frozen pieces: half of it if a friend can unfreeze them in one step,
// two thirds if in two steps, otherwise all of it.
func (a *army) freeing() int {
	if a.frozen == 0 {
		return 0
	}
	sum := 0
	stuck := a.frozen
	for n := 1; n <= approach; n++ {
		free := stuck & a.reach[n][arimaa.Cat].Neighbors()
		sum += a.lossOf(free) * (2 + n)
		stuck &^= free
	}
	sum += a.lossOf(stuck) * 6
	return sum / 6
}

// dominated is the value of the pieces, except rabbits, that a stronger enemy can step beside: all
// of it if the enemy is there, less with each step he needs.
func (a *army) dominated(foe *army) int {
	sum := 0
	var counted arimaa.Bitboard
	for n, grip := range foe.grip {
		set := grip & a.least[arimaa.Cat] &^ counted
		counted |= set
		sum += a.lossOf(set) * (approach + 1 - n)
	}
	return sum / (approach + 1)
}

// lossOf sums the values of the army's pieces in a set.
func (a *army) lossOf(set arimaa.Bitboard) int {
	sum := 0
	for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
		sum += (set & a.kind[k]).Len() * a.worth.loss[k]
	}
	return sum
}
