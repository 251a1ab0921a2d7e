package goal

import (
	"testing"

	"goalproof/arimaa"
)

// recorded returns positions about which a search for a win in two asks Win of the detector: it
// goes through the turns of the published puzzles, asking [Detector.Holds] about each as package
// dfpns does for all solutions, and takes every 16th question that Holds asks when it
// tries the replies that held lately, and when none does, the question about the defender.
// (Questions deeper in its search are not among them; they are fewer than one in a hundred.)
func recorded(t testing.TB) []arimaa.Position {
	const apart = 16
	var all []arimaa.Position
	asked := 0
	record := func(b arimaa.Board, side arimaa.Side) {
		if asked++; asked%apart == 0 {
			all = append(all, arimaa.NewPosition(b, side))
		}
	}
	var d Detector
	var g arimaa.Generator
	for _, puzzle := range puzzles(t) {
		d.Forget()
		for i := range g.Generate(&puzzle) {
			p := g.Position(i, puzzle.Side())
			if p.Board.Ended(puzzle.Side()).Over() {
				continue
			}
			b := orient(&p.Board, puzzle.Side())
			helped := false
			for k := range d.defence.replies.n {
				c := b
				var on arimaa.Bitboard
				if replay(&c, arimaa.Silver, &d.defence.replies.turns[k], &on) && c != b {
					if !c.Ended(arimaa.Silver).Over() {
						record(c, arimaa.Gold)
					}
					if helped = held(&c); helped {
						break
					}
				}
			}
			if !helped {
				record(p.Board, p.Side())
			}
			d.Holds(&p)
		}
	}
	return all
}
