package goal

import "goalproof/arimaa"

// Immobilisation (rows 2 to 5 of the end-of-turn table): can Gold end the turn with Silver unable
// to move? The search tries the useful options of every board, depth first. What it leaves out
// stands in these files:
//
//   - immobilise_pieces.go: what each piece of Silver needs to be stopped.
//   - immobilise_count.go: how many options and steps that takes (lemmas 1 to 3).
//   - immobilise_reject.go: quick bounds, which reject most positions (lemmas 4 and 5).
//   - immobilise_useful.go: the options with which a solution can begin (lemmas 6 and 7).
//   - siege.go: bounds for many steps in a row, over two turns.
//
// A solution is a sequence of options that ends the turn with Silver immobile. "Then" and "in the
// end" mean: on the board after it. Every piece of Silver is then gone, frozen or blocked.

// immobilise returns the fewest steps, at most limit, after which the turn that began with start
// can end with Silver unable to move, Gold having a rabbit and Silver's not having reached a goal,
// and the steps.
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

// immobilises is immobilise without the number of steps: those that it returns need not be the
// fewest.
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

// stops reports whether Gold can end the turn with Silver immobile after the given number of pushes
// and pulls and as many single steps as n leaves for them, or after fewer single steps. If so it
// puts the steps before those of turn.
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
