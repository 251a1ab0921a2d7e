package evaluation

import "goalproof/arimaa"

// captureShare is the value of a capture by its steps, in hundredths of the piece's value.
var captureShare = [...]int{2: 100, 3: 95, 4: 85}

// captures is the value of the captures that a side threatens if it is to move: the best one and
// half of the second best. Like Fotland's exchange evaluator (2015, section 6) and Wu's static
// capture generation (2015, section 4.3.2) it looks for patterns around each trap, here three, by
// the square of the victim:
//
//   - on the trap: its only defender is driven away; or both, at two steps each;
//   - beside the trap: it is pushed or pulled in, after its only other defender, if any, is driven
//     away;
//   - two squares from a trap without defenders: two pushes or pulls move it in.
//
// A push or a pull takes two steps; before it the stronger piece may come closer.
func (p *position) captures(own, foe *army) int {
	best, next := 0, 0
	for _, trap := range traps {
		beside := trap.Beside()
		defenders := foe.all & beside
		n := defenders.Len()
		if n > 2 {
			continue
		}
		victims := own.grip[0]
		on := foe.all & trap.Set()
		switch {
		case on != 0:
			victims = on
		case n > 0:
			victims = defenders & own.grip[approach]
		default:
			victims &= trap.Within(2)
		}
		for ; victims != 0; victims = victims.Rest() {
			s := victims.First()
			steps := p.captureSteps(own, foe, trap, s, defenders)
			if steps > arimaa.StepsPerTurn {
				continue
			}
			gain := foe.worth.loss[foe.kindAt(s)] * captureShare[steps]
			if gain > best {
				best, next = gain, best
			} else {
				next = max(next, gain)
			}
		}
	}
	return (best + next/2) / 100
}

// never exceeds the steps of a turn.
const never = arimaa.StepsPerTurn + 1

// captureSteps estimates the steps that capture the enemy piece on s in a trap with the given
// defenders, at most two.
func (p *position) captureSteps(own, foe *army, trap, s arimaa.Square, defenders arimaa.Bitboard) int {
	others := defenders &^ s.Set()
	// The other defenders are driven away first; if there are two, each takes two steps.
	steps := 0
	switch others.Len() {
	case 1:
		steps = own.moveSteps(others)
	case 2:
		if others&^own.grip[0] != 0 {
			return never
		}
		steps = 4
	}
	room := p.empty.Neighbors() // to push into; a pull needs room for the own piece
	if others&^(room|(own.all&room).Neighbors()) != 0 {
		return never
	}
	if s == trap {
		return steps
	}
	if own.all.Has(trap) && !own.least[foe.kindAt(s)+1].Has(trap) {
		steps++ // the own piece leaves the trap; a stronger one would pull
	}
	steps += own.moveSteps(s.Set())
	if distance[s][trap] == 2 {
		way := p.empty // to push through; or an own piece stands there and pulls it over the trap
		if (own.all & trap.Beside()).Len() > 1 {
			way |= own.least[foe.kindAt(s)+1] &^ own.frozen
		}
		if s.Beside()&trap.Beside()&way == 0 || own.all.Has(trap) {
			return never
		}
		steps += 2
	}
	return steps
}

// moveSteps returns the steps to displace an enemy piece by one square: two, and those to come
// beside it.
func (a *army) moveSteps(piece arimaa.Bitboard) int {
	for n, grip := range a.grip {
		if piece&grip != 0 {
			return n + 2
		}
	}
	return never
}
