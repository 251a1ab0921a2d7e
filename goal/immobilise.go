package goal

import "goalproof/arimaa"

// immobilise returns the fewest steps, at most limit, after which the turn that began
// with start can end with Silver unable to move, Gold having a rabbit and Silver's
// having reached no goal (rows 2 to 5 of the end-of-turn table), and the steps.
func immobilise(b, start *arimaa.Board, limit int) (Distance, arimaa.Turn) {
	for n := 0; n <= limit; n++ {
		if stops(b, start, n, nil) {
			turn := new(arimaa.Turn)
			stops(b, start, n, turn)
			return After(n), *turn
		}
	}
	return None, arimaa.Turn{}
}

// stops tells whether Gold can end the turn with Silver immobile after at most n
// further steps, and with turn not nil writes the steps.
func stops(b, start *arimaa.Board, n int, turn *arimaa.Turn) bool {
	if stopBound(b, n) > n {
		return false
	}
	if *b != *start && !b.CanMove(arimaa.Silver) {
		if o := b.Ended(arimaa.Gold); o.Winner == arimaa.Gold {
			return true
		}
	}
	if n == 0 {
		return false
	}
	v := look(b)
	try := func(o arimaa.Option, c arimaa.Board) bool {
		left := n - o.Steps()
		if !stops(&c, start, left, nil) {
			return false
		}
		if turn != nil {
			stops(&c, start, left, turn)
			*turn = turn.Before(o)
		}
		return true
	}
	return v.singles(b, everywhere, try) || n >= 2 && v.doubles(b, everywhere, try)
}

// stopBound returns a number of steps that making Silver immobile takes at least; it
// stops counting above limit.
//
// Take a piece of Silver that can step somewhere. In the end it is gone from its
// square, pushed or pulled away by a stronger piece or captured on a trap (2 steps), or
// it stands there blocked, or frozen.
//
//   - Blocked: each empty square it could step to is filled, and a step, push or pull
//     fills one square that was empty and no more (2 steps for a push or pull, 1 for a
//     step). So: as many steps as there are such squares.
//   - Frozen: a stronger piece of Gold stands beside it, so one must come there if none
//     does: its distance less one. And no friend stands beside it: if one does, there
//     is a push or pull (2 steps).
//
// The least of these is the piece's cost; the bound is the greatest cost. Two pieces
// at a distance of seven or more cannot be served by one step, push or pull, because
// the squares it changes lie within three of each other and a square serves the pieces
// on it and next to it; so their costs add up.
func stopBound(b *arimaa.Board, limit int) int {
	own, gold := b.Of(arimaa.Silver), b.Of(arimaa.Gold)
	empty := ^(own | gold)
	free := own &^ b.Frozen(arimaa.Silver)
	rabbits := b.Rabbits(arimaa.Silver)
	bound := 0
	var squares [64]arimaa.Square
	var costs [64]int8
	n := 0
	for rest := free; rest != 0; rest = rest.Rest() {
		at := rest.First()
		targets := at.Beside() & empty
		if rabbits.Has(at) {
			targets &^= at.Set() << 8 // a rabbit of Silver does not step north
		}
		if targets == 0 {
			continue
		}
		cost := targets.Len()
		if freeze := freezeBound(b, at, own, cost); freeze < cost {
			cost = freeze
		}
		if cost > bound {
			bound = cost
		}
		if bound > limit {
			return bound
		}
		for i := range n {
			if distance(squares[i], at) >= 7 && int(costs[i])+cost > bound {
				bound = int(costs[i]) + cost
			}
		}
		squares[n], costs[n] = at, int8(cost)
		n++
	}
	return bound
}

// freezeBound returns the steps that freezing or removing the piece of Silver on a
// square takes at least; values of enough and more need not be told apart.
func freezeBound(b *arimaa.Board, at arimaa.Square, own arimaa.Bitboard, enough int) int {
	stronger := b.AtLeast(arimaa.Gold, b.At(at).Kind()+1)
	if stronger == 0 && !arimaa.Traps.Has(at) {
		return enough
	}
	cost := 0
	for near := at.Beside(); near&stronger == 0 && cost < enough; near = grow(near) {
		cost++
	}
	if at.Beside()&own != 0 {
		cost = max(cost, 2)
	}
	return min(cost, 2)
}

// distance is the number of steps between two squares on an empty board.
func distance(a, b arimaa.Square) int {
	file, rank := int(a&7)-int(b&7), int(a>>3)-int(b>>3)
	return max(file, -file) + max(rank, -rank)
}
