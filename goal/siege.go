package goal

import "goalproof/arimaa"

// cordon is a blockade with the distances of Gold's pieces. It says what Gold cannot do in many
// steps in a row, in the present turn and the next one, between which Silver makes one single step
// or none.
//
// The arguments count options, that is, single steps, pushes and pulls. In n steps with k pushes
// and pulls there are at most n-k of them. They move at most k pieces of Silver, the victims, and
// displace Gold's pieces n-k times in all. Each adds at most one square to those that are occupied:
// a push or pull leaves one of the three squares that it touches and fills one.
type cordon struct {
	blockade
	// near[d] are the pieces of Silver within d of a stronger piece of Gold.
	near [mostInRow + 2]arimaa.Bitboard
}

// mostInRow is the greatest number of steps of Gold that a cordon answers for.
const mostInRow = 2 * arimaa.StepsPerTurn

// cordonOf returns the cordon of a board, for at most n steps.
func cordonOf(b *arimaa.Board, n int) (c cordon) {
	c.blockade = blockadeOf(b)
	for kind := arimaa.Rabbit; kind < arimaa.Elephant; kind++ {
		prey := b.Pieces(arimaa.Silver, kind)
		if prey == 0 {
			continue
		}
		hunters := b.AtLeast(arimaa.Gold, kind+1)
		for d := 1; d <= n+1; d++ {
			hunters = dilate(hunters)
			c.near[d] |= prey & hunters
		}
	}
	return c
}

// victims returns the pieces of Silver that k pushes and pulls may move first in n steps: before
// that a piece of Gold has been displaced n-k-1 times at most, and stands beside its victim then.
func (c *cordon) victims(n, k int) arimaa.Bitboard { return c.near[n-k] }

// secure returns the pieces of Silver that stay where they are and are not frozen in n steps of
// Gold, if nothing moves them, and the pieces of gone are taken away: on no trap, where they could
// be captured, and
//
//   - as strong as any piece of Gold,
//   - or more than n+1 from each stronger one,
//   - or beside a friend that stays as well.
func (c *cordon) secure(gone arimaa.Bitboard, n int) arimaa.Bitboard {
	stay := c.silver &^ arimaa.Traps &^ gone
	return stay & (stay.Neighbors() | c.fixed | ^c.near[n+1])
}

// canStep reports whether, after any n steps of Gold, some piece of pieces has a single step to a
// square outside avoid that is empty now and is no trap: whichever victims are gone, there are more
// such squares than options. False means unknown.
func (c *cordon) canStep(pieces arimaa.Bitboard, n int, avoid arimaa.Bitboard) bool {
	for k := 0; 2*k <= n; k++ {
		if !c.canStepWithout(pieces, n, avoid|arimaa.Traps, k, c.victims(n, k), 0, k) {
			return false
		}
	}
	return true
}

// canStepWithout is canStep for k pushes and pulls, with some victims gone and up to more others.
func (c *cordon) canStepWithout(pieces arimaa.Bitboard, n int, avoid arimaa.Bitboard, k int, others, gone arimaa.Bitboard, more int) bool {
	if (c.targets(c.secure(gone, n)&pieces) &^ avoid).Len() <= n-k {
		return false
	}
	for ; more > 0 && others != 0; others = others.Rest() {
		if !c.canStepWithout(pieces, n, avoid, k, others.Rest(), gone|others&-others, more-1) {
			return false
		}
	}
	return true
}

// topFar reports whether it is certain that n steps do not make one of Silver's strongest pieces
// immobile (mayStop), if other pieces of Silver make the given number of single steps in between,
// to no square within 2 of it (nearTop).
func (c *cordon) topFar(n, steps int) bool {
	for rest := c.top &^ arimaa.Traps; rest != 0; rest = rest.Rest() {
		may := false
		for doubles := 0; 2*doubles <= n && !may; doubles++ {
			may = c.mayStop(rest.First(), n, doubles, steps)
		}
		if !may {
			return true
		}
	}
	return false
}

// nearTop returns the squares within 2 of Silver's strongest pieces.
func (c *cordon) nearTop() arimaa.Bitboard { return dilate(dilate(c.top)) }

// topMoves returns the squares to which Silver's strongest piece can step and where n steps of Gold
// do not make it immobile; none unless there is only one such piece and it is in pieces. It does
// not matter which of Gold's steps come before the step: they leave the square to which it goes
// empty and the one that it leaves to be filled.
func (c *cordon) topMoves(b *arimaa.Board, pieces arimaa.Bitboard, n int) (to arimaa.Bitboard) {
	top := c.top & pieces
	if top == 0 || c.top.Rest() != 0 {
		return 0
	}
	for rest := c.targets(top) &^ arimaa.Traps; rest != 0; rest = rest.Rest() {
		moved := *b
		if moved.Displace(top.First(), rest.First()) != 0 {
			continue // the piece on the trap may leave before
		}
		if m := (cordon{blockade: blockadeOf(&moved)}); m.topFar(n, 0) {
			to |= rest & -rest
		}
	}
	return to
}

// staysMobile reports whether it is certain that n steps do not make Silver immobile, if one piece
// of Silver, the replier, makes a single step in between; none if that is 0.
func (c *cordon) staysMobile(n int, replier arimaa.Bitboard) bool {
	for k := 0; 2*k <= n; k++ {
		s := siege{c: c, n: n, k: k, replier: replier, replies: replier.Len()}
		victims := c.victims(n, k)
		if replier != 0 {
			s.reply = replier.First().Within(1)
			victims |= replier & c.near[n-k+1] // it may have come nearer
		}
		if !s.fails(victims, 0, 0) {
			return false
		}
	}
	return true
}

// siege is an attempt to make Silver immobile with k pushes and pulls and up to n-2k single steps.
type siege struct {
	c       *cordon
	n, k    int
	replier arimaa.Bitboard // makes one single step; 0: there is none
	reply   arimaa.Bitboard // the squares that it may enter, and its own
	replies int             // 0 or 1
}

// fails reports whether it is certain that the siege fails, with j victims gone and up to k-j of
// the others.
func (s *siege) fails(others, gone arimaa.Bitboard, j int) bool {
	if s.c.targets(s.c.secure(gone|others|s.replier, s.n)).Len() > s.n-s.k+s.replies {
		return true // even with all of them gone
	}
	if (j > 0 || s.k == 0) && !s.failsWithout(gone, j) {
		return false
	}
	for ; j < s.k && others != 0; others = others.Rest() {
		if !s.fails(others.Rest(), gone|others&-others, j+1) {
			return false
		}
	}
	return true
}

// failsWithout reports whether it is certain that the siege fails if it moves these j victims, by
// one square each and by k-j more in all.
//
// Silver's pieces that surely stay and are not frozen must be blocked in the end: the squares
// beside them that are empty now must be filled. A loose piece, which can move now and has no
// friend beside it, must be frozen or blocked: something comes beside it. Both are compared with
// what there is, in two ways.
//
// First, far from the victims. If a victim is moved t times, these pushes and pulls change squares
// within t+1 of it and so matter to pieces within t+2; the reply matters to pieces within 2. So
// single steps alone fill and serve beyond that.
//
// Second, everywhere, with the squares that must be filled so that Silver's strongest piece cannot
// push (lemma 5): a square beside it that is not Silver's now either holds a rival, or a piece of
// Silver that comes there, or a weaker piece that has no empty square beside it.
func (s *siege) failsWithout(gone arimaa.Bitboard, j int) bool {
	c := s.c
	sure := c.secure(gone|s.replier, s.n)
	fill := c.targets(sure)
	options := s.n - s.k
	if (fill &^ s.reply).Len() > options {
		return true
	}
	comes, around := s.reply, s.reply.Neighbors() // where pieces of Silver may come; what is not far
	for rest := gone; rest != 0; rest = rest.Rest() {
		t := 1 + s.k - j
		if rest&-rest == s.replier {
			t++
		}
		comes |= within(rest.First(), t)
		around |= within(rest.First(), t+2)
	}
	loose := c.mobile &^ c.firm &^ around
	if c.exceeds(c.targets(sure&^around), loose, s.n-2*s.k, options, 0) {
		return true
	}
	silver := s.k + s.replies // squares that pieces of Silver may come to
	top := sure & c.top
	if top == 0 {
		return c.exceeds(fill, loose, options+s.replies, options, min(silver, (fill&comes).Len()))
	}
	beside, rivals := top.First().Beside()&^c.silver, c.rivals.Len()
	for strong := beside; ; strong = (strong - 1) & beside {
		if (strong&^comes).Len() <= rivals && strong.Len() <= rivals+silver {
			all := fill | (beside&^strong).Neighbors()&c.empty
			if (all&^s.reply).Len() <= options && !c.exceeds(all, loose, options+s.replies, options, min(silver, (all&comes).Len())) {
				return false
			}
		}
		if strong == 0 {
			return true
		}
	}
}

// within returns the squares at most d steps from s.
func within(s arimaa.Square, d int) arimaa.Bitboard {
	if d > arimaa.MostWithin {
		return arimaa.Everywhere
	}
	return s.Within(d)
}

// exceeds reports whether it takes more options than given, or more displacements of Gold's pieces,
// to fill some squares and to serve the loose pieces. Pieces of Silver may fill up to silver of the
// squares.
//
// Each square takes an option that adds it to those that are occupied; a loose piece beside none of
// them takes another one, by which a piece comes beside it, and no option serves two loose pieces
// more than 2 apart. (A push or pull brings two pieces, but none of them beside a loose piece, by
// the choice of these.) In the end different pieces of Gold stand on the squares and beside the
// loose pieces, so their ways add up.
func (c *cordon) exceeds(fill, loose arimaa.Bitboard, options, displacements, silver int) bool {
	if options -= fill.Len(); options < 0 {
		return true
	}
	loose &^= dilate(fill)
	reach := c.gold
	for open := fill.Len() - silver; open > 0 && displacements >= 0; {
		displacements -= open
		reach = dilate(reach)
		open -= (fill & reach).Len()
		fill &^= reach
	}
	for loose != 0 && options >= 0 && displacements >= 0 {
		s := loose.First()
		loose &^= s.Within(2)
		d := 2 // distance of the nearest piece of Gold, at least
		for d < arimaa.StepsPerTurn && s.Within(d)&c.gold == 0 {
			d++
		}
		options--
		displacements -= d - 1
	}
	return options < 0 || displacements < 0
}
