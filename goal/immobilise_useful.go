package goal

import "goalproof/arimaa"

// The options with which a solution can begin.

// useful is the set of options that may come next.
type useful struct {
	prey  arimaa.Bitboard // the pieces that it may push or pull
	enter arimaa.Bitboard // the squares that a single step may enter
}

// useful returns the options with which a solution can begin that consists of the given number of
// pushes and pulls and of single steps, n steps at most.
//
// If all options are single steps, Silver's pieces stay where they are, and [blockade.enclose] says
// which squares Gold needs. With one push or pull, useful tries each victim and each square that it
// may go to. With two there are no single steps, and only the squares of the victims rule pushes
// and pulls out.
func (h *blockade) useful(b *arimaa.Board, n, doubles int) (u useful) {
	for rest := h.top &^ arimaa.Traps; rest != 0; rest = rest.Rest() {
		if !h.mayStop(rest.First(), n, doubles, 0) {
			return u
		}
	}
	if u = h.options(b, n, doubles); u == (useful{}) {
		return u
	}
	// Every solution meets both conditions.
	c := h.closer(b, n)
	closer := c.options(b, n, doubles)
	return useful{u.prey & closer.prey, u.enter & closer.enter}
}

// options returns what useful does, for h as it is.
func (h *blockade) options(b *arimaa.Board, n, doubles int) (u useful) {
	switch doubles {
	case 0:
		u.enter = h.enclose(b, h.silver, h.targets(h.firm), h.mobile&^h.firm, n, n)
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

// usefulFirst returns the pieces that the first of two pushes or pulls may move.
//
// The second one moves the same piece, by then on a neighbouring square, or another one. Together
// they fill two squares. Each changes squares only within 2 of its victim (a pulling piece goes
// that far), and so serves pieces within 3 of it.
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

// usefulWith returns the squares that single steps may enter, in solutions of one push or pull, of
// the piece on a, and single steps, n steps in all; ok is false if there is no such solution.
//
// The piece goes to a square beside a. That determines the squares of all of Silver's pieces in the
// end. Those with a friend beside them, and fixed ones, must be blocked then. A push fills a, and
// n-2 single steps remain for other squares. If the piece goes to a square where Gold is now, it
// may be a pull, which leaves a empty and fills one more square. (If Gold leaves that square and
// the piece is pushed there, a counts as filled and one step less remains: the conditions are
// weaker than that. If Gold comes to an empty square first and pulls the piece there, that step is
// spent on it, and the pull fills a square instead.)
//
// A mobile piece without a friend and more than 2 from a has no friend in the end either, as the
// moved piece does not come beside it, and a square beside it that is empty now and filled then
// holds a piece of Gold: the remaining options must serve it.
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
		} else if e := then.enclose(b, then.silver, fill, loose, options, n-1); e != 0 {
			ok = true
			enter |= e | to
		}
	}
	if n == 2 {
		enter = 0
	}
	return enter, ok
}

// kept returns the firm pieces of Silver that must still be blocked, where they are, after pushes
// and pulls. By is the set of squares within 1 of the pieces that these move, where they are now.
//
// Lemma 6. A firm piece has a friend beside it, or is fixed. It stays firm and in place unless it
// is moved itself, or a friend beside it is, which may leave it alone or take the last guard from
// the trap on which it stands. It loses no friend that is captured on a trap because another guard
// is moved, as it guards that trap itself. So only pieces within 1 of the moved piece change. If a
// piece is moved twice, that is so the second time, too: then it stands beside pieces whose friend
// it has just become, and those keep the friends that they had. A fixed piece that is on no trap
// does not change unless it is moved, which nothing can do.
func (h *blockade) kept(by arimaa.Bitboard) arimaa.Bitboard {
	return h.firm &^ (by &^ (h.fixed &^ arimaa.Traps))
}

// served reports whether single steps alone may serve the pieces that are far from a, if one push
// or pull moves the piece on a. It also asks for a stronger piece that can come beside a.
//
// Lemma 7. The push or pull changes squares within 2 of a, so it fills none beside a piece more
// than 3 from a, and such a piece that is firm stays so (lemma 6). Gold's piece comes within 1 of a
// and is displaced once more, so to freeze a piece 6 away it would need four steps, and there are
// three at most. So n-2 single steps fill the squares beside the one kind, and freeze or block the
// other. Lemmas 1 and 2 count them.
func (h *blockade) served(b *arimaa.Board, n int, a arimaa.Square) bool {
	if a.Within(n-1)&b.AtLeast(arimaa.Gold, b.At(a).Kind()+1) == 0 {
		return false
	}
	fill := h.targets(h.firm &^ a.Within(3))
	left := n - 2 - fill.Len()
	for loose := h.mobile &^ h.firm &^ a.Within(5) &^ dilate(fill); loose != 0 && left >= 0; {
		s := loose.First()
		_, cost, radius := h.stopOne(b, s, fill)
		loose &^= s.Within(radius)
		left -= cost
	}
	return left >= 0
}

// victims returns the pieces of Silver that have a piece of Gold other than a rabbit near enough to
// push or pull them.
func (h *blockade) victims(b *arimaa.Board, distance int) arimaa.Bitboard {
	reach := b.AtLeast(arimaa.Gold, arimaa.Cat)
	for range distance {
		reach = dilate(reach)
	}
	return h.silver &^ h.fixed & reach
}
