package evaluation

import "goalproof/arimaa"

// goalSteps is the number of steps within which a goal counts: two turns.
const goalSteps = 2 * arimaa.StepsPerTurn

// detour is the number of extra steps for a piece in the way, or for a square on which the rabbit
// freezes.
const detour = 2

// goalValue is the value of a rabbit by its steps from the goal, in centi-rabbits beyond its
// material, if no piece hinders or helps it.
var goalValue = [goalSteps + 1]int{0, 320, 260, 210, 170, 110, 75, 50, 30}

// goalDistance is the value of all rabbits within goalSteps of a goal. Fotland (2015, section 6)
// counts up to eight steps, as if the opponent did not move; Hřebejk (2013, section 4.3) weighs the
// pieces around.
func (p *position) goalDistance(own, foe *army) (value int) {
	from := p.goalZones(own, foe)
	runners := own.relative(own.kind[arimaa.Rabbit]) &^ from[0]
	for n := 1; n <= goalSteps; n++ {
		for near := runners & from[n] &^ from[n-1]; near != 0; near = near.Rest() {
			area := own.relative(cones[near.First()&63])
			help := 3 + 2*(own.least[arimaa.Cat]&area).Len()
			against := (foe.all & area).Len() + (foe.least[arimaa.Cat] & area).Len()
			value += goalValue[n] * help / (help + against)
		}
	}
	return value
}

// goalZones returns, by the number of steps, the squares from which a rabbit reaches the goal, as
// its owner sees the board.
//
// The estimate walks back from the goal rank, over all squares at once. A piece in the way costs
// extra steps if it is a friend, who steps aside, or an enemy near a stronger piece; other pieces
// block. A square on which the rabbit freezes costs extra steps, too.
func (p *position) goalZones(own, foe *army) (from [goalSteps + 1]arimaa.Bitboard) {
	others := own.near[arimaa.Cat] // support against freezing and on traps
	open := own.relative(p.empty & (others | ^arimaa.Traps))
	blocked := own.relative(own.all | own.grip[approach])
	freezing := foe.near[arimaa.Cat] &^ others &^ own.kind[arimaa.Rabbit]
	freezing = own.relative(freezing | own.kind[arimaa.Rabbit]&own.frozen)

	var enter [goalSteps + 1]arimaa.Bitboard // for a rabbit that has still to enter the square
	from[0] = arimaa.GoalRank(arimaa.Gold)
	for n := 1; n <= goalSteps; n++ {
		enter[n] = from[n-1] & open
		from[n] = from[n-1]
		if n > detour {
			enter[n] |= from[n-1-detour] & blocked
			from[n] |= back(enter[n-detour]) & freezing
		}
		from[n] |= back(enter[n]) &^ freezing
	}
	return from
}

// back returns the squares from which a gold rabbit steps into the set.
func back(set arimaa.Bitboard) arimaa.Bitboard {
	return set.Shift(arimaa.South) | set.Shift(arimaa.East) | set.Shift(arimaa.West)
}

// cones[s] holds the squares that matter to the run of a gold rabbit on s: from its rank on, up to
// two files to either side.
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
