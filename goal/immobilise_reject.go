package goal

import "goalproof/arimaa"

// Quick bounds on the steps of a solution. The first looks at the distances of Gold's pieces; the
// second at Silver's strongest pieces, which nothing freezes or moves if Gold has no stronger one.

// tooFar reports quickly, in most positions in which it is so, that n steps do not make Silver
// immobile.
//
// Lemma 4. Every piece of Silver that can step now has a piece of Gold within n+1 of it: in the end
// it is gone, frozen or blocked. For that a piece of Gold comes beside it, or pushes or pulls a
// piece within 2 squares of it (itself, a friend, a friend that defends another friend on a trap,
// or one that then blocks it).
func (h *blockade) tooFar(n int) bool {
	reach := dilate(h.gold)
	for range n {
		reach = dilate(reach)
	}
	if h.mobile&^reach != 0 { // lemma 4
		return true
	}
	for rest := h.top &^ arimaa.Traps; rest != 0; rest = rest.Rest() {
		if h.topBound(rest.First()) > n {
			return true
		}
	}
	return false
}

// topBound returns a lower bound on the steps after which Silver's piece on x, one of its strongest
// and on no trap, has no step, push or pull.
//
// Lemma 5. Nothing freezes, moves or captures that piece. In the end each square y beside it holds
// a piece of Silver, one of Gold that is as strong, or a weaker one of Gold with all squares beside
// y occupied; otherwise it could push that one. Let f be the number of squares that are empty now
// and occupied then, and d the number of squares beside x where a piece of Silver stands then and
// none does now. For each of the f squares some option fills it last, a different one for each
// (lemma 1), and for each of the d squares a push or pull puts a piece of Silver there. So it takes
// at least f+d steps.
//
// All empty y are among the f squares. Any y that is not Silver's and has an empty square beside it
// will either hold a piece of Silver and count for d; or a piece of Gold as strong as x, of which
// there are as many as rivals; or have all its neighbours filled, which are among the f squares as
// well. A square is beside two such y at most. So k of them with two or more empty neighbours and l
// with one take at least k+l/2 squares.
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

// mayStop reports whether n steps, with the given number of pushes and pulls, may leave Silver's
// piece on x, one of its strongest, without a step, push or pull. It applies lemma 5 to every
// choice of squares.
//
// All squares beside x that are empty now are filled then, and so are all empty squares beside
// those squares beside x that hold a weaker piece of Gold then. At most as many of them as there
// are rivals hold a rival; a square to which a push or pull can bring a piece of Silver may hold
// that. Each square takes an option that fills it last, and a push or pull takes two steps. Single
// steps of other pieces of Silver, to squares that are not within 2 of x, may come between.
func (h *blockade) mayStop(x arimaa.Square, n, doubles, steps int) bool {
	options := n - doubles
	beside := x.Beside() &^ h.silver
	empty := beside & h.empty
	if empty.Len() > options {
		return false
	}
	brought := h.silver &^ h.fixed
	for range doubles + steps {
		brought = dilate(brought)
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
