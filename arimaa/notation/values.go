package notation

import (
	"fmt"
	"strconv"
	"strings"

	"goalproof/arimaa"
)

// ParseStep reads one displacement such as "Ee2n".
func ParseStep(text string) (arimaa.Step, error) {
	if len(text) != 4 {
		return 0, notStep(text)
	}
	piece, ok := pieceOfLetter(text[0])
	from, ok2 := squareOfName(text[1:3])
	d := strings.IndexByte("nesw", text[3])
	if !ok || !ok2 || d < 0 {
		return 0, notStep(text)
	}
	if _, ok := from.Next(arimaa.Direction(d)); !ok {
		return 0, fmt.Errorf("%s: the step leaves the board", text)
	}
	return arimaa.NewStep(piece, from, arimaa.Direction(d)), nil
}

func notStep(text string) error {
	if strings.HasPrefix(text, "#") || strings.HasPrefix(text, "%") {
		return fmt.Errorf("%q begins no comment here: write it in braces", text)
	}
	return fmt.Errorf("%q is not a step such as Ee2n", text)
}

// ParseLabel reads a turn label such as "34g" or "34b".
func ParseLabel(text string) (number int, side arimaa.Side, err error) {
	number, side, rest, ok := cutLabel(text)
	if !ok || rest != "" || !isDigit(text[0]) || text[len(text)-1] < 'a' {
		return 0, 0, fmt.Errorf("%q is not a turn: write a number and a side, for example 34g", text)
	}
	return number, side, nil
}

// maxNumber is the greatest turn number that is read; records end long before.
const maxNumber = 100_000

// cutLabel cuts the label of a turn such as "47g" off the front of a text. Behind a number the letter
// may be a capital, and a mark may follow: "47W:". Without digits the number is that of the first
// turn.
func cutLabel(text string) (number int, side arimaa.Side, rest string, ok bool) {
	digits := digitsOf(text)
	if digits == len(text) {
		return 0, 0, "", false
	}
	letter := text[digits]
	rest = text[digits+1:]
	if number = arimaa.FirstTurn; digits > 0 {
		n, err := strconv.Atoi(text[:digits])
		if err != nil || n < 1 || n > maxNumber {
			return 0, 0, "", false
		}
		number, letter = n, letter|('a'-'A')
		if rest != "" && strings.IndexByte(".:)", rest[0]) >= 0 {
			rest = rest[1:]
		}
	}
	side, ok = sideOfLetter(letter)
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		ok = false
	}
	return number, side, strings.Trim(rest, " \t"), ok
}

// cutNumbered is cutLabel for a line, for labels that have their number.
func cutNumbered(text string) (number int, side arimaa.Side, rest string, ok bool) {
	text = unindented(text)
	number, side, rest, ok = cutLabel(text)
	return number, side, rest, ok && isDigit(text[0])
}

// labelOf reads a word as the label of a turn. In the manner of chess 47. is Gold's turn and 47...
// Silver's.
func labelOf(word string) (number int, side arimaa.Side, ok bool) {
	if word == "" || !isDigit(word[0]) {
		return 0, 0, false
	}
	number, side, rest, ok := cutNumbered(word)
	if ok {
		return number, side, rest == ""
	}
	digits := strings.TrimRight(word, ".…")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > maxNumber {
		return 0, 0, false
	}
	switch word[len(digits):] {
	case ".":
		return n, arimaa.Gold, true
	case "...", "…", ".…":
		return n, arimaa.Silver, true
	}
	return 0, 0, false
}

// digitsOf returns with how many digits a text begins.
func digitsOf(text string) (n int) {
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// sideOfLetter reads g, s and the older w (white: gold) and b (black: silver).
func sideOfLetter(c byte) (arimaa.Side, bool) {
	switch c {
	case 'g', 'w':
		return arimaa.Gold, true
	case 's', 'b':
		return arimaa.Silver, true
	}
	return 0, false
}

// sideOf reads a side by its name or its letter.
func sideOf(text string) (arimaa.Side, bool) {
	if isSideName(text) {
		return sideNamed(text), true
	}
	if len(text) != 1 {
		return 0, false
	}
	return sideOfLetter(text[0] | ('a' - 'A'))
}

// pieceLetters are the pieces of Gold and then those of Silver, from the weakest to the strongest.
const pieceLetters = "RCDHMErcdhme"

// pieceOfLetter reads a piece letter, upper case for Gold.
func pieceOfLetter(c byte) (arimaa.Piece, bool) {
	i := strings.IndexByte(pieceLetters, c)
	if i < 0 {
		return arimaa.Empty, false
	}
	return arimaa.NewPiece(arimaa.Side(i/6), arimaa.Rabbit+arimaa.Kind(i%6)), true
}

// squareOfName reads a square such as "c3".
func squareOfName(name string) (arimaa.Square, bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return 0, false
	}
	return arimaa.Square(name[0]-'a') + 8*arimaa.Square(name[1]-'1'), true
}
