package endgame

import "goalproof/arimaa"

// Wins reports whether the attacker wins within n of his own turns, at the start of a turn of
// either side and with the third repetition set aside. known is false if no table has the board.
// See [Tables.Probe].
func (ts *Tables) Wins(b *arimaa.Board, toMove, attacker arimaa.Side, n int) (wins, known bool) {
	v, ok := ts.Probe(b, toMove)
	if !ok {
		return false, false
	}
	winner, turns := v.Winner(toMove)
	return turns > 0 && winner == attacker && turns <= n, true
}

// InReach reports whether a turn may lead from a board to one with as few pieces as some table has:
// each of its steps captures one at most.
func (ts *Tables) InReach(b *arimaa.Board) bool {
	return ts != nil && b.Occupied().Len() <= ts.most+arimaa.StepsPerTurn
}

// Winner returns the side that wins a position in which toMove begins its turn, and in how many of
// its own turns; 0 if neither side can force a win.
func (v Value) Winner(toMove arimaa.Side) (winner arimaa.Side, turns int) {
	if n, ok := v.Win(); ok {
		return toMove, n
	}
	if n, ok := v.Loss(); ok {
		return toMove.Other(), n
	}
	return toMove, 0
}
