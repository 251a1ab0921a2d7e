package referee

import (
	"iter"
	"slices"
)

// Result is one distinct board after a turn, with a shortest way to it.
type Result struct {
	Board Board
	Turn  []Step // of the fewest steps that end in Board; empty if the turn may end at once
}

// Results is every distinct board with which the turn may end: docs/rules.md, "A turn" and "Ending
// a turn". It may be called at any point of a turn; the steps are counted from there. The board
// that the turn began with is not among them; captures, goals and losing boards are. They come with
// the fewest steps first, always in the same order. The third repetition is not looked at.
func Results(st State) []Result {
	var results []Result
	for b, w := range ends(st, nil) {
		results = append(results, Result{b, w.steps()})
	}
	return results
}

// Ends yields the boards of [Results] in their order, without the ways to them, as they are found.
// It keeps a note of each that it has yielded: about 150 bytes.
func Ends(st State) iter.Seq[Board] {
	return EndsWithout(st, nil)
}

// EndsWithout yields the boards of those turns alone in which no step causes a capture that is
// barred (nil: none is), as Ends does. Other turns, with such a capture, may end with the same
// boards.
func EndsWithout(st State, barred func(Capture) bool) iter.Seq[Board] {
	return func(yield func(Board) bool) {
		for b := range ends(st, barred) {
			if !yield(b) {
				return
			}
		}
	}
}

// Distinct is the number of [Results].
func Distinct(st State) int {
	n := 0
	for range Ends(st) {
		n++
	}
	return n
}

// TurnTo is a turn of the fewest steps, counted from this point, that ends with the board wanted.
// ok is false if no turn does.
func TurnTo(st State, wanted Board) (turn []Step, ok bool) {
	_, turn, ok = fewest(st, func(b Board) bool { return b == wanted })
	return turn, ok
}

// FewestGoal is the fewest steps, counted from this point of the turn, after which the side whose
// turn it is may end it with one of its rabbits on its goal rank, and a turn that does so; 0 if it
// may stop at once with that true. ok is false if it has no such turn.
func FewestGoal(st State) (steps int, turn []Step, ok bool) {
	return fewest(st, func(b Board) bool { return b.hasGoal(st.Side) })
}

// FewestWin is the fewest steps, counted from this point of the turn, after which the side whose
// turn it is may end it and is named the winner by [Outcome], and a turn that does so. ok is false
// if it has no such turn: it has no "win in 1".
func FewestWin(st State) (steps int, turn []Step, ok bool) {
	return fewest(st, func(b Board) bool {
		winner, _, over := Outcome(b, st.Side)
		return over && winner == st.Side
	})
}

// fewest finds the first end of the turn that is as wanted; [ends] yields those with the fewest
// steps first.
func fewest(st State, wanted func(Board) bool) (steps int, turn []Step, ok bool) {
	for b, w := range ends(st, nil) {
		if wanted(b) {
			turn = w.steps()
			return len(turn), turn, true
		}
	}
	return 0, nil, false
}

// point is a point of the turn that the enumeration has reached.
type point struct {
	state State
	last  Step // the step that led here
	from  int  // the point that it led here from; -1 at the beginning
}

// way is a way to an end of the turn: to the point number from, and then one more step unless the
// turn ends at that point.
type way struct {
	points []point
	from   int
	last   Step
	atOnce bool // the turn ends where the enumeration began
}

// steps lists the steps of the way.
func (w way) steps() []Step {
	if w.atOnce {
		return nil
	}
	turn := []Step{w.last}
	for i := w.from; w.points[i].from >= 0; i = w.points[i].from {
		turn = append(turn, w.points[i].last)
	}
	slices.Reverse(turn)
	return turn
}

// ends yields every distinct board with which the turn may end, each once, with a shortest way to
// it. It goes through the points of the turn breadth first, so a point is met first with the fewest
// steps used. Meeting it again with as many or fewer steps left can add nothing, provided that the
// board and what a push demands or a pull allows are all the same: whatever may follow then could
// also follow the first time. That is why exactly these make up the key of a point. Steps that
// cause a barred capture (nil: none is) are left out.
func ends(st State, barred func(Capture) bool) iter.Seq2[Board, way] {
	type key struct {
		board Board
		push  push
		pull  pull
	}
	return func(yield func(Board, way) bool) {
		ended := map[Board]bool{}
		seen := map[key]bool{{st.Board, st.push, st.pull}: true}
		points := []point{{state: st, from: -1}}

		if st.MayStop() {
			ended[st.Board] = true
			if !yield(st.Board, way{atOnce: true}) {
				return
			}
		}
		for i := 0; i < len(points); i++ {
			at := points[i].state
			goOn := true
			at.eachMove(func(m move) bool {
				next, taken := at.after(m.Step, m.as)
				if barred != nil && slices.ContainsFunc(taken, barred) {
					return true
				}
				if next.mayEnd() == nil && !ended[next.Board] {
					ended[next.Board] = true
					if goOn = yield(next.Board, way{points: points, from: i, last: m.Step}); !goOn {
						return false
					}
				}
				k := key{next.Board, next.push, next.pull}
				if next.Left > 0 && !seen[k] {
					seen[k] = true
					points = append(points, point{state: next, last: m.Step, from: i})
				}
				return true
			})
			if !goOn {
				return
			}
		}
	}
}
