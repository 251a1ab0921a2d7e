package goal

import "goalproof/arimaa"

// footprint is what an option of Silver may have to do with another one (see [Detector.Defence]).
//
// It reads the squares that decide whether it is legal and what it captures:
//
//   - The squares that its pieces leave and enter.
//   - The squares beside the piece that moves, if a stronger piece of Gold stands there, for that would freeze it. (If none does, a
//     push or pull would have to bring one there, and for this the squares beside those that it touches count as changed.)
//   - If it enters a trap, the squares beside that trap. If it leaves a square beside a trap, the trap, and if a piece of
//     Silver stands there, the squares beside it. For a push or pull all of that in any case.
//
// It changes the squares that its pieces leave and enter, and the trap where it captures; it reads all of them. So if neither of two
// neighbouring options changes a square that the other reads, each finds the same there in either order: it is legal in
// both, does the same, and has the same footprint.
type footprint struct {
	changed, reads arimaa.Bitboard
	code           uint32 // tells footprints apart; from 1 to 1<<21 - 1
}

// conflicts tells whether two options may not change places.
func (f *footprint) conflicts(g *footprint) bool { return f.changed&g.reads|g.changed&f.reads != 0 }

// partners returns squares from which every single step begins that conflicts with the option.
func (f *footprint) partners() arimaa.Bitboard {
	return grow(f.changed|f.reads) | trapBlocks(f.changed)
}

// trapBlocks returns the traps in a set or beside it, each with the squares beside it.
func trapBlocks(s arimaa.Bitboard) arimaa.Bitboard { return grow(grow(s) & arimaa.Traps) }

// site is what footprints need of the board before the option.
type site struct {
	silver    arimaa.Bitboard
	dominated arimaa.Bitboard // Silver's pieces beside stronger ones of Gold
}

func siteOf(b *arimaa.Board, m *arimaa.Mobility) site {
	return site{m.Own, b.Dominated(arimaa.Silver, m.Enemy)}
}

// single returns the footprint of a single step.
func (s *site) single(from, to arimaa.Square, captured arimaa.Bitboard) footprint {
	moved := from.Set() | to.Set()
	f := footprint{moved | captured, moved, 1 | uint32(from)<<1 | uint32(to)<<7}
	if s.dominated.Has(from) {
		f.reads |= from.Beside()
		f.code |= 1 << 13
	}
	trap := from.Beside() & arimaa.Traps
	f.reads |= trap | (to.Set() & arimaa.Traps).Neighbors()
	if trap&s.silver != 0 {
		f.reads |= trap.Neighbors()
		f.code |= 1 << 14
	}
	if captured&^moved != 0 {
		f.code |= 1 << 15
	}
	return f
}

// doubleFootprint returns the footprint of a push or pull.
func doubleFootprint(d *arimaa.Doubles) footprint {
	moved := d.From.Set() | d.At.Set() | d.To.Set()
	blocks := trapBlocks(moved)
	return footprint{
		changed: grow(moved) | blocks&arimaa.Traps,
		reads:   moved | d.From.Beside() | blocks,
		code:    1 | uint32(d.From)<<1 | uint32(d.To)<<7 | uint32(d.At)<<13 | 1<<19,
	}
}

// waiting holds the options since a threat was found that wait for a conflicting successor, in the order of their codes.
type waiting struct {
	options [3]footprint
	n       int
	key     uint64 // their codes; 0 if none waits
}

// after returns which options wait after another one that does not end the waiting. There is room: each took a
// step, and one is left.
func (w *waiting) after(f *footprint) (rest waiting) {
	placed := false
	put := func(g *footprint) {
		rest.options[rest.n] = *g
		rest.key |= uint64(g.code) << (21 * rest.n)
		rest.n++
	}
	for i := range w.n {
		g := &w.options[i]
		if !placed && f.code < g.code {
			placed = true
			put(f)
		}
		if !g.conflicts(f) {
			put(g)
		}
	}
	if !placed {
		put(f)
	}
	return rest
}

// reach is where options may be that have to do with the last one, a single step which changes a square of a relevance zone.
type reach struct {
	from    arimaa.Bitboard // the last option begins there
	changes arimaa.Bitboard // it changes squares of this set alone
	single  arimaa.Bitboard // a single step that conflicts with it changes one of these
}

// reachOf returns the reach for a zone. The last option leaves or enters a square of the zone, or leaves one beside a trap
// of the zone. It reads its squares, those beside the first, and those of traps beside it.
func reachOf(zone arimaa.Bitboard) reach {
	near := grow(withTrapsides(zone))
	blocks := trapBlocks(near)
	return reach{near, near | blocks, grow(near) | blocks}
}

// meets tells whether an option may conflict with the last one.
func (r *reach) meets(f *footprint) bool { return f.changed&r.single|f.reads&r.changes != 0 }
