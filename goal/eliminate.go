package goal

import "goalproof/arimaa"

// eliminate returns the fewest steps, at most limit, after which Silver can be without rabbits, and
// the steps. On a settled board only pushes and pulls do that: nothing else moves or captures an
// enemy piece.
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
// capturing all of Silver's rabbits takes, exact up to four steps: each rabbit takes a push or pull
// of its own, and what captureCost says.
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
// capturing the rabbit on r takes, lower bounds up to four steps.
//
// Pushes and pulls. The rabbit is captured on some trap. A push or pull moves one enemy piece by
// one square. So the rabbit takes as many of them as its distance from the trap, and each other
// piece of Silver beside the trap, which would defend it, takes one. If a piece of Silver stands on
// the trap, it takes one more: to move it off, or, if it is captured because all its defenders
// leave, to take the rabbit away from it first. (If the rabbit is not one of them, its way and its
// defenders cost more than four steps by themselves.)
//
// Steps. One of Gold's hunters must also come beside the first piece that it moves. Before the
// rabbit is moved, each single step brings the hunter nearer by one, and so does each push or pull
// of another piece, but one that is not needed costs more than a single step. A rabbit that stands
// on the trap is not moved: the first piece moved is beside it.
func captureCost(r arimaa.Square, silver, hunters arimaa.Bitboard) (doubles, steps int) {
	doubles, steps = arimaa.StepsPerTurn, arimaa.StepsPerTurn+1
	near := 1 // distance of the nearest hunter
	for near < arimaa.StepsPerTurn && r.Within(near)&hunters == 0 {
		near++
	}
	for traps := r.Within(2) & arimaa.Traps; traps != 0; traps = traps.Rest() {
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

// captures reports whether Gold can capture all of Silver's rabbits in at most n steps, and puts
// the steps before those of turn.
func captures(b arimaa.Board, n int, turn *arimaa.Turn) bool {
	rabbits := b.Rabbits(arimaa.Silver)
	if rabbits == 0 {
		return true
	}
	needed, fewest := captureBound(&b)
	if fewest > n {
		return false
	}
	v := viewOf(&b)
	prey := arimaa.Everywhere
	if n < 2*(needed+1) {
		// All pushes and pulls are needed: of rabbits, and of pieces on or beside a trap.
		prey = rabbits | dilate(arimaa.Traps)
	}
	for d := v.Doubles(prey, arimaa.Everywhere); d.Next(&b); {
		c := b
		d.Play(&c)
		if captures(c, n-2, turn) {
			*turn = turn.Before(d.Option(&b))
			return true
		}
	}
	if n == 2*needed {
		return false
	}
	for s := v.Steps(arimaa.Everywhere, arimaa.Everywhere); s.Next(); {
		c := b
		s.Play(&c)
		if captures(c, n-1, turn) {
			*turn = turn.Before(s.Option(&b))
			return true
		}
	}
	return false
}
