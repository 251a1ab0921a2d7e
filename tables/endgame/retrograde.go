package endgame

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"
)

// retrograde works out the values of a class, N by N. See the documentation of the package for the method.
type retrograde struct {
	ctx     context.Context
	g       *geometry
	threads int
	n       int // the wins and losses in n turns are being worked out

	valid  bitset    // boards that can come up in the middle of a turn
	start  [2]bitset // boards on which a side may begin a turn: nobody has won
	values values

	reach  [2][5]bitset // [side][k]: the side can reach a target in k steps or fewer
	forced [2][5]bitset // [side][k]: all that it reaches with up to k steps, staying included, loses
	fresh  [2]bitset    // targets of a side that are new
	doomed [2]bitset    // boards on which a side must not end its turn that are new

	// By board: the n at which a capture has to be looked at again, or 0.
	nextWin, nextLoss [2][]uint8

	// Starts of turns that are targets themselves, so that another one is needed; and starts on which it would be safe
	// to stay, each with a board on which it is safe to end the turn.
	held    [2][]uint32
	quiet   [2][]escape
	inQuiet [2]bitset

	delta, asked [5]bitset // of the sweep that is being made
	zugzwang     bitset
}

// escape is a start with the board that its side escapes to.
type escape struct{ from, to uint32 }

// newRetrograde makes room for the analysis of a class. The rests of the smaller classes are there.
func newRetrograde(ctx context.Context, g *geometry, threads int) *retrograde {
	r := &retrograde{ctx: ctx, g: g, threads: threads, valid: newBitset(g.bits), zugzwang: newBitset(g.bits)}
	for k := range 5 {
		r.delta[k], r.asked[k] = newBitset(g.bits), newBitset(g.bits)
	}
	for side := range 2 {
		for k := range 5 {
			r.reach[side][k], r.forced[side][k] = newBitset(g.bits), newBitset(g.bits)
		}
		r.start[side], r.fresh[side], r.doomed[side] = newBitset(g.bits), newBitset(g.bits), newBitset(g.bits)
		r.inQuiet[side] = newBitset(g.bits)
		r.values[side] = make([]uint8, 1<<g.bits)
		r.nextWin[side], r.nextLoss[side] = make([]uint8, 1<<g.bits), make([]uint8, 1<<g.bits)
	}
	return r
}

// begin looks at every board of the class once.
func (r *retrograde) begin() error {
	g := r.g
	return each(r.ctx, r.threads, 1<<g.bits, func(w *worker, from, to int) {
		b, o := &w.boards[0], &w.options[0]
		for i := from; i < to; i++ {
			index := uint32(i)
			if g.canonical(index) != index {
				continue
			}
			if g.decode(index, b); !g.settled(b) {
				continue
			}
			r.valid.add(index)
			home := [2]bool{g.home(b, gold), g.home(b, silver)}
			for side := range 2 {
				switch {
				case home[side]:
					r.fresh[side].add(index)
				case home[1-side]:
					r.doomed[side].add(index)
				}
				g.options(b, side, o)
				if !home[gold] && !home[silver] {
					if o.n1+o.n2+o.nc > 0 {
						r.start[side].add(index)
						if o.n1+o.n2 == 0 {
							r.nextLoss[side][i] = 1 // else it is asked for when a board that it leads to falls
						}
					} else {
						r.values[side][i] = uint8(over)
						r.fresh[1-side].add(index)
					}
				}
				if n := r.winsByCapture(o, side, nil); n != never {
					r.nextWin[side][i] = n
				}
			}
		}
	})
}

// winsByCapture returns the least n greater than r.n in which the side wins by a capture within some number of
// steps, or never. For each number of steps with which it wins in r.n or less by a capture it calls now.
func (r *retrograde) winsByCapture(o *options, side int, now func(k int)) (next uint8) {
	next = never
	for k := 1; k <= 4 && o.nc > 0; k++ {
		best := uint8(never)
		for _, c := range o.captures[:o.nc] {
			if left := k - int(c.cost); left >= 0 {
				best = min(best, r.g.winAfter(c, side, left))
			}
		}
		if int(best) > r.n {
			next = min(next, best)
		} else {
			now(k)
		}
	}
	return next
}

// due calls do for every board whose next number in a list is n, and takes it off.
func (r *retrograde) due(list []uint8, do func(w *worker, index uint32)) error {
	return each(r.ctx, r.threads, len(list), func(w *worker, from, to int) {
		for {
			i := bytes.IndexByte(list[from:to], uint8(r.n))
			if i < 0 {
				return
			}
			from += i
			list[from] = 0
			do(w, uint32(from))
			from++
		}
	})
}

// wins finds the starts from which a side wins in n turns.
func (r *retrograde) wins(side int) (found bool, err error) {
	g, reach, delta := r.g, &r.reach[side], r.delta
	delta[0], r.fresh[side] = r.fresh[side], delta[0]
	r.delta[0] = delta[0]
	clear(r.fresh[side])
	for k := 1; k <= 4; k++ {
		clear(delta[k])
	}
	err = r.due(r.nextWin[side], func(w *worker, index uint32) {
		b, o := &w.boards[0], &w.options[0]
		g.decode(index, b)
		g.options(b, side, o)
		next := r.winsByCapture(o, side, func(k int) {
			if !reach[k].has(index) {
				delta[k].add(index)
			}
		})
		if next != never {
			r.nextWin[side][index] = next
		}
	})
	for k := 0; k <= 4 && err == nil; k++ {
		err = each(r.ctx, r.threads, len(r.valid), func(w *worker, from, to int) {
			b, o := &w.boards[0], &w.options[0]
			for i := from; i < to; i++ {
				news := delta[k][i]
				if k > 0 {
					news |= delta[k-1][i]
				}
				news &^= reach[k][i]
				delta[k][i] = news
				reach[k][i] |= news
				if k == 4 || news == 0 {
					continue
				}
				if k > 0 {
					// What leads to the others is known: they have been reached with fewer steps.
					news &^= reach[k-1][i]
				}
				for ; news != 0; news &= news - 1 {
					g.decode(uint32(i<<6+bits.TrailingZeros64(news)), b)
					g.before(b, side, o)
					for _, p := range o.one[:o.n1] {
						if p = g.canonical(p); r.valid.has(p) && !reach[k+1].has(p) {
							delta[k+1].add(p)
						}
					}
					if k == 3 {
						continue
					}
					for _, p := range o.two[:o.n2] {
						if p = g.canonical(p); r.valid.has(p) && !reach[k+2].has(p) {
							delta[k+2].add(p)
						}
					}
				}
			}
		})
	}
	if err != nil {
		return false, err
	}
	// A start that is a target itself has a turn to a target only if there is another one.
	for i, word := range delta[4] {
		for news := word & r.start[side][i]; news != 0; news &= news - 1 {
			index := uint32(i<<6 + bits.TrailingZeros64(news))
			switch {
			case r.values[side][index] != 0:
			case reach[0].has(index):
				r.held[side] = append(r.held[side], index)
			default:
				r.won(side, index)
				found = true
			}
		}
	}
	held := r.held[side]
	wins := make([]bool, len(held))
	err = each(r.ctx, r.threads, len(held), func(w *worker, from, to int) {
		for i := from; i < to; i++ {
			g.decode(held[i], &w.boards[4])
			wins[i] = r.another(w, held[i], side, 4)
		}
	})
	r.held[side] = held[:0]
	for i, index := range held {
		if wins[i] {
			r.won(side, index)
			found = true
		} else {
			r.held[side] = append(r.held[side], index)
		}
	}
	return found, err
}

// won notes a win in n turns.
func (r *retrograde) won(side int, index uint32) {
	r.values[side][index] = uint8(WinIn(r.n))
	r.doomed[1-side].add(index)
}

// another tells whether from a board, boards[k], in a turn that began on start, a side reaches a target other than
// start within k steps.
func (r *retrograde) another(w *worker, start uint32, side, k int) bool {
	g, o := r.g, &w.options[k]
	g.options(&w.boards[k], side, o)
	for _, c := range o.captures[:o.nc] {
		if left := k - int(c.cost); left >= 0 && int(g.winAfter(c, side, left)) <= r.n {
			return true
		}
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
		return r.another(w, start, side, left)
	}
	for _, next := range o.one[:o.n1] {
		if try(next, k-1) {
			return true
		}
	}
	if k > 1 {
		for _, next := range o.two[:o.n2] {
			if try(next, k-2) {
				return true
			}
		}
	}
	return false
}

// losses finds the starts from which a side loses in n turns.
func (r *retrograde) losses(side int) (found bool, err error) {
	g, forced, delta, asked := r.g, &r.forced[side], r.delta, r.asked
	delta[0], r.doomed[side] = r.doomed[side], delta[0]
	r.delta[0] = delta[0]
	clear(r.doomed[side])
	for k := 1; k <= 4; k++ {
		clear(asked[k])
	}
	clear(r.zugzwang)
	for i, news := range delta[0] {
		forced[0][i] |= news
	}
	err = r.due(r.nextLoss[side], func(_ *worker, index uint32) {
		for k := 1; k <= 4; k++ {
			asked[k].add(index)
		}
		r.zugzwang.add(index)
	})
	for k := 0; k <= 4 && err == nil; k++ {
		err = each(r.ctx, r.threads, len(r.valid), func(w *worker, from, to int) {
			b, o := &w.boards[0], &w.options[0]
			for i := from; i < to; i++ {
				if k > 0 {
					news := uint64(0)
					for ask := (asked[k][i] | delta[k-1][i]) & forced[k-1][i] &^ forced[k][i]; ask != 0; ask &= ask - 1 {
						g.decode(uint32(i<<6+bits.TrailingZeros64(ask)), b)
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
					g.decode(uint32(i<<6+bits.TrailingZeros64(news)), b)
					g.before(b, side, o)
					for _, p := range o.one[:o.n1] {
						if p = g.canonical(p); forced[0].has(p) {
							asked[k+1].add(p)
						} else if k == 0 {
							r.zugzwang.add(p)
						}
					}
					if k == 3 {
						continue
					}
					for _, p := range o.two[:o.n2] {
						if p = g.canonical(p); forced[0].has(p) {
							asked[k+2].add(p)
						} else if k == 0 {
							r.zugzwang.add(p)
						}
					}
				}
			}
		})
	}
	if err != nil {
		return false, err
	}
	for i, word := range delta[4] {
		for news := word & r.start[side][i]; news != 0; news &= news - 1 {
			// One that has lost by zugzwang may come to be a board on which it loses to stay.
			if index := uint32(i<<6 + bits.TrailingZeros64(news)); r.values[side][index] == 0 {
				r.lost(side, index)
				found = true
			}
		}
	}
	zugzwangs, err := r.zugzwangs(side)
	return found || zugzwangs, err
}

// lost notes a loss in n turns.
func (r *retrograde) lost(side int, index uint32) {
	r.values[side][index] = uint8(LossIn(r.n))
	r.fresh[1-side].add(index)
}

// mustLose tells whether all that a side reaches from b within k steps loses, which is known to hold for k-1 steps.
func (r *retrograde) mustLose(b *placed, o *options, side, k int) bool {
	g, forced := r.g, &r.forced[side]
	g.options(b, side, o)
	for _, next := range o.one[:o.n1] {
		if !forced[k-1].has(g.canonical(next)) {
			return false
		}
	}
	if k > 1 {
		for _, next := range o.two[:o.n2] {
			if !forced[k-2].has(g.canonical(next)) {
				return false
			}
		}
	}
	worst := uint8(0)
	for _, c := range o.captures[:o.nc] {
		if left := k - int(c.cost); left >= 0 {
			worst = max(worst, g.lossAfter(c, side, left))
		}
	}
	return r.loses(b.index, side, worst)
}

// loses tells whether a capture loses that does so in some number of turns, or never. Where it is too early to say
// the board is noted for later.
func (r *retrograde) loses(index uint32, side int, in uint8) bool {
	if int(in) <= r.n {
		return true
	}
	if next := &r.nextLoss[side][index]; in != never && (*next == 0 || in < *next) {
		*next = in
	}
	return false
}

// zugzwangs finds the starts on which it would be safe to stay, but every turn loses.
func (r *retrograde) zugzwangs(side int) (found bool, err error) {
	g, forced := r.g, &r.forced[side]
	// Those for which nothing speaks against it so far have no safe board next to them.
	var mu sync.Mutex
	quiet := slices.DeleteFunc(r.quiet[side], func(e escape) bool {
		return r.values[side][e.from] != 0 || forced[0].has(e.from)
	})
	err = each(r.ctx, r.threads, len(r.zugzwang), func(w *worker, from, to int) {
		b, o := &w.boards[0], &w.options[0]
		var more []escape
		for i := from; i < to; i++ {
			ask := r.zugzwang[i] & r.start[side][i] &^ forced[0][i] &^ r.inQuiet[side][i]
			for ; ask != 0; ask &= ask - 1 {
				index := uint32(i<<6 + bits.TrailingZeros64(ask))
				if r.values[side][index] != 0 {
					continue
				}
				g.decode(index, b)
				g.options(b, side, o)
				if !slices.ContainsFunc(o.one[:o.n1], func(next uint32) bool { return !forced[0].has(g.canonical(next)) }) {
					more = append(more, escape{index, none})
				}
			}
		}
		mu.Lock()
		quiet = append(quiet, more...)
		mu.Unlock()
	})
	if err != nil {
		return false, err
	}
	lost := make([]bool, len(quiet))
	err = each(r.ctx, r.threads, len(quiet), func(w *worker, from, to int) {
		for i := from; i < to; i++ {
			if e := &quiet[i]; e.to == none || forced[0].has(e.to) {
				g.decode(e.from, &w.boards[4])
				safe, later := r.escapes(w, e.from, side, 4)
				e.to = safe
				lost[i] = safe == none && r.loses(e.from, side, later)
			}
		}
	})
	r.quiet[side] = quiet[:0]
	clear(r.inQuiet[side])
	for i, e := range quiet {
		switch {
		case lost[i]:
			r.lost(side, e.from)
			found = true
		case e.to != none:
			r.quiet[side] = append(r.quiet[side], e)
			r.inQuiet[side].add(e.from)
		}
	}
	return found, err
}

// none is no board.
const none = 1<<32 - 1

// escapes returns a board, other than start, on which a side may safely end a turn that it began there, reached from
// boards[k] within k steps and without captures. If there is none it returns in how many turns the captures lose, or
// never.
func (r *retrograde) escapes(w *worker, start uint32, side, k int) (safe uint32, later uint8) {
	g, o, forced := r.g, &w.options[k], &r.forced[side]
	g.options(&w.boards[k], side, o)
	try := func(next uint32, left int) bool {
		next = g.order(next)
		index := g.canonical(next)
		if next != start && !forced[0].has(index) {
			safe = index
			return true
		}
		if left == 0 || forced[left].has(index) {
			return false
		}
		g.decode(next, &w.boards[left])
		var in uint8
		safe, in = r.escapes(w, start, side, left)
		later = max(later, in)
		return safe != none
	}
	safe = none
	for _, next := range o.one[:o.n1] {
		if try(next, k-1) {
			return safe, 0
		}
	}
	if k > 1 {
		for _, next := range o.two[:o.n2] {
			if try(next, k-2) {
				return safe, 0
			}
		}
	}
	for _, c := range o.captures[:o.nc] {
		if left := k - int(c.cost); left >= 0 {
			later = max(later, g.lossAfter(c, side, left))
		}
	}
	return none, later
}

// run works out the values that are not known yet. It calls progress before each N, and known when all wins and losses
// in N turns are known and there may be longer ones.
func (r *retrograde) run(progress func(n int), known func() error) error {
	for r.n++; ; r.n++ {
		if r.n > MaxTurns {
			return fmt.Errorf("class %v: some win takes more than %d turns", r.g.class, MaxTurns)
		}
		progress(r.n)
		some := false
		for _, find := range []func(int) (bool, error){r.wins, r.losses} {
			for side := range 2 {
				found, err := find(side)
				if err != nil {
					return err
				}
				some = some || found
			}
		}
		if !some && !r.later() {
			return nil
		}
		if err := known(); err != nil {
			return err
		}
	}
}

// later tells whether a capture has to be looked at again at some greater n.
func (r *retrograde) later() bool {
	for side := range 2 {
		for _, list := range [][]uint8{r.nextWin[side], r.nextLoss[side]} {
			if slices.ContainsFunc(list, func(n uint8) bool { return int(n) > r.n }) {
				return true
			}
		}
	}
	return false
}
