package endgame

import "context"

// never stands for "in no number of turns".
const never = 255

// rest says what the rest of a turn is worth on each board of a class: win[side][k] in how many turns of its own a
// side wins that may still make up to k steps and has changed the board before; loss[side][k] in how
// many turns of the opponent it loses, whatever steps it makes. Classes with more pieces lead here by captures.
type rest struct {
	win, loss [2][4][]uint8
}

// values holds the values of a class by side to move and canonical index.
type values [2][]uint8

// newRest works out the rest of turns from the values of whole ones, k by k.
func newRest(ctx context.Context, g *geometry, v values, threads int) (*rest, error) {
	r := &rest{}
	for side := range 2 {
		for k := range 4 {
			r.win[side][k] = make([]uint8, 1<<g.bits)
			r.loss[side][k] = make([]uint8, 1<<g.bits)
		}
	}
	for k := range 4 {
		err := each(ctx, threads, len(r.win[0][0]), func(w *worker, from, to int) {
			for i := from; i < to; i++ {
				index := uint32(i)
				if g.canonical(index) != index {
					continue
				}
				b, o := &w.boards[0], &w.options[0]
				if g.decode(index, b); !g.settled(b) {
					continue
				}
				for side := range 2 {
					win, loss := &r.win[side], &r.loss[side]
					if k == 0 {
						win[0][i], loss[0][i] = g.stop(b, side, Value(v[1-side][i]))
						continue
					}
					g.options(b, side, o)
					best, worst := win[k-1][i], loss[k-1][i]
					for _, next := range o.one[:o.n1] {
						next = g.canonical(next)
						best, worst = min(best, win[k-1][next]), max(worst, loss[k-1][next])
					}
					if k > 1 {
						for _, next := range o.two[:o.n2] {
							next = g.canonical(next)
							best, worst = min(best, win[k-2][next]), max(worst, loss[k-2][next])
						}
					}
					for _, c := range o.captures[:o.nc] {
						if left := k - int(c.cost); left >= 0 {
							best = min(best, g.winAfter(c, side, left))
							worst = max(worst, g.lossAfter(c, side, left))
						}
					}
					win[k][i], loss[k][i] = best, worst
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// stop judges the end of a turn of side by the table of docs/rules.md: in how many turns the side wins, and loses, where
// v is what the board is worth to its opponent, who moves next.
func (g *geometry) stop(b *placed, side int, v Value) (win, loss uint8) {
	switch {
	case g.home(b, side):
		return 1, never
	case g.home(b, 1-side):
		return never, 1
	case v == over:
		return 1, never
	}
	if n, ok := v.Loss(); ok {
		return uint8(n + 1), never
	}
	if n, ok := v.Win(); ok {
		return never, uint8(n)
	}
	return never, never
}
