// Package ordering predicts which option a good player chooses, so that a search looks at likely
// options first.
//
// An option is described by binary features of three kinds: what moves from where to where; what
// changes around it (traps, freezing, ways of rabbits); and how it relates to what moved before, in
// the opponent's last turn and earlier in this turn. The features are those of Wu 2011 (section
// 2.4) as far as they can be computed without playing the option. The score of an option is the sum
// of the weights of its features, in units of log-odds: by the model of Bradley and Terry, as
// Coulom 2007 uses it, an option is chosen with the probability exp(score) over the sum of that for
// all options.
//
// Package learn finds the weights.
package ordering

import "goalproof/arimaa"

// classes of pieces, by the number of stronger enemy pieces; rabbits are the last.
const (
	classes     = 6
	rabbitClass = classes - 1
)

// Feature numbers. Each group begins where the one before ends.
const (
	steps       = 0                          // class, square of origin, direction
	stepsLeft   = steps + classes*32*4       // class, steps left
	dangers     = stepsLeft + classes*4      // class, stronger enemies beside the origin and the destination
	ontoTrap    = dangers + classes*2*3      // class, own defenders of the trap
	arrivals    = ontoTrap + classes*3       // beside a trap: which, own and enemy pieces there, elephant
	departures  = arrivals + 2*4*4*2         // the same
	threats     = departures + 2*4*4*2       // class of the strongest weaker enemy newly met, safely or not
	releases    = threats + classes*2        // class of the strongest weaker enemy that is left
	thaws       = releases + classes         // class of the strongest own piece unfrozen
	freezes     = thaws + classes            // class of the strongest own piece that is left to be frozen
	answers     = freezes + classes          // distances of origin and destination from the last turn, rabbit
	follows     = answers + 4*4*2            // distances from what has changed in this turn
	runs        = follows + 3*3              // rabbits: rank, whether the way is free
	pushes      = runs + 8*3                 // push or pull, classes
	victims     = pushes + 2*classes*classes // square of the victim, direction
	victimTraps = victims + 32*4             // class of the victim, whether it is captured
	victimFrom  = victimTraps + classes*2    // victim beside a trap: which, own and enemy pieces beside it
	victimTo    = victimFrom + 2*4*4         // the same
	pushDangers = victimTo + 2*4*4           // class, danger of the destination
	pushAnswers = pushDangers + classes*3    // distance of the victim from the opponent's last turn
	pushFollows = pushAnswers + 4            // distance of the pusher from what has changed in this turn
	pushLeft    = pushFollows + 3            // steps left
	ends        = pushLeft + 4               // end of the turn, steps left
	Features    = ends + 4                   // number of all features
)

// MostActive bounds the number of features of an option.
const MostActive = 16

// trapSquares lists the traps, and besideTrap has for each square the index of the trap beside it.
// No square is beside two.
var trapSquares, besideTrap = func() (traps [4]arimaa.Square, beside [64]uint8) {
	for s := range beside {
		beside[s] = noTrap
	}
	for i, set := 0, arimaa.Traps; set != 0; i, set = i+1, set.Rest() {
		traps[i] = set.First()
		for near := traps[i].Beside(); near != 0; near = near.Rest() {
			beside[near.First()] = uint8(i)
		}
	}
	return traps, beside
}()

const noTrap = 4

// Context is what the options of a point within a turn have in common.
type Context struct {
	side             arimaa.Side
	flip             arimaa.Square
	left             int
	occupied         arimaa.Bitboard
	own, foe         arimaa.Bitboard
	pieces           [2][7]arimaa.Bitboard // own and enemy pieces by kind
	traps            [4]uint16             // own and enemy pieces beside each
	frozen           arimaa.Bitboard       // own
	dominated        arimaa.Bitboard       // own, beside a stronger enemy
	class            [2][7]uint16          // by whose piece (own: 0) and kind
	danger           [7]arimaa.Bitboard    // squares beside an enemy stronger than the kind
	weaker           [7]arimaa.Bitboard    // enemies weaker than the kind
	last, moved      [3]arimaa.Bitboard    // what has changed, and what is within one and two steps
	hasLast, hasMove bool
}

// Set describes a point within a turn: the position there, the board at the start of the turn, and
// that before the opponent's last turn, or nil.
func (c *Context) Set(p *arimaa.Position, start, before *arimaa.Board) {
	b := &p.Board
	side := p.Side()
	other := side.Other()
	c.side, c.left = side, p.StepsLeft()
	c.flip = 0
	if side == arimaa.Silver {
		c.flip = 56
	}
	c.own, c.foe = b.Of(side), b.Of(other)
	c.occupied = c.own | c.foe
	var stronger [2]arimaa.Bitboard
	for kind := arimaa.Elephant; kind >= arimaa.Rabbit; kind-- {
		c.pieces[0][kind], c.pieces[1][kind] = b.Pieces(side, kind), b.Pieces(other, kind)
		c.class[0][kind], c.class[1][kind] = classOf(kind, stronger[1].Len()), classOf(kind, stronger[0].Len())
		c.danger[kind] = stronger[1].Neighbors()
		stronger[0] |= c.pieces[0][kind]
		stronger[1] |= c.pieces[1][kind]
		c.weaker[kind] = c.foe &^ stronger[1]
	}
	for i, t := range trapSquares {
		which := uint16(0)
		if (t^c.flip)>>3 >= 4 {
			which = 16
		}
		beside := t.Beside()
		c.traps[i] = which + uint16(min((beside&c.own).Len(), 3))*4 + uint16(min((beside&c.foe).Len(), 3))
	}
	c.frozen = b.Frozen(side)
	c.dominated = b.Dominated(side, b.AtLeast(other, arimaa.Cat))
	c.hasLast, c.hasMove = before != nil && *before != *start, *b != *start
	if c.hasLast {
		spread(&c.last, before.Changed(start))
	}
	if c.hasMove {
		spread(&c.moved, start.Changed(b))
	}
}

// classOf returns the class of a piece with so many stronger enemies.
func classOf(kind arimaa.Kind, stronger int) uint16 {
	switch {
	case kind == arimaa.Rabbit:
		return rabbitClass
	case stronger <= 2:
		return uint16(stronger)
	case stronger <= 4:
		return 3
	}
	return 4
}

// spread sets to to a set and to what is within one and within two steps of it.
func spread(to *[3]arimaa.Bitboard, set arimaa.Bitboard) {
	to[0] = set
	to[1] = set | set.Neighbors()
	to[2] = to[1] | to[1].Neighbors()
}

// distance returns 0 to 2, or 3 for more.
func distance(from *[3]arimaa.Bitboard, s arimaa.Square) uint16 {
	switch {
	case from[0].Has(s):
		return 0
	case from[1].Has(s):
		return 1
	case from[2].Has(s):
		return 2
	}
	return 3
}

// place returns the number of a square, 0 to 31, seen by the side to move and with the files
// mirrored, and of a direction from there: forward, back, to the nearer edge, away from it.
func (c *Context) place(s arimaa.Square, d arimaa.Direction) (square, direction uint16) {
	s ^= c.flip
	file := s & 7
	east := file < 4
	if !east {
		file = 7 - file
	}
	square = uint16(s>>3<<2 | file)
	switch {
	case d == arimaa.North:
		direction = uint16(c.side)
	case d == arimaa.South:
		direction = 1 - uint16(c.side)
	case (d == arimaa.East) == east:
		direction = 3
	default:
		direction = 2
	}
	return square, direction
}

// trapBeside describes the trap beside a square: whether it is near the enemy's home, and the
// pieces beside it.
func (c *Context) trapBeside(s arimaa.Square) (which uint16, ok bool) {
	i := besideTrap[s&63]
	return c.traps[i&3], i != noTrap
}

// strongest returns the class of the strongest of some pieces, of the side to move (0) or of its
// opponent (1).
func (c *Context) strongest(set arimaa.Bitboard, whose int) uint16 {
	for kind := arimaa.Elephant; kind > arimaa.Rabbit; kind-- {
		if set&c.pieces[whose][kind] != 0 {
			return c.class[whose][kind]
		}
	}
	return rabbitClass
}

// dangerOf returns 0 if no stronger enemy stands beside the destination of a piece, 1 if one does
// and a friend as well, 2 if one does and no friend.
func (c *Context) dangerOf(kind arimaa.Kind, from, to arimaa.Square) uint16 {
	switch {
	case !c.danger[kind].Has(to):
		return 0
	case to.Beside()&c.own&^from.Set() != 0:
		return 1
	}
	return 2
}

// Active appends the features of an option.
func (c *Context) Active(o arimaa.Option, list []uint16) []uint16 {
	first := o.First()
	if o.Steps() == 2 {
		return c.activePush(o, list)
	}
	from, to, kind := first.From(), first.To(), first.Piece().Kind()
	class := c.class[0][kind]
	square, direction := c.place(from, first.Direction())
	list = append(list,
		steps+(class*32+square)*4+direction,
		stepsLeft+class*4+uint16(c.left-1))
	risk := uint16(0)
	if c.dominated.Has(from) {
		risk = 1
	}
	danger := c.dangerOf(kind, from, to)
	list = append(list, dangers+(class*2+risk)*3+danger)
	if arimaa.Traps.Has(to) {
		list = append(list, ontoTrap+class*3+uint16(min(2, (to.Beside()&c.own&^from.Set()).Len())))
	}
	elephant := uint16(0)
	if kind == arimaa.Elephant {
		elephant = 1
	}
	if which, ok := c.trapBeside(to); ok {
		list = append(list, arrivals+which*2+elephant)
	}
	if which, ok := c.trapBeside(from); ok {
		list = append(list, departures+which*2+elephant)
	}
	was, is := from.Beside()&c.weaker[kind], to.Beside()&c.weaker[kind]
	if is != 0 {
		safe := uint16(0)
		if danger == 2 {
			safe = 1
		}
		list = append(list, threats+c.strongest(is, 1)*2+safe)
	}
	if was != 0 {
		list = append(list, releases+c.strongest(was, 1))
	}
	if thawed := to.Beside() & c.frozen; thawed != 0 {
		list = append(list, thaws+c.strongest(thawed, 0))
	}
	if alone := c.alone(from.Beside()&c.dominated, from, to); alone != 0 {
		list = append(list, freezes+c.strongest(alone, 0))
	}
	rabbit := uint16(0)
	if kind == arimaa.Rabbit {
		rabbit = 1
		rank := uint16((to ^ c.flip) >> 3)
		free := uint16(0)
		forward := c.side.Forward()
		if next, ok := to.Next(forward); ok && !c.occupied.Has(next) {
			free = 1
			if next, ok := next.Next(forward); ok && !c.occupied.Has(next) {
				free = 2
			}
		}
		list = append(list, runs+rank*3+free)
	}
	if c.hasLast {
		list = append(list, answers+(distance(&c.last, from)*4+distance(&c.last, to))*2+rabbit)
	}
	if c.hasMove {
		list = append(list, follows+min(2, distance(&c.moved, from))*3+min(2, distance(&c.moved, to)))
	}
	return list
}

// alone returns those of some own pieces, beside stronger enemies, that have no other friend beside
// them than the piece that leaves from for to.
func (c *Context) alone(set arimaa.Bitboard, from, to arimaa.Square) (alone arimaa.Bitboard) {
	friends := c.own&^from.Set() | to.Set()
	for ; set != 0; set = set.Rest() {
		if s := set.First(); s.Beside()&friends == 0 {
			alone |= s.Set()
		}
	}
	return alone
}

func (c *Context) activePush(o arimaa.Option, list []uint16) []uint16 {
	pusher, victim := o.Split()
	pull := uint16(0)
	if o.IsPull() {
		pull = 1
	}
	kind := pusher.Piece().Kind()
	class, other := c.class[0][kind], c.class[1][victim.Piece().Kind()]
	square, direction := c.place(victim.From(), victim.Direction())
	list = append(list,
		pushes+(pull*classes+class)*classes+other,
		victims+square*4+direction,
		pushDangers+class*3+c.dangerOf(kind, pusher.From(), pusher.To()),
		pushLeft+uint16(c.left-1))
	to := victim.To()
	if arimaa.Traps.Has(to) {
		captured := uint16(0)
		if to.Beside()&c.foe&^victim.From().Set() == 0 {
			captured = 1
		}
		list = append(list, victimTraps+other*2+captured)
	}
	if which, ok := c.trapBeside(victim.From()); ok {
		list = append(list, victimFrom+which)
	}
	if which, ok := c.trapBeside(to); ok {
		list = append(list, victimTo+which)
	}
	if c.hasLast {
		list = append(list, pushAnswers+distance(&c.last, victim.From()))
	}
	if c.hasMove {
		list = append(list, pushFollows+min(2, distance(&c.moved, pusher.From())))
	}
	return list
}

// End returns the feature of ending the turn.
func (c *Context) End() uint16 { return ends + uint16(c.left) }
