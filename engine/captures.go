package engine

import "goalproof/arimaa"

// captures lists beginnings of turns that capture an enemy piece. (Wu 2015, section 4.3.2, has such a
// generator; this one is a search.)
//
// To capture a piece in a trap it must be moved there, with a push or pull for each square, and each
// other enemy piece beside the trap away from it. That is a lower bound on the steps. The steps above it may
// prepare a push or pull: bring a stronger piece beside the victim, unfreeze one that is there, or
// make room. Only such options are tried, and for each target only the fewest steps that do.
type captures struct {
	found []capture
	side  arimaa.Side
	trap  arimaa.Square
	full  int // as many as found may hold for this target
}

type capture struct {
	turn  arimaa.Turn
	board arimaa.Board // after it
	prey  arimaa.Kind
}

const (
	maxCaptures = 32 // listed at one point of a turn
	maxWays     = 6  // listed for one target
)

// list lists captures within the steps that are left at p.
func (c *captures) list(p *arimaa.Position) {
	c.found = c.found[:0]
	if p.StepsLeft() < 2 || p.Undefended() != 0 {
		return
	}
	c.side = p.Side()
	enemy := p.Of(c.side.Other())
	for traps := arimaa.Traps; traps != 0; traps = traps.Rest() {
		c.trap = traps.First()
		for targets := enemy & within[2][c.trap]; targets != 0; targets = targets.Rest() {
			x := targets.First()
			c.full = min(maxCaptures, len(c.found)+maxWays)
			before := len(c.found)
			for steps := c.least(&p.Board, x); steps <= p.StepsLeft() && len(c.found) == before; steps++ {
				c.search(p.Board, x, steps, arimaa.Turn{})
			}
		}
	}
}

// least returns a number of steps that it takes at least to capture the piece on x.
func (c *captures) least(b *arimaa.Board, x arimaa.Square) int {
	enemy := b.Of(c.side.Other())
	n := 2 * (c.trap.Beside() & enemy &^ x.Set()).Len()
	switch {
	case x == c.trap:
		return n
	case enemy.Has(c.trap):
		return never
	case b.Of(c.side).Has(c.trap) && !b.AtLeast(c.side, b.At(x).Kind()+1).Has(c.trap):
		n++ // it steps aside; a stronger one may pull
	}
	if c.trap.Beside().Has(x) {
		return n + 2
	}
	return n + 4
}

// never is more steps than a turn has.
const never = arimaa.StepsPerTurn + 1

// search looks for captures of the piece on x in so many steps.
func (c *captures) search(b arimaa.Board, x arimaa.Square, steps int, turn arimaa.Turn) {
	spare := steps - c.least(&b, x)
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
	var steppers prepare
	for rest := victims; rest != 0; rest = rest.Rest() {
		v := rest.First()
		kind := b.At(v).Kind()
		stronger := b.AtLeast(c.side, kind+1)
		for pushers := stronger & free & v.Beside(); pushers != 0; pushers = pushers.Rest() {
			c.doubles(&b, x, v, pushers.First(), empty, steps, turn)
		}
		if spare > 0 {
			steppers.forVictim(v, stronger, own, free, empty, spare)
		}
	}
	if spare == 0 {
		return
	}
	if own.Has(c.trap) {
		steppers.leave |= c.trap.Set()
	}
	rabbits := b.Rabbits(c.side)
	for movers := free; movers != 0; movers = movers.Rest() {
		from := movers.First()
		to := from.Beside() & empty
		if rabbits.Has(from) {
			to &^= behind(c.side, from)
		}
		if !steppers.leave.Has(from) {
			enter := steppers.enter
			for rest := steppers.near; rest != 0; rest = rest.Rest() {
				// A stronger piece comes closer to a victim.
				v := rest.First()
				if b.AtLeast(c.side, b.At(v).Kind()+1).Has(from) {
					for d := 1; d <= spare; d++ {
						if within[d+1][v].Has(from) && !within[d][v].Has(from) {
							enter |= within[d][v]
						}
					}
				}
			}
			to &= enter
		}
		for ; to != 0; to = to.Rest() {
			after := b
			after.Displace(from, to.First())
			c.search(after, x, steps-1, turn.With(arimaa.StepBetween(b.At(from), from, to.First())))
		}
	}
}

// prepare says which single steps may prepare a push or pull.
type prepare struct {
	near  arimaa.Bitboard // victims that stronger pieces may come closer to
	enter arimaa.Bitboard // squares that any piece may enter
	leave arimaa.Bitboard // squares that a piece may leave
}

// forVictim adds what may help against the piece on v.
func (p *prepare) forVictim(v arimaa.Square, stronger, own, free, empty arimaa.Bitboard, spare int) {
	p.near |= v.Set()
	p.enter |= (stronger &^ free & within[spare][v]).Neighbors()
	if v.Beside()&empty == 0 {
		p.leave |= v.Beside() & own
	}
	if spare > 1 {
		p.leave |= v.Beside() & own & stronger.Neighbors() // for that one
	}
	if beside := stronger & v.Beside(); beside != 0 && beside.Neighbors()&empty == 0 {
		p.leave |= beside.Neighbors() & own
	}
}

// doubles tries the pushes and pulls of the piece on v by the one on from that bring the target on x, which
// may be the piece on v, closer to its capture.
func (c *captures) doubles(b *arimaa.Board, x, v, from arimaa.Square, empty arimaa.Bitboard, steps int, turn arimaa.Turn) {
	victim, piece := b.At(v), b.At(from)
	wanted := ^c.trap.Beside() // where the victim may go
	if v == x {
		wanted = c.trap.Set()
		if !c.trap.Beside().Has(x) {
			wanted = c.trap.Beside()
		}
	}
	for to := v.Beside() & empty & wanted; to != 0; to = to.Rest() {
		after := *b
		gone := after.Displace(v, to.First())
		gone |= after.Displace(from, v)
		c.moved(after, gone, x, v, to.First(), steps,
			turn.WithOption(arimaa.PushOrPull(arimaa.StepBetween(victim, v, to.First()), arimaa.StepBetween(piece, from, v))), b.At(x).Kind())
	}
	if !wanted.Has(from) {
		return
	}
	for to := from.Beside() & empty; to != 0; to = to.Rest() {
		after := *b
		gone := after.Displace(from, to.First())
		gone |= after.Displace(v, from)
		c.moved(after, gone, x, v, from, steps,
			turn.WithOption(arimaa.PushOrPull(arimaa.StepBetween(piece, from, to.First()), arimaa.StepBetween(victim, v, from))), b.At(x).Kind())
	}
}

// moved goes on after the piece on v has gone to a square, which captured what stood on the squares of gone.
func (c *captures) moved(after arimaa.Board, gone arimaa.Bitboard, x, v, to arimaa.Square, steps int, turn arimaa.Turn, prey arimaa.Kind) {
	if v == x {
		x = to
	}
	if !gone.Has(x) || after.Of(c.side.Other()).Has(x) {
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
	c.found = append(c.found, capture{turn, after, prey})
}

// behind returns the square that a rabbit of side may not step to by itself.
func behind(side arimaa.Side, from arimaa.Square) arimaa.Bitboard {
	if side == arimaa.Gold {
		return from.Set().Shift(arimaa.South)
	}
	return from.Set().Shift(arimaa.North)
}

// within[d][s] is the set of squares at most d steps away from s.
var within = func() (t [arimaa.StepsPerTurn + 1][64]arimaa.Bitboard) {
	for s := range t[0] {
		t[0][s] = arimaa.Square(s).Set()
		for d := 1; d < len(t); d++ {
			t[d][s] = t[d-1][s] | t[d-1][s].Neighbors()
		}
	}
	return t
}()
