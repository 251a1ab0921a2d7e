package goal

import "goalproof/arimaa"

// view is what the searches of this package need to know about Gold, to move.
type view struct {
	own     arimaa.Bitboard
	enemy   arimaa.Bitboard
	empty   arimaa.Bitboard
	rabbits arimaa.Bitboard // Gold's
	free    arimaa.Bitboard // Gold's pieces that are not frozen
}

func look(b *arimaa.Board) (v view) {
	occupied := b.Occupied()
	v.own = b.Of(arimaa.Gold)
	v.enemy = occupied ^ v.own
	v.empty = ^occupied
	v.rabbits = b.Rabbits(arimaa.Gold)
	v.free = v.own &^ b.Frozen(arimaa.Gold)
	return v
}

// singles runs through single steps of Gold:
//
//	for s := v.singles(zone); s.next(); { c := s.after(b) ... }
type singles struct {
	empty    arimaa.Bitboard // where a step may go
	rabbits  arimaa.Bitboard // Gold's
	leave    arimaa.Bitboard // only steps that leave one of these squares
	enter    arimaa.Bitboard // or enter one of these
	movers   arimaa.Bitboard // still to come
	targets  arimaa.Bitboard // still to come, from the square from
	from, to arimaa.Square
}

// singles returns the single steps that leave a square of one set or enter one of another.
func (v *view) singles(leave, enter arimaa.Bitboard) singles {
	return singles{empty: v.empty, rabbits: v.rabbits, leave: leave, enter: enter, movers: v.free & (leave | enter.Neighbors())}
}

// next goes to the next step, if there is one.
func (s *singles) next() bool {
	for s.targets == 0 {
		if s.movers == 0 {
			return false
		}
		s.from = s.movers.First()
		s.movers = s.movers.Rest()
		s.targets = s.from.Beside() & s.empty
		if s.rabbits.Has(s.from) {
			s.targets &^= s.from.Set() >> 8
		}
		if !s.leave.Has(s.from) {
			s.targets &= s.enter
		}
	}
	s.to = s.targets.First()
	s.targets = s.targets.Rest()
	return true
}

// after returns the board after the step.
func (s *singles) after(b *arimaa.Board) arimaa.Board {
	c := *b
	c.Displace(s.from, s.to)
	return c
}

// option returns the step.
func (s *singles) option(b *arimaa.Board) arimaa.Option {
	return arimaa.SingleStep(arimaa.StepBetween(b.At(s.from), s.from, s.to))
}

// changed returns the squares that the step may change.
func (s *singles) changed() arimaa.Bitboard { return withTraps(s.from.Set() | s.to.Set()) }

// rank is the step's place in an order of all options.
func (s *singles) rank() rank { return 1<<24 | rank(s.from)<<8 | rank(s.to) }

// doubles runs through pushes and pulls of Gold as [singles] does through its steps.
type doubles struct {
	empty         arimaa.Bitboard
	zone          arimaa.Bitboard // only pushes and pulls that change one of these squares
	prey          arimaa.Bitboard // and move one of these pieces
	movers        arimaa.Bitboard // still to come
	victims       arimaa.Bitboard // still to come, beside the square from
	pushes, pulls arimaa.Bitboard // still to come: where the pushed or the pulling piece goes
	from, at, to  arimaa.Square   // of Gold's piece, of the enemy's, and the empty square
	pull          bool
}

// doubles returns the pushes and pulls that move an enemy piece of a set and change a square of a
// zone.
func (v *view) doubles(prey, zone arimaa.Bitboard) doubles {
	prey &= v.enemy
	return doubles{empty: v.empty, zone: zone, prey: prey, movers: v.free &^ v.rabbits & prey.Neighbors()}
}

// next goes to the next push or pull on the board, if there is one.
func (d *doubles) next(b *arimaa.Board) bool {
	for d.pushes|d.pulls == 0 {
		if d.victims == 0 {
			if d.movers == 0 {
				return false
			}
			d.from = d.movers.First()
			d.movers = d.movers.Rest()
			d.victims = d.from.Beside() & d.prey &^ b.AtLeast(arimaa.Silver, b.At(d.from).Kind())
			continue
		}
		d.at = d.victims.First()
		d.victims = d.victims.Rest()
		d.pushes, d.pulls = d.at.Beside()&d.empty, d.from.Beside()&d.empty
		if (d.from.Set()|d.at.Set())&d.zone == 0 {
			d.pushes &= d.zone
			d.pulls &= d.zone
		}
	}
	if d.pull = d.pushes == 0; d.pull {
		d.to = d.pulls.First()
		d.pulls = d.pulls.Rest()
	} else {
		d.to = d.pushes.First()
		d.pushes = d.pushes.Rest()
	}
	return true
}

// after returns the board after the push or pull.
func (d *doubles) after(b *arimaa.Board) arimaa.Board {
	c := *b
	if d.pull {
		c.Displace(d.from, d.to)
		c.Displace(d.at, d.from)
	} else {
		c.Displace(d.at, d.to)
		c.Displace(d.from, d.at)
	}
	return c
}

// option returns the push or pull.
func (d *doubles) option(b *arimaa.Board) arimaa.Option {
	own, enemy := b.At(d.from), b.At(d.at)
	if d.pull {
		return arimaa.PushOrPull(arimaa.StepBetween(own, d.from, d.to), arimaa.StepBetween(enemy, d.at, d.from))
	}
	return arimaa.PushOrPull(arimaa.StepBetween(enemy, d.at, d.to), arimaa.StepBetween(own, d.from, d.at))
}

// changed returns the squares that the push or pull may change.
func (d *doubles) changed() arimaa.Bitboard {
	return withTraps(d.from.Set() | d.at.Set() | d.to.Set())
}

// rank is the place of the push or pull in an order of all options.
func (d *doubles) rank() rank {
	r := rank(d.from)<<16 | rank(d.at)<<8 | rank(d.to)
	if d.pull {
		r |= 1 << 23
	}
	return r
}

// rank is a place in an order of all options, pushes and pulls before single steps.
type rank uint32

// withTraps adds the traps beside a set: what is captured when a piece of it leaves.
func withTraps(set arimaa.Bitboard) arimaa.Bitboard { return set | set.Neighbors()&arimaa.Traps }

// played is an option that has just been played.
type played struct {
	rank    rank
	changed arimaa.Bitboard
}

// idle tells whether an option may be left out right after p: the two do not touch each
// other, so they may be played in either order, and the other order is tried too.
//
// What decides about an option and about what it captures, and what it changes, lies on the
// squares that it may change and those next to them: whether its pieces are
// there and the squares they enter empty, whether Gold's piece is frozen, whether a trap
// is defended. So two options of which none changes a square on or next to one that the other
// may change can be exchanged, with the same result. Of all orders of a sequence of options
// that such exchanges of neighbours make, the one with the least ranks in lexical order
// is never left out: it has no such pair in descending order.
func (p *played) idle(o played) bool {
	return o.rank < p.rank && o.changed&grow(p.changed) == 0
}
