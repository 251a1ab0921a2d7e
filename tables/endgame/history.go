package endgame

import "goalproof/arimaa"

// HistoryMatters tells whether the rule of the third repetition may forbid a turn, in play after a game that follows the
// tables, on account of a position that has occurred twice in it. Where it is false the winner of a table wins by the
// full rule as well; see the lemmas on repetition. Captures are for good: positions with more pieces than the last one
// do not come up again. Of no game (nil) nothing matters.
func HistoryMatters(g *arimaa.Game) bool {
	if g == nil {
		return false
	}
	last := g.Last()
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		for _, b := range g.Twice(side) {
			if b.Occupied().Len() <= last.Occupied().Len() {
				return true
			}
		}
	}
	return false
}
