package endgame

// reduced says what becomes of a board when some of its pieces are captured.
type reduced struct {
	rabbits [2]int    // left to each side, by its colour before
	g       *geometry // of the pieces that are left; nil if a side has none
	swapped bool      // the colours are exchanged in it
	moves   [][2]uint8
	rest    *rest // what the rest of the turn is worth there; nil if a side has no rabbit
}

// reduce computes what becomes of a class when a piece or one of each side is captured, and so on.
func (g *geometry) reduce() {
	for gone := uint8(1); gone < 1<<g.n; gone++ {
		left := [2][]uint8{g.left(gone, gold), g.left(gone, silver)}
		if len(left[gold]) < len(g.of[gold])-1 || len(left[silver]) < len(g.of[silver])-1 {
			continue // a step, push or pull captures one piece of a side at most
		}
		r := &reduced{}
		for i := range g.n {
			if gone>>i&1 == 0 && g.rabbit[i] {
				r.rabbits[g.side[i]]++
			}
		}
		g.reduced[gone] = r
		if len(left[gold]) == 0 || len(left[silver]) == 0 {
			continue
		}
		var c Class
		c, r.swapped = classOf(left[gold], left[silver])
		r.g = newGeometry(c)
		r.g.reduce()
		to := [2][]int{r.g.of[r.side(gold)], r.g.of[r.side(silver)]}
		for i := range g.n {
			if gone>>i&1 == 0 {
				j := to[g.side[i]][0]
				to[g.side[i]] = to[g.side[i]][1:]
				r.moves = append(r.moves, [2]uint8{g.shift[i], r.g.shift[j]})
			}
		}
	}
}

// left returns the strengths of the pieces of a side that are not gone.
func (g *geometry) left(gone uint8, side int) (strengths []uint8) {
	a := [2]army{g.class.gold, g.class.silver}[side]
	for j, i := range g.of[side] {
		if gone>>i&1 == 0 {
			strengths = append(strengths, a.strength[j])
		}
	}
	return strengths
}

// index returns the canonical index of the reduced board.
func (r *reduced) index(index uint32) (left uint32) {
	flip := uint32(0)
	if r.swapped {
		flip = 7
	}
	for _, m := range r.moves {
		left |= (index>>m[0]&63 ^ flip) << m[1]
	}
	return r.g.canonical(left)
}

// side returns the number of a side after the captures.
func (r *reduced) side(side int) int {
	if r.swapped {
		return 1 - side
	}
	return side
}

// winAfter returns in how many turns a side that has just captured wins with k steps left, or
// never.
func (g *geometry) winAfter(c capture, side, k int) uint8 {
	r := g.reduced[c.gone]
	switch {
	case r.rabbits[1-side] == 0:
		return 1
	case r.rabbits[side] == 0:
		if r.eliminates(c.index, side, k) {
			return 1
		}
		return never
	}
	return r.rest.win[r.side(side)][k][r.index(c.index)]
}

// lossAfter returns in how many turns a side that has just captured loses, whatever it does with
// the k steps that are left, or never.
func (g *geometry) lossAfter(c capture, side, k int) uint8 {
	r := g.reduced[c.gone]
	switch {
	case r.rabbits[1-side] == 0:
		return never
	case r.rabbits[side] == 0:
		if r.eliminates(c.index, side, k) {
			return never
		}
		return 1
	}
	return r.rest.loss[r.side(side)][k][r.index(c.index)]
}

// winByCapture returns in how many turns a side wins by the best capture within k steps, or never.
func (g *geometry) winByCapture(o *options, side, k int) (best uint8) {
	best = never
	for _, c := range o.captures() {
		if left := k - int(c.cost); left >= 0 {
			best = min(best, g.winAfter(c, side, left))
		}
	}
	return best
}

// lossByCapture returns in how many turns a side loses by the best capture within k steps, or
// never; 0 if there is none.
func (g *geometry) lossByCapture(o *options, side, k int) (worst uint8) {
	for _, c := range o.captures() {
		if left := k - int(c.cost); left >= 0 {
			worst = max(worst, g.lossAfter(c, side, left))
		}
	}
	return worst
}

// eliminates reports whether a side that has lost its last rabbit in this turn can still win it: by
// capturing the last rabbit of the enemy with the k steps that are left. Nothing else comes before
// the loss in the table of docs/rules.md.
func (r *reduced) eliminates(index uint32, side, k int) bool {
	// A capture of an enemy piece takes a push or a pull, and after the one that lost the rabbit
	// there is time for one only.
	if k < 2 || r.g == nil || r.rabbits[1-side] != 1 {
		return false
	}
	var b placed
	r.g.decode(r.index(index), &b)
	return r.g.eliminates(&b, r.side(side), k)
}

func (g *geometry) eliminates(b *placed, side, k int) bool {
	near := false
	for _, i := range g.of[1-side] {
		if at := b.at[i]; g.rabbit[i] && (1<<at|around[at&63])&traps != 0 {
			near = true
		}
	}
	if !near {
		return false // a push or a pull moves it by one step at most
	}
	var o options
	g.options(b, side, &o)
	for _, c := range o.captures() {
		if int(c.cost) > k {
			continue
		}
		r := g.reduced[c.gone]
		if r.rabbits[1-side] == 0 || r.eliminates(c.index, side, k-int(c.cost)) {
			return true
		}
	}
	if k == 2 {
		return false
	}
	for _, index := range o.singles() {
		var after placed
		g.decode(g.canonical(index), &after)
		if g.eliminates(&after, side, k-1) {
			return true
		}
	}
	return false
}
