package goal

import "goalproof/arimaa"

// footprint is what an option of Silver may have to do with another one (see [Detector.Defence]).
//
// It reads the squares that decide whether it is legal and what it captures:
//
//   - The squares that its pieces leave and enter.
//   - The squares beside the piece that moves, if a stronger piece of Gold stands there, for that
//     would freeze it. (A push or pull may bring one there or take one away. For this the squares
//     beside those that it touches count as changed.)
//   - If it enters a trap, the squares beside that trap. If it leaves a square beside a trap, the
//     trap, and if a piece of Silver stands there, the squares beside it. For a push or pull all of
//     that in any case.
//
// It changes the squares that its pieces leave and enter, and the trap where it captures; it reads
// all of them. So if neither of two neighbouring options changes a square that the other reads,
// each finds the same there in either order: it is legal in both, does the same, and has the same
// footprint.
type footprint struct{ changed, reads arimaa.Bitboard }

// conflicts reports whether two options may not change places.
func (f *footprint) conflicts(g *footprint) bool { return f.changed&g.reads|g.changed&f.reads != 0 }

// partners returns squares from which every single step begins that conflicts with the option.
func (f *footprint) partners() arimaa.Bitboard {
	return dilate(f.changed|f.reads) | trapBlocks(f.changed)
}

// trapBlocks returns the traps in a set or beside it, each with the squares beside it.
func trapBlocks(s arimaa.Bitboard) arimaa.Bitboard { return dilate(dilate(s) & arimaa.Traps) }

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
	trap := from.Beside() & arimaa.Traps
	reads := moved | trap | (trap & s.silver).Neighbors() | (to.Set() & arimaa.Traps).Neighbors()
	if s.dominated.Has(from) {
		reads |= from.Beside()
	}
	return footprint{moved | captured, reads}
}

// doubleFootprint returns the footprint of a push or pull.
func doubleFootprint(d *arimaa.Doubles) footprint {
	moved := d.From.Set() | d.At.Set() | d.To.Set()
	return footprint{dilate(moved), moved | trapBlocks(moved)}
}

// waiting holds the options since a threat was found that wait for a conflicting successor, in a
// fixed order.
type waiting struct {
	options [3]footprint
	n       int
}

// after returns which options wait after another one that does not end the waiting. There is room:
// each took a step, and one is left.
func (w *waiting) after(f *footprint) (rest waiting) {
	last := *f
	for i := range w.n {
		g := w.options[i]
		if g.conflicts(f) {
			continue
		}
		if last.less(&g) {
			last, g = g, last
		}
		rest.options[rest.n] = g
		rest.n++
	}
	rest.options[rest.n] = last
	rest.n++
	return rest
}

// less puts footprints in order.
func (f *footprint) less(g *footprint) bool {
	return f.changed < g.changed || f.changed == g.changed && f.reads < g.reads
}

// reach is where options may be that have to do with the last one: a single step that changes a
// square of a relevance zone.
type reach struct {
	last   arimaa.Bitboard // the last option begins there
	around arimaa.Bitboard // a single step that conflicts with it begins or ends there, and a push or pull touches a square within 1
}

// reachOf returns the reach for a zone. The last option leaves or enters a square of the zone or,
// to capture on a trap of the zone, leaves one beside it for one within 2. What it reads and
// changes is in around.
func reachOf(zone arimaa.Bitboard) reach {
	last := dilate(zone)
	return reach{last, dilate(last) | trapBlocks(last)}
}

// meets reports whether an option may conflict with the last one. If it reads a square which that
// changes, it also changes one within 1 of it, or both change squares of the same trap and those
// beside it.
func (r *reach) meets(f *footprint) bool { return f.changed&r.around != 0 }
