package goal

import "goalproof/arimaa"

// immobilise returns the fewest steps, at most limit, after which the turn that began
// with start can end with Silver unable to move, Gold having a rabbit and Silver's
// having reached no goal (rows 2 to 5 of the end-of-turn table), and the steps.
func immobilise(b, start *arimaa.Board, limit int) (Distance, arimaa.Turn) {
	if limit < 0 || !stops(*b, start, limit, nil) {
		return None, arimaa.Turn{}
	}
	n := 0
	for !stops(*b, start, n, nil) {
		n++
	}
	turn := new(arimaa.Turn)
	stops(*b, start, n, turn)
	return After(n), *turn
}

// stops tells whether Gold can end the turn with Silver immobile after at most n
// further steps, and with turn not nil writes the steps.
func stops(b arimaa.Board, start *arimaa.Board, n int, turn *arimaa.Turn) bool {
	m := movers(&b)
	if m.one.Len() > served[n] {
		return false
	}
	bound, serve := m.bound(&b, n)
	if bound > n {
		return false
	}
	if b != *start && m.one == 0 && !b.CanMove(arimaa.Silver) {
		if o := b.Ended(arimaa.Gold); o.Winner == arimaa.Gold {
			return true
		}
	}
	if n == 0 {
		return false
	}
	v := look(&b)
	try := func(o arimaa.Option, c arimaa.Board) bool {
		left := n - o.Steps()
		if !stops(c, start, left, nil) {
			return false
		}
		if turn != nil {
			stops(c, start, left, turn)
			*turn = turn.Before(o)
		}
		return true
	}
	single, double := beside(serve), beside(serve)
	if n <= 2 && m.one != 0 {
		// The last option serves every piece that can still step, so also any one of them.
		// (It may do so with one square and serve the set above with another: the zones
		// must not be intersected.)
		if last := beside(m.one & -m.one); last.Len() < double.Len() {
			if double = last; n == 1 {
				single = last
			}
		}
	}
	if n >= 2 && v.doubles(&b, double, try) {
		return true
	}
	return (n != 2 || m.one.Len() <= 2*served[1]) && v.singles(&b, single, try)
}

// beside returns where an option must change something to serve one of the pieces: on
// their squares or beside them. An option also changes a trap next to a square it leaves,
// so the neighbours of such traps are added.
func beside(pieces arimaa.Bitboard) arimaa.Bitboard {
	z := grow(pieces)
	return z | (z & arimaa.Traps).Neighbors()
}

// served is the number of pieces that n steps can serve at most (see bound for the
// word). A single step serves pieces beside the square that it enters, other than
// where it comes from; a square that Gold leaves only gives more room. A push or pull
// serves the piece that it moves, those beside the square that this piece leaves and the
// one that it enters, those beside where Gold goes, and three more around a trap that
// loses its piece: 12 in all for a pull (1+3+3+2+3), fewer for a push.
var served = [arimaa.StepsPerTurn + 1]int{0, 3, 12, 15, 24}

// mobility holds the pieces of Silver that can step to at least one, two, three or four squares.
type mobility struct{ one, two, three, four arimaa.Bitboard }

func movers(b *arimaa.Board) (m mobility) {
	empty := ^b.Occupied()
	free := b.Of(arimaa.Silver) &^ b.Frozen(arimaa.Silver)
	m.one = empty << 8 & free
	for _, d := range [...]arimaa.Bitboard{
		empty >> 8 & free &^ b.Rabbits(arimaa.Silver), // its rabbits do not step north
		east(empty) & free,
		west(empty) & free,
	} {
		m.four |= m.three & d
		m.three |= m.two & d
		m.two |= m.one & d
		m.one |= d
	}
	return m
}

// bound returns a number of steps that making Silver immobile takes at least; it stops
// looking when that is above limit, the steps there are. Where no step can be spared it
// also returns a set of pieces of which the next option must serve one; else everywhere.
//
// Take a piece of Silver that can step somewhere. In the end it is gone from its
// square, pushed or pulled away or captured on a trap, or it stands there blocked or
// frozen. In each case an option of Gold (a step, push or pull) changes something on
// the piece's square or beside it; we say that the option serves the piece. A
// piece costs at least 1, and
//
//   - 2 if it could step to two squares and a friend stands beside it. Then a push or
//     pull serves it, to take away the friend or the piece itself, or two options do, to
//     fill two squares: an option fills one square that was empty and no more.
//   - As many as it could step to if Gold has no stronger piece and it is not on a
//     trap: nothing moves or freezes it, so all those squares have to be filled.
//
// The squares that an option changes lie within three of each other (a push from f over
// x to y may capture beside f and beside x). So none serves two pieces at a distance
// of six or more, and over a set of pieces as far apart as that the costs add up. When
// the sum is all the steps there are, every option must serve a piece of the set.
//
// On the other hand a piece of Gold arrives beside the piece to serve it, or is within 3
// squares of it when it pushes or pulls, which takes two steps. So a piece costs at
// least the distance of Gold's nearest piece, less one.
func (m *mobility) bound(b *arimaa.Board, limit int) (bound int, serve arimaa.Bitboard) {
	serve = everywhere
	if m.one == 0 {
		return 0, serve
	}
	bound = 1
	near := grow(grow(b.Of(arimaa.Gold)))
	for m.one&^near != 0 && bound <= limit {
		near = grow(near)
		bound++
	}
	if bound > limit {
		return bound, serve
	}
	strongest := arimaa.Elephant
	for strongest > arimaa.Rabbit && b.AtLeast(arimaa.Gold, strongest) == 0 {
		strongest--
	}
	fixed := b.AtLeast(arimaa.Silver, strongest) &^ arimaa.Traps
	two := m.two & (fixed | b.Of(arimaa.Silver).Neighbors())
	three := m.three & fixed
	four := m.four & fixed
	// Sets of pieces far apart, chosen greedily, the expensive ones first.
	for _, first := range [...]arimaa.Bitboard{three, two, m.one} {
		for _, backward := range [...]bool{false, true} {
			sum, chosen := 0, arimaa.Bitboard(0)
			for left := m.one; left != 0; {
				from := left
				if left&two != 0 {
					from = left & two
				}
				if left&first != 0 {
					from = left & first
				}
				s := from.First()
				if backward {
					s = from.Last()
				}
				sum += 1 + int(two>>s&1+three>>s&1+four>>s&1)
				chosen |= s.Set()
				left &^= around[s]
			}
			if bound = max(bound, sum); bound > limit {
				return bound, serve
			}
			if sum == limit && chosen.Len() < serve.Len() {
				serve = chosen
			}
		}
	}
	return bound, serve
}

// around[s] is the set of squares within five of s.
var around = func() (t [64]arimaa.Bitboard) {
	for s := range t {
		t[s] = arimaa.Square(s).Set()
		for range 5 {
			t[s] = grow(t[s])
		}
	}
	return t
}()
