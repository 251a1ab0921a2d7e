package endgame

import "fmt"

// Value is what a position is worth to the side to move when both sides play as well as possible
// and the repetition rule is set aside. Values are ordered only by [Value.Better].
//
//	0       neither side can force a win
//	2N-1    the side to move wins in N turns
//	2N      it loses in N: the opponent wins in at most N turns of his own, whatever it plays
//
// The turns are those of the winner, as in docs/rules.md; a side of which every turn loses at once
// loses in 1.
type Value uint8

// Neither is the value of a position in which nobody can force a win.
const Neither Value = 0

// MaxTurns is the greatest N that a value can hold.
const MaxTurns = 126

// over marks a position in which the side to move has no legal step, so that the game has ended.
const over Value = 255

// WinIn returns the value of a win in n turns, 1 to MaxTurns; a value that is none for 0.
func WinIn(n int) Value { return Value(2*n - 1) }

// LossIn returns the value of a loss in n turns, 1 to MaxTurns; Neither for 0.
func LossIn(n int) Value { return Value(2 * n) }

// Win returns in how many turns the side to move wins; ok is false if it does not.
func (v Value) Win() (n int, ok bool) { return (int(v) + 1) / 2, v&1 == 1 && v != over }

// Loss returns in how many turns the side to move loses; ok is false if it does not.
func (v Value) Loss() (n int, ok bool) { return int(v) / 2, v != 0 && v&1 == 0 }

// score grows with what a value is worth: wins from the shortest, then neither, then losses from
// the longest.
func (v Value) score() int {
	if n, ok := v.Win(); ok {
		return 1000 - n
	}
	if n, ok := v.Loss(); ok {
		return n - 1000
	}
	return 0
}

// Better reports whether v is better than w for the side to move.
func (v Value) Better(w Value) bool { return v.score() > w.score() }

// before returns what a turn is worth that leads to a position of this value for the opponent.
func (v Value) before() Value {
	if n, ok := v.Loss(); ok {
		return WinIn(n + 1)
	}
	if n, ok := v.Win(); ok {
		return LossIn(n)
	}
	return Neither
}

// String returns "win in N", "loss in N" or "neither".
func (v Value) String() string {
	if n, ok := v.Win(); ok {
		return fmt.Sprintf("win in %d", n)
	}
	if n, ok := v.Loss(); ok {
		return fmt.Sprintf("loss in %d", n)
	}
	return "neither"
}
