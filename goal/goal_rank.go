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
	var z zone
	if n == 2 {
		if !reachesInTwo(&b, &v) {
			return false
		}
		z.leave = grow(near | near<<8)
		z.enter = z.leave
	} else {
		held := b.AtLeast(arimaa.Silver, arimaa.Cat).Neighbors()
		least := n
		for rest := near; rest != 0; rest = rest.Rest() {
			h := v.relax(&b, held, rest.First(), n, help, &z)
			if h == 0 && v.runs(rest&-rest, held, n, turn) {
				return true
			}
			least = min(least, h)
		}
		help = least
	}
	// An option takes as much from the help that is needed as it has steps, at most.
	for s := v.singles(z.leave, z.enter); s.next(); {
		if reaches(s.after(&b), n-1, max(0, help-1), turn) {
			*turn = turn.Before(s.option(&b))
			return true
		}
	}
	if z.doubles() == 0 {
		return false
	}
	for d := v.doubles(everywhere, z.doubles()); d.next(&b); {
		if z.wants(&d) && reaches(d.after(&b), n-2, max(0, help-2), turn) {
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
func (v *view) runs(rabbit, held arimaa.Bitboard, n int, turn *arimaa.Turn) bool {
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

// zone is what an option must do to be of use, one of these:
type zone struct {
	leave, enter arimaa.Bitboard // a single step leaves or enters one of these squares
	touched      arimaa.Bitboard // a push or pull moves a piece to or from one of these
	relieved     arimaa.Bitboard // it moves the enemy piece from here, or Gold's to here
	vacated      arimaa.Bitboard // it leaves one of these empty
}

// doubles returns the squares of which a push or pull must change at least one.
func (z *zone) doubles() arimaa.Bitboard { return z.touched | z.relieved | z.vacated }

// wants tells whether a push or pull does what the zone asks for.
func (z *zone) wants(d *doubles) bool {
	from, at, to := d.from.Set(), d.at.Set(), d.to.Set()
	if d.pull {
		return (from|at|to)&z.touched|(at|to)&z.relieved|at&z.vacated != 0
	}
	return (from|at|to)&z.touched|at&z.relieved|from&z.vacated != 0
}

// relax adds to a zone what a first option must do when the rabbit on r is to arrive in at
// most n steps, n being 3 or 4. It adds nothing if the rabbit cannot arrive, and returns the fewest
// steps of help with which it perhaps can, n if with none. That it cannot with fewer than help is
// known.
//
// The rabbit makes some of the steps itself; the others, the help, are h steps. For each h the
// rabbit is let run where it may perhaps run: each square that can perhaps be emptied, and each on
// which it can perhaps be free (and on a trap safe), with h steps of help is taken to be so, one
// independently of the other. Where the rabbit does not arrive even then, h is out. Otherwise let
// the way be the squares on which it may pass. A friend keeps the rabbit free to leave a square
// if he stands elsewhere than where it goes.
//
//   - h = 0: what is empty; free where nothing holds it or where it has a friend. (Such a
//     friend may be captured on a trap when the rabbit leaves him.)
//   - h = 1: a friend may step aside, if it has somewhere to go, the square that the rabbit left
//     included, or be captured on a trap; a friend may come, unless it is frozen and the rabbit
//     never beside it.
//   - h = 2, by one push or pull: an enemy piece may go that stands beside a stronger piece of
//     Gold that is not frozen, or that the rabbit unfreezes, with an empty square beside one of
//     the two. Then an enemy piece may be captured on a trap beside it, Gold's piece leaves its
//     square and comes to the enemy's or an empty one.
//   - h = 2, by two steps: any friend may go; a friend may come from two squares away.
//   - h = 3, so n = 4 and the rabbit is on rank 7 with one step to make: any single step; a
//     push or pull as a single step with h = 2. See front for an enemy piece in its way.
//
// Consider a way to arrive with no option that could be left out. Its first option is the rabbit's
// own step, or help that the rabbit's run needs, or help that later help needs.
//
// One option of help, and the run after it: without the option the rabbit would get stuck
// somewhere, on a square that it reaches by itself or at the next. There the option must make the difference:
//
//   - the next square is not empty: the option vacates it, or captures the piece on it by leaving
//     a square beside it (a trap);
//   - the rabbit cannot leave the square that it is on, or is not safe on the next, a trap: a
//     friend comes beside that square, or the enemy leaves one beside it or is captured there;
//   - it could not leave a square only because a friend on a trap has been captured when it went
//     on: the same, or something comes beside that trap.
//
// Two single steps of help. The run needs each, or the second and that the first. What the
// run may need is to leave some squares and to enter some others: as above, but anywhere on the
// way, and whether friends hold it free already or not, since the other step may take them
// away. The second step may need of the first that it
//
//   - brings the piece that then enters one of those squares;
//   - vacates the square to which the second goes, or captures the piece on it;
//   - keeps a piece free that enters or leaves one of those squares: one that is frozen, or would
//     be without the rabbit beside it, or without a friend on a trap, who is kept there;
//   - defends a trap that it enters.
func (v *view) relax(b *arimaa.Board, held arimaa.Bitboard, r arimaa.Square, n, help int, z *zone) (least int) {
	rabbit := r.Set()
	others := v.own &^ rabbit
	spare := n - (7 - int(r)>>3) // steps that it need not make itself
	room := v.empty | rabbit
	least = n // more than it can be

	goes, stands, enters := leaves(^held, others), ^arimaa.Traps|others.Neighbors(), v.empty
	alone := reachable(rabbit, n-1, goes, enters&stands)
	if help == 0 && (alone|alone&goes.north<<8&enters)&rank8 != 0 {
		z.leave |= rabbit
		least = 0
	}
	if spare == 0 {
		return least
	}
	// Where it gets stuck, and where it needs to be made free or safe.
	stuck := alone | alone<<8 | east(alone) | west(alone)
	surely := leaves(^held, others&^arimaa.Traps)
	safe := stands
	guards := (others & arimaa.Traps).Neighbors()

	movers := others & (v.free | ball[n-1][r])
	rabbits := movers & v.rabbits
	pieces := movers &^ rabbits
	come := (pieces.Neighbors() | rabbits<<8 | east(rabbits) | west(rabbits)) & room
	goes = leaves(^held, others|come)
	stands |= come.Neighbors()
	enters |= others & (room>>8 | east(room) | west(room) | room<<8&^v.rabbits | arimaa.Traps)
	if help <= 1 {
		if w := way(rabbit, n-1, goes, enters&stands); w != 0 {
			blockers := w & stuck & others
			z.leave |= rabbit | blockers | (blockers & arimaa.Traps).Neighbors()
			z.enter |= (surely.lacking(w, safe) & stuck).Neighbors() | guards
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
			z.leave |= rabbit
			z.vacated |= w & stuck
			z.relieved |= (surely.lacking(w, safe) & stuck).Neighbors()
			z.touched |= (grow(w) & arimaa.Traps &^ v.empty).Neighbors()
			least = min(least, 2)
		}
	}
	come = grow(come)
	stands |= come.Neighbors()
	enters |= others
	if w := way(rabbit, n-2, leaves(^held, others|come), enters&stands); w != 0 {
		blockers := w & others
		leave := rabbit | blockers | (blockers & arimaa.Traps).Neighbors()
		enter := (w & (held | arimaa.Traps)).Neighbors() | guards
		to := enter | leave.Neighbors() // where the second step may go
		z.leave |= leave | to | (to & others & arimaa.Traps).Neighbors()
		from := enter.Neighbors()
		needy := (from | leave) & others & (^v.free | rabbit.Neighbors())
		z.enter |= enter | from | needy.Neighbors() | (enter & arimaa.Traps).Neighbors()
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
		z.leave, z.touched = everywhere, everywhere
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
		z.vacated |= front
		return true
	}
	if stronger&(sides|v.free&(sides&v.empty).Neighbors()) == 0 {
		return false
	}
	near := grow(grow(front))
	near |= (near & arimaa.Traps).Neighbors()
	z.leave |= near
	z.enter |= near
	z.relieved |= front
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

// lacking returns the squares of a way that a rabbit cannot leave in a direction in which the
// way goes on, or on which it is not safe.
func (e *exits) lacking(way, safe arimaa.Bitboard) arimaa.Bitboard {
	return way & (way>>8&^e.north | west(way)&^e.east | east(way)&^e.west | ^safe)
}

// reachable returns the squares to which a rabbit can come in n steps, when it can leave some squares
// and enter some.
func reachable(rabbit arimaa.Bitboard, n int, goes exits, enters arimaa.Bitboard) arimaa.Bitboard {
	for range n {
		rabbit |= (rabbit&goes.north<<8 | east(rabbit&goes.east) | west(rabbit&goes.west)) & enters
	}
	return rabbit
}

// way returns the squares on which a rabbit may pass on its way to rank 8 in n steps; the
// empty set if it cannot arrive.
func way(rabbit arimaa.Bitboard, n int, goes exits, enters arimaa.Bitboard) (way arimaa.Bitboard) {
	reached := reachable(rabbit, n, goes, enters)
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
	beside := room.Neighbors()
	moved = b.Held(arimaa.Silver, movers) & (beside | (movers & beside).Neighbors())
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
