package goal

import "goalproof/arimaa"

// eliminate returns the fewest steps, at most limit, after which Silver can be
// without rabbits, and the steps. On a settled board that takes pushes and pulls:
// nothing else moves or captures an enemy piece.
func eliminate(b *arimaa.Board, limit int) (Distance, arimaa.Turn) {
	if b.Rabbits(arimaa.Silver) == 0 {
		return Already, arimaa.Turn{}
	}
	for n := captureBound(b); n <= limit; n++ {
		if captures(*b, n, nil) {
			turn := new(arimaa.Turn)
			captures(*b, n, turn)
			return After(n), *turn
		}
	}
	return None, arimaa.Turn{}
}

// captureBound returns a number of steps that capturing all of Silver's rabbits takes at
// least. Each push or pull moves one enemy piece by one square and captures one at
// most, so a rabbit that stands d squares from the nearest trap has to be moved d
// times, and there must be a push or pull for each rabbit.
func captureBound(b *arimaa.Board) int {
	rabbits := b.Rabbits(arimaa.Silver)
	moves := 0
	for near, d := arimaa.Traps, 0; rabbits&^near != 0; d++ {
		moves += (rabbits &^ near).Len()
		near = grow(near)
		if moves > arimaa.StepsPerTurn {
			break
		}
	}
	return 2 * max(moves, rabbits.Len())
}

// captures tells whether Gold can capture all of Silver's rabbits in at most n
// steps, and with turn not nil writes the steps.
func captures(b arimaa.Board, n int, turn *arimaa.Turn) bool {
	bound := captureBound(&b)
	if bound > n || bound == 0 {
		return bound == 0
	}
	v := look(&b)
	try := func(o arimaa.Option, c arimaa.Board) bool {
		left := n - o.Steps()
		if !captures(c, left, nil) {
			return false
		}
		if turn != nil {
			captures(c, left, turn)
			*turn = turn.Before(o)
		}
		return true
	}
	// A single step helps only while a spare one is left; a push or pull that captures
	// needs two.
	return v.doubles(&b, everywhere, try) || n > bound && v.singles(&b, everywhere, try)
}
