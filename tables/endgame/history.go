package endgame

import "goalproof/arimaa"

// HistoryMatters reports whether the rule of the third repetition may forbid a turn of play by the
// tables, because a position has occurred twice in the game before. If it is false the winner by a
// table also wins by the full rule; see the lemmas on repetition. Captures are final, so positions
// with more pieces than the last one do not occur again. Without a game (nil) it is false.
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
