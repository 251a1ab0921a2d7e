package goal

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/load"
)

// recorded returns positions about which a search for a win in two asks the detector for a win: it
// goes through the turns of the published puzzles and asks [Detector.Defence] about each, as
// package dfpns does for all solutions. It takes every 16th of the questions that Defence asks
// about recent replies and, if none of these is a defence, about the defender. (It leaves out
// questions deeper in that search; they are fewer than one in a hundred.)
func recorded(t testing.TB) []arimaa.Position {
	const every = 16
	var all []arimaa.Position
	asked := 0
	record := func(b arimaa.Board, side arimaa.Side) {
		if asked++; asked%every == 0 {
			all = append(all, arimaa.NewPosition(b, side))
		}
	}
	var d Detector
	var g arimaa.Generator
	for _, c := range load.Claims(t, load.WinsInTwo) {
		puzzle := c.Position
		d.Forget()
		for i := range g.Generate(&puzzle) {
			p := g.Position(i, puzzle.Side())
			if p.Board.Ended(puzzle.Side()).Over() {
				continue
			}
			b := orient(&p.Board, puzzle.Side())
			helped := false
			for k := range d.defence.replies {
				c := b
				var zone arimaa.Bitboard
				if replay(&c, arimaa.Silver, &d.defence.replies[k], &zone) && c != b {
					if !c.Ended(arimaa.Silver).Over() {
						record(c, arimaa.Gold)
					}
					if helped = defended(&c); helped {
						break
					}
				}
			}
			if !helped {
				record(p.Board, p.Side())
			}
			d.Defence(&p)
		}
	}
	return all
}
