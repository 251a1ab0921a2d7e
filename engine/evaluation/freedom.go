package evaluation

import "goalproof/arimaa"

// Freeing and domination distance (Wu 2015, section 6.3.4). He uses them inside other features;
// here they are features of their own, and grip, the domination distance, is used by others
// too.

// freeing sums the worth of frozen pieces: half of it where a friend can come beside one in one
// step, two thirds in two steps, otherwise all of it.
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

// dominated sums the worth of the pieces, rabbits aside, beside which a stronger enemy can
// come: all of it where he is there, less the more steps he needs.
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

// lossOf sums what the loss of each piece of a set would cost.
func (a *army) lossOf(set arimaa.Bitboard) int {
	sum := 0
	for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
		sum += (set & a.kind[k]).Len() * a.worth.loss[k]
	}
	return sum
}
