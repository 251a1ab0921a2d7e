// Package boards draws random positions for property tests, as text in short form
// so that every implementation of the rules reads them with its own reader.
package boards

import (
	"strings"

	"pgregory.net/rapid"
)

// army is one side's pieces, as they are drawn.
const army = "emhhddccrrrrrrrr"

// Position draws a position: from two lone pieces to full armies, spread over the board or crowded
// together, either side to move. Some have a piece on a trap without a defender, or a rabbit on its
// goal rank; each is legal to set up by hand. No board is empty.
func Position() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var squares [64]byte
		for i := range squares {
			squares[i] = ' '
		}
		// A crowded board is filled from a window of it.
		window := rapid.SampledFrom([]int{8, 8, 6, 5, 4}).Draw(t, "window")
		left := rapid.IntRange(0, 8-window).Draw(t, "left")
		top := rapid.IntRange(0, 8-window).Draw(t, "top")
		most := rapid.SampledFrom([]int{1, 3, 6, 10, 16}).Draw(t, "most pieces of a side")
		// Rabbits seldom stand on their goal rank: that game would be over.
		finished := rapid.IntRange(0, 19).Draw(t, "finished") == 0
		for side := range 2 {
			pieces := rapid.Permutation([]byte(army)).Draw(t, "army")
			for _, piece := range pieces[:rapid.IntRange(1, most).Draw(t, "pieces")] {
				square := rapid.IntRange(0, window*window-1).Draw(t, "square")
				rank, file := top+square/window, left+square%window // rank 0 is the eighth
				if piece == 'r' && !finished && rank == side*7 {
					continue
				}
				if side == 0 {
					piece -= 'a' - 'A'
				}
				if at := 8*rank + file; squares[at] == ' ' {
					squares[at] = piece
				}
			}
		}
		side := rapid.SampledFrom([]string{"g", "s"}).Draw(t, "side")
		return side + " [" + string(squares[:]) + "]"
	}).Filter(func(position string) bool { return strings.TrimSpace(position[3:67]) != "" })
}

// Swap turns a position over: the ranks in reverse order, the colours and the side to
// move exchanged. The rules are the same on it for the other side.
func Swap(position string) string {
	side, squares := position[:1], position[3:67]
	var b strings.Builder
	b.WriteString(map[string]string{"g": "s", "s": "g"}[side] + " [")
	for rank := 7; rank >= 0; rank-- {
		for _, c := range squares[8*rank : 8*rank+8] {
			switch {
			case c >= 'a':
				c -= 'a' - 'A'
			case c >= 'A':
				c += 'a' - 'A'
			}
			b.WriteRune(c)
		}
	}
	return b.String() + "]"
}

// Mirror exchanges the files a and h, b and g, and so on.
func Mirror(position string) string {
	squares := []byte(position)
	for rank := range 8 {
		row := squares[3+8*rank : 11+8*rank]
		for i, j := 0, 7; i < j; i, j = i+1, j-1 {
			row[i], row[j] = row[j], row[i]
		}
	}
	return string(squares)
}

// Few draws a usual position with a rabbit of each side, off its goal rank, and up to
// most other pieces, for tests that enumerate whole games.
func Few(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		squares := []byte(strings.Repeat(" ", 64))
		put := func(piece byte, from, to int) {
			at := rapid.IntRange(from, to).Draw(t, "square")
			for squares[at] != ' ' {
				at = from + (at+1-from)%(to+1-from)
			}
			squares[at] = piece
		}
		put('R', 8, 63)
		put('r', 0, 55)
		others := rapid.Permutation([]byte("EMHDCemhdc")).Draw(t, "others")
		for _, piece := range others[:rapid.IntRange(0, most).Draw(t, "pieces")] {
			put(piece, 0, 63)
		}
		side := rapid.SampledFrom([]string{"g", "s"}).Draw(t, "side")
		return side + " [" + string(squares) + "]"
	})
}
