package goal

import "goalproof/arimaa"

const (
	rank1 = arimaa.Rank1
	rank6 = rank7 >> 8
	rank7 = rank8 >> 8
	rank8 = arimaa.Rank8
)

func east(b arimaa.Bitboard) arimaa.Bitboard { return b.Shift(arimaa.East) }
func west(b arimaa.Bitboard) arimaa.Bitboard { return b.Shift(arimaa.West) }

// dilate returns the set and all squares next to it.
func dilate(b arimaa.Bitboard) arimaa.Bitboard { return b | b.Neighbors() }

// view answers what the search for a goal asks about Gold's pieces on one board.
type view struct{ arimaa.Mobility }

func viewOf(b *arimaa.Board) view { return view{b.Mobility(arimaa.Gold)} }

// goalRank returns the fewest steps, at most limit, after which Gold can have a rabbit on rank 8,
// and the steps.
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

// anyGoal returns steps, at most limit, after which Gold has a rabbit on rank 8, not always the
// fewest.
func anyGoal(b *arimaa.Board, limit int) (turn arimaa.Turn, ok bool) {
	ok = b.Rabbits(arimaa.Gold)&rank8 != 0 || reaches(*b, limit, 0, &turn)
	return turn, ok
}

// reaches reports whether Gold can have a rabbit on rank 8 in at most n steps, n >= 0, and puts the
// steps before those of turn. No rabbit stands there yet. At least help of the steps are known not
// to be the rabbit's own (see relax).
func reaches(b arimaa.Board, n, help int, turn *arimaa.Turn) bool {
	// A rabbit needs one step of its own for each rank, and nothing else moves it forward.
	near := b.Rabbits(arimaa.Gold) & ranksWithin(n)
	if n == 0 || near == 0 {
		return false
	}
	v := viewOf(&b)
	if ready := near & v.Free & rank7 & (v.Empty >> 8); ready != 0 {
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
		z.leave = dilate(near | near<<8)
		z.enter = z.leave
	} else {
		dominated := b.AtLeast(arimaa.Silver, arimaa.Cat).Neighbors()
		least := n
		for rest := near; rest != 0; rest = rest.Rest() {
			h := v.relax(&b, dominated, rest.First(), n, help, &z)
			if h == 0 && v.runs(rest&-rest, dominated, n, turn) {
				return true
			}
			least = min(least, h)
		}
		help = least
	}
	// An option lowers the help that is still needed by at most its own steps.
	for s := v.Steps(z.leave, z.enter); s.Next(); {
		c := b
		s.Play(&c)
		if reaches(c, n-1, max(0, help-1), turn) {
			*turn = turn.Before(s.Option(&b))
			return true
		}
	}
	if z.doubles() == 0 {
		return false
	}
	for d := v.Doubles(arimaa.Everywhere, z.doubles()); d.Next(&b); {
		if !z.wants(&d) {
			continue
		}
		c := b
		d.Play(&c)
		if reaches(c, n-2, max(0, help-2), turn) {
			*turn = turn.Before(d.Option(&b))
			return true
		}
	}
	return false
}

// runs reports whether a rabbit can run to rank 8 by itself in at most n steps, and puts its steps
// before those of turn. It does not count on a friend on a trap, who may be captured when the
// rabbit leaves him. Nothing else changes while the rabbit runs, so a yes is exact; a no is not.
// Dominated are the squares beside Silver's pieces other than rabbits.
func (v *view) runs(rabbit, dominated arimaa.Bitboard, n int, turn *arimaa.Turn) bool {
	beside := (v.Own &^ arimaa.Traps &^ rabbit).Neighbors()
	goes := ^dominated | beside
	enters := v.Empty &^ (arimaa.Traps &^ beside)
	after := [arimaa.StepsPerTurn + 1]arimaa.Bitboard{rabbit} // where it can be after i steps
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

// back traces a run back from its last square and puts its steps before those of turn.
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

// zone is what an option must do to be useful, one of these:
type zone struct {
	leave, enter arimaa.Bitboard // a single step leaves or enters one of these squares
	touched      arimaa.Bitboard // a push or pull moves a piece to or from one of these
	relieved     arimaa.Bitboard // it moves an enemy piece from one of these, or Gold's piece to one
	vacated      arimaa.Bitboard // it leaves one of these empty
}

// doubles returns the squares of which a push or pull must change at least one.
func (z *zone) doubles() arimaa.Bitboard { return z.touched | z.relieved | z.vacated }

// wants reports whether a push or pull does what the zone asks for.
func (z *zone) wants(d *arimaa.Doubles) bool {
	from, at, to := d.From.Set(), d.At.Set(), d.To.Set()
	if d.Pull {
		return (from|at|to)&z.touched|(at|to)&z.relieved|at&z.vacated != 0
	}
	return (from|at|to)&z.touched|at&z.relieved|from&z.vacated != 0
}

// relax adds to a zone what the first option must do if the rabbit on r is to arrive in at most n
// steps, n being 3 or 4. It adds nothing if the rabbit cannot arrive. It returns the fewest steps
// of help with which the rabbit may arrive, or n if it cannot; fewer than help are known not to be
// enough.
//
// The rabbit makes some of the steps itself; the other h steps are the help. For each h the rabbit
// runs on a relaxed board: every square that h steps of help might empty counts as empty, and every
// square on which they might make the rabbit free (and, on a trap, safe) counts as such, each
// independently of the others. If the rabbit does not arrive even so, h is impossible. Otherwise
// the way is the set of squares that such runs pass. A friend keeps the rabbit free to leave a
// square unless it stands where the rabbit goes.
//
//   - Case 0, h = 0. Empty squares are empty now. The rabbit is free on squares that are not
//     dominated or have a friend beside them. (Such a friend may be captured on a trap when the
//     rabbit leaves it.)
//   - Case 1, h = 1. A friend may step aside, if it has somewhere to go, the square that the rabbit
//     left included, or be captured on a trap; a friend may come, unless it is frozen and the
//     rabbit is never beside it.
//   - Case 2a, h = 2, one push or pull. An enemy piece may be moved if it stands beside a stronger
//     piece of Gold that is not frozen, or that the rabbit unfreezes, with an empty square beside
//     one of the two. Then an enemy piece may be captured on a trap beside it, and Gold's piece
//     leaves its square for the enemy's or for an empty one.
//   - Case 2b, h = 2, two steps. Any friend may leave; a friend may come from two squares away.
//   - Case 3, h = 3, so n = 4 and the rabbit is on rank 7 with one step to make. Any single step
//     may help, and a push or pull as a single step does with h = 2. See front for an enemy piece
//     in the way.
//
// Consider a way to arrive in which no option can be left out. Its first option is the rabbit's own
// step, or help that the rabbit's run needs, or help that later help needs.
//
// Lemma 1 (cases 1 and 2a: one option of help and the run after it). Without the option the rabbit
// would get stuck, on a square that it reaches by itself or at the next one. There the option makes
// the difference:
//
//   - (a) the next square is not empty: the option vacates it, or captures the piece on it by
//     leaving a square beside it (a trap);
//   - (b) the rabbit cannot leave its square, or is not safe on the next one, a trap: a friend
//     comes beside that square, or the enemy leaves a square beside it or is captured there;
//   - (c) the rabbit cannot leave its square only because a friend on a trap was captured when it
//     moved on: as in (b), or a piece comes beside that trap.
//
// Lemma 2 (case 2b: two single steps of help). The run needs both, or it needs the second, which
// needs the first. The run needs a step to leave or to enter one of some squares: as in lemma 1,
// but anywhere on the way, and even if friends keep it free already, since the other step may take
// them away. The second step needs the first only if the first
//
//   - (d) brings the piece that then enters one of those squares;
//   - (e) vacates the square that the second step enters, or captures the piece on it;
//   - (f) keeps free a piece that enters or leaves one of those squares: a piece that is frozen, or
//     would be without the rabbit beside it, or without a friend on a trap, which the first step
//     keeps alive;
//   - (g) defends a trap that the second step enters.
func (v *view) relax(b *arimaa.Board, dominated arimaa.Bitboard, r arimaa.Square, n, help int, z *zone) (least int) {
	rabbit := r.Set()
	others := v.Own &^ rabbit
	spare := n - (7 - int(r)>>3) // steps that the rabbit need not make itself
	room := v.Empty | rabbit
	least = n

	goes, stands, enters := leaves(^dominated, others), ^arimaa.Traps|others.Neighbors(), v.Empty
	alone := reachable(rabbit, n-1, goes, enters&stands)
	if help == 0 && (alone|alone&goes.north<<8&enters)&rank8 != 0 {
		z.leave |= rabbit
		least = 0
	}
	if spare == 0 {
		return least
	}
	// Lemma 1: where the rabbit gets stuck, and where it needs to be made free or safe.
	stuck := alone | alone<<8 | east(alone) | west(alone)
	surely := leaves(^dominated, others&^arimaa.Traps)
	safe := stands
	guards := (others & arimaa.Traps).Neighbors()

	movers := others & (v.Free | r.Within(n-1))
	rabbits := movers & v.Rabbits
	pieces := movers &^ rabbits
	come := (pieces.Neighbors() | rabbits<<8 | east(rabbits) | west(rabbits)) & room
	goes = leaves(^dominated, others|come)
	stands |= come.Neighbors()
	enters |= others & (room>>8 | east(room) | west(room) | room<<8&^v.Rabbits | arimaa.Traps)
	if help <= 1 {
		if w := way(rabbit, n-1, goes, enters&stands); w != 0 {
			blockers := w & stuck & others
			z.leave |= rabbit | blockers | (blockers & arimaa.Traps).Neighbors() // (a)
			z.enter |= (surely.lacking(w, safe) & stuck).Neighbors() | guards    // (b), (c)
			least = min(least, 1)
		}
	}
	if spare == 1 {
		return least
	}

	front := rabbit << 8
	blocked := front&rank8&v.Enemy != 0
	if blocked && n == 3 {
		if v.front(b, front, n, z) {
			least = min(least, 2)
		}
		return least
	}
	moved := v.victims(b, others&(v.Free|r.Within(n-2)), room)
	if moved != 0 {
		helped := moved.Neighbors()
		if w := way(rabbit, n-2, leaves(^dominated|helped, others|come), (enters|moved|others&^v.Rabbits)&(stands|helped)); w != 0 {
			z.leave |= rabbit
			z.vacated |= w & stuck                                         // (a)
			z.relieved |= (surely.lacking(w, safe) & stuck).Neighbors()    // (b)
			z.touched |= (dilate(w) & arimaa.Traps &^ v.Empty).Neighbors() // captures of (a) and (b), and (c)
			least = min(least, 2)
		}
	}
	come = dilate(come)
	stands |= come.Neighbors()
	enters |= others
	if w := way(rabbit, n-2, leaves(^dominated, others|come), enters&stands); w != 0 {
		blockers := w & others // lemma 2
		leave := rabbit | blockers | (blockers & arimaa.Traps).Neighbors()
		enter := (w & (dominated | arimaa.Traps)).Neighbors() | guards
		to := enter | leave.Neighbors()                                  // where the second step may go
		z.leave |= leave | to | (to & others & arimaa.Traps).Neighbors() // (e)
		from := enter.Neighbors()
		needy := (from | leave) & others & (^v.Free | rabbit.Neighbors())
		z.enter |= enter | from | needy.Neighbors() | (enter & arimaa.Traps).Neighbors() // (d), (f), (g)
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
	if leaves(^dominated|dilate(moved).Neighbors(), others|dilate(come)).north&rabbit != 0 {
		z.leave, z.touched = arimaa.Everywhere, arimaa.Everywhere
		least = min(least, 3)
	}
	return least
}

// front adds to the zone for a rabbit on rank 7 with one step to make and an enemy piece in front
// of it, and reports whether some piece of Gold may move that piece.
//
// The enemy piece is on rank 8. A stronger piece beside it on rank 8 must push or pull it. A push
// would leave the stronger piece in front; so with two steps of help it is a pull, for which that
// piece is free and has an empty square beside it. With three steps of help there is another step,
// which may bring the stronger piece there, if it was free and one step away. That step comes after
// the push or pull, or makes it possible, or keeps the rabbit free: it changes a square beside the
// rabbit, the front or the stronger piece, all of them within 2 of the front.
func (v *view) front(b *arimaa.Board, front arimaa.Bitboard, n int, z *zone) bool {
	sides := east(front) | west(front)
	stronger := b.AtLeast(arimaa.Gold, b.At(front.First()).Kind()+1)
	if n == 3 {
		if stronger&v.Free&sides&v.Empty.Neighbors() == 0 {
			return false
		}
		z.vacated |= front
		return true
	}
	if stronger&(sides|v.Free&(sides&v.Empty).Neighbors()) == 0 {
		return false
	}
	near := dilate(dilate(front))
	near |= (near & arimaa.Traps).Neighbors()
	z.leave |= near
	z.enter |= near
	z.relieved |= front
	return true
}

// exits are the squares that a rabbit can leave in each direction.
type exits struct{ north, east, west arimaa.Bitboard }

// leaves returns the squares that a rabbit can leave: some anyway, others if a friend stands beside
// it, but not where the rabbit goes.
func leaves(anyway, friends arimaa.Bitboard) exits {
	fromEast, fromWest := west(friends), east(friends) // with a friend to the east, the west
	anyway |= friends << 8
	return exits{anyway | fromEast | fromWest, anyway | friends>>8 | fromWest, anyway | friends>>8 | fromEast}
}

// lacking returns the squares of a way that a rabbit cannot leave in a direction in which the way
// continues, or on which it is not safe.
func (e *exits) lacking(way, safe arimaa.Bitboard) arimaa.Bitboard {
	return way & (way>>8&^e.north | west(way)&^e.east | east(way)&^e.west | ^safe)
}

// reachable returns the squares that a rabbit can reach in n steps, if it can leave some squares
// and enter some.
func reachable(rabbit arimaa.Bitboard, n int, goes exits, enters arimaa.Bitboard) arimaa.Bitboard {
	for range n {
		rabbit |= (rabbit&goes.north<<8 | east(rabbit&goes.east) | west(rabbit&goes.west)) & enters
	}
	return rabbit
}

// way returns the squares that a rabbit may pass on its way to rank 8 in n steps, or the empty set
// if it cannot arrive.
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
// if room is the set of empty squares.
func (v *view) victims(b *arimaa.Board, movers, room arimaa.Bitboard) (moved arimaa.Bitboard) {
	beside := room.Neighbors()
	moved = b.Dominated(arimaa.Silver, movers) & (beside | (movers & beside).Neighbors())
	return moved | v.Enemy&arimaa.Traps&moved.Neighbors()
}

// laterVictims returns the enemy pieces that a single step and then a push or pull can move or
// capture. The step brings a free piece to an empty square beside them, or unfreezes a piece that
// is there, or makes room.
func (v *view) laterVictims(b *arimaa.Board) (moved arimaa.Bitboard) {
	for kind := arimaa.Cat; kind <= arimaa.Elephant; kind++ {
		if own := b.Pieces(arimaa.Gold, kind); own != 0 {
			moved |= (own | (own&v.Free).Neighbors()&v.Empty).Neighbors() & v.Enemy &^ b.AtLeast(arimaa.Silver, kind)
		}
	}
	return moved | v.Enemy&arimaa.Traps&moved.Neighbors()
}

// forward returns the turn in which a rabbit makes one step north.
func forward(from arimaa.Square) arimaa.Turn {
	return arimaa.Turn{}.With(arimaa.NewStep(arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit), from, arimaa.North))
}

// reachesInTwo answers for two steps. The last step is a rabbit's from rank 7 to an empty square of
// rank 8. No capture on the way changes that. Before it
//
//   - (a) the rabbit comes up from rank 6, or along rank 7, to a square where it is not frozen;
//   - (b) or it is free, and a friend in front of it, which it does not need to stay free, steps
//     aside along rank 8;
//   - (c) or it is frozen with an empty square in front, and a friend comes to its side or behind
//     it (on a trap the rabbit itself defends that friend).
//
// A push or pull would take both steps, and a single step of Gold moves or captures no enemy.
func reachesInTwo(b *arimaa.Board, v *view) bool {
	open := v.Empty & rank8 >> 8 // squares of rank 7 with an empty square in front
	dominated := b.AtLeast(arimaa.Silver, arimaa.Cat).Neighbors()
	if v.Rabbits&v.Free&rank7&open != 0 {
		return true
	}
	// (a): free on rank 7 if not dominated there, or if a friend stands beside it, which is neither
	// in front, where it is empty, nor where the rabbit itself came from.
	arrive := v.Empty & open
	beside := [3]arimaa.Bitboard{v.Own << 8, east(v.Own), west(v.Own)} // friends south, west, east
	runners := v.Rabbits & v.Free
	if runners&rank6<<8&arrive&(^dominated|beside[1]|beside[2]) != 0 ||
		east(runners&rank7)&arrive&(^dominated|beside[0]|beside[2]) != 0 ||
		west(runners&rank7)&arrive&(^dominated|beside[0]|beside[1]) != 0 {
		return true
	}
	waiting := v.Rabbits & rank7
	// (b)
	friends := beside[0] | beside[1] | beside[2]
	blockers := waiting & (^dominated | friends) << 8 & v.Free
	if (east(blockers)|west(blockers))&v.Empty != 0 {
		return true
	}
	// (c): the rabbit is frozen, so all its neighbours are enemies or empty.
	for rest := waiting & open &^ v.Free; rest != 0; rest = rest.Rest() {
		r := rest.First()
		help := r.Beside() & v.Empty &^ rank8
		pieces, rabbits := v.Free&^v.Rabbits, v.Free&v.Rabbits
		if (pieces.Neighbors()|rabbits<<8|east(rabbits)|west(rabbits))&help != 0 {
			return true
		}
	}
	return false
}
