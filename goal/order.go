package goal

import "goalproof/arimaa"

// played is an option that has just been played.
type played struct {
	place   uint32 // in an order of all options, pushes and pulls before single steps
	changed arimaa.Bitboard
}

func playedStep(s *arimaa.Steps) played {
	return played{1<<24 | uint32(s.From)<<8 | uint32(s.To), withTraps(s.From.Set() | s.To.Set())}
}

func playedDouble(d *arimaa.Doubles) played {
	place := uint32(d.From)<<16 | uint32(d.At)<<8 | uint32(d.To)
	if d.Pull {
		place |= 1 << 23
	}
	return played{place, withTraps(d.From.Set() | d.At.Set() | d.To.Set())}
}

// withTraps adds the traps beside a set: where a piece is captured when a defender in the set
// leaves.
func withTraps(set arimaa.Bitboard) arimaa.Bitboard { return set | set.Neighbors()&arimaa.Traps }

// redundant reports whether the search may leave out option o right after p: the two are
// independent, so the search tries the other order too.
//
// Everything that decides whether an option is legal, and what it captures and changes, lies on the
// squares that it may change and on those next to them: the squares of its pieces, the squares that
// they enter, the neighbours that freeze or free its own piece, the defenders of a trap. So two
// options may change places, with the same result, if neither changes a square on or next to one
// that the other may change. Among all orders of a sequence that such exchanges of neighbours
// produce, take the lexically least by place. It has no such pair in descending order, so it is
// never left out.
func (p *played) redundant(o played) bool {
	return o.place < p.place && o.changed&dilate(p.changed) == 0
}
