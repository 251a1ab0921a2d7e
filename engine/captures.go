package engine

import "goalproof/arimaa"

// captures generates beginnings of turns that capture an enemy piece. (The generator of Wu 2015,
// section 4.3.2, is static; this one is a search.)
//
// A capture takes a push or pull for each square between the target and the trap, and one for each
// other enemy piece beside the trap. That is a lower bound on its steps. The remaining steps may
// prepare a push or pull: they bring a stronger piece beside the piece to move, unfreeze one that
// is there, or make room. Only such options are tried, and for each target only the fewest steps
// that succeed.
type captures struct {
	found []capture
	side  arimaa.Side
	trap  arimaa.Square
	full  int // length of found at which the search for this target ends
}

type capture struct {
	turn   arimaa.Turn
	board  arimaa.Board // after it
	victim arimaa.Kind
}

const (
	maxCaptures = 32 // at one node
	maxWays     = 6  // for one target
)

// list finds captures within the steps left at p.
func (c *captures) list(p *arimaa.Position) {
	c.found = c.found[:0]
	if p.StepsLeft() < 2 || p.Undefended() != 0 {
		return
	}
	c.side = p.Side()
	enemy := p.Of(c.side.Other())
	for traps := arimaa.Traps; traps != 0; traps = traps.Rest() {
		c.trap = traps.First()
		for targets := enemy & c.trap.Within(2); targets != 0; targets = targets.Rest() {
			x := targets.First()
			c.full = min(maxCaptures, len(c.found)+maxWays)
			before := len(c.found)
			for steps := c.minSteps(&p.Board, x); steps <= p.StepsLeft() && len(c.found) == before; steps++ {
				c.search(p.Board, x, steps, arimaa.Turn{})
			}
		}
	}
}

// minSteps returns a lower bound on the steps that capture the piece on x.
func (c *captures) minSteps(b *arimaa.Board, x arimaa.Square) int {
	enemy := b.Of(c.side.Other())
	n := 2 * (c.trap.Beside() & enemy &^ x.Set()).Len()
	switch {
	case x == c.trap:
		return n
	case enemy.Has(c.trap):
		return never
	case b.Of(c.side).Has(c.trap) && !b.AtLeast(c.side, b.At(x).Kind()+1).Has(c.trap):
		n++ // the own piece leaves the trap; a stronger one may pull
	}
	if c.trap.Beside().Has(x) {
		return n + 2
	}
	return n + 4
}

// never exceeds the steps of a turn.
const never = arimaa.StepsPerTurn + 1

// search looks for captures of the piece on x that take exactly steps.
func (c *captures) search(b arimaa.Board, x arimaa.Square, steps int, turn arimaa.Turn) {
	spare := steps - c.minSteps(&b, x)
	if spare < 0 || len(c.found) >= c.full {
		return
	}
	own, enemy := b.Of(c.side), b.Of(c.side.Other())
	empty := ^(own | enemy)
	free := own &^ b.Frozen(c.side)
	victims := c.trap.Beside() & enemy &^ x.Set()
	if x != c.trap {
		victims |= x.Set()
	}
	var preparing preparation
	for rest := victims; rest != 0; rest = rest.Rest() {
		v := rest.First()
		kind := b.At(v).Kind()
		stronger := b.AtLeast(c.side, kind+1)
		for pushers := stronger & free & v.Beside(); pushers != 0; pushers = pushers.Rest() {
			c.pushesAndPulls(&b, x, v, pushers.First(), empty, steps, turn)
		}
		if spare > 0 {
			preparing.forVictim(v, stronger, own, free, empty, spare)
		}
	}
	if spare == 0 {
		return
	}
	if own.Has(c.trap) {
		preparing.leave |= c.trap.Set()
	}
	rabbits := b.Rabbits(c.side)
	for movers := free; movers != 0; movers = movers.Rest() {
		from := movers.First()
		to := from.Beside() & empty
		if rabbits.Has(from) {
			to &^= from.Set().Shift(c.side.Other().Forward())
		}
		if !preparing.leave.Has(from) {
			to &= preparing.enter | preparing.approach(&b, c.side, from, spare)
		}
		for ; to != 0; to = to.Rest() {
			after := b
			after.Displace(from, to.First())
			c.search(after, x, steps-1, turn.With(arimaa.StepBetween(b.At(from), from, to.First())))
		}
	}
}

// preparation describes the single steps that may prepare a push or pull.
type preparation struct {
	near  arimaa.Bitboard // victims that a stronger piece may approach
	enter arimaa.Bitboard // squares that any piece may enter
	leave arimaa.Bitboard // squares that any piece may leave
}

// forVictim adds the steps that may prepare a push or pull of the piece on v.
func (p *preparation) forVictim(v arimaa.Square, stronger, own, free, empty arimaa.Bitboard, spare int) {
	p.near |= v.Set()
	p.enter |= (stronger &^ free & v.Within(spare)).Neighbors()
	if v.Beside()&empty == 0 {
		p.leave |= v.Beside() & own
	}
	if spare > 1 {
		p.leave |= v.Beside() & own & stronger.Neighbors() // room for that piece
	}
	if beside := stronger & v.Beside(); beside != 0 && beside.Neighbors()&empty == 0 {
		p.leave |= beside.Neighbors() & own
	}
}

// approach returns the squares on which the piece on from is closer to a victim that is weaker.
func (p *preparation) approach(b *arimaa.Board, side arimaa.Side, from arimaa.Square, spare int) (closer arimaa.Bitboard) {
	for rest := p.near; rest != 0; rest = rest.Rest() {
		v := rest.First()
		if !b.AtLeast(side, b.At(v).Kind()+1).Has(from) {
			continue
		}
		for d := 1; d <= spare; d++ {
			if v.Within(d+1).Has(from) && !v.Within(d).Has(from) {
				closer |= v.Within(d)
			}
		}
	}
	return closer
}

// pushesAndPulls tries the pushes and pulls of the piece on v by the piece on from that bring the
// target on x, which may be the piece on v, closer to its capture.
func (c *captures) pushesAndPulls(b *arimaa.Board, x, v, from arimaa.Square, empty arimaa.Bitboard, steps int, turn arimaa.Turn) {
	victim, piece := b.At(v), b.At(from)
	wanted := ^c.trap.Beside() // squares for the victim
	if v == x {
		wanted = c.trap.Set()
		if !c.trap.Beside().Has(x) {
			wanted = c.trap.Beside()
		}
	}
	for to := v.Beside() & empty & wanted; to != 0; to = to.Rest() {
		after := *b
		captured := after.Displace(v, to.First())
		captured |= after.Displace(from, v)
		c.continueWith(after, captured, x, v, to.First(), steps,
			turn.WithOption(arimaa.PushOrPull(arimaa.StepBetween(victim, v, to.First()), arimaa.StepBetween(piece, from, v))), b.At(x).Kind())
	}
	if !wanted.Has(from) {
		return
	}
	for to := from.Beside() & empty; to != 0; to = to.Rest() {
		after := *b
		captured := after.Displace(from, to.First())
		captured |= after.Displace(v, from)
		c.continueWith(after, captured, x, v, from, steps,
			turn.WithOption(arimaa.PushOrPull(arimaa.StepBetween(piece, from, to.First()), arimaa.StepBetween(victim, v, from))), b.At(x).Kind())
	}
}

// continueWith continues the search after the piece on v has moved to a square; captured holds the
// traps that this emptied.
func (c *captures) continueWith(after arimaa.Board, captured arimaa.Bitboard, x, v, to arimaa.Square, steps int, turn arimaa.Turn, victim arimaa.Kind) {
	if v == x {
		x = to
	}
	if !captured.Has(x) || after.Of(c.side.Other()).Has(x) {
		if steps >= 4 {
			c.search(after, x, steps-2, turn)
		}
		return
	}
	if len(c.found) >= c.full {
		return
	}
	for i := range c.found {
		if c.found[i].board == after {
			return
		}
	}
	c.found = append(c.found, capture{turn, after, victim})
}
