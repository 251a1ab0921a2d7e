package goal

import "goalproof/arimaa"

// Which squares must be filled in a solution, and how many options and steps that and the freezing
// of pieces take at least.

// crowd returns the empty squares that must be occupied so that Silver's pieces other than the
// strongest cannot push; none unless h is [blockade.closer].
//
// A piece that is free in the end and no rabbit has a piece of Gold on each square beside it that
// is not Silver's. A square that no piece as strong can reach in time holds a weaker one, which can
// be pushed if there is an empty square beside it.
func (h *blockade) crowd(b *arimaa.Board, silver arimaa.Bitboard) (fill arimaa.Bitboard) {
	if h.steps == 0 {
		return 0
	}
	stays := silver & b.Of(arimaa.Silver) &^ (h.rabbits | h.top)
	for rest := stays & (silver.Neighbors() | h.fixed | h.far); rest != 0; rest = rest.Rest() {
		fill |= h.crowdOne(b, silver, rest.First())
	}
	return fill
}

// crowdOne returns the squares of crowd for the piece on x.
func (h *blockade) crowdOne(b *arimaa.Board, silver arimaa.Bitboard, x arimaa.Square) arimaa.Bitboard {
	strong := b.AtLeast(arimaa.Gold, b.At(x).Kind())
	for range h.steps {
		strong = dilate(strong)
	}
	return (x.Beside() &^ silver &^ strong).Neighbors() & h.empty
}

// enclose is bound for the squares of fill and those that must be occupied as well so that Silver's
// strongest pieces cannot push; silver are the squares of Silver's pieces in the end.
//
// A square beside a strongest piece that is not Silver's in the end holds a piece of Gold, which
// can be pushed if it is weaker and has an empty square beside it. At most one of these squares
// holds the only rival. With two rivals enclose asks for nothing more.
func (h *blockade) enclose(b *arimaa.Board, silver, fill, loose arimaa.Bitboard, options, steps int) (enter arimaa.Bitboard) {
	fill |= h.crowd(b, silver)
	beside := (h.top & silver).Neighbors() &^ silver
	switch {
	case beside.Neighbors()&h.empty&^fill == 0 || h.rivals.Rest() != 0:
		return h.bound(b, fill, loose, options, steps)
	case h.rivals == 0:
		return h.bound(b, fill|beside.Neighbors()&h.empty, loose, options, steps)
	}
	for rest := beside; rest != 0; rest = rest.Rest() {
		others := beside ^ rest&-rest
		enter |= h.bound(b, fill|others.Neighbors()&h.empty, loose, options, steps)
	}
	return enter
}

// bound returns squares of which each single step of a solution enters one; the empty set if there
// is no solution.
//
// The squares of fill are empty, and pieces of Gold must stand there in the end. The loose pieces
// are mobile, have no friend beside them and will have none; pieces of Gold must freeze or block
// them. The given number of options is available for that, which displace Gold's pieces by the
// given number of steps. There are two ways to count:
//
// Lemma 1 (options). An option fills one square that was empty and no more: a push or pull leaves
// Gold or Silver on the other square that it touches. So each square of fill takes an option that
// fills it last. A loose piece beside none of them takes another option, by which a piece of Gold
// arrives beside it, and no option arrives beside two pieces more than 2 apart.
//
// Lemma 2 (steps). In the end each square of fill holds a piece of Gold that came from elsewhere,
// at least as far as the nearest one is now. Beside a loose piece stands a stronger one that came
// there, or there are pieces on all squares that it could step to. All these are different pieces
// of Gold, so the distances add up.
//
// If lemma 1 leaves no option to spare, each single step enters a square of fill or one beside a
// loose piece. If lemma 2 leaves no step to spare, each single step leads towards one of them on a
// shortest path.
func (h *blockade) bound(b *arimaa.Board, fill, loose arimaa.Bitboard, options, steps int) (enter arimaa.Bitboard) {
	options -= fill.Len()
	loose &^= dilate(fill)
	filled := fill
	reach := h.gold
	for d := 0; fill != 0 && options >= 0 && steps >= 0; d++ {
		steps -= fill.Len()
		towards := fill
		for range d {
			towards = dilate(towards)
		}
		enter |= towards
		reach = dilate(reach)
		fill &^= reach
	}
	for loose != 0 && options >= 0 {
		s := loose.First()
		d, cost, radius := h.stopOne(b, s, filled)
		loose &^= s.Within(radius)
		options--
		steps -= cost
		enter |= s.Within(d)
	}
	switch {
	case options < 0 || steps < 0:
		return 0
	case options > 0 && steps > 0:
		return arimaa.Everywhere
	}
	return enter
}

// stopOne returns the distance d, at most four steps, of the nearest piece that can freeze the one
// on s, which has no friend beside it; and cost, the fewest steps that freeze or block it: that
// distance, or a step for each square outside fill that must be filled. Two such pieces more than
// radius apart share neither these squares nor the freezing piece, or n steps do not stop both.
//
// Lemma 3. Two pieces that are 4 apart share nothing but squares of crowd, and a solution that
// blocks both with such a square c has more than n steps or more than four options. Each of the two
// can move, so some square t beside it is empty. Assume that a piece of Gold as strong as it comes
// to t. With n-2 displacements or fewer it could also reach the square between c and this piece
// with n, and c would not be of crowd. So it takes n-1, and to fill c and the other t takes two
// more. Now assume that both pieces on such squares t are weaker. Then there are pieces on all
// squares beside them, also on those from which they came, which were filled again. That makes five
// options: one that fills c last, and for each t one that fills it and one that fills the square
// left behind.
func (h *blockade) stopOne(b *arimaa.Board, s arimaa.Square, fill arimaa.Bitboard) (d, cost, radius int) {
	stronger := b.AtLeast(arimaa.Gold, b.At(s).Kind()+1)
	d = 1
	for d < arimaa.StepsPerTurn && s.Within(d+1)&stronger == 0 {
		d++
	}
	squares := h.targets(s.Set()) // beside it
	if h.steps == 0 {
		return d, min(d, squares.Len()), 2
	}
	if !h.rabbits.Has(s) {
		squares |= h.crowdOne(b, h.silver, s) &^ fill // within 2 of it
	}
	return d, min(d, squares.Len()), 3
}
