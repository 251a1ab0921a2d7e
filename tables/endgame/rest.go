package endgame

import "context"

// never stands for "in no number of turns".
const never = 255

// rest holds what the rest of a turn is worth on each board of a class, to a side that has come
// here by a capture and may make up to k more steps. win[side][k] is the number of its turns in
// which it wins, loss[side][k] the number of the opponent's turns in which it loses, whatever it
// plays; each is never if it does not.
type rest struct {
	win, loss [2][4][]uint8
}

// values holds the values of a class by side to move and canonical index.
type values [2][]uint8

// newRest computes the rest of turns from the values of whole ones, k by k.
func newRest(ctx context.Context, g *geometry, v values, threads int) (*rest, error) {
	r := &rest{}
	for side := range 2 {
		for k := range 4 {
			r.win[side][k] = make([]uint8, 1<<g.bits)
			r.loss[side][k] = make([]uint8, 1<<g.bits)
		}
	}
	for k := range 4 {
		err := g.eachBoard(ctx, threads, func(w *worker, b *placed) {
			for side := range 2 {
				if k == 0 {
					r.win[side][0][b.index], r.loss[side][0][b.index] = g.endTurn(b, side, Value(v[1-side][b.index]))
				} else {
					g.options(b, side, &w.options[0])
					r.extend(g, b, &w.options[0], side, k)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// extend computes what up to k steps are worth on a board from what fewer are worth.
func (r *rest) extend(g *geometry, b *placed, o *options, side, k int) {
	win, loss := &r.win[side], &r.loss[side]
	best := min(win[k-1][b.index], g.winByCapture(o, side, k))
	worst := max(loss[k-1][b.index], g.lossByCapture(o, side, k))
	for _, next := range o.singles() {
		next = g.canonical(next)
		best, worst = min(best, win[k-1][next]), max(worst, loss[k-1][next])
	}
	if k > 1 {
		for _, next := range o.doubles() {
			next = g.canonical(next)
			best, worst = min(best, win[k-2][next]), max(worst, loss[k-2][next])
		}
	}
	win[k][b.index], loss[k][b.index] = best, worst
}

// endTurn judges the end of a turn of side by the table of docs/rules.md: in how many turns the
// side wins, and loses, where v is what the board is worth to its opponent, who moves next.
func (g *geometry) endTurn(b *placed, side int, v Value) (win, loss uint8) {
	switch {
	case g.hasGoal(b, side):
		return 1, never
	case g.hasGoal(b, 1-side):
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
