package evaluation

import (
	"math/bits"

	"goalproof/arimaa"
)

// kinds is the size of arrays by kind: one more than there are, so that "stronger than an
// elephant" is an entry, always empty.
const kinds = arimaa.Elephant + 2

// approach is the number of steps by which a piece may come closer before it pushes or pulls:
// two of the four in a turn.
const approach = 2

// army is what the features need to know about one side's pieces. Sets of squares are as on the
// board, not turned over.
type army struct {
	turned arimaa.Square // s^turned is square s as the side sees it, with its own first rank below

	all    arimaa.Bitboard
	kind   [kinds]arimaa.Bitboard // by kind
	least  [kinds]arimaa.Bitboard // of the kind or stronger
	near   [kinds]arimaa.Bitboard // squares beside a piece of the kind or stronger
	frozen arimaa.Bitboard

	// Within n steps, the first index, by [army.fill]:
	reach [approach + 1][kinds]arimaa.Bitboard     // where a cat, a dog, ... or stronger can be, not frozen
	grip  [approach + 1]arimaa.Bitboard            // enemy pieces beside a stronger piece's reach
	roam  [arimaa.StepsPerTurn + 1]arimaa.Bitboard // where the elephant can be

	worth   *worth
	control [4]int          // of the traps, in thousandths
	squares int             // PieceSquare
	prey    arimaa.Bitboard // enemy pieces that can be captured in one turn
}

// position is a board as the features see it.
type position struct {
	armies [2]army
	empty  arimaa.Bitboard
}

// set takes up a board. What depends on material and traps comes later.
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

// freeze computes frozen, as [arimaa.Board.Frozen] does, from sets that are there already.
func (a *army) freeze(foe *army) {
	var held arimaa.Bitboard
	for k := arimaa.Rabbit; k < arimaa.Elephant; k++ {
		held |= a.kind[k] & foe.near[k+1]
	}
	a.frozen = held &^ a.near[arimaa.Rabbit]
}

// fill computes reach, roam and grip. Pieces walk over empty squares. In two steps they push
// weaker enemies out of the way, or friends step aside, where those have an empty neighbour. A
// trap is entered, and a square beside a stronger enemy left again, where a piece of another
// kind helps; pieces of the same kind do not count as help, as the walker is one itself.
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
		var before arimaa.Bitboard // where the piece was, ready to move, one step ago
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

// seen turns a set of squares to the view of the army's side, or back.
func (a *army) seen(set arimaa.Bitboard) arimaa.Bitboard {
	if a.turned != 0 {
		return arimaa.Bitboard(bits.ReverseBytes64(uint64(set)))
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

// distance[s][t] is the number of squares that a lone piece walks from s to t.
var distance = func() (d [64][64]uint8) {
	for s := range d {
		for t := range d[s] {
			d[s][t] = uint8(abs(s%8-t%8) + abs(s/8-t/8))
		}
	}
	return d
}()

// around[s] is the set of squares at distance two or less from s.
var around = func() (a [64]arimaa.Bitboard) {
	for s := range a {
		for t, d := range distance[s] {
			if d <= 2 {
				a[s] |= arimaa.Square(t).Set()
			}
		}
	}
	return a
}()

func abs(n int) int { return max(n, -n) }
