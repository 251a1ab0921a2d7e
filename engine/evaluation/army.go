package evaluation

import "goalproof/arimaa"

// kinds is the size of arrays by kind, with an entry, always empty, for "stronger than an
// elephant".
const kinds = arimaa.Elephant + 2

// approach is the number of steps that a turn leaves for coming closer before a push or pull.
const approach = 2

// army holds what the features share about one side's pieces. Bitboards are absolute, not as the
// side sees them.
type army struct {
	turned arimaa.Square // s^turned is square s as the side sees it, its first rank at the bottom

	all    arimaa.Bitboard
	kind   [kinds]arimaa.Bitboard // by kind
	least  [kinds]arimaa.Bitboard // at least as strong as the kind
	near   [kinds]arimaa.Bitboard // squares beside those
	frozen arimaa.Bitboard

	// Computed by [army.fill] for n steps, the first index:
	reach [approach + 1][kinds]arimaa.Bitboard     // squares that a piece as strong reaches unfrozen
	grip  [approach + 1]arimaa.Bitboard            // enemies beside the reach of a stronger piece
	roam  [arimaa.StepsPerTurn + 1]arimaa.Bitboard // squares that the elephant reaches

	worth   *worth
	control [4]int // of the traps, in thousandths
	squares int    // PieceSquare
}

// position is a board in the form that the features use.
type position struct {
	armies [2]army
	empty  arimaa.Bitboard
}

// set derives the bitboards from a board. Material and trap control are computed later.
func (p *position) set(b *arimaa.Board) {
	p.empty = ^b.Occupied()
	for side := range arimaa.Side(2) {
		a := &p.armies[side]
		a.turned = arimaa.Square(side) * 56
		a.all = b.Of(side)
		for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
			a.least[k] = b.AtLeast(side, k)
			a.near[k] = a.least[k].Neighbors()
		}
		for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
			a.kind[k] = a.least[k] &^ a.least[k+1]
		}
	}
	gold, silver := &p.armies[arimaa.Gold], &p.armies[arimaa.Silver]
	gold.freeze(silver)
	silver.freeze(gold)
	gold.fill(silver, p.empty)
	silver.fill(gold, p.empty)
}

// freeze computes the same as [arimaa.Board.Frozen], from the bitboards of the armies.
func (a *army) freeze(foe *army) {
	var held arimaa.Bitboard
	for k := arimaa.Rabbit; k < arimaa.Elephant; k++ {
		held |= a.kind[k] & foe.near[k+1]
	}
	a.frozen = held &^ a.near[arimaa.Rabbit]
}

// fill computes reach, roam and grip by a flood fill over empty squares. It takes two steps to push
// a weaker enemy, or to have a friend step aside, if they have an empty neighbour. A piece enters a
// trap, or leaves a square beside a stronger enemy, only where a friend of another kind supports
// it; those of its own kind do not count, as one of them is the walker.
func (a *army) fill(foe *army, empty arimaa.Bitboard) {
	loose := empty.Neighbors() &^ empty
	for n := range a.reach {
		a.reach[n][arimaa.Elephant+1] = 0
	}
	for k := arimaa.Elephant; k >= arimaa.Cat; k-- {
		steps := approach
		if k == arimaa.Elephant {
			steps = arimaa.StepsPerTurn
		}
		help := (a.all &^ a.kind[k]).Neighbors()
		walk := empty & (help | ^arimaa.Traps)
		aside := loose &^ foe.least[k]
		at := a.kind[k] &^ a.frozen
		stop := foe.near[k+1] &^ help &^ at
		var before arimaa.Bitboard // squares that it was ready to leave one step ago
		for n := range steps + 1 {
			if k == arimaa.Elephant {
				a.roam[n] = at
			}
			ready := at &^ stop
			if n <= approach {
				a.reach[n][k] = a.reach[n][k+1] | ready
			}
			at |= ready.Neighbors()&walk | before.Neighbors()&aside
			before = ready
		}
	}
	for n := range a.grip {
		a.grip[n] = 0
		for k := arimaa.Rabbit; k < arimaa.Elephant; k++ {
			a.grip[n] |= foe.kind[k] & a.reach[n][k+1].Neighbors()
		}
	}
}

// relative converts a bitboard to the point of view of the army's side, and back.
func (a *army) relative(set arimaa.Bitboard) arimaa.Bitboard {
	if a.turned != 0 {
		return set.Flipped()
	}
	return set
}

// kindAt returns the kind of the army's piece on a square.
func (a *army) kindAt(s arimaa.Square) arimaa.Kind {
	k := arimaa.Rabbit
	for k < arimaa.Elephant && a.least[k+1].Has(s) {
		k++
	}
	return k
}

// distance[s][t] is the Manhattan distance of s and t.
var distance = func() (d [64][64]uint8) {
	for s := range d {
		for t := range d[s] {
			d[s][t] = uint8(abs(s%8-t%8) + abs(s/8-t/8))
		}
	}
	return d
}()

func abs(n int) int { return max(n, -n) }
