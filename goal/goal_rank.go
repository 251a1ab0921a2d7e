package goal

import "goalproof/arimaa"

const (
	fileA arimaa.Bitboard = 0x0101010101010101
	fileH                 = fileA << 7
	rank1 arimaa.Bitboard = 0xff
	rank6 arimaa.Bitboard = 0xff << 40
	rank7                 = rank6 << 8
	rank8                 = rank7 << 8

	everywhere = ^arimaa.Bitboard(0)
)

func east(b arimaa.Bitboard) arimaa.Bitboard { return b &^ fileH << 1 }
func west(b arimaa.Bitboard) arimaa.Bitboard { return b &^ fileA >> 1 }

// grow returns the set with all squares next to it.
func grow(b arimaa.Bitboard) arimaa.Bitboard { return b | b.Neighbors() }

// goalRank returns the fewest steps, at most limit, after which Gold can stand with
// a rabbit on rank 8, and the steps.
func goalRank(b *arimaa.Board, limit int) (Distance, arimaa.Turn) {
	v := look(b)
	if v.rabbits&rank8 != 0 {
		return Already, arimaa.Turn{}
	}
	if limit < 1 || !reaches(*b, limit, nil) {
		return None, arimaa.Turn{}
	}
	n := 1
	for !reaches(*b, n, nil) {
		n++
	}
	turn := new(arimaa.Turn)
	reaches(*b, n, turn)
	return After(n), *turn
}

// reaches tells whether Gold can have a rabbit on rank 8 in at most n steps, and with
// turn not nil, which holds an empty turn, writes the steps there.
func reaches(b arimaa.Board, n int, turn *arimaa.Turn) bool {
	// A rabbit needs one step of its own for each rank, and nothing else moves it
	// forward.
	v := look(&b)
	switch near := v.rabbits & nearest(n); {
	case near == 0:
		return false
	case near&rank8 != 0:
		return true
	case n == 1:
		ready := v.rabbits & v.free & rank7 & (v.empty >> 8)
		if ready != 0 && turn != nil {
			*turn = forward(ready.First())
		}
		return ready != 0
	case n == 2 && turn == nil:
		return reachesInTwo(&b, &v)
	}
	z := zones(&v, n)
	return v.singles(&b, z.singles, func(o arimaa.Option, c arimaa.Board) bool {
		return follow(c, n-1, o, turn)
	}) || z.doubles != 0 && v.doubles(&b, z.doubles, func(o arimaa.Option, c arimaa.Board) bool {
		return follow(c, n-2, o, turn)
	})
}

// follow asks the question of reaches after an option and puts the option before
// the steps of a positive answer.
func follow(c arimaa.Board, n int, o arimaa.Option, turn *arimaa.Turn) bool {
	if !reaches(c, n, nil) {
		return false
	}
	if turn != nil {
		reaches(c, n, turn)
		*turn = turn.Before(o)
	}
	return true
}

// nearest returns the ranks from which a rabbit may reach rank 8 in n steps.
func nearest(n int) arimaa.Bitboard { return everywhere << (8 * (7 - n)) }

// forward returns the turn of one step north by a rabbit.
func forward(from arimaa.Square) arimaa.Turn {
	return arimaa.Turn{}.With(arimaa.NewStep(arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit), from, arimaa.North))
}

// reachesInTwo answers for two steps. There are five ways, and no piece captured on
// the way changes any of them: the last step is a rabbit's from rank 7 to an empty
// square of rank 8, and before it
//
//   - the rabbit comes up from rank 6, or along rank 7, to a square where it is not
//     frozen;
//   - or it is free, and a friend in front of it, which it does not need to stay free,
//     steps aside along rank 8;
//   - or it is frozen with an empty square in front, and a friend comes to its side or
//     behind it (on a trap the rabbit itself defends that friend).
//
// A push or pull takes both steps. A single step of Gold moves or captures no enemy.
func reachesInTwo(b *arimaa.Board, v *view) bool {
	open := v.empty & rank8 >> 8 // squares of rank 7 with an empty square in front
	held := b.AtLeast(arimaa.Silver, arimaa.Cat).Neighbors()
	if v.rabbits&v.free&rank7&open != 0 {
		return true
	}
	// Arriving on rank 7: free there when nothing holds it or a friend stands beside it,
	// not in front, where it is empty, nor where the rabbit itself came from.
	arrive := v.empty & open
	beside := [3]arimaa.Bitboard{v.own << 8, east(v.own), west(v.own)} // friends south, west, east
	runners := v.rabbits & v.free
	if runners&rank6<<8&arrive&(^held|beside[1]|beside[2]) != 0 ||
		east(runners&rank7)&arrive&(^held|beside[0]|beside[2]) != 0 ||
		west(runners&rank7)&arrive&(^held|beside[0]|beside[1]) != 0 {
		return true
	}
	waiting := v.rabbits & rank7
	// A friend steps aside.
	friends := beside[0] | beside[1] | beside[2]
	blockers := waiting & (^held | friends) << 8 & v.free
	if (east(blockers)|west(blockers))&v.empty != 0 {
		return true
	}
	// A friend comes to help. The rabbit is frozen, so all its neighbours that are not
	// empty are enemies.
	for rest := waiting & open &^ v.free; rest != 0; rest = rest.Rest() {
		r := rest.First()
		help := r.Beside() & v.empty &^ rank8
		pieces, rabbits := v.free&^v.rabbits, v.free&v.rabbits
		if (pieces.Neighbors()|rabbits<<8|east(rabbits)|west(rabbits))&help != 0 {
			return true
		}
	}
	return false
}

// zone is where a step must change something to be of use.
type zone struct{ singles, doubles arimaa.Bitboard }

// zones returns the squares of which a first single step, or a first push or pull,
// must change at least one when a rabbit is to arrive in at most n steps.
//
// Take the rabbit that arrives, d steps below rank 8; it spends d of the n steps going
// forward and k = n-d remain. Whether it can run straight ahead depends on the squares
// of its path and those next to them, call them its surroundings, and on nothing
// else: whether the path is empty, whether it is frozen on the way, whether a trap on
// the path has a defender.
//
//   - k = 0: its own step forward.
//   - k = 1: any step of its own, or a step that changes the surroundings.
//   - k = 2: also a step that makes such a step possible. That one moves a piece from
//     u to v, or captures on a trap c beside u, and u, v or c lies in the surroundings, so u
//     is within 2 of the path, v within 3, and what it depends on (the neighbours of u,
//     v being empty, the neighbours of v or c where a capture matters in the
//     surroundings) within 3. A push or pull takes both spare steps and must change
//     the surroundings.
//   - k = 3: any step; a push or pull as a step with k = 2.
//
// Going sideways with a spare step keeps within the same distances. A step also
// changes a trap next to the square it leaves, when it captures there; so the
// neighbours of the zone's traps belong to the zone.
func zones(v *view, n int) (z zone) {
	for d := 1; d <= n; d++ {
		rabbits := v.rabbits & (rank8 >> (8 * d))
		if rabbits == 0 {
			continue
		}
		path := rabbits
		for range d {
			path |= path << 8
		}
		switch n - d {
		case 0:
			z.singles |= rabbits
		case 1:
			z.singles |= grow(path)
		case 2:
			z.singles |= grow(grow(grow(path)))
			z.doubles |= grow(path)
		case 3:
			z.singles = everywhere
			z.doubles |= grow(grow(grow(path)))
		}
	}
	z.singles |= (z.singles & arimaa.Traps).Neighbors()
	z.doubles |= (z.doubles & arimaa.Traps).Neighbors()
	return z
}
