package goal

import "goalproof/arimaa"

// immobilise returns the fewest steps, at most limit, after which the turn that began
// with start can end with Silver unable to move, Gold having a rabbit and Silver's
// having reached no goal (rows 2 to 5 of the end-of-turn table), and the steps.
func immobilise(b, start *arimaa.Board, limit int) (Distance, arimaa.Turn) {
	var turn arimaa.Turn
	h := hold(b)
	if limit < 0 || h.tooFar(limit) || !h.stopsWithin(b, start, limit, &turn) {
		return None, turn
	}
	n := 0
	for turn = (arimaa.Turn{}); !h.stopsWithin(b, start, n, &turn); {
		n++
	}
	return After(n), turn
}

// stopsWithin asks the question of stops for any number of pushes and pulls.
func (h *holding) stopsWithin(b, start *arimaa.Board, n int, turn *arimaa.Turn) bool {
	for doubles := 0; 2*doubles <= n; doubles++ {
		if h.stops(*b, start, n, doubles, played{}, turn) {
			return true
		}
	}
	return false
}

// stops tells whether Gold can end the turn with Silver immobile after the given number
// of pushes and pulls and as many single steps as fit with them into n steps, or after
// fewer of them, and puts the steps before those of turn.
func (h *holding) stops(b arimaa.Board, start *arimaa.Board, n, doubles int, last played, turn *arimaa.Turn) bool {
	if h.mobile == 0 && b != *start && !b.CanMove(arimaa.Silver) && b.Ended(arimaa.Gold).Winner == arimaa.Gold {
		return true
	}
	if n == 0 {
		return false
	}
	u := h.useful(&b, n, doubles)
	if u == (useful{}) {
		return false
	}
	v := look(&b)
	for d := v.doubles(u.prey, everywhere); d.next(&b); {
		o := played{d.rank(), d.changed()}
		if !last.idle(o) && stopsAfter(d.after(&b), start, n-2, doubles-1, o, turn) {
			*turn = turn.Before(d.option(&b))
			return true
		}
	}
	for s := v.singles(0, u.enter); s.next(); {
		o := played{s.rank(), s.changed()}
		if !last.idle(o) && stopsAfter(s.after(&b), start, n-1, doubles, o, turn) {
			*turn = turn.Before(s.option(&b))
			return true
		}
	}
	return false
}

// stopsAfter asks the question of stops after an option.
func stopsAfter(c arimaa.Board, start *arimaa.Board, n, doubles int, last played, turn *arimaa.Turn) bool {
	h := hold(&c)
	return (h.mobile == 0 || n > 0) && !h.tooFar(n) && h.stops(c, start, n, doubles, last, turn)
}

// holding is what stops Silver's pieces, or does not, on one board.
type holding struct {
	gold, silver, empty arimaa.Bitboard
	rabbits             arimaa.Bitboard // Silver's
	fixed               arimaa.Bitboard // Silver's pieces that no piece of Gold is stronger than
	mobile              arimaa.Bitboard // Silver's pieces that can step
	firm                arimaa.Bitboard // of the mobile ones, those that are fixed or have a friend beside them
	// Silver's strongest pieces, if they are fixed and more than rabbits, and Gold's of the same
	// kind.
	top, rivals arimaa.Bitboard
	// When it is looked at closer: the steps left, and Silver's pieces that nothing can freeze with them.
	steps int
	far   arimaa.Bitboard
}

func hold(b *arimaa.Board) (h holding) {
	occupied := b.Occupied()
	h.silver = b.Of(arimaa.Silver)
	h.gold = occupied ^ h.silver
	h.empty = ^occupied
	h.rabbits = b.Rabbits(arimaa.Silver)
	free := h.silver &^ b.Frozen(arimaa.Silver)
	h.mobile = free & (h.empty<<8 | east(h.empty) | west(h.empty) | h.empty>>8&^h.rabbits)
	strongest := arimaa.Elephant // of both sides
	for strongest > arimaa.Cat && b.AtLeast(arimaa.Gold, strongest)|b.AtLeast(arimaa.Silver, strongest) == 0 {
		strongest--
	}
	h.top, h.rivals = b.AtLeast(arimaa.Silver, strongest), b.AtLeast(arimaa.Gold, strongest)
	h.fixed = h.top
	for kind := strongest; h.rivals == 0 && kind > arimaa.Rabbit && b.AtLeast(arimaa.Gold, kind) == 0; {
		kind--
		h.fixed = b.AtLeast(arimaa.Silver, kind)
	}
	h.firm = h.mobile & (h.silver.Neighbors() | h.fixed)
	return h
}

// targets returns the empty squares that some of the pieces could step to.
func (h *holding) targets(pieces arimaa.Bitboard) arimaa.Bitboard {
	return (pieces>>8 | east(pieces) | west(pieces) | pieces&^h.rabbits<<8) & h.empty
}

// tooFar tells quickly, in most positions that need it, that n steps do not make Silver immobile.
//
// In the end a piece of Silver that can step now is gone, frozen or blocked. For that a
// piece of Gold comes beside it, or pushes or pulls a piece within 2 squares of it
// (itself, a friend, a friend that defends another friend on a trap, or one that then blocks
// it). So a piece of Gold is within n+1 of it now.
func (h *holding) tooFar(n int) bool {
	reach := grow(h.gold)
	for range n {
		reach = grow(reach)
	}
	if h.mobile&^reach != 0 {
		return true
	}
	for rest := h.top &^ arimaa.Traps; rest != 0; rest = rest.Rest() {
		if h.topBound(rest.First()) > n {
			return true
		}
	}
	return false
}

// topBound returns a number of steps that it takes at least to leave Silver's piece on x,
// one of its strongest that is on no trap, without a step, push or pull.
//
// Nothing freezes, moves or captures it. In the end each square y beside it holds a piece of
// Silver, one of Gold that is as strong, or a weaker one of Gold with all squares beside y
// occupied, or it could be pushed. Let f be the number of squares that are empty now and occupied
// then, and d the number of squares beside x where a piece of Silver stands then and none does
// now. For each of the f squares some option fills it last, a different one for each (see bound),
// and for each of the d squares there is a push or pull that puts a piece of Silver there. So it
// takes at least f+d steps.
//
// All empty y are among the f squares. Any y not Silver's, with an empty square
// beside it, will either hold a piece of Silver and count for d; or a piece of Gold as
// strong as x, of which there are not more than rivals; or have all its neighbours
// filled, which are among the f squares as well. A square is beside two such y at most. So k of
// them with two or more empty neighbours and l with one take at least k+l/2 squares.
func (h *holding) topBound(x arimaa.Square) int {
	one, more := 0, 0
	for ys := x.Beside() &^ h.silver; ys != 0; ys = ys.Rest() {
		switch (ys.First().Beside() & h.empty).Len() {
		case 0:
		case 1:
			one++
		default:
			more++
		}
	}
	rivals := h.rivals.Len()
	one = max(0, one-max(0, rivals-more))
	more = max(0, more-rivals)
	return (x.Beside() & h.empty).Len() + more + (one+1)/2
}

// mayStop tells whether n steps, with the given number of pushes and pulls, may leave
// Silver's piece on x without a step, push or pull: what topBound says, looked at closer.
//
// All squares beside x that are empty now are filled then, and so are all empty ones beside those
// squares beside x that hold a weaker piece of Gold then. One of them holds a rival, if there is
// one; one that a piece of Silver can be pushed or pulled to may hold that. Each square takes an
// option that fills it last, and a push or pull takes two steps.
func (h *holding) mayStop(x arimaa.Square, n, doubles int) bool {
	options := n - doubles
	beside := x.Beside() &^ h.silver
	empty := beside & h.empty
	if empty.Len() > options {
		return false
	}
	brought := h.silver &^ h.fixed
	for range doubles {
		brought = grow(brought)
	}
	if doubles == 0 {
		brought = 0
	}
	brought &= beside
	rivals := h.rivals.Len()
	// All subsets of the squares that do not hold a weaker piece of Gold then.
	for strong := beside; ; strong = (strong - 1) & beside {
		if (strong&^brought).Len() <= rivals && strong.Len() <= rivals+doubles &&
			(empty|(beside&^strong).Neighbors()&h.empty).Len() <= options {
			return true
		}
		if strong == 0 {
			return false
		}
	}
}

// useful is what the next option may be.
type useful struct {
	prey  arimaa.Bitboard // the pieces that it may push or pull
	enter arimaa.Bitboard // the squares that a single step may enter
}

// useful returns what the next option of every solution is that consists of the given
// number of pushes and pulls and of single steps, n steps at most.
//
// With nothing but single steps Silver's pieces stay where they are, and what
// [holding.hem] says is needed. With one push or pull its victim is now where it will
// be then, and each victim and each square that it may go to is looked at. With two there
// are no single steps, and only what the squares of the victims rule out is looked at.
func (h *holding) useful(b *arimaa.Board, n, doubles int) (u useful) {
	for rest := h.top &^ arimaa.Traps; rest != 0; rest = rest.Rest() {
		if !h.mayStop(rest.First(), n, doubles) {
			return u
		}
	}
	if u = h.options(b, n, doubles); u == (useful{}) {
		return u
	}
	// Both hold of every solution.
	c := h.closer(b, n)
	closer := c.options(b, n, doubles)
	return useful{u.prey & closer.prey, u.enter & closer.enter}
}

// closer looks closer at Silver's pieces that are more than n steps away from all that could freeze
// them: they stay free as if they were fixed, so they must be blocked. Besides, see crowd.
func (h *holding) closer(b *arimaa.Board, n int) holding {
	c := *h
	c.steps = n
	for rest := h.silver &^ h.fixed; rest != 0; rest = rest.Rest() {
		x := rest.First()
		if ball[n+1][x]&b.AtLeast(arimaa.Gold, b.At(x).Kind()+1) == 0 {
			c.far |= x.Set()
		}
	}
	c.firm |= h.mobile & c.far
	return c
}

// options returns what useful does, without looking closer.
func (h *holding) options(b *arimaa.Board, n, doubles int) (u useful) {
	switch doubles {
	case 0:
		u.enter = h.hem(b, h.silver, h.targets(h.firm), h.mobile&^h.firm, n, n)
	case 1:
		for rest := h.victims(b, n-1); rest != 0; rest = rest.Rest() {
			if h.steps > 0 && !h.served(b, n, rest.First()) {
				continue
			}
			if enter, ok := h.usefulWith(b, n, rest.First()); ok {
				u.prey |= rest.First().Set()
				u.enter |= enter
			}
		}
	case 2:
		u.prey = h.usefulFirst(b)
	}
	return u
}

// victims returns the pieces of Silver that may be pushed or pulled, as far as that depends on
// the distance to Gold's pieces that can.
func (h *holding) victims(b *arimaa.Board, distance int) arimaa.Bitboard {
	reach := b.AtLeast(arimaa.Gold, arimaa.Cat)
	for range distance {
		reach = grow(reach)
	}
	return h.silver &^ h.fixed & reach
}

// kept returns which of the pieces of Silver that cannot be frozen as long as their
// friends stay must still be blocked, where they are, when pieces are pushed or pulled.
//
// A piece in question has a friend beside it, or is fixed. It changes only if it is moved
// itself, loses a friend that is moved, or loses one that is captured because a
// defender of the trap is moved. So it is within 2 of the piece that is moved.
// A fixed piece that is on no trap does not even then.
func (h *holding) kept(by arimaa.Bitboard) arimaa.Bitboard {
	return h.firm &^ (by &^ (h.fixed &^ arimaa.Traps))
}

// usefulWith returns what single steps may enter, for one push or pull, of the piece on
// a, and single steps, n steps in all; ok is false if that does not make Silver immobile.
//
// The piece goes to a square beside a. From that follow the squares of all of Silver's pieces in
// the end. Those with a friend beside them, and fixed ones, must be blocked then. A push fills a,
// and n-2 single steps remain for other squares; if the piece goes to a square where Gold is now
// it may be a pull, which leaves a empty and fills one more square. (If Gold leaves that square
// and the piece is pushed there, a counts as filled, and a step less remains: the conditions are
// weaker than that. If Gold comes to an empty square first and pulls the piece there, then that
// step is spent on it, and the pull fills a square instead.)
//
// Mobile pieces with no friend more than 2 from a have none in the end, and what is beside
// them in the end and empty now is a piece of Gold: they are served by the remaining options.
func (h *holding) usefulWith(b *arimaa.Board, n int, a arimaa.Square) (enter arimaa.Bitboard, ok bool) {
	near := ball[2][a]
	if h.targets(h.kept(near)).Len() > n-1 || n == 2 && h.mobile&^ball[3][a] != 0 {
		return 0, false
	}
	loose := h.mobile &^ h.firm &^ near
	for rest := a.Beside() &^ h.silver; rest != 0; rest = rest.Rest() {
		to := rest & -rest
		then := *h
		then.silver ^= a.Set() | to
		then.silver &^= arimaa.Traps &^ then.silver.Neighbors()
		if h.rabbits.Has(a) {
			then.rabbits ^= a.Set() | to
		}
		then.empty &^= to
		options := n - 2
		if h.gold&to != 0 {
			options++
			then.empty |= a.Set()
		}
		fill := then.targets(then.silver & (then.silver.Neighbors() | h.fixed | h.far))
		if options == 0 {
			ok = ok || fill|loose == 0
		} else if e := then.hem(b, then.silver, fill, loose, options, n-1); e != 0 {
			ok = true
			enter |= e | to
		}
	}
	if n == 2 {
		enter = 0
	}
	return enter, ok
}

// served tells, looking closer, whether single steps alone may serve the pieces that are more than 5
// from a, when one push or pull moves the piece there; a stronger piece must also come beside that.
//
// The push or pull changes squares within 2 of a. Its own piece of Gold comes within 1 of a and is
// displaced once more, so to stand beside a piece 6 away it would have to be displaced by four steps, and
// there are three at most. So n-2 single steps freeze or block what is that far away; for the
// counting see bound.
func (h *holding) served(b *arimaa.Board, n int, a arimaa.Square) bool {
	if ball[n-1][a]&b.AtLeast(arimaa.Gold, b.At(a).Kind()+1) == 0 {
		return false
	}
	fill := h.targets(h.firm &^ ball[5][a])
	left := n - 2 - fill.Len()
	for loose := h.mobile &^ h.firm &^ ball[5][a] &^ grow(fill); loose != 0 && left >= 0; {
		s := loose.First()
		_, cost, apart := h.stopOne(b, s, fill)
		loose &^= ball[apart][s]
		left -= cost
	}
	return left >= 0
}

// stopOne returns the distance of the nearest piece that can freeze the one on s, which has no friend
// beside it (at most four steps), and the least number of steps that it takes to freeze or to block it: that
// distance, or a step for each square besides those of fill that must be filled. Pieces more than
// apart from each other share neither these squares nor the freezing piece.
func (h *holding) stopOne(b *arimaa.Board, s arimaa.Square, fill arimaa.Bitboard) (d, cost, apart int) {
	stronger := b.AtLeast(arimaa.Gold, b.At(s).Kind()+1)
	d = 1
	for d < arimaa.StepsPerTurn && ball[d+1][s]&stronger == 0 {
		d++
	}
	squares := h.targets(s.Set()) // beside it
	switch {
	case h.steps == 0:
		apart = 2
	case h.rabbits.Has(s):
		apart = 3 // another piece's squares may be within 2 of that
	default:
		squares |= h.crowdOne(b, h.silver, s) &^ fill // within 2 of it
		apart = 4
	}
	return d, min(d, squares.Len()), apart
}

// usefulFirst returns the pieces that the first of two pushes or pulls may move.
//
// The second one moves the same piece, by then on a square beside, or another one. Together they
// fill two squares. Each changes something only within 2 of its victim (where Gold's
// piece goes with a pull), and so serves pieces within 3 of it.
func (h *holding) usefulFirst(b *arimaa.Board) (prey arimaa.Bitboard) {
	seconds := h.victims(b, 2)
	free := h.gold &^ b.Frozen(arimaa.Gold)
	for firsts := b.Held(arimaa.Silver, free); firsts != 0; firsts = firsts.Rest() {
		a := firsts.First()
		if h.mobile&^ball[4][a] == 0 && h.targets(h.kept(ball[3][a])).Len() <= 2 {
			prey |= a.Set()
			continue
		}
		for rest := seconds; rest != 0; rest = rest.Rest() {
			c := rest.First()
			if h.mobile&^(ball[3][a]|ball[3][c]) == 0 && h.targets(h.kept(ball[2][a]|ball[2][c])).Len() <= 2 {
				prey |= a.Set()
				break
			}
		}
	}
	return prey
}

// hem returns what [holding.bound] does for the squares of fill and those that must be
// occupied besides, so that Silver's strongest pieces cannot push; silver are the
// squares of Silver's pieces in the end.
//
// A square beside a strongest piece that is not Silver's in the end holds a piece of Gold, which
// is pushed if it is weaker and has an empty square beside it. At most one of these squares holds
// the only rival; with two rivals nothing is asked for.
func (h *holding) hem(b *arimaa.Board, silver, fill, loose arimaa.Bitboard, options, steps int) (enter arimaa.Bitboard) {
	fill |= h.crowd(b, silver)
	beside := (h.top & silver).Neighbors() &^ silver
	switch {
	case beside.Neighbors()&h.empty&^fill == 0 || h.rivals.Rest() != 0:
		return h.bound(b, fill, loose, options, steps)
	case h.rivals == 0:
		return h.bound(b, fill|beside.Neighbors()&h.empty, loose, options, steps)
	}
	for rest := beside; rest != 0; rest = rest.Rest() {
		others := beside ^ rest&-rest
		enter |= h.bound(b, fill|others.Neighbors()&h.empty, loose, options, steps)
	}
	return enter
}

// crowd returns the empty squares that must be occupied so that other pieces of Silver than the
// strongest cannot push, when that is looked at closer.
//
// A piece that is free in the end, more than a rabbit, has a piece of Gold on each square beside
// it that is not Silver's. One that no piece as strong can reach in time holds a weaker one,
// which is pushed if there is an empty square beside it.
func (h *holding) crowd(b *arimaa.Board, silver arimaa.Bitboard) (fill arimaa.Bitboard) {
	if h.steps == 0 {
		return 0
	}
	stays := silver & b.Of(arimaa.Silver) &^ (h.rabbits | h.top)
	for rest := stays & (silver.Neighbors() | h.fixed | h.far); rest != 0; rest = rest.Rest() {
		fill |= h.crowdOne(b, silver, rest.First())
	}
	return fill
}

// crowdOne does it for the piece on x.
func (h *holding) crowdOne(b *arimaa.Board, silver arimaa.Bitboard, x arimaa.Square) arimaa.Bitboard {
	strong := b.AtLeast(arimaa.Gold, b.At(x).Kind())
	for range h.steps {
		strong = grow(strong)
	}
	return (x.Beside() &^ silver &^ strong).Neighbors() & h.empty
}

// bound returns the squares that each single step of a solution enters; the empty set
// if there is no solution.
//
// The squares of fill are empty, and pieces of Gold are to stand there in the end; the loose
// pieces, which are mobile, have no friend beside them and will have none, are to be frozen or
// blocked by pieces of Gold. There are so many options for that, which displace Gold's pieces by
// so many steps, and two ways to count:
//
//   - An option fills one square that was empty and no more (a push or pull leaves Gold or Silver
//     on the other square it touches). So each square of fill takes an option that fills it last.
//     A loose piece beside none of them takes another one, in which a piece of Gold arrives beside
//     it, and no option arrives beside two pieces more than 2 apart.
//   - In the end each square of fill holds a piece of Gold that came from elsewhere, at
//     least as far as the nearest one is now. Beside a loose piece stands a
//     stronger one that came there, or there are pieces on all squares it could step to. All these
//     are different pieces of Gold, so the distances add up.
//
// Where no option is to spare by the first way, each single step enters a square of fill or one
// beside a loose piece; where no step is to spare by the second, each leads towards one of them on
// a shortest way.
func (h *holding) bound(b *arimaa.Board, fill, loose arimaa.Bitboard, options, steps int) (enter arimaa.Bitboard) {
	options -= fill.Len()
	loose &^= grow(fill)
	filled := fill
	reach := h.gold
	for d := 0; fill != 0 && options >= 0 && steps >= 0; d++ {
		steps -= fill.Len()
		towards := fill
		for range d {
			towards = grow(towards)
		}
		enter |= towards
		reach = grow(reach)
		fill &^= reach
	}
	for loose != 0 && options >= 0 {
		s := loose.First()
		d, cost, apart := h.stopOne(b, s, filled)
		loose &^= ball[apart][s]
		options--
		steps -= cost
		enter |= ball[d][s]
	}
	switch {
	case options < 0 || steps < 0:
		return 0
	case options > 0 && steps > 0:
		return everywhere
	}
	return enter
}

// ball[d][s] is the set of squares within d of s.
var ball = func() (t [arimaa.StepsPerTurn + 2][64]arimaa.Bitboard) {
	for s := range t[0] {
		t[0][s] = arimaa.Square(s).Set()
		for d := 1; d < len(t); d++ {
			t[d][s] = grow(t[d-1][s])
		}
	}
	return t
}()
