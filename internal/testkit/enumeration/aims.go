package enumeration

import (
	"fmt"
	"iter"
	"strings"

	"goalproof/proof/referee"
)

// Aim is an aim other than the win, or the win itself (the zero value), in terms of package referee
// alone, for tests.
type Aim struct {
	kind byte // of a capture: its letter in lower case, '*' for any
	trap int  // of a capture: a square, -1 for any
	rank int  // of a rabbit

	most, boards int // see Limit
}

// Limit bounds the number of boards that the enumeration visits: the first position does not show
// how many there are within some turns, as frozen pieces may be free later. Beyond the bound Ok is
// false, and no answer counts.
func (a *Aim) Limit(boards int) { a.most = boards }

// Ok reports whether the answers so far kept to the limit.
func (a *Aim) Ok() bool { return a.most == 0 || a.boards <= a.most }

// counted counts the boards of a sequence, and ends it at the limit.
func (a *Aim) counted(boards iter.Seq[referee.Board]) iter.Seq[referee.Board] {
	return func(yield func(referee.Board) bool) {
		for b := range boards {
			if a.boards++; !a.Ok() || !yield(b) {
				return
			}
		}
	}
}

// PlainAim reads a value of the flag --goal. It panics if there is no such value.
func PlainAim(text string) *Aim {
	a := &Aim{trap: -1}
	if text == "win" {
		return a
	}
	if n, _ := fmt.Sscanf(text, "rabbit=%d", &a.rank); n == 1 {
		return a
	}
	what, square, at := strings.Cut(text, "@")
	if a.kind = '*'; strings.HasPrefix(what, "capture=") {
		a.kind = what[len("capture=")]
	} else if what != "capture" {
		panic(text)
	}
	if at {
		var err error
		if a.trap, err = referee.ParseSquare(square); err != nil {
			panic(err)
		}
	}
	return a
}

// wanted reports whether a capture takes what the attacker wants.
func (a *Aim) wanted(attacker referee.Side) func(referee.Capture) bool {
	return func(c referee.Capture) bool {
		owner := referee.Gold
		if c.Piece >= 'a' {
			owner = referee.Silver
		}
		return a.kind != 0 && owner != attacker && (a.kind == '*' || a.kind == c.Piece|0x20) && (a.trap < 0 || a.trap == c.Square)
	}
}

// stands reports whether a rabbit of the attacker stands on the rank.
func (a *Aim) stands(b *referee.Board, attacker referee.Side) bool {
	rabbit := byte('R')
	if attacker == referee.Silver {
		rabbit = 'r'
	}
	for file := range 8 {
		if a.rank > 0 && b[8*(a.rank-1)+file] == rabbit {
			return true
		}
	}
	return false
}

// Results returns the boards after turns that reach the aim within n turns, the turn itself
// included.
func (a *Aim) Results(st referee.State, n int) map[referee.Board]bool {
	results := map[referee.Board]bool{}
	for b := range a.counted(a.capturing(st)) {
		results[b] = true
	}
	known := map[referee.Board]bool{}
	for b := range a.counted(referee.Ends(st)) {
		if !results[b] && a.keeps(st.Side, b, n, known) {
			results[b] = true
		}
	}
	return results
}

// Reach reports whether the side to move reaches the aim within n turns: the definition, by
// complete enumeration.
func (a *Aim) Reach(st referee.State, n int) bool {
	for range a.counted(a.capturing(st)) {
		return true
	}
	known := map[referee.Board]bool{}
	for b := range a.counted(referee.Ends(st)) {
		if a.keeps(st.Side, b, n, known) {
			return true
		}
	}
	return false
}

// keeps reports whether a turn that ends with a board, and captures nothing that counts, reaches
// the aim within n turns. It records in known the positions after a reply that have been decided.
func (a *Aim) keeps(side referee.Side, b referee.Board, n int, known map[referee.Board]bool) bool {
	winner, _, over := referee.Outcome(b, side)
	standing := a.stands(&b, side)
	if over || n == 1 && !standing {
		return over && winner == side
	}
	next := referee.NewState(b, side.Other())
	for reply := range a.counted(referee.Ends(next)) {
		if winner, _, over := referee.Outcome(reply, side.Other()); over && winner != side {
			return false
		}
	}
	for reply := range a.counted(referee.EndsWithout(next, a.wanted(side))) {
		_, _, over := referee.Outcome(reply, side.Other())
		if over || standing && a.stands(&reply, side) {
			continue
		}
		if n == 1 {
			return false
		}
		reaches, asked := known[reply]
		if !asked {
			reaches = a.Reach(referee.NewState(reply, side), n-1)
			known[reply] = reaches
		}
		if !reaches {
			return false
		}
	}
	return true
}

// capturing yields the boards after turns that make the capture and do not lose, in no order.
func (a *Aim) capturing(st referee.State) iter.Seq[referee.Board] {
	type point struct {
		state    referee.State
		captured bool
	}
	wanted := a.wanted(st.Side)
	return func(yield func(referee.Board) bool) {
		if a.kind == 0 {
			return
		}
		seen := map[point]bool{{st, false}: true}
		for points := []point{{st, false}}; len(points) > 0; {
			at := points[len(points)-1]
			points = points[:len(points)-1]
			if at.captured && at.state.MayStop() {
				winner, _, over := referee.Outcome(at.state.Board, st.Side)
				if (!over || winner == st.Side) && !yield(at.state.Board) {
					return
				}
			}
			for _, step := range at.state.Steps() {
				after, captures, _ := at.state.Play(step) // it is legal
				next := point{after, at.captured}
				for _, c := range captures {
					next.captured = next.captured || wanted(c)
				}
				if !seen[next] {
					seen[next] = true
					points = append(points, next)
				}
			}
		}
	}
}
