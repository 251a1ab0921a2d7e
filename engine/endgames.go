package engine

import (
	"goalproof/arimaa"
	"goalproof/tables/endgame"
)

// Endgame tables give the exact score of the root of a turn that one side wins: win less the steps
// to the end, four for each turn of either side. If neither side can force a win the search
// continues, to set the opponent problems. The tables set the third repetition aside; the search
// plays no turn that this rule forbids at the root or on the line.

// tableScore returns the score of the root of the k-th turn for the side to move, if a table knows
// that one side wins.
func (w *worker) tableScore(p *arimaa.Position, k int) (score int, ok bool) {
	v, ok := w.engine.options.Endgames.Probe(&p.Board, p.Side())
	if !ok || v == endgame.Neither {
		return 0, false
	}
	return scoreOf(v, plyOf(k, p)), true
}

// scoreOf returns the score of a value, not endgame.Neither, at the root of a turn that begins at a
// ply.
func scoreOf(v endgame.Value, ply int) int {
	if n, ok := v.Win(); ok {
		return max(win-ply-(2*n-1)*arimaa.StepsPerTurn, Won)
	}
	n, _ := v.Loss()
	return min(ply+2*n*arimaa.StepsPerTurn-win, -Won)
}

// tableTurn returns the report of a turn to play, if a table knows that one side wins at the root:
// of the allowed turns one that wins soonest or loses last. ok is false if the engine must search.
func (e *Engine) tableTurn(r *run, g *arimaa.Game) (known Report, ok bool) {
	ts := e.options.Endgames
	if _, ok := ts.Probe(&r.root.Board, r.root.Side()); !ok || r.limits.Prefix.Len() > 0 {
		return known, false
	}
	best, err := ts.Best(&r.root, r.permits)
	if err != nil || best.Value == endgame.Neither {
		return known, false
	}
	known = Report{Turn: best.Turn, Line: []arimaa.Turn{best.Turn}, Score: scoreOf(best.Value, 0), Tabled: true, Value: best.Value}
	if n, wins := best.Value.Win(); wins && !endgame.HistoryMatters(g) {
		known.Win = n
	}
	if !best.Over {
		rest, _ := ts.Line(arimaa.NewPosition(best.After, r.root.Side().Other()))
		for _, t := range rest {
			known.Line = append(known.Line, t.Turn)
		}
	}
	return known, true
}
