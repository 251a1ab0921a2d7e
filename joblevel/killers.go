package joblevel

import (
	"fmt"
	"slices"

	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/solve"
)

// Killers are replies that lately refuted a turn, the latest first, in lists by the turns that the
// attacker had left, from two on. A number has the steps of a turn ([arimaa.Step]), the first one
// in the lowest 16 bits. They only suggest what to try first: a bad one costs time, and nothing else.
type Killers [][]uint64

// leastLeft is the number of turns left of the first list: with one turn, no reply is searched.
const leastLeft = 2

// KillersOf returns those of a solver, for wins within n turns.
func KillersOf(s *solve.Solver, n int) (k Killers) {
	for left := leastLeft; left < n; left++ {
		var list []uint64
		for _, t := range s.Killers(left) {
			list = append(list, numberOf(t))
		}
		k = append(k, list)
	}
	return k
}

// try has a solver try them first.
func (k Killers) try(s *solve.Solver) {
	for i, list := range k {
		var turns []arimaa.Turn
		for _, number := range list {
			turns = append(turns, turnOf(number))
		}
		s.TryFirst(leastLeft+i, turns)
	}
}

// with returns them with later ones in their place.
func (k Killers) with(later Killers) Killers {
	all := slices.Clone(k)
	for i, list := range later {
		switch {
		case i == len(all):
			all = append(all, list)
		case len(list) > 0:
			all[i] = list
		}
	}
	return all
}

// numberOf returns the number that stands for a turn.
func numberOf(t arimaa.Turn) (number uint64) {
	for i := range t.Len() {
		number |= uint64(t.Step(i)) << (16 * i)
	}
	return number
}

// turnOf returns the turn that a number stands for.
func turnOf(number uint64) (t arimaa.Turn) {
	for ; number > 0; number >>= 16 {
		t = t.With(arimaa.Step(number))
	}
	return t
}

// check returns an error if they are none.
func (k Killers) check() error {
	if len(k) > dfpns.MaxTurns-leastLeft {
		return fmt.Errorf("replies before %d turns", len(k))
	}
	for _, list := range k {
		if len(list) > dfpns.MostKillers || slices.ContainsFunc(list, func(number uint64) bool { return !isTurn(number) }) {
			return fmt.Errorf("no replies: %v", list)
		}
	}
	return nil
}

// isTurn reports whether a number stands for steps, which need not be legal anywhere.
func isTurn(number uint64) bool {
	for more := number; more > 0; more >>= 16 {
		s := arimaa.Step(more)
		_, onBoard := s.From().Next(s.Direction())
		if piece := s.Piece(); !onBoard || piece > 15 || piece.Letter() == ' ' || s != arimaa.NewStep(piece, s.From(), s.Direction()) {
			return false
		}
	}
	return number > 0
}
