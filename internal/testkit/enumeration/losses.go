package enumeration

import "goalproof/proof/referee"

// Loses reports whether the side to move loses within n turns of its opponent, whatever it plays,
// with the third repetition set aside. It enumerates all turns by the referee.
func Loses(st referee.State, n int) bool {
	for b := range referee.Ends(st) {
		winner, _, over := referee.Outcome(b, st.Side)
		if over && winner == st.Side || !over && !referee.WinIn(referee.NewState(b, st.Side.Other()), n) {
			return false
		}
	}
	return true
}
