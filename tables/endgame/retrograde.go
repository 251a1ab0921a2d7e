package endgame

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
)

// retrograde computes the values of a class, N by N. See the documentation of the package for the
// method.
type retrograde struct {
	ctx     context.Context
	g       *geometry
	threads int
	n       int // the wins and losses in n turns are being computed

	valid  bitset    // boards that can occur within a turn
	start  [2]bitset // boards on which a side may begin a turn: nobody has won
	values values

	reach  [2][5]bitset // by side, k: it reaches a target within k steps
	forced [2][5]bitset // by side, k: all that it reaches within k steps is fatal

	// What the last sweeps have found, for the next sweep of a side.
	newTargets, newFatal [2]bitset

	// By board: the n at which its captures must be looked at again, or 0.
	nextWin, nextLoss [2][]uint8

	// Starts that are targets themselves: a win needs a turn to another target.
	targets [2][]uint32
	// Starts that are not fatal to stay on, each with a board to which the side escapes: a loss
	// needs that there is none.
	escapes  [2][]escape
	escaping [2]bitset // their starts

	// Of the current sweep, by the number of steps: the new boards of reach or forced, and those to
	// look at for forced.
	delta, asked [5]bitset
	zugzwang     bitset // boards to look at for zugzwang
}

// escape is a start with a board on which its side may safely end the turn.
type escape struct{ from, to uint32 }

// none is no board.
const none = 1<<32 - 1

// newRetrograde allocates the analysis of a class, whose smaller classes are linked.
func newRetrograde(ctx context.Context, g *geometry, threads int) *retrograde {
	r := &retrograde{ctx: ctx, g: g, threads: threads, valid: newBitset(g.bits), zugzwang: newBitset(g.bits)}
	for k := range 5 {
		r.delta[k], r.asked[k] = newBitset(g.bits), newBitset(g.bits)
	}
	for side := range 2 {
		for k := range 5 {
			r.reach[side][k], r.forced[side][k] = newBitset(g.bits), newBitset(g.bits)
		}
		r.start[side], r.escaping[side] = newBitset(g.bits), newBitset(g.bits)
		r.newTargets[side], r.newFatal[side] = newBitset(g.bits), newBitset(g.bits)
		r.values[side] = make([]uint8, 1<<g.bits)
		r.nextWin[side], r.nextLoss[side] = make([]uint8, 1<<g.bits), make([]uint8, 1<<g.bits)
	}
	return r
}

// begin finds out what every board is to each side before any value is known.
func (r *retrograde) begin() error {
	g := r.g
	return g.eachBoard(r.ctx, r.threads, func(w *worker, b *placed) {
		o := &w.options[0]
		r.valid.add(b.index)
		home := [2]bool{g.hasGoal(b, gold), g.hasGoal(b, silver)}
		for side := range 2 {
			g.options(b, side, o)
			switch {
			case home[side]:
				r.newTargets[side].add(b.index)
			case home[1-side]:
				r.newFatal[side].add(b.index)
			case o.n1+o.n2+o.nc == 0:
				r.values[side][b.index] = uint8(over)
				r.newTargets[1-side].add(b.index)
			default:
				r.start[side].add(b.index)
				if o.n1+o.n2 == 0 {
					r.nextLoss[side][b.index] = 1 // no board that it leads to asks for it
				}
			}
			if n := r.winsByCapture(o, side, nil); n != never {
				r.nextWin[side][b.index] = n
			}
		}
	})
}

// iterate computes the values that are not known yet. It calls progress before each N, and
// checkpoint when all wins and losses in N turns are known and there may be longer ones.
func (r *retrograde) iterate(progress func(n int), checkpoint func() error) error {
	for r.n++; ; r.n++ {
		if r.n > MaxTurns {
			return fmt.Errorf("class %v: some win takes more than %d turns", r.g.class, MaxTurns)
		}
		progress(r.n)
		found := false
		for _, find := range []func(int) (bool, error){r.wins, r.losses} {
			for side := range 2 {
				some, err := find(side)
				if err != nil {
					return err
				}
				found = found || some
			}
		}
		if !found && !r.pending() {
			return nil
		}
		if err := checkpoint(); err != nil {
			return err
		}
	}
}

// pending reports whether captures must be looked at again at some greater n.
func (r *retrograde) pending() bool {
	for side := range 2 {
		for _, list := range [][]uint8{r.nextWin[side], r.nextLoss[side]} {
			if slices.ContainsFunc(list, func(n uint8) bool { return int(n) > r.n }) {
				return true
			}
		}
	}
	return false
}

// due calls do for every board that a list, nextWin or nextLoss, has for n, and removes it from the
// list.
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

// undecided yields the starts of a side in delta[4] without a value.
func (r *retrograde) undecided(side int) iter.Seq[uint32] {
	return func(yield func(index uint32) bool) {
		for i, word := range r.delta[4] {
			for news := word & r.start[side][i]; news != 0; news &= news - 1 {
				if index := first(i, news); r.values[side][index] == 0 && !yield(index) {
					return
				}
			}
		}
	}
}
