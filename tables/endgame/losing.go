package endgame

import (
	"slices"
	"sync"
)

// losses finds the starts from which a side loses in n turns.
func (r *retrograde) losses(side int) (found bool, err error) {
	r.delta[0], r.newFatal[side] = r.newFatal[side], r.delta[0]
	clear(r.newFatal[side])
	for k := 1; k <= 4; k++ {
		clear(r.asked[k])
	}
	clear(r.zugzwang)
	for i, news := range r.delta[0] {
		r.forced[side][0][i] |= news
	}
	err = r.due(r.nextLoss[side], func(_ *worker, index uint32) {
		for k := 1; k <= 4; k++ {
			r.asked[k].add(index)
		}
		r.zugzwang.add(index)
	})
	for k := 0; k <= 4 && err == nil; k++ {
		err = each(r.ctx, r.threads, len(r.valid), func(w *worker, from, to int) { r.extendForced(w, side, k, from, to) })
	}
	if err != nil {
		return false, err
	}
	for index := range r.undecided(side) { // a start lost by zugzwang may have become fatal since
		r.setLoss(side, index)
		found = true
	}
	more, err := r.zugzwangs(side)
	return found || more, err
}

// setLoss records a loss in n turns.
func (r *retrograde) setLoss(side int, index uint32) {
	r.values[side][index] = uint8(LossIn(r.n))
	r.newTargets[1-side].add(index)
}

// extendForced is the k-th sweep of losses, over a range of words: it finds the new boards of
// forced[k], and asks for those one option before them.
func (r *retrograde) extendForced(w *worker, side, k, from, to int) {
	b, o := &w.boards[0], &w.options[0]
	forced, delta, asked := &r.forced[side], &r.delta, &r.asked
	for i := from; i < to; i++ {
		if k > 0 {
			news := uint64(0)
			for ask := (asked[k][i] | delta[k-1][i]) & forced[k-1][i] &^ forced[k][i]; ask != 0; ask &= ask - 1 {
				r.g.decode(first(i, ask), b)
				if r.mustLose(b, o, side, k) {
					news |= ask & -ask
				}
			}
			delta[k][i] = news
			forced[k][i] |= news
		}
		if k == 4 {
			continue
		}
		for news := delta[k][i]; news != 0; news &= news - 1 {
			r.ask(w, side, k, first(i, news))
		}
	}
}

// ask asks for the boards one option before a new board of forced[k], and for zugzwang before a
// fatal one.
func (r *retrograde) ask(w *worker, side, k int, index uint32) {
	g, fatal, asked := r.g, r.forced[side][0], &r.asked
	b, o := &w.boards[0], &w.options[0]
	g.decode(index, b)
	g.before(b, side, o)
	for _, p := range o.singles() {
		if p = g.canonical(p); fatal.has(p) {
			asked[k+1].add(p)
		} else if k == 0 {
			r.zugzwang.add(p)
		}
	}
	if k == 3 {
		return
	}
	for _, p := range o.doubles() { // not in a function for both: see addReach
		if p = g.canonical(p); fatal.has(p) {
			asked[k+2].add(p)
		} else if k == 0 {
			r.zugzwang.add(p)
		}
	}
}

// mustLose reports whether all boards that a side reaches from b within k steps are fatal. b is in
// forced[k-1].
func (r *retrograde) mustLose(b *placed, o *options, side, k int) bool {
	g, forced := r.g, &r.forced[side]
	g.options(b, side, o)
	for _, next := range o.singles() {
		if !forced[k-1].has(g.canonical(next)) {
			return false
		}
	}
	if k > 1 {
		for _, next := range o.doubles() {
			if !forced[k-2].has(g.canonical(next)) {
				return false
			}
		}
	}
	return o.nc == 0 || r.lostBy(b.index, side, g.lossByCapture(o, side, k))
}

// lostBy reports whether a loss in a number of turns, or never, is one by now. If it is to come,
// nextLoss lists the board.
func (r *retrograde) lostBy(index uint32, side int, turns uint8) bool {
	if int(turns) <= r.n {
		return true
	}
	if next := &r.nextLoss[side][index]; turns != never && (*next == 0 || turns < *next) {
		*next = turns
	}
	return false
}

// zugzwangs finds the starts that are not fatal to stay on, but from which every turn loses.
func (r *retrograde) zugzwangs(side int) (found bool, err error) {
	escapes, err := r.zugzwangCandidates(side)
	if err != nil {
		return false, err
	}
	lost := make([]bool, len(escapes))
	err = each(r.ctx, r.threads, len(escapes), func(w *worker, from, to int) {
		for i := from; i < to; i++ {
			if e := &escapes[i]; e.to == none || r.forced[side][0].has(e.to) {
				r.g.decode(e.from, &w.boards[4])
				var turns uint8
				e.to, turns = r.findEscape(w, e.from, side, 4)
				lost[i] = e.to == none && r.lostBy(e.from, side, turns)
			}
		}
	})
	r.escapes[side] = escapes[:0]
	clear(r.escaping[side])
	for i, e := range escapes {
		switch {
		case lost[i]:
			r.setLoss(side, e.from)
			found = true
		case e.to != none:
			r.escapes[side] = append(r.escapes[side], e)
			r.escaping[side].add(e.from)
		}
	}
	return found, err
}

// zugzwangCandidates returns the starts, not fatal to stay on, from which every single step leads
// to a fatal board, with the escapes that are known.
func (r *retrograde) zugzwangCandidates(side int) ([]escape, error) {
	g, fatal := r.g, r.forced[side][0]
	escapes := slices.DeleteFunc(r.escapes[side], func(e escape) bool {
		return r.values[side][e.from] != 0 || fatal.has(e.from)
	})
	var mu sync.Mutex
	err := each(r.ctx, r.threads, len(r.zugzwang), func(w *worker, from, to int) {
		b, o := &w.boards[0], &w.options[0]
		safe := func(next uint32) bool { return !fatal.has(g.canonical(next)) }
		var more []escape
		for i := from; i < to; i++ {
			for ask := r.zugzwang[i] & r.start[side][i] &^ fatal[i] &^ r.escaping[side][i]; ask != 0; ask &= ask - 1 {
				index := first(i, ask)
				if r.values[side][index] != 0 {
					continue
				}
				g.decode(index, b)
				g.options(b, side, o)
				if !slices.ContainsFunc(o.singles(), safe) {
					more = append(more, escape{index, none})
				}
			}
		}
		mu.Lock()
		escapes = append(escapes, more...)
		mu.Unlock()
	})
	return escapes, err
}

// findEscape returns a board, other than start, on which a side may safely end a turn that it began
// there, reached from boards[k] within k steps and without captures. If there is none it returns in
// how many turns all captures lose, or never.
func (r *retrograde) findEscape(w *worker, start uint32, side, k int) (safe uint32, turns uint8) {
	g, o, forced := r.g, &w.options[k], &r.forced[side]
	g.options(&w.boards[k], side, o)
	try := func(next uint32, left int) bool {
		next = g.order(next) // the mirror image of start is another board
		index := g.canonical(next)
		if next != start && !forced[0].has(index) {
			safe = index
			return true
		}
		if left == 0 || forced[left].has(index) {
			return false
		}
		g.decode(next, &w.boards[left])
		var later uint8
		safe, later = r.findEscape(w, start, side, left)
		turns = max(turns, later)
		return safe != none
	}
	safe = none
	for _, next := range o.singles() {
		if try(next, k-1) {
			return safe, 0
		}
	}
	if k > 1 {
		for _, next := range o.doubles() {
			if try(next, k-2) {
				return safe, 0
			}
		}
	}
	return none, max(turns, g.lossByCapture(o, side, k))
}
