package evaluation

import "goalproof/arimaa"

// goalSteps is the number of steps within which a goal is seen: two turns.
const goalSteps = 2 * arimaa.StepsPerTurn

// hindrance is the number of steps added by a piece in the way, or by a square on which the
// rabbit freezes.
const hindrance = 2

// prospect is what a rabbit so many steps from a goal is worth beside its material, in
// centi-rabbits, if nobody stands in its way or helps it.
var prospect = [goalSteps + 1]int{0, 320, 260, 210, 170, 110, 75, 50, 30}

// goalDistance values all rabbits within goalSteps of a goal, and returns the steps of the
// nearest, or 0. Fotland (2015, section 6) counts up to eight steps, supposing that the
// opponent does not move; Hřebejk (2013, section 4.3) adds who stands around.
//
// The steps are estimated by a walk back from the goal rank over all squares at once. It takes
// more steps over pieces in the way: own ones, which move aside, and enemies that a stronger
// piece is close to; others block. Squares on which a rabbit freezes take more, too.
func (p *position) goalDistance(own, foe *army) (value, nearest int) {
	runners := own.seen(own.kind[arimaa.Rabbit])
	others := own.near[arimaa.Cat] // help against freezing and traps
	open := own.seen(p.empty & (others | ^arimaa.Traps))
	blocked := own.seen(own.all | own.grip[approach])
	freezing := foe.near[arimaa.Cat] &^ others &^ own.kind[arimaa.Rabbit]
	freezing = own.seen(freezing | own.kind[arimaa.Rabbit]&own.frozen)

	// Squares from which the goal is within n steps: for a rabbit there, and for one that is
	// still to enter.
	var from, enter [goalSteps + 1]arimaa.Bitboard
	from[0] = arimaa.GoalRank(arimaa.Gold)
	runners &^= from[0]
	for n := 1; n <= goalSteps; n++ {
		enter[n] = from[n-1] & open
		from[n] = from[n-1]
		if n > hindrance {
			enter[n] |= from[n-1-hindrance] & blocked
			from[n] |= back(enter[n-hindrance]) & freezing
		}
		from[n] |= back(enter[n]) &^ freezing
		for near := runners & from[n] &^ from[n-1]; near != 0; near = near.Rest() {
			if nearest == 0 {
				nearest = n
			}
			area := own.seen(cones[near.First()&63])
			help := 3 + 2*(own.least[arimaa.Cat]&area).Len()
			against := (foe.all & area).Len() + (foe.least[arimaa.Cat] & area).Len()
			value += prospect[n] * help / (help + against)
		}
	}
	return value, nearest
}

// back returns the squares from which a rabbit of Gold steps into the set.
func back(set arimaa.Bitboard) arimaa.Bitboard {
	return set.Shift(arimaa.South) | set.Shift(arimaa.East) | set.Shift(arimaa.West)
}

// cones[s] holds the squares that matter to a run of Gold's rabbit on s: two files to each
// side, from its rank on.
var cones = func() (c [64]arimaa.Bitboard) {
	for s := range c {
		for t := s &^ 7; t < 64; t++ {
			if abs(s%8-t%8) <= 2 {
				c[s] |= arimaa.Square(t).Set()
			}
		}
	}
	return c
}()

// threats holds, by the steps of the nearest rabbit, what the threat is worth in centi-rabbits
// and the chance that it soon ends the game, in hundredths: for the side that is not to move,
// whom the opponent will try to stop first, and for the side to move. The chances are about
// half of how often such a side has won within five turns in the published games; the rest
// would have won anyway.
var threats = [2][goalSteps + 1]struct{ value, chance int }{
	{0: {}, 1: {200, 25}, 2: {180, 20}, 3: {120, 10}, 4: {90, 6}, 5: {50, 4}, 6: {25, 1}, 7: {10, 0}, 8: {0, 0}},
	{0: {}, 1: {500, 40}, 2: {450, 35}, 3: {300, 20}, 4: {180, 12}, 5: {120, 8}, 6: {60, 3}, 7: {30, 1}, 8: {10, 0}},
}

// goalThreat returns the values of GoalThreat and Swindle for a nearest rabbit.
func goalThreat(nearest int, moves bool) (value, chance int) {
	t := threats[0][nearest]
	if moves {
		t = threats[1][nearest]
	}
	return t.value, t.chance
}
