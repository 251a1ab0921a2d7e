package endgame

import "math/bits"

// options lists what a side may do in the middle of a turn: the boards after a step, after a push or a pull, and
// what captures. The indices are neither in order nor mirrored.
type options struct {
	one, two   [64]uint32
	n1, n2, nc int
	captures   [64]capture
}

// capture is an option that captures one piece, or one of each side.
type capture struct {
	index uint32 // of the board with the captured pieces on their traps
	gone  uint8  // the set of captured pieces
	cost  uint8  // 1 for a step, 2 for a push or a pull
}

// captured returns the cell of the piece that goes when a piece of a side with the cells own leaves from for to, as a
// set of one, or the empty set. No piece goes from a settled board otherwise (see package arimaa).
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

// frozen tells whether piece i, of a side with the cells own, could not move from a cell, its enemies being where
// they are on b. Only stronger ones matter.
func (g *geometry) frozen(b *placed, i int, from cell, own uint64) bool {
	if around[from&63]&own != 0 {
		return false
	}
	threat := uint64(0)
	for _, j := range g.above[i] {
		threat |= 1 << b.at[j]
	}
	return around[from&63]&threat != 0
}

// options lists what a side may do on a settled board.
func (g *geometry) options(b *placed, side int, to *options) {
	own, enemy := b.of[side], b.of[1-side]
	empty := ^(own | enemy)
	to.n1, to.n2, to.nc = 0, 0, 0
	for _, i := range g.of[side] {
		from := b.at[i] & 63
		if g.frozen(b, i, from, own) {
			continue
		}
		targets := around[from]
		if g.rabbit[i] {
			targets = ahead[side][from]
		}
		shift := g.shift[i]
		for targets &= empty; targets != 0; targets &= targets - 1 {
			step := cell(bits.TrailingZeros64(targets))
			index := b.index ^ uint32(from^step)<<shift
			gone := captured(own, from, step)
			if gone == 0 {
				to.one[to.n1&63] = index
				to.n1++
			} else {
				to.capture(g, b, index, gone, 1)
			}
			for _, e := range g.below[i] { // pulled
				at := b.at[e] & 63
				if around[from]>>at&1 == 0 {
					continue
				}
				index := index ^ uint32(at^from)<<g.shift[e]
				if gone := gone | captured(enemy, at, from); gone == 0 {
					to.two[to.n2&63] = index
					to.n2++
				} else {
					to.capture(g, b, index, gone, 2)
				}
			}
		}
		for _, e := range g.below[i] { // pushed
			at := b.at[e] & 63
			if around[from]>>at&1 == 0 {
				continue
			}
			follow := captured(own, from, at)
			for targets := around[at] & empty; targets != 0; targets &= targets - 1 {
				step := cell(bits.TrailingZeros64(targets))
				index := b.index ^ uint32(at^step)<<g.shift[e] ^ uint32(from^at)<<shift
				if gone := follow | captured(enemy, at, step); gone == 0 {
					to.two[to.n2&63] = index
					to.n2++
				} else {
					to.capture(g, b, index, gone, 2)
				}
			}
		}
	}
}

// capture adds an option that captures what stands on the cells of gone afterwards.
func (o *options) capture(g *geometry, b *placed, index uint32, gone uint64, cost uint8) {
	set := uint8(0)
	for i := range g.n {
		if gone>>(index>>g.shift[i]&63)&1 != 0 {
			set |= 1 << i
		}
	}
	o.captures[o.nc&63] = capture{index, set, cost}
	o.nc++
}

// before lists the boards from which a side reaches b by one step, and by one push or pull, without a capture. b is
// settled. Of the boards listed some may not be: a piece may stand on a trap that no friend defends.
func (g *geometry) before(b *placed, side int, to *options) {
	own, enemy := b.of[side], b.of[1-side]
	empty := ^(own | enemy)
	to.n1, to.n2 = 0, 0
	for _, i := range g.of[side] {
		at := b.at[i] & 63
		others := own &^ (1 << at)
		shift := g.shift[i]
		// Where the piece may have come from: by its own step, and by the second half of a push.
		free := uint64(0)
		for sources := around[at] & empty; sources != 0; sources &= sources - 1 {
			from := cell(bits.TrailingZeros64(sources))
			if g.frozen(b, i, from, others) {
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
			if g.frozen(b, i, beside, others) {
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
