package goal

import "goalproof/arimaa"

// Lower bounds on the steps that Gold needs for a win, if it makes them in a row: the steps left of a turn, and those of a next
// turn that follows on a pass of Silver or on a reply that does not matter (calm.go).

// goalFar tells that Gold needs more than n steps in a row to bring a rabbit to rank 8. It also returns the squares that
// rabbits pass where the bound looks for ways: it is the same without a piece of Silver that neither stands on one of
// these squares nor beside one.
//
// Let a rabbit arrive. It makes some steps itself; the others are help. A square may be free already or be in the way
// because of an own piece or of one of Silver. Traps count as free, since what stands on one may be captured elsewhere. A square is
// needy if a rabbit alone would be frozen there, or captured; no friend stands beside it now. If there is only one rabbit near
// enough, it is no friend of itself.
func goalFar(b *arimaa.Board, n int) (passed arimaa.Bitboard, far bool) {
	rabbits := b.Rabbits(arimaa.Gold) & ranksWithin(n)
	if rabbits == 0 {
		return 0, true
	}
	w := waysOf(b, rabbits)
	if passed, far = w.needMoreHelp(b, n); !far {
		passed, far = w.costMore(n)
	}
	return passed, far
}

// ways is what decides how many steps rabbits need.
type ways struct {
	rabbits                 arimaa.Bitboard
	friends                 arimaa.Bitboard // of the rabbits
	free, own, enemy, needy arimaa.Bitboard
}

func waysOf(b *arimaa.Board, rabbits arimaa.Bitboard) (w ways) {
	occupied, gold := b.Occupied(), b.Of(arimaa.Gold)
	w.rabbits, w.friends = rabbits, gold
	if rabbits.Rest() == 0 {
		w.friends &^= rabbits
	}
	w.free = ^occupied | arimaa.Traps
	w.own, w.enemy = gold&^arimaa.Traps, (occupied^gold)&^arimaa.Traps
	freezers := b.AtLeast(arimaa.Silver, arimaa.Cat) &^ arimaa.Traps
	w.needy = (arimaa.Traps | freezers.Neighbors()) &^ w.friends.Neighbors()
	return w
}

// needMoreHelp tells that n steps are too few whatever part of them is help: with h steps of help, each thing that h steps can
// do alone is taken to be done.
//
//   - An own piece leaves its square: one step.
//   - A piece of Silver leaves its square: a stronger piece d squares away must come beside it, and push or pull it: d+1 steps.
//   - A needy square gets a friend beside it, who comes from d squares away: d-1 steps. If the piece that freezes there leaves
//     instead, the one that moves it comes as near.
func (w *ways) needMoreHelp(b *arimaa.Board, n int) (passed arimaa.Bitboard, more bool) {
	goes, friends, enters := ^w.needy, w.friends, w.free
	var prey, hunters [arimaa.Elephant]arimaa.Bitboard // by kind of Silver's piece
	var moved arimaa.Bitboard
	own := 7 - int(w.rabbits.Last()>>3) // steps that a rabbit makes itself, at least
	for help := 0; help <= n-own; help++ {
		if help == 1 {
			enters |= w.own
		}
		if help == 2 {
			for kind := arimaa.Rabbit; kind < arimaa.Elephant; kind++ {
				prey[kind], hunters[kind] = b.Pieces(arimaa.Silver, kind), b.AtLeast(arimaa.Gold, kind+1)
			}
		}
		if help >= 1 {
			friends = grow(friends)
			goes |= friends.Neighbors()
		}
		if help >= 2 {
			for kind := range prey {
				hunters[kind] = grow(hunters[kind])
				moved |= prey[kind] & hunters[kind]
			}
			enters |= moved
		}
		at := w.rabbits & ranksWithin(n-help)
		for left := n - help - 1; left >= 0; left-- {
			at |= ahead(at&goes) & enters & ranksWithin(left)
		}
		if at&rank8 != 0 {
			return 0, false
		}
		passed |= at
	}
	return passed, true
}

// costMore tells that every way costs more than n steps: one for each step of the rabbit, one for each own piece in the
// way and two for each of Silver; and one if nothing is in the way but a square is needy.
//
// The costs add up. For each square that is not free take the last piece that leaves it before the rabbit enters. If that is a
// piece of Gold, its step counts, and if a piece of Silver stood there at first, the step with which it was pushed away. If it
// is a piece of Silver, it was pulled, and both steps count: the square that the puller left is taken again, so nothing
// leaves it for the last time there. So no step counts twice.
func (w *ways) costMore(n int) (passed arimaa.Bitboard, more bool) {
	// Where rabbits can be at a cost of k: by free squares, none of them needy; by free squares, with k, k-1 and k-2 steps; by
	// a way with something in it, at a cost of k, k-1 and k-2.
	easy := w.rabbits
	var free, blocked [3]arimaa.Bitboard
	free[0] = w.rabbits
	for k := 1; k <= n; k++ {
		within := ranksWithin(n - k)
		easy |= ahead(easy&^w.needy) & w.free & within
		next := blocked[0] | (ahead(blocked[0])&w.free|ahead(blocked[1]|free[1])&w.own|ahead(blocked[2]|free[2])&w.enemy)&within
		if (easy|free[0]|next)&rank8 != 0 {
			return 0, false
		}
		free = [...]arimaa.Bitboard{free[0] | ahead(free[0])&w.free&within, free[0], free[1]}
		blocked = [...]arimaa.Bitboard{next, blocked[0], blocked[1]}
	}
	return easy | free[0] | blocked[0], true
}

// ahead returns the squares to which rabbits of Gold can step.
func ahead(s arimaa.Bitboard) arimaa.Bitboard { return s<<8 | east(s) | west(s) }

// ranksWithin returns the ranks from which a rabbit needs at most n steps.
func ranksWithin(n int) arimaa.Bitboard { return arimaa.Everywhere << (8 * max(7-n, 0)) }

// eliminationFar tells that Gold needs more than n steps in a row to capture all rabbits of Silver.
//
// A push or pull moves one piece of Silver by one square. So a rabbit that is d squares from the nearest trap takes d of them,
// and one that stands on a trap takes one, which moves it or its last defender. No push or pull counts twice: one that brings
// a rabbit nearer to a trap moves no defender of another rabbit, as no square is beside two traps.
func eliminationFar(b *arimaa.Board, n int) bool {
	rabbits := b.Rabbits(arimaa.Silver)
	one := grow(arimaa.Traps)
	two := grow(one)
	return 2*((rabbits&one).Len()+2*(rabbits&two&^one).Len()+3*(rabbits&^two).Len()) > n
}
