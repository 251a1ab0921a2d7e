package goal

import "goalproof/arimaa"

// Lower bounds on the steps that Gold needs for a win, if it makes them in a row: the steps left of
// a turn, and those of a next turn that follows on a pass of Silver or on a reply that does not
// matter (calm.go).

// goalFar reports whether Gold needs more than n steps in a row to bring a rabbit to rank 8; false
// means unknown. It also returns the squares that rabbits pass where the bound looks for ways, and
// those beside them. The result is the same without a piece of Silver elsewhere, and without a
// piece that this one defends on a trap; so it holds if that piece makes a step in between. For
// this, nothing may depend on pieces of Silver elsewhere.
//
// Let a rabbit arrive. It makes some steps itself; the others are help. Squares may be free
// already, or in the way because of an own piece or of one of Silver. A square is needy if a rabbit
// alone would be frozen or captured there: then a friend must stand beside it when the rabbit
// leaves, and not where the rabbit goes. First all rabbits that are near enough are looked at
// together. Then each counts as a friend of itself, so if there is a way each of them is looked at
// alone.
func goalFar(b *arimaa.Board, n int) (near arimaa.Bitboard, far bool) {
	rabbits := b.Rabbits(arimaa.Gold) & ranksWithin(n)
	if rabbits == 0 {
		return 0, true
	}
	w := waysOf(b, rabbits)
	passed, far := w.needMore(b, n)
	if far || rabbits.Rest() == 0 {
		return dilate(passed), far
	}
	for ; rabbits != 0; rabbits = rabbits.Rest() {
		w = waysOf(b, rabbits&-rabbits)
		more, far := w.needMore(b, n)
		if !far {
			return 0, false
		}
		passed |= more
	}
	return dilate(passed), true
}

// ways is what decides how many steps rabbits need.
type ways struct {
	rabbits           arimaa.Bitboard
	friends           arimaa.Bitboard // of the rabbits
	empty, own, enemy arimaa.Bitboard
	needy             arimaa.Bitboard // whether or not a friend is there
}

func waysOf(b *arimaa.Board, rabbits arimaa.Bitboard) (w ways) {
	occupied, gold := b.Occupied(), b.Of(arimaa.Gold)
	w.rabbits, w.friends = rabbits, gold
	if rabbits.Rest() == 0 {
		w.friends &^= rabbits
	}
	w.empty, w.own, w.enemy = ^occupied, gold, occupied^gold
	freezers := b.AtLeast(arimaa.Silver, arimaa.Cat) &^ arimaa.Traps // those on traps may be captured elsewhere
	w.needy = arimaa.Traps | freezers.Neighbors()
	return w
}

// needMore reports whether it is certain that n steps are too few, and returns the squares that
// rabbits pass as far as that is known.
func (w *ways) needMore(b *arimaa.Board, n int) (passed arimaa.Bitboard, more bool) {
	if passed, more = w.needMoreHelp(b, n); !more {
		passed, more = w.costMore(n)
	}
	return passed, more
}

// needMoreHelp reports whether n steps are too few whatever part of them is help: with h steps of
// help, each thing that h steps can do alone is taken to be done.
//
//   - An own piece leaves its square: one step.
//   - A piece of Silver leaves its square: a stronger piece comes beside it, and pushes or pulls it
//     with two more steps.
//   - A piece on a trap is captured without help: an own one when the rabbit leaves it, one of
//     Silver when the piece that replies (goalFar) leaves it.
//   - A needy square gets a friend beside it. If the piece that freezes there leaves instead, the
//     one that moves it is beside it with two steps to go, and could as well take its square. Only
//     if the rabbit itself goes to that square is such a friend in the way, so a square that a
//     piece of Silver leaves is entered without one.
func (w *ways) needMoreHelp(b *arimaa.Board, n int) (passed arimaa.Bitboard, more bool) {
	enters, friends := w.empty|arimaa.Traps, approach{within: w.friends}
	room := ^w.own | arimaa.Traps
	// A rabbit alone is freed where it stands now by friends who do not come through that square.
	first, alone := friends, w.rabbits
	if w.rabbits.Rest() != 0 {
		alone = 0
	}
	var prey [arimaa.Elephant]arimaa.Bitboard // by kind of Silver's piece
	var hunters [arimaa.Elephant]approach
	var vacated arimaa.Bitboard         // by pieces of Silver
	own := 7 - int(w.rabbits.Last()>>3) // steps that a rabbit makes itself, at least
	for help := 0; help <= n-own; help++ {
		switch {
		case help == 1:
			enters |= w.own
		case help == 2:
			for kind := arimaa.Rabbit; kind < arimaa.Elephant; kind++ {
				prey[kind], hunters[kind].within = b.Pieces(arimaa.Silver, kind), b.AtLeast(arimaa.Gold, kind+1)
			}
		}
		if help >= 1 {
			first.step(room | w.rabbits&^alone)
			friends.step(room | w.rabbits)
		}
		if help >= 2 {
			for kind := range prey {
				vacated |= prey[kind] & hunters[kind].within.Neighbors()
				hunters[kind].step(room | w.rabbits)
			}
		}
		start, goes := leaves(^w.needy, first.within), leaves(^w.needy, friends.within)
		more := n - help - 1 // steps of the rabbit
		at := w.rabbits & ranksWithin(more+1)
		at |= (start.ahead(at)&enters | ahead(at)&vacated) & ranksWithin(more)
		for more--; more >= 0; more-- {
			at |= (goes.ahead(at&^alone)&enters | ahead(at)&vacated) & ranksWithin(more)
		}
		if at&rank8 != 0 {
			return 0, false
		}
		passed |= at
	}
	return passed, true
}

// approach holds where pieces can be with some steps of help, and with one less. A piece enters a
// square with room by one step. A square with an own piece takes two, as that one leaves first. (So
// does one with a piece of Silver, but that must not count: it may be the piece that replies and
// leaves, see goalFar.)
type approach struct{ within, before arimaa.Bitboard }

// step adds a step of help.
func (a *approach) step(room arimaa.Bitboard) {
	a.within, a.before = a.within|a.within.Neighbors()&room|a.before.Neighbors(), a.within
}

// ahead returns the squares to which rabbits of Gold can step from some squares.
func (e *exits) ahead(s arimaa.Bitboard) arimaa.Bitboard {
	return s&e.north<<8 | east(s&e.east) | west(s&e.west)
}

// costMore reports whether every way costs more than n steps: one for each step of the rabbit, one
// for each own piece in the way and two for each of Silver; and one if nothing is in the way but a
// square is needy. Traps count as free, since a piece on one may be captured with a step that
// counts elsewhere.
//
// The costs add up. For each square that is not free take the last piece that leaves it before the
// rabbit enters. If that is a piece of Gold, its step counts, and if a piece of Silver stood there
// at first, the step with which it was pushed away. If it is a piece of Silver, it was pulled, and
// both steps count: the square that the puller left is taken again, so nothing leaves it for the
// last time there. So no step counts twice.
func (w *ways) costMore(n int) (passed arimaa.Bitboard, more bool) {
	// Where rabbits can be at a cost of k: by free squares, none of them needy; by free squares,
	// with k, k-1 and k-2 steps; by a way with something in it, at a cost of k, k-1 and k-2.
	easy := w.rabbits
	goes := leaves(^w.needy, w.friends)
	clear, own, enemy := w.empty|arimaa.Traps, w.own&^arimaa.Traps, w.enemy&^arimaa.Traps
	var free, blocked [3]arimaa.Bitboard
	free[0] = w.rabbits
	for k := 1; k <= n; k++ {
		within := ranksWithin(n - k)
		easy |= goes.ahead(easy) & clear & within
		next := blocked[0] | (ahead(blocked[0])&clear|ahead(blocked[1]|free[1])&own|ahead(blocked[2]|free[2])&enemy)&within
		if (easy|free[0]|next)&rank8 != 0 {
			return 0, false
		}
		free = [...]arimaa.Bitboard{free[0] | ahead(free[0])&clear&within, free[0], free[1]}
		blocked = [...]arimaa.Bitboard{next, blocked[0], blocked[1]}
	}
	return easy | free[0] | blocked[0], true
}

// ahead returns the squares to which rabbits of Gold can step.
func ahead(s arimaa.Bitboard) arimaa.Bitboard { return s<<8 | east(s) | west(s) }

// ranksWithin returns the ranks from which a rabbit needs at most n steps.
func ranksWithin(n int) arimaa.Bitboard { return arimaa.Everywhere << (8 * max(7-n, 0)) }

// eliminationCost returns a lower bound on the steps that Gold needs in a row to capture all
// rabbits of Silver.
//
// A push or pull moves one piece of Silver by one square. So a rabbit that is d squares from the
// nearest trap, three at most, takes d of them, and one that stands on a trap takes one, which
// moves it or its last defender. No push or pull counts twice: one that brings a rabbit nearer to a
// trap moves no defender of another rabbit, as no square is beside two traps.
//
// A single step of Silver saves no more than a push or pull, for the same reasons (savedByReply).
func eliminationCost(b *arimaa.Board) int {
	rabbits := b.Rabbits(arimaa.Silver)
	one := dilate(arimaa.Traps)
	two := dilate(one)
	return 2 * ((rabbits & one).Len() + 2*(rabbits&two&^one).Len() + 3*(rabbits&^two).Len())
}

// savedByReply is the most that a single step of Silver lowers the eliminationCost.
const savedByReply = 2
