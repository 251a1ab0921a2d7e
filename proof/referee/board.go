package referee

import (
	"fmt"
	"strings"
)

// Side is one of the two players.
type Side byte

const (
	Gold   Side = iota // upper-case pieces; moves north, its goal is rank 8
	Silver             // lower-case pieces; moves south, its goal is rank 1
)

// String is the side's letter in positions and turn numbers: "g" or "s".
func (s Side) String() string {
	if s == Gold {
		return "g"
	}
	return "s"
}

// Other is the opponent.
func (s Side) Other() Side {
	if s == Gold {
		return Silver
	}
	return Gold
}

// goalRank is the rank, 0 to 7 from south to north, on which this side's rabbits win.
func (s Side) goalRank() int {
	if s == Gold {
		return 7
	}
	return 0
}

// backward is the letter of the direction in which this side's rabbits do not step.
func (s Side) backward() byte {
	if s == Gold {
		return 's'
	}
	return 'n'
}

// rabbit is the letter of this side's rabbits.
func (s Side) rabbit() byte {
	if s == Gold {
		return 'R'
	}
	return 'r'
}

// Board says what stands on each square: docs/rules.md, "Board and pieces". The index of a square
// is 8*(rank-1) + file with file a = 0, so a1 is 0 and h8 is 63. A piece is its letter, an empty
// square is [Empty]. The zero Board is not a board; start from [EmptyBoard]. Two boards are equal
// (==) exactly if they show the same pattern of kinds and colours.
type Board [64]byte

// Empty stands on the empty squares of a [Board].
const Empty byte = ' '

// EmptyBoard is a board without pieces.
func EmptyBoard() Board {
	var b Board
	for square := range b {
		b[square] = Empty
	}
	return b
}

// String draws the board, rank 8 first, one rank a line, with '.' for an empty square.
func (b Board) String() string {
	var lines []string
	for rank := 7; rank >= 0; rank-- {
		line := string(b[8*rank : 8*rank+8])
		lines = append(lines, strings.ReplaceAll(line, string(Empty), "."))
	}
	return strings.Join(lines, "\n")
}

// Count is the number of pieces on the board that are written with this letter.
func (b Board) Count(piece byte) int {
	n := 0
	for _, p := range b {
		if p == piece {
			n++
		}
	}
	return n
}

// strength orders the kinds of pieces, rabbit 1 to elephant 6; 0 means no piece. docs/rules.md,
// "Board and pieces".
func strength(piece byte) int {
	switch piece {
	case 'R', 'r':
		return 1
	case 'C', 'c':
		return 2
	case 'D', 'd':
		return 3
	case 'H', 'h':
		return 4
	case 'M', 'm':
		return 5
	case 'E', 'e':
		return 6
	}
	return 0
}

// isPiece reports whether the letter is that of a piece.
func isPiece(piece byte) bool { return strength(piece) > 0 }

// owner is the side that a piece belongs to.
func owner(piece byte) Side {
	if 'A' <= piece && piece <= 'Z' {
		return Gold
	}
	return Silver
}

// The four traps.
const c3, f3, c6, f6 = 18, 21, 42, 45

// isTrap reports whether the square is one of the four traps.
func isTrap(square int) bool {
	return square == c3 || square == f3 || square == c6 || square == f6
}

// directions are the letters of the four directions, in the order in which neighbours are looked
// at.
const directions = "nsew"

// neighbour is the square next to a given one in direction number d of [directions]; ok is false
// beyond the edge.
func neighbour(square, d int) (next int, ok bool) {
	rank, file := square/8, square%8
	switch directions[d] {
	case 'n':
		rank++
	case 's':
		rank--
	case 'e':
		file++
	case 'w':
		file--
	}
	if rank < 0 || rank > 7 || file < 0 || file > 7 {
		return 0, false
	}
	return 8*rank + file, true
}

// direction is the number, in [directions], of the direction that leads from one square to another
// one next to it; ok is false if they are not next to each other.
func direction(from, to int) (d int, ok bool) {
	for d := range directions {
		if next, ok := neighbour(from, d); ok && next == to {
			return d, true
		}
	}
	return 0, false
}

// hasFriend reports whether the piece on the square has a piece of its own side next to it.
func (b *Board) hasFriend(square int) bool {
	for d := range directions {
		next, ok := neighbour(square, d)
		if ok && isPiece(b[next]) && owner(b[next]) == owner(b[square]) {
			return true
		}
	}
	return false
}

// frozen reports whether the piece on the square is frozen. docs/rules.md, "A turn": it has a
// stronger enemy piece next to it and no friendly piece next to it. Whether that friend is frozen
// itself does not matter.
func (b *Board) frozen(square int) bool {
	for d := range directions {
		next, ok := neighbour(square, d)
		if ok && isPiece(b[next]) && owner(b[next]) != owner(b[square]) && strength(b[next]) > strength(b[square]) {
			return !b.hasFriend(square)
		}
	}
	return false
}

// undefended reports whether the piece on the square stands on a trap with no friend next to it.
// docs/rules.md, "Captures".
func (b *Board) undefended(square int) bool {
	return isTrap(square) && isPiece(b[square]) && !b.hasFriend(square)
}

// takeUndefended removes every piece that stands on a trap with no friend next to it, of both
// sides, and reports them in the order c3, f3, c6, f6. docs/rules.md, "Captures". No two traps
// share a neighbour and no trap is next to another, so it does not matter which is looked at first.
func (b *Board) takeUndefended() []Capture {
	var taken []Capture
	for _, t := range [4]int{c3, f3, c6, f6} {
		if b.undefended(t) {
			taken = append(taken, Capture{Piece: b[t], Square: t})
			b[t] = Empty
		}
	}
	return taken
}

// SquareName is the name of a square, such as "e2"; "??" for a number that is not a square.
func SquareName(square int) string {
	if square < 0 || square > 63 {
		return "??"
	}
	return string([]byte{'a' + byte(square%8), '1' + byte(square/8)})
}

// ParseSquare reads the name of a square, such as "e2". It is an error if there is no such square.
func ParseSquare(name string) (int, error) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return 0, fmt.Errorf("%q is not a square", name)
	}
	return 8*int(name[1]-'1') + int(name[0]-'a'), nil
}
