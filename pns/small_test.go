package pns

import (
	"bytes"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// small draws positions with few pieces, on a window of the board, for comparisons with complete
// enumeration. Pieces may stand on traps without a defender; seldom somebody has won before the
// first turn. Most rabbits are in their own half, because otherwise nearly every position is a win
// in one.
func small() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		squares := []byte("                                                                ")
		width := rapid.IntRange(2, 8).Draw(t, "width")
		height := rapid.IntRange(2, 8).Draw(t, "height")
		left := rapid.IntRange(0, 8-width).Draw(t, "left")
		top := rapid.IntRange(0, 8-height).Draw(t, "top")
		finished := rapid.IntRange(0, 19).Draw(t, "finished") == 0
		for side := range 2 {
			kinds := "r" + rapid.StringOfN(rapid.SampledFrom([]rune("rrcdhme")), 0, 3, -1).Draw(t, "kinds")
			for i := range kinds {
				square := rapid.IntRange(0, width*height-1).Draw(t, "square")
				rank, file := top+square/width, left+square%width // rank 0 is the eighth
				home := rank >= 4                                 // of Gold; the rank counts from the eighth
				if kinds[i] == 'r' && home != (side == 0) && rapid.IntRange(0, 3).Draw(t, "advanced") > 0 {
					rank = 7 - rank
				}
				if kinds[i] == 'r' && !finished && rank == 7*side {
					rank = 3 + side
				}
				if at := 8*rank + file; squares[at] == ' ' {
					squares[at] = kinds[i] - byte(1-side)*('a'-'A')
				}
			}
		}
		return rapid.SampledFrom([]string{"g", "s"}).Draw(t, "side") + " [" + string(squares) + "]"
	})
}

// work estimates what a complete enumeration over n turns of both sides costs: the results of a
// turn of each, from the position as it is, multiplied.
func work(g *arimaa.Generator, p arimaa.Position, n int) int {
	other := p.EndTurn()
	each := g.Generate(&p) * (1 + g.Generate(&other))
	total := 1
	for range n {
		total *= each
	}
	return total
}

// affordable is the work up to which the referee enumerates wins in 1, 2 and 3, and
// affordableCounted where it counts repetitions.
var affordable, affordableCounted = func() (plain, counted [4]int) {
	if boards.Large {
		return [...]int{1: 100_000, 2: 10_000, 3: 700}, [...]int{1: 30_000, 2: 3_000, 3: 40}
	}
	return [...]int{1: 20_000, 2: 3_000, 3: 300}, [...]int{1: 4_000, 2: 400, 3: 40}
}()

// jammed draws positions in which the pieces stand crowded in a corner or at an edge, so that there
// are few turns and many of them are forced or harmful.
func jammed() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		squares := []byte("                                                                ")
		width := rapid.IntRange(2, 4).Draw(t, "width")
		height := rapid.IntRange(2, 4).Draw(t, "height")
		left := rapid.SampledFrom([]int{0, 0, 8 - width, 2}).Draw(t, "left")
		top := rapid.SampledFrom([]int{0, 8 - height}).Draw(t, "top")
		letters := []rune(rapid.SampledFrom([]string{
			"  rrrRRRCcDdHheE", " rrRRCccddE", " rRRrcCCDDe", "  rrRRRcdhHD", "rRcCdDhHmMeE ",
		}).Draw(t, "letters"))
		for rank := top; rank < top+height; rank++ {
			for file := left; file < left+width; file++ {
				c := rapid.SampledFrom(letters).Draw(t, "piece")
				if c == 'R' && rank == 0 || c == 'r' && rank == 7 {
					c = ' '
				}
				squares[8*rank+file] = byte(c)
			}
		}
		// A rabbit for a side without one, out of the way.
		for side, rabbit := range []byte("Rr") {
			if bytes.IndexByte(squares, rabbit) < 0 {
				if at := 8*(6-5*side) + 7 - left; squares[at] == ' ' {
					squares[at] = rabbit
				}
			}
		}
		return rapid.SampledFrom([]string{"g", "s"}).Draw(t, "side") + " [" + string(squares) + "]"
	})
}
