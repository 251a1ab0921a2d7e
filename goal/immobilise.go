package goal

import "goalproof/arimaa"

// immobilise returns the fewest steps, at most limit, after which the turn that began
// with start can end with Silver unable to move, Gold having a rabbit and Silver's
// not having reached a goal (rows 2 to 5 of the end-of-turn table), and the steps.
func immobilise(b, start *arimaa.Board, limit int) (Distance, arimaa.Turn) {
	turn, ok := immobilises(b, start, limit)
	if !ok {
		return None, turn
	}
	h := blockadeOf(b)
	n := 0
	for turn = (arimaa.Turn{}); !h.stopsWithin(b, start, n, &turn); {
		n++
	}
	return After(n), turn
}

// immobilises does what immobilise does, but for the number of steps: those that it returns need not be the fewest.
func immobilises(b, start *arimaa.Board, limit int) (turn arimaa.Turn, ok bool) {
	h := blockadeOf(b)
	ok = limit >= 0 && !h.tooFar(limit) && h.stopsWithin(b, start, limit, &turn)
	return turn, ok
}

// stopsWithin calls stops for every number of pushes and pulls.
func (h *blockade) stopsWithin(b, start *arimaa.Board, n int, turn *arimaa.Turn) bool {
	for doubles := 0; 2*doubles <= n; doubles++ {
		if h.stops(*b, start, n, doubles, played{}, turn) {
			return true
		}
	}
	return false
}

// stops tells whether Gold can end the turn with Silver immobile after the given number
// of pushes and pulls and as many single steps as n leaves for them, or after
// fewer single steps, and puts the steps before those of turn.
func (h *blockade) stops(b arimaa.Board, start *arimaa.Board, n, doubles int, last played, turn *arimaa.Turn) bool {
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
	v := viewOf(&b)
	for d := v.Doubles(u.prey, arimaa.Everywhere); d.Next(&b); {
		o := playedDouble(&d)
		if last.redundant(o) {
			continue
		}
		c := b
		d.Play(&c)
		if stopsAfter(c, start, n-2, doubles-1, o, turn) {
			*turn = turn.Before(d.Option(&b))
			return true
		}
	}
	for s := v.Steps(0, u.enter); s.Next(); {
		o := playedStep(&s)
		if last.redundant(o) {
			continue
		}
		c := b
		s.Play(&c)
		if stopsAfter(c, start, n-1, doubles, o, turn) {
			*turn = turn.Before(s.Option(&b))
			return true
		}
	}
	return false
}

// stopsAfter calls stops for the board after an option.
func stopsAfter(c arimaa.Board, start *arimaa.Board, n, doubles int, last played, turn *arimaa.Turn) bool {
	h := blockadeOf(&c)
	return (h.mobile == 0 || n > 0) && !h.tooFar(n) && h.stops(c, start, n, doubles, last, turn)
}

// blockade holds what keeps Silver's pieces from moving, or fails to, on one board.
type blockade struct {
	gold, silver, empty arimaa.Bitboard
	rabbits             arimaa.Bitboard // Silver's
	fixed               arimaa.Bitboard // Silver's pieces that no piece of Gold is stronger than
	mobile              arimaa.Bitboard // Silver's pieces that can step
	firm                arimaa.Bitboard // of the mobile ones, those that are fixed or have a friend beside them
	// Silver's strongest pieces, if they are fixed and more than rabbits, and Gold's of the same
	// kind.
	top, rivals arimaa.Bitboard
	// For closer: the steps left, and Silver's pieces that nothing can freeze with them.
	steps int
	far   arimaa.Bitboard
}

func blockadeOf(b *arimaa.Board) (h blockade) {
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
func (h *blockade) targets(pieces arimaa.Bitboard) arimaa.Bitboard {
	return (pieces>>8 | east(pieces) | west(pieces) | pieces&^h.rabbits<<8) & h.empty
}

// tooFar tells quickly, in most positions in which it is so, that n steps do not make Silver immobile.
//
// Lemma 1. Every piece of Silver that can step now has a piece of Gold within n+1 of it: in the end it is gone,
// frozen or blocked. For that a piece of Gold comes beside it, or pushes or pulls a piece within 2 squares of it
// (itself, a friend, a friend that defends another friend on a trap, or one that then blocks
// it).
func (h *blockade) tooFar(n int) bool {
	reach := grow(h.gold)
	for range n {
		reach = grow(reach)
	}
	if h.mobile&^reach != 0 { // lemma 1
		return true
	}
	for rest := h.top &^ arimaa.Traps; rest != 0; rest = rest.Rest() {
		if h.topBound(rest.First()) > n {
			return true
		}
	}
	return false
}

// topBound returns a lower bound on the steps after which Silver's piece on x,
// one of its strongest and on no trap, has no step, push or pull.
//
// Lemma 2. Nothing freezes, moves or captures that piece. In the end each square y beside it holds a piece of
// Silver, one of Gold that is as strong, or a weaker one of Gold with all squares beside y
// occupied; otherwise it could push that one. Let f be the number of squares that are empty now and occupied
// then, and d the number of squares beside x where a piece of Silver stands then and none does
// now. For each of the f squares some option fills it last, a different one for each (lemma 5),
// and for each of the d squares a push or pull puts a piece of Silver there. So it
// takes at least f+d steps.
//
// All empty y are among the f squares. Any y that is not Silver's and has an empty square
// beside it will either hold a piece of Silver and count for d; or a piece of Gold as
// strong as x, of which there are as many as rivals; or have all its neighbours
// filled, which are among the f squares as well. A square is beside two such y at most. So k of
// them with two or more empty neighbours and l with one take at least k+l/2 squares.
func (h *blockade) topBound(x arimaa.Square) int {
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
// Silver's piece on x without a step, push or pull. It applies lemma 2 to every choice of squares.
//
// All squares beside x that are empty now are filled then, and so are all empty squares beside those
// squares beside x that hold a weaker piece of Gold then. At most as many of them as there are rivals hold a rival;
// a square to which a push or pull can bring a piece of Silver may hold that. Each square takes an
// option that fills it last, and a push or pull takes two steps. Single steps of other pieces of Silver, to squares that are not
// within 2 of x, may come between.
func (h *blockade) mayStop(x arimaa.Square, n, doubles, steps int) bool {
	options := n - doubles
	beside := x.Beside() &^ h.silver
	empty := beside & h.empty
	if empty.Len() > options {
		return false
	}
	brought := h.silver &^ h.fixed
	for range doubles + steps {
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

// useful is the set of options that may come next.
type useful struct {
	prey  arimaa.Bitboard // the pieces that it may push or pull
	enter arimaa.Bitboard // the squares that a single step may enter
}

// useful returns the options with which a solution can begin that consists of the given
// number of pushes and pulls and of single steps, n steps at most.
//
// If all options are single steps, Silver's pieces stay where they are, and
// [blockade.hem] says which squares Gold needs. With one push or pull, useful tries each victim and each square
// that it may go to. With two there are no single steps, and only the squares of the victims rule pushes and
// pulls out.
func (h *blockade) useful(b *arimaa.Board, n, doubles int) (u useful) {
	for rest := h.top &^ arimaa.Traps; rest != 0; rest = rest.Rest() {
		if !h.mayStop(rest.First(), n, doubles, 0) {
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

// closer adds what n implies: Silver's pieces that are more than n steps away from every piece that could freeze
// them stay free as if they were fixed, so they must be blocked. See also crowd.
func (h *blockade) closer(b *arimaa.Board, n int) blockade {
	c := *h
	c.steps = n
	for rest := h.silver &^ h.fixed; rest != 0; rest = rest.Rest() {
		x := rest.First()
		if x.Within(n+1)&b.AtLeast(arimaa.Gold, b.At(x).Kind()+1) == 0 {
			c.far |= x.Set()
		}
	}
	c.firm |= h.mobile & c.far
	return c
}

// options returns what useful does for h as it is.
func (h *blockade) options(b *arimaa.Board, n, doubles int) (u useful) {
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

// victims returns the pieces of Silver that have a piece of Gold other than a rabbit near enough to push or
// pull them.
func (h *blockade) victims(b *arimaa.Board, distance int) arimaa.Bitboard {
	reach := b.AtLeast(arimaa.Gold, arimaa.Cat)
	for range distance {
		reach = grow(reach)
	}
	return h.silver &^ h.fixed & reach
}

// kept returns the firm pieces of Silver that must still be blocked, where they are, after
// pushes and pulls. By is the set of squares within 1 of the pieces that these move, where they are now.
//
// Lemma 3. A firm piece has a friend beside it, or is fixed. It stays firm and in place unless it is moved
// itself, or a friend beside it is, which may leave it alone or take the last guard from the trap on which it stands. It loses no
// friend that is captured on a trap because another guard is moved, as it guards that trap itself. So only pieces within 1 of the
// moved piece change. If a piece is moved twice, that is so the second time, too: then it stands beside pieces whose friend it has
// just become, and those keep the friends that they had.
// A fixed piece that is on no trap does not change unless it is moved, which nothing can do.
func (h *blockade) kept(by arimaa.Bitboard) arimaa.Bitboard {
	return h.firm &^ (by &^ (h.fixed &^ arimaa.Traps))
}

// usefulWith returns the squares that single steps may enter, in solutions of one push or pull, of the piece on
// a, and single steps, n steps in all; ok is false if there is no such solution.
//
// The piece goes to a square beside a. That determines the squares of all of Silver's pieces in
// the end. Those with a friend beside them, and fixed ones, must be blocked then. A push fills a,
// and n-2 single steps remain for other squares. If the piece goes to a square where Gold is now,
// it may be a pull, which leaves a empty and fills one more square. (If Gold leaves that square
// and the piece is pushed there, a counts as filled and one step less remains: the conditions are
// weaker than that. If Gold comes to an empty square first and pulls the piece there, that
// step is spent on it, and the pull fills a square instead.)
//
// A mobile piece without a friend and more than 2 from a has no friend in the end either, as the moved piece does not come beside
// it, and a square beside it that is empty now and filled then holds a piece of Gold: the remaining options must serve it.
func (h *blockade) usefulWith(b *arimaa.Board, n int, a arimaa.Square) (enter arimaa.Bitboard, ok bool) {
	if h.targets(h.kept(a.Within(1))).Len() > n-1 || n == 2 && h.mobile&^a.Within(3) != 0 {
		return 0, false
	}
	loose := h.mobile &^ h.firm &^ a.Within(2)
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

// served tells whether single steps alone may serve the pieces that are far
// from a, if one push or pull moves the piece on a. It also asks for a stronger piece that can come beside a.
//
// Lemma 4. The push or pull changes squares within 2 of a, so it fills none beside a piece more than 3 from a, and such a piece
// that is firm stays so (lemma 3). Gold's piece comes within 1 of a and is
// displaced once more, so to freeze a piece 6 away it would need four steps, and
// there are three at most. So n-2 single steps fill the squares beside the one kind, and freeze or block the other. Lemmas 5 and 6
// count them.
func (h *blockade) served(b *arimaa.Board, n int, a arimaa.Square) bool {
	if a.Within(n-1)&b.AtLeast(arimaa.Gold, b.At(a).Kind()+1) == 0 {
		return false
	}
	fill := h.targets(h.firm &^ a.Within(3))
	left := n - 2 - fill.Len()
	for loose := h.mobile &^ h.firm &^ a.Within(5) &^ grow(fill); loose != 0 && left >= 0; {
		s := loose.First()
		_, cost, apart := h.stopOne(b, s, fill)
		loose &^= s.Within(apart)
		left -= cost
	}
	return left >= 0
}

// stopOne returns the distance d of the nearest piece that can freeze the one on s, which has no friend
// beside it (at most four steps), and cost, the fewest steps that freeze or block it: that
// distance, or a step for each square outside fill that must be filled. Pieces more than
// apart from each other share neither these squares nor the freezing piece, or n steps do not stop both.
//
// Lemma 7. Two pieces that are 4 apart share nothing but squares of crowd, and a solution that blocks both with such a square c has
// more than n steps or more than four options. Each of the two can move, so some square t beside it is empty. Assume that a piece of
// Gold as strong as it comes to t. With n-2 displacements or fewer it could also reach the square between c and this piece with n, and
// c would not be of crowd. So it takes n-1, and to fill c and the other t takes two more. Now assume that both pieces on such squares t are
// weaker. Then there are pieces on all squares beside them, also on those from which they came, which were filled again. That
// makes five options: one that fills c last, and for each t one that fills it and one that fills the square left behind.
func (h *blockade) stopOne(b *arimaa.Board, s arimaa.Square, fill arimaa.Bitboard) (d, cost, apart int) {
	stronger := b.AtLeast(arimaa.Gold, b.At(s).Kind()+1)
	d = 1
	for d < arimaa.StepsPerTurn && s.Within(d+1)&stronger == 0 {
		d++
	}
	squares := h.targets(s.Set()) // beside it
	if h.steps == 0 {
		return d, min(d, squares.Len()), 2
	}
	if !h.rabbits.Has(s) {
		squares |= h.crowdOne(b, h.silver, s) &^ fill // within 2 of it
	}
	return d, min(d, squares.Len()), 3
}

// usefulFirst returns the pieces that the first of two pushes or pulls may move.
//
// The second one moves the same piece, by then on a neighbouring square, or another one. Together they
// fill two squares. Each changes squares only within 2 of its victim (a pulling piece
// goes that far), and so serves pieces within 3 of it.
func (h *blockade) usefulFirst(b *arimaa.Board) (prey arimaa.Bitboard) {
	seconds := h.victims(b, 2)
	free := h.gold &^ b.Frozen(arimaa.Gold)
	for firsts := b.Dominated(arimaa.Silver, free); firsts != 0; firsts = firsts.Rest() {
		a := firsts.First()
		if h.mobile&^a.Within(4) == 0 && h.targets(h.kept(a.Within(1))).Len() <= 2 {
			prey |= a.Set()
			continue
		}
		for rest := seconds; rest != 0; rest = rest.Rest() {
			c := rest.First()
			if h.mobile&^(a.Within(3)|c.Within(3)) == 0 && h.targets(h.kept(a.Within(1)|c.Within(1))).Len() <= 2 {
				prey |= a.Set()
				break
			}
		}
	}
	return prey
}

// hem returns what [blockade.bound] does for the squares of fill and those that must be
// occupied as well, so that Silver's strongest pieces cannot push; silver are the
// squares of Silver's pieces in the end.
//
// A square beside a strongest piece that is not Silver's in the end holds a piece of Gold, which
// can be pushed if it is weaker and has an empty square beside it. At most one of these squares holds
// the only rival. With two rivals hem asks for nothing more.
func (h *blockade) hem(b *arimaa.Board, silver, fill, loose arimaa.Bitboard, options, steps int) (enter arimaa.Bitboard) {
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

// crowd returns the empty squares that must be occupied so that Silver's pieces other than the
// strongest cannot push; none unless h is [blockade.closer].
//
// A piece that is free in the end and no rabbit has a piece of Gold on each square beside
// it that is not Silver's. A square that no piece as strong can reach in time holds a weaker one,
// which can be pushed if there is an empty square beside it.
func (h *blockade) crowd(b *arimaa.Board, silver arimaa.Bitboard) (fill arimaa.Bitboard) {
	if h.steps == 0 {
		return 0
	}
	stays := silver & b.Of(arimaa.Silver) &^ (h.rabbits | h.top)
	for rest := stays & (silver.Neighbors() | h.fixed | h.far); rest != 0; rest = rest.Rest() {
		fill |= h.crowdOne(b, silver, rest.First())
	}
	return fill
}

// crowdOne returns the squares of crowd for the piece on x.
func (h *blockade) crowdOne(b *arimaa.Board, silver arimaa.Bitboard, x arimaa.Square) arimaa.Bitboard {
	strong := b.AtLeast(arimaa.Gold, b.At(x).Kind())
	for range h.steps {
		strong = grow(strong)
	}
	return (x.Beside() &^ silver &^ strong).Neighbors() & h.empty
}

// bound returns squares of which each single step of a solution enters one; the empty set
// if there is no solution.
//
// The squares of fill are empty, and pieces of Gold must stand there in the end. The loose
// pieces are mobile, have no friend beside them and will have none; pieces of Gold must freeze or
// block them. The given number of options is available for that, which displace Gold's pieces by the given
// number of steps. There are two ways to count:
//
// Lemma 5 (options). An option fills one square that was empty and no more (a push or pull leaves Gold or Silver
// on the other square it touches). So each square of fill takes an option that fills it last.
// A loose piece beside none of them takes another option, by which a piece of Gold arrives beside
// it, and no option arrives beside two pieces more than 2 apart.
//
// Lemma 6 (steps). In the end each square of fill holds a piece of Gold that came from elsewhere, at
// least as far as the nearest one is now. Beside a loose piece stands a
// stronger one that came there, or there are pieces on all squares that it could step to. All these
// are different pieces of Gold, so the distances add up.
//
// If lemma 5 leaves no option to spare, each single step enters a square of fill or one
// beside a loose piece. If lemma 6 leaves no step to spare, each single step leads towards one of them on
// a shortest path.
func (h *blockade) bound(b *arimaa.Board, fill, loose arimaa.Bitboard, options, steps int) (enter arimaa.Bitboard) {
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
		loose &^= s.Within(apart)
		options--
		steps -= cost
		enter |= s.Within(d)
	}
	switch {
	case options < 0 || steps < 0:
		return 0
	case options > 0 && steps > 0:
		return arimaa.Everywhere
	}
	return enter
}
