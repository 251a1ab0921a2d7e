package endgame

import "math/bits"

// options lists what a side may do in the middle of a turn: the boards after a step, after a push
// or a pull, and what captures. The indices are neither in order nor mirrored.
type options struct {
	one, two   [64]uint32
	n1, n2, nc int
	capturing  [64]capture
}

func (o *options) singles() []uint32   { return o.one[:o.n1] }
func (o *options) doubles() []uint32   { return o.two[:o.n2] }
func (o *options) captures() []capture { return o.capturing[:o.nc] }

// capture is an option that captures one piece, or one of each side.
type capture struct {
	index uint32 // of the board with the captured pieces on their traps
	gone  uint8  // the set of captured pieces
	cost  uint8  // 1 for a step, 2 for a push or a pull
}

// captured returns the cell of the piece that goes when a piece of a side with the cells own leaves
// from for to, as a set of one, or the empty set. No piece goes from a settled board otherwise (see
// package arimaa).
func captured(own uint64, from, to cell) uint64 {
	own ^= 1<<from | 1<<to
	if traps>>to&1 != 0 && around[to&63]&own == 0 {
		return 1 << to
	}
	if trap := trapBeside[from&63] & own; trap != 0 && around[bits.TrailingZeros64(trap)&63]&own == 0 {
		return trap
	}
	return 0
}

// stronger returns the cells of the enemy pieces that are stronger than piece i.
func (g *geometry) stronger(b *placed, i int) (cells uint64) {
	for _, j := range g.above[i] {
		cells |= 1 << b.at[j]
	}
	return cells
}

// frozen reports whether a piece could not move from a cell, given the cells of its side and of
// stronger enemy pieces.
func frozen(from cell, own, stronger uint64) bool {
	return around[from&63]&own == 0 && around[from&63]&stronger != 0
}

// options lists what a side may do on a settled board.
func (g *geometry) options(b *placed, side int, to *options) {
	to.n1, to.n2, to.nc = 0, 0, 0
	for _, i := range g.of[side] {
		near := around[b.at[i]&63]
		if near&b.of[side] == 0 && near&g.stronger(b, i) != 0 {
			continue // frozen
		}
		g.stepsAndPulls(b, side, i, to)
		if len(g.below[i]) > 0 {
			g.pushes(b, side, i, to)
		}
	}
}

// stepsAndPulls lists the single steps and the pulls of piece i, which is not frozen.
func (g *geometry) stepsAndPulls(b *placed, side, i int, to *options) {
	own, enemy := b.of[side], b.of[1-side]
	from := b.at[i] & 63
	targets := around[from]
	if g.rabbit[i] {
		targets = ahead[side][from]
	}
	for targets &^= own | enemy; targets != 0; targets &= targets - 1 {
		step := cell(bits.TrailingZeros64(targets))
		index := b.index ^ uint32(from^step)<<g.shift[i]
		gone := captured(own, from, step)
		if gone == 0 {
			to.one[to.n1&63] = index
			to.n1++
		} else {
			to.addCapture(g, index, gone, 1)
		}
		for _, e := range g.below[i] {
			at := b.at[e] & 63
			if around[from]>>at&1 == 0 {
				continue
			}
			to.addDouble(g, index^uint32(at^from)<<g.shift[e], gone|captured(enemy, at, from))
		}
	}
}

// pushes lists the pushes of piece i, which is not frozen.
func (g *geometry) pushes(b *placed, side, i int, to *options) {
	own, enemy := b.of[side], b.of[1-side]
	from := b.at[i] & 63
	for _, e := range g.below[i] {
		at := b.at[e] & 63
		if around[from]>>at&1 == 0 {
			continue
		}
		follow := captured(own, from, at)
		for targets := around[at] &^ (own | enemy); targets != 0; targets &= targets - 1 {
			step := cell(bits.TrailingZeros64(targets))
			index := b.index ^ uint32(at^step)<<g.shift[e] ^ uint32(from^at)<<g.shift[i]
			to.addDouble(g, index, follow|captured(enemy, at, step))
		}
	}
}

// addDouble adds a push or pull that captures what stands on the cells of gone afterwards.
func (o *options) addDouble(g *geometry, index uint32, gone uint64) {
	if gone != 0 {
		o.addCapture(g, index, gone, 2)
		return
	}
	o.two[o.n2&63] = index
	o.n2++
}

// addCapture adds an option that captures what stands on the cells of gone afterwards.
func (o *options) addCapture(g *geometry, index uint32, gone uint64, cost uint8) {
	set := uint8(0)
	for i := range g.n {
		if gone>>(index>>g.shift[i]&63)&1 != 0 {
			set |= 1 << i
		}
	}
	o.capturing[o.nc&63] = capture{index, set, cost}
	o.nc++
}

// before lists the boards from which a side reaches b by one step, and by one push or pull, without
// a capture. b is settled. Of the boards listed some may not be: a piece may stand on a trap that
// no friend defends.
func (g *geometry) before(b *placed, side int, to *options) {
	own, enemy := b.of[side], b.of[1-side]
	empty := ^(own | enemy)
	to.n1, to.n2 = 0, 0
	for _, i := range g.of[side] {
		at := b.at[i] & 63
		others, stronger := own&^(1<<at), g.stronger(b, i)
		shift := g.shift[i]
		// Where the piece may have come from: by its own step, and by the second half of a push.
		free := uint64(0)
		for sources := around[at] & empty; sources != 0; sources &= sources - 1 {
			from := cell(bits.TrailingZeros64(sources))
			if frozen(from, others, stronger) {
				continue
			}
			free |= 1 << from
			if g.rabbit[i] && ahead[side][from&63]>>at&1 == 0 {
				continue
			}
			to.one[to.n1&63] = b.index ^ uint32(at^from)<<shift
			to.n1++
		}
		for _, e := range g.below[i] {
			beside := b.at[e] & 63
			if around[at]>>beside&1 == 0 {
				continue
			}
			// A push: the enemy piece was where the pusher is now.
			index := b.index ^ uint32(beside^at)<<g.shift[e]
			for sources := free; sources != 0; sources &= sources - 1 {
				from := cell(bits.TrailingZeros64(sources))
				to.two[to.n2&63] = index ^ uint32(at^from)<<shift
				to.n2++
			}
			// A pull: the puller was where the enemy piece is now.
			if frozen(beside, others, stronger) {
				continue
			}
			index = b.index ^ uint32(at^beside)<<shift
			for sources := around[beside] & empty; sources != 0; sources &= sources - 1 {
				from := cell(bits.TrailingZeros64(sources))
				to.two[to.n2&63] = index ^ uint32(beside^from)<<g.shift[e]
				to.n2++
			}
		}
	}
}
