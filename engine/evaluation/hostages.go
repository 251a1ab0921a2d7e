package evaluation

import "goalproof/arimaa"

// hostages values enemy pieces, rabbits aside, that are frozen within two squares of a trap:
// they tie their friends to its defence (Wu 2015, section 6.3.5). Their worth counts as far as
// the trap is controlled, and by half more where a lesser piece than the strongest holds them,
// which leaves that one free elsewhere. A piece that can be captured at once counts there, not
// here.
func (a *army) hostages(foe *army) int {
	sum := 0
	strongest := arimaa.Elephant
	for strongest > arimaa.Rabbit && a.kind[strongest] == 0 {
		strongest--
	}
	held := foe.frozen & foe.least[arimaa.Cat] &^ a.prey
	for ; held != 0; held = held.Rest() {
		s := held.First()
		k := foe.kindAt(s)
		control := 0
		for i, trap := range traps {
			if distance[s&63][trap] <= 2 {
				control = max(control, a.control[i])
			}
		}
		share := 2
		if s.Beside()&a.least[k+1]&^a.kind[strongest] != 0 {
			share = 3
		}
		sum += foe.worth.loss[k] * control * share / 3000
	}
	return sum
}
