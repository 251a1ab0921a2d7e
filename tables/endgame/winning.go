package endgame

// wins finds the starts from which a side wins in n turns.
func (r *retrograde) wins(side int) (found bool, err error) {
	r.delta[0], r.newTargets[side] = r.newTargets[side], r.delta[0]
	clear(r.newTargets[side])
	for k := 1; k <= 4; k++ {
		clear(r.delta[k])
	}
	err = r.due(r.nextWin[side], func(w *worker, index uint32) { r.reachByCapture(w, index, side) })
	for k := 0; k <= 4 && err == nil; k++ {
		err = each(r.ctx, r.threads, len(r.valid), func(w *worker, from, to int) { r.extendReach(w, side, k, from, to) })
	}
	if err != nil {
		return false, err
	}
	for index := range r.undecided(side) {
		if r.reach[side][0].has(index) {
			r.targets[side] = append(r.targets[side], index)
		} else {
			r.setWin(side, index)
			found = true
		}
	}
	more, err := r.winsFromTargets(side)
	return found || more, err
}

// setWin records a win in n turns.
func (r *retrograde) setWin(side int, index uint32) {
	r.values[side][index] = uint8(WinIn(r.n))
	r.newFatal[1-side].add(index)
}

// winsByCapture returns the least n greater than r.n in which the side wins by a capture within
// some number of steps, or never. It calls now for each number of steps within which the side wins
// in r.n or fewer.
func (r *retrograde) winsByCapture(o *options, side int, now func(k int)) (next uint8) {
	next = never
	for k := 1; k <= 4 && o.nc > 0; k++ {
		if n := r.g.winByCapture(o, side, k); int(n) > r.n {
			next = min(next, n)
		} else {
			now(k)
		}
	}
	return next
}

// reachByCapture adds a board to delta where the side wins by a capture, and lists it again if one
// wins later.
func (r *retrograde) reachByCapture(w *worker, index uint32, side int) {
	b, o := &w.boards[0], &w.options[0]
	r.g.decode(index, b)
	r.g.options(b, side, o)
	next := r.winsByCapture(o, side, func(k int) {
		if !r.reach[side][k].has(index) {
			r.delta[k].add(index)
		}
	})
	if next != never {
		r.nextWin[side][index] = next
	}
}

// extendReach is the k-th sweep of wins, over a range of words: it moves the new boards to
// reach[k], and adds those one option before them to delta.
func (r *retrograde) extendReach(w *worker, side, k, from, to int) {
	reach, delta := &r.reach[side], &r.delta
	for i := from; i < to; i++ {
		news := delta[k][i]
		if k > 0 {
			news |= delta[k-1][i]
		}
		news &^= reach[k][i]
		delta[k][i] = news
		reach[k][i] |= news
		if k == 4 {
			continue
		}
		if k > 0 {
			news &^= reach[k-1][i] // reached with fewer steps: the boards before these are known
		}
		for ; news != 0; news &= news - 1 {
			r.addReach(w, side, k, first(i, news))
		}
	}
}

// addReach adds the boards one option before a board of reach[k] to delta, where that is new.
func (r *retrograde) addReach(w *worker, side, k int, index uint32) {
	g, valid, reach, delta := r.g, r.valid, &r.reach[side], &r.delta
	b, o := &w.boards[0], &w.options[0]
	g.decode(index, b)
	g.before(b, side, o)
	for _, p := range o.singles() {
		if p = g.canonical(p); valid.has(p) && !reach[k+1].has(p) {
			delta[k+1].add(p)
		}
	}
	if k == 3 {
		return
	}
	for _, p := range o.doubles() { // a function for both loops makes building a table 5 % slower
		if p = g.canonical(p); valid.has(p) && !reach[k+2].has(p) {
			delta[k+2].add(p)
		}
	}
}

// winsFromTargets finds the wins from starts that are targets themselves.
func (r *retrograde) winsFromTargets(side int) (found bool, err error) {
	starts := r.targets[side]
	wins := make([]bool, len(starts))
	err = each(r.ctx, r.threads, len(starts), func(w *worker, from, to int) {
		for i := from; i < to; i++ {
			r.g.decode(starts[i], &w.boards[4])
			wins[i] = r.reachesOther(w, starts[i], side, 4)
		}
	})
	r.targets[side] = starts[:0]
	for i, index := range starts {
		if wins[i] {
			r.setWin(side, index)
			found = true
		} else {
			r.targets[side] = append(r.targets[side], index)
		}
	}
	return found, err
}

// reachesOther reports whether a side reaches a target other than start within k steps from
// boards[k], in a turn that began on start.
func (r *retrograde) reachesOther(w *worker, start uint32, side, k int) bool {
	g, o := r.g, &w.options[k]
	g.options(&w.boards[k], side, o)
	if int(g.winByCapture(o, side, k)) <= r.n {
		return true
	}
	try := func(next uint32, left int) bool {
		next = g.order(next) // the mirror image of start is another board
		index := g.canonical(next)
		if next != start && r.reach[side][0].has(index) {
			return true
		}
		if left == 0 || !r.reach[side][left].has(index) {
			return false
		}
		g.decode(next, &w.boards[left])
		return r.reachesOther(w, start, side, left)
	}
	for _, next := range o.singles() {
		if try(next, k-1) {
			return true
		}
	}
	if k == 1 {
		return false
	}
	for _, next := range o.doubles() {
		if try(next, k-2) {
			return true
		}
	}
	return false
}
