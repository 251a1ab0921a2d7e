package goal

import "goalproof/arimaa"

// eliminate returns the fewest steps, at most limit, after which Silver can be
// without rabbits, and the steps. On a settled board that takes pushes and pulls:
// nothing else moves or captures an enemy piece.
func eliminate(b *arimaa.Board, limit int) (Distance, arimaa.Turn) {
	var turn arimaa.Turn
	_, fewest := captureBound(b)
	for n := fewest; n <= limit; n++ {
		if captures(*b, n, &turn) {
			return After(n), turn
		}
	}
	return None, turn
}

// captureBound returns the least number of pushes and pulls, and the least number of steps, that
// capturing all of Silver's rabbits takes, as far as that is at most four steps: each
// of them takes a push or pull of its own, and each takes what captureCost says.
func captureBound(b *arimaa.Board) (doubles, steps int) {
	rabbits := b.Rabbits(arimaa.Silver)
	doubles = rabbits.Len()
	steps = 2 * doubles
	if steps > arimaa.StepsPerTurn {
		return doubles, steps
	}
	silver, hunters := b.Of(arimaa.Silver), b.AtLeast(arimaa.Gold, arimaa.Cat)
	for ; rabbits != 0; rabbits = rabbits.Rest() {
		d, s := captureCost(rabbits.First(), silver, hunters)
		doubles, steps = max(doubles, d), max(steps, s)
	}
	return doubles, steps
}

// captureCost returns the least number of pushes and pulls, and the least number of steps, that
// capturing the rabbit on r takes, as far as that is at most four steps.
//
// It ends on some trap, at a distance from r. A push or pull moves one enemy piece by
// one square. So it takes as many of them to bring the rabbit there, and one for each other
// piece of Silver that stands beside the trap and would defend it. If a piece of Silver
// stands on the trap it takes one more: to move it off, or, where it is captured because
// all its defenders leave, to take the rabbit away from it first. (If the rabbit is not one
// of them, its way and its defenders cost more than four steps by themselves.)
//
// Besides, one of Gold's hunters must come beside the first piece that it moves. Before
// the rabbit is moved, it gets nearer by one with each single step, and with each push
// or pull of another piece, of which those that are not needed cost more than a
// single step. A rabbit that stands on the trap is not moved: the first piece moved is beside it.
func captureCost(r arimaa.Square, silver, hunters arimaa.Bitboard) (doubles, steps int) {
	doubles, steps = arimaa.StepsPerTurn, arimaa.StepsPerTurn+1
	near := 1 // the distance of the nearest hunter
	for near < arimaa.StepsPerTurn && ball[near][r]&hunters == 0 {
		near++
	}
	for traps := ball[2][r] & arimaa.Traps; traps != 0; traps = traps.Rest() {
		t := traps.First()
		d := 2
		if t.Beside().Has(r) {
			d = 1
		}
		others := ((t.Beside() | t.Set()) & silver &^ r.Set()).Len()
		approach := near - 1 - others
		if t == r {
			d, approach = 0, near-2
		}
		doubles = min(doubles, d+others)
		steps = min(steps, 2*(d+others)+max(0, approach))
	}
	return doubles, steps
}

// captures tells whether Gold can capture all of Silver's rabbits in at most n
// steps, and puts the steps before those of turn.
func captures(b arimaa.Board, n int, turn *arimaa.Turn) bool {
	rabbits := b.Rabbits(arimaa.Silver)
	if rabbits == 0 {
		return true
	}
	needed, fewest := captureBound(&b)
	if fewest > n {
		return false
	}
	v := look(&b)
	prey := everywhere
	if n < 2*(needed+1) {
		// There is no push or pull besides those that are needed: of rabbits, and of pieces on
		// or beside a trap.
		prey = rabbits | grow(arimaa.Traps)
	}
	for d := v.doubles(prey, everywhere); d.next(&b); {
		if captures(d.after(&b), n-2, turn) {
			*turn = turn.Before(d.option(&b))
			return true
		}
	}
	if n == 2*needed {
		return false
	}
	for s := v.singles(everywhere, everywhere); s.next(); {
		if captures(s.after(&b), n-1, turn) {
			*turn = turn.Before(s.option(&b))
			return true
		}
	}
	return false
}
