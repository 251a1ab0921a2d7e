package review

import (
	"goalproof/answer"
	"goalproof/tables/endgame"
)

// tabled returns the standing at position i if an endgame table knows it; its distances may exceed
// the limit. The tables are not asked if their winner might need a third repetition, see package
// endgame.
func (r *Review) tabled(ts *endgame.Tables, i int) (s Standing, ok bool) {
	g := r.Record.Game.At(i)
	p := g.Last()
	value, ok := ts.Probe(&p.Board, p.Side())
	if !ok || endgame.HistoryMatters(g) {
		return s, false
	}
	passed, ok := ts.Probe(&p.Board, p.Side().Other())
	if !ok {
		return s, false // the opponent could not move
	}
	fact := func(n int, proved bool) Fact {
		if proved {
			return Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: n, Refuted: n - 1}, Tabled: true}
		}
		none := r.none()
		none.Tabled = true
		return none
	}
	s.Win, s.Threat, s.Loss = fact(value.Win()), fact(passed.Win()), fact(value.Loss())
	if !s.Win.Proved() && !s.Loss.Proved() {
		turns, err := ts.Turns(&p)
		if err != nil {
			return Standing{}, false
		}
		for _, t := range turns {
			if t.Value == endgame.Neither && len(s.Saving) < savingShown {
				s.Saving = append(s.Saving, Saving{t.Turn, r.WinIn})
			}
		}
	}
	if s.Win.Proved() {
		best, err := ts.Best(&p, nil)
		if err != nil {
			return Standing{}, false
		}
		s.Turn = best.Turn
	}
	return s, true
}

// tabled reports whether an endgame table says who wins.
func (s *Standing) tabled() bool { return s.Win.Tabled || s.Loss.Tabled }
