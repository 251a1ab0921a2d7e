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
func goalRank(b *arimaa.Board, limit int) (found Distance, turn arimaa.Turn) {
	if b.Rabbits(arimaa.Gold)&rank8 != 0 {
		return Already, turn
	}
	for n := limit; n > 0; n-- {
		var t arimaa.Turn
		if !reaches(*b, n, 0, &t) {
			break
		}
		found, turn = After(t.Len()), t
		n = t.Len()
	}
	return found, turn
}

// anyGoal returns steps, at most limit, after which Gold stands with a rabbit on rank 8, not
// always the fewest.
func anyGoal(b *arimaa.Board, limit int) (turn arimaa.Turn, ok bool) {
	ok = b.Rabbits(arimaa.Gold)&rank8 != 0 || reaches(*b, limit, 0, &turn)
	return turn, ok
}

// reaches tells whether Gold can have a rabbit on rank 8 in at most n steps, n >= 0, and puts
// the steps before those of turn. None stands there yet. At least help of the steps are
// known to be others than the rabbit's own (see relax).
func reaches(b arimaa.Board, n, help int, turn *arimaa.Turn) bool {
	// A rabbit needs one step of its own for each rank, and nothing else moves it
	// forward.
	near := b.Rabbits(arimaa.Gold) & nearest(n)
	if n == 0 || near == 0 {
		return false
	}
	v := look(&b)
	if ready := near & v.free & rank7 & (v.empty >> 8); ready != 0 {
		*turn = forward(ready.First())
		return true
	}
	if n == 1 {
		return false
	}
	held := b.AtLeast(arimaa.Silver, arimaa.Cat).Neighbors()
	if help == 0 && v.runs(held, n, turn) {
		return true
	}
	var z zone
	if n > 2 {
		least := n
		for rest := near; rest != 0; rest = rest.Rest() {
			least = min(least, v.relax(&b, held, rest.First(), n, help, &z))
		}
		help = least
	} else if reachesInTwo(&b, &v) {
		z.singles = grow(near | near<<8)
	}
	z.singles |= (z.singles & arimaa.Traps).Neighbors()
	z.doubles |= (z.doubles & arimaa.Traps).Neighbors()
	// An option takes as much from the help that is needed as it has steps, at most.
	for s := v.singles(z.singles, z.singles); s.next(); {
		if reaches(s.after(&b), n-1, max(0, help-1), turn) {
			*turn = turn.Before(s.option(&b))
			return true
		}
	}
	if z.doubles == 0 {
		return false
	}
	for d := v.doubles(everywhere, z.doubles); d.next(&b); {
		if reaches(d.after(&b), n-2, max(0, help-2), turn) {
			*turn = turn.Before(d.option(&b))
			return true
		}
	}
	return false
}

// runs tells whether a rabbit can run to rank 8 by itself in at most n steps, and puts its steps
// before those of turn. It leans on no friend that stands on a trap: such a friend may be
// captured when the rabbit leaves it. Nothing else changes while it runs, so a yes is
// exact; a no is not. Held are the squares beside Silver's pieces that are more than rabbits.
func (v *view) runs(held arimaa.Bitboard, n int, turn *arimaa.Turn) bool {
	for rest := v.rabbits & nearest(n); rest != 0; rest = rest.Rest() {
		rabbit := rest & -rest
		beside := (v.own &^ arimaa.Traps &^ rabbit).Neighbors()
		goes := ^held | beside
		enters := v.empty &^ (arimaa.Traps &^ beside)
		after := [arimaa.StepsPerTurn + 1]arimaa.Bitboard{rabbit} // where it may be after i steps
		for i := 1; i <= n; i++ {
			from := after[i-1] & goes
			after[i] = (from<<8 | east(from) | west(from)) & enters
			if home := after[i] & rank8; home != 0 {
				*turn = back(home.First(), after[:i], goes, *turn)
				return true
			}
		}
	}
	return false
}

// back returns the steps of a run that ends on a square, put before those of turn.
func back(to arimaa.Square, after []arimaa.Bitboard, goes arimaa.Bitboard, turn arimaa.Turn) arimaa.Turn {
	rabbit := arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit)
	for i := len(after) - 1; i >= 0; i-- {
		end := to.Set()
		from := ((end>>8 | east(end) | west(end)) & after[i] & goes).First()
		turn = turn.Before(arimaa.SingleStep(arimaa.StepBetween(rabbit, from, to)))
		to = from
	}
	return turn
}

// zone is where an option must change something to be of use.
type zone struct{ singles, doubles arimaa.Bitboard }

// relax adds to a zone the squares of which a first single step, or a first push or pull,
// must change at least one when the rabbit on r is to arrive in at most n steps, n being 3
// or 4. It adds none if the rabbit cannot arrive, and returns the fewest steps of help with
// which it perhaps can, n if with none. That it cannot with fewer than help is known.
//
// The rabbit makes some of the steps itself; the others, the help, are h steps. For each h the
// rabbit is let run where it may perhaps run: each square that can perhaps be emptied, and each on
// which it can perhaps be free (and on a trap safe), with h steps of help is taken to be so, one
// independently of the other. Where the rabbit does not arrive even then, h is out. Otherwise let
// the way be the squares on which it may pass. Whether it can run depends on the way and the
// squares beside it, its surroundings, and on nothing else.
//
// A friend keeps it free to leave a square if he stands elsewhere than where it goes.
//
//   - h = 0: what is empty; free where nothing holds it or where it has a friend. Its own step.
//   - h = 1: a friend may step aside, if it has somewhere to go, the square that the rabbit left
//     included, or be captured on a trap; a friend may come, unless it is frozen and the rabbit
//     never beside it. Any step that changes the surroundings.
//   - h = 2, by one push or pull: an enemy piece may go that stands beside a stronger piece of
//     Gold that is not frozen, or that the rabbit unfreezes, with an empty square beside one of
//     the two. Then an enemy piece may be captured on a trap beside it, Gold's piece leaves its
//     square and comes to the enemy's or an empty one. The push or pull changes the surroundings.
//   - h = 2, by two steps: any friend may go; a friend may come from two squares away. The first
//     step changes the surroundings, or makes it possible that the second does. That one
//     moves a piece from u to w, or captures on a trap c beside u, and u, w or c lies in
//     the surroundings, so u is within 2 of the way, w within 3, and what it depends on (the
//     squares beside u, w being empty, the squares beside c) within 3.
//   - h = 3, so n = 4 and the rabbit is on rank 7 with one step to make: any single step; a
//     push or pull as a single step with h = 2. See front for an enemy piece in its way.
//
// An option also changes a trap beside a square that a piece leaves, so the neighbours of the
// zone's traps belong to the zone; [reaches] adds them.
func (v *view) relax(b *arimaa.Board, held arimaa.Bitboard, r arimaa.Square, n, help int, z *zone) (least int) {
	rabbit := r.Set()
	others := v.own &^ rabbit
	spare := n - (7 - int(r)>>3) // steps that it need not make itself
	room := v.empty | rabbit
	least = n // more than it can be

	goes, stands, enters := leaves(^held, others), ^arimaa.Traps|others.Neighbors(), v.empty
	if help == 0 && way(rabbit, n, goes, enters&stands) != 0 {
		z.singles |= rabbit
		least = 0
	}
	if spare == 0 {
		return least
	}

	movers := others & (v.free | ball[n-1][r])
	rabbits := movers & v.rabbits
	pieces := movers &^ rabbits
	come := (pieces.Neighbors() | rabbits<<8 | east(rabbits) | west(rabbits)) & room
	goes = leaves(^held, others|come)
	stands |= come.Neighbors()
	enters |= others & (room>>8 | east(room) | west(room) | room<<8&^v.rabbits | arimaa.Traps)
	if help <= 1 {
		if w := way(rabbit, n-1, goes, enters&stands); w != 0 {
			z.singles |= grow(w)
			least = min(least, 1)
		}
	}
	if spare == 1 {
		return least
	}

	front := rabbit << 8
	blocked := front&rank8&v.enemy != 0
	if blocked && n == 3 {
		if v.front(b, front, n, z) {
			least = min(least, 2)
		}
		return least
	}
	moved := v.victims(b, others&(v.free|ball[n-2][r]), room)
	if moved != 0 {
		helped := moved.Neighbors()
		if w := way(rabbit, n-2, leaves(^held|helped, others|come), (enters|moved|others&^v.rabbits)&(stands|helped)); w != 0 {
			z.singles |= rabbit
			z.doubles |= grow(w)
			least = min(least, 2)
		}
	}
	come = grow(come)
	stands |= come.Neighbors()
	enters |= others
	if w := way(rabbit, n-2, leaves(^held, others|come), enters&stands); w != 0 {
		z.singles |= grow(grow(grow(w)))
		least = min(least, 2)
	}
	if spare == 2 {
		return least
	}

	if blocked {
		if v.front(b, front, n, z) {
			least = min(least, 2)
		}
		return least
	}
	moved |= v.laterVictims(b)
	if leaves(^held|grow(moved).Neighbors(), others|grow(come)).north&rabbit != 0 {
		z.singles = everywhere
		z.doubles |= grow(grow(grow(rabbit | front)))
		least = min(least, 3)
	}
	return least
}

// front adds to the zone for a rabbit on rank 7 with an enemy piece in front of it and one step to
// make.
//
// That piece is on rank 8 and must be moved, by a push or pull of a stronger piece beside it on
// rank 8. A push would leave that piece in front; so with two steps of help it is a pull, for
// which the piece is free and has an empty square beside it. With three there is another step,
// which may bring the piece there, if it was free and one step away. That step comes after the
// pushing or pulling, or makes it possible, or keeps the rabbit free: it changes a square beside
// the rabbit, beside the front or beside the piece, all of them within 2 of the front.
//
// It tells whether there is such a piece.
func (v *view) front(b *arimaa.Board, front arimaa.Bitboard, n int, z *zone) bool {
	sides := east(front) | west(front)
	stronger := b.AtLeast(arimaa.Gold, b.At(front.First()).Kind()+1)
	if n == 3 {
		if stronger&v.free&sides&v.empty.Neighbors() == 0 {
			return false
		}
		z.doubles |= front
		return true
	}
	if stronger&(sides|v.free&(sides&v.empty).Neighbors()) == 0 {
		return false
	}
	z.singles |= grow(grow(front))
	z.doubles |= front
	return true
}

// exits are the squares that a rabbit can leave in each direction.
type exits struct{ north, east, west arimaa.Bitboard }

// leaves returns what a rabbit can leave: some squares anyway, others with a friend
// beside it, who does not stand where the rabbit goes.
func leaves(anyway, friends arimaa.Bitboard) exits {
	fromEast, fromWest := west(friends), east(friends) // with a friend to the east, the west
	anyway |= friends << 8
	return exits{anyway | fromEast | fromWest, anyway | friends>>8 | fromWest, anyway | friends>>8 | fromEast}
}

// way returns the squares on which a rabbit may pass on its way to rank 8 in n steps, when it can
// leave some squares and enter some; the empty set if it cannot arrive.
func way(rabbit arimaa.Bitboard, n int, goes exits, enters arimaa.Bitboard) (way arimaa.Bitboard) {
	reached := rabbit
	for range n {
		reached |= (reached&goes.north<<8 | east(reached&goes.east) | west(reached&goes.west)) & enters
	}
	way = reached & rank8
	if way == 0 {
		return 0
	}
	for range n {
		way |= (way>>8&goes.north | west(way)&goes.east | east(way)&goes.west) & reached
	}
	return way
}

// victims returns the enemy pieces that one push or pull by one of the movers can move or capture,
// when there is room on some squares.
func (v *view) victims(b *arimaa.Board, movers, room arimaa.Bitboard) (moved arimaa.Bitboard) {
	pushed := v.enemy & room.Neighbors()
	pullers := movers & room.Neighbors()
	for kind := arimaa.Cat; kind <= arimaa.Elephant; kind++ {
		if own := b.Pieces(arimaa.Gold, kind) & movers; own != 0 {
			moved |= (own.Neighbors()&pushed | (own & pullers).Neighbors()) & v.enemy &^ b.AtLeast(arimaa.Silver, kind)
		}
	}
	return moved | v.enemy&arimaa.Traps&moved.Neighbors()
}

// laterVictims returns the enemy pieces that can be moved or captured by a push or pull and one
// step. A step brings a free piece to an empty square beside them, or unfreezes one that is there,
// or makes room.
func (v *view) laterVictims(b *arimaa.Board) (moved arimaa.Bitboard) {
	for kind := arimaa.Cat; kind <= arimaa.Elephant; kind++ {
		if own := b.Pieces(arimaa.Gold, kind); own != 0 {
			moved |= (own | (own&v.free).Neighbors()&v.empty).Neighbors() & v.enemy &^ b.AtLeast(arimaa.Silver, kind)
		}
	}
	return moved | v.enemy&arimaa.Traps&moved.Neighbors()
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
