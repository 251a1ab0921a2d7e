package library

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// setupOf returns how a side set up, as seen from its own side: its second rank from file a to h, a
// slash, its first rank; upper case for both sides. It is "" unless the side has a full army, all
// of it there.
func setupOf(b *arimaa.Board, side arimaa.Side) string {
	board := *b
	if side == arimaa.Silver {
		board = board.Swapped()
	}
	own := board.Of(arimaa.Gold)
	if own != arimaa.HomeRanks(arimaa.Gold) {
		return ""
	}
	for kind, n := range arimaa.FullArmy {
		if n > 0 && board.Pieces(arimaa.Gold, arimaa.Kind(kind)).Len() != n {
			return ""
		}
	}
	var text strings.Builder
	for _, rank := range []arimaa.Square{8, 0} {
		for file := range arimaa.Square(8) {
			text.WriteByte(board.At(rank + file).Letter())
		}
		if rank > 0 {
			text.WriteByte('/')
		}
	}
	return text.String()
}

// parseSetup reads a setup as [setupOf] writes it, with ? for any square, or as records do:
// "Ra1 Rb1 ...", of either side.
func parseSetup(text string) (string, error) {
	fail := func(why string) (string, error) {
		return "", fmt.Errorf("setup %q: %s; write the second rank, a slash and the first rank, such as DHCEMCHD/RRRRRRRR, with ? for any square", text, why)
	}
	if strings.Contains(text, " ") {
		for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
			placed, err := notation.ParseSetup(side, text)
			if err != nil {
				continue
			}
			var b arimaa.Board
			for _, p := range placed {
				b.Put(p.Square, p.Piece)
			}
			if text := setupOf(&b, side); text != "" {
				return text, nil
			}
			return fail("it is no full army")
		}
		return fail("it is the setup of neither side")
	}
	text = strings.ToUpper(text)
	if len(text) != 17 || text[8] != '/' {
		return fail("it has not eight squares, a slash and eight squares")
	}
	for _, letter := range text {
		if !strings.ContainsRune("EMHDCR?/", letter) {
			return fail(fmt.Sprintf("%q is no piece", letter))
		}
	}
	return text, nil
}

// mirroredSetup returns the mirror image of a setup.
func mirroredSetup(text string) string {
	squares := []byte(text)
	for _, rank := range [][]byte{squares[:8], squares[9:]} {
		for i := range 4 {
			rank[i], rank[7-i] = rank[7-i], rank[i]
		}
	}
	return string(squares)
}
