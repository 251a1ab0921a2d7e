package notation

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// ErrNoSide is the [ParseError.Err] of a position in which nothing says who is to move.
var ErrNoSide = errors.New("nothing says who is to move")

// mover is who is to move; the zero mover is unknown.
type mover struct {
	side  arimaa.Side
	known bool
}

// single reads a position that is written in one line:
//
//	g [64 squares]             short form; 23g [...] says which turn comes next
//	setposition g [...]        the AEI command
//	22g rrrddrrr/8/...         ranks from 8 to 1, digits for empty squares; the side may also stand behind them
//	Ra1 Rb1 ra8 g              pieces, as the client 4steps copies them, with the side behind
//
// Where no side is written, otherwise applies, if it is known.
func (s *source) single(l line, otherwise mover) (Diagram, error) {
	switch words := l.words(); {
	case isRanks(words):
		return s.slashed(l, words, otherwise)
	case isPieces(words):
		return s.pieces(l, words, otherwise)
	case len(words) > 0 && words[0].text == "setposition":
		n := words[0].offset - l.offset + len("setposition")
		l.text, l.offset = l.text[n:], l.offset+n
	}
	return s.short(l, otherwise)
}

// InOneLine reports whether a line looks like a position in one line, in any of the forms of
// [ParsePosition], and not like the name of a file.
func InOneLine(text string) bool {
	l := line{text: clean(text)}
	words := l.words()
	return len(words) > 0 && isSingle(l.text, words)
}

// position makes a diagram of a board, if the side to move is known.
func (s *source) position(l line, b arimaa.Board, number int, m mover) (Diagram, error) {
	if !m.known {
		e := s.errorAt(l.offset+len(l.text)-len(strings.TrimLeft(l.text, blanks)), "%v: write g (gold) or s (silver) before the position", ErrNoSide)
		e.Err = ErrNoSide
		return Diagram{}, e
	}
	return Diagram{arimaa.NewPosition(b, m.side), number, l.number}, nil
}

// blanks are what may stand before the text of a line.
const blanks = " \t" + byteOrderMark

// isShort reports whether a line looks like a position in short form: squares in brackets behind a
// side, a label or nothing.
func isShort(text string) bool {
	text = strings.TrimLeft(text, blanks)
	if isBareSquares(text) {
		return true
	}
	text = strings.TrimLeft(text, "0123456789")
	if text == "" {
		return false
	}
	if _, ok := sideOfLetter(text[0]); !ok {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(text[1:], " \t"), "[")
}

// isBareSquares reports whether a line looks like squares in brackets without a side, and not like
// the tag of an annotated game: nearly all that stands in the brackets are pieces and empty
// squares, and there are nearly 64 of them.
func isBareSquares(text string) bool {
	inside, ok := strings.CutPrefix(text, "[")
	if inside, _, _ = strings.Cut(inside, "]"); !ok || strings.Contains(inside, `"`) {
		return false
	}
	all, squares := 0, 0
	for _, r := range inside {
		if all++; strings.ContainsRune(pieceLetters+" .", r) {
			squares++
		}
	}
	return all >= 56 && all <= 72 && squares*10 >= all*9
}

// cutShort splits a line in short form: its label, if any, and the offset behind it.
func cutShort(text string) (number int, m mover, next int) {
	start := len(text) - len(strings.TrimLeft(text, blanks))
	i := start
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	if i == len(text) {
		return arimaa.FirstTurn, mover{}, start
	}
	if number, side, _, ok := cutLabel(text[start : i+1]); ok {
		return number, mover{side, true}, i + 1
	}
	return arimaa.FirstTurn, mover{}, start
}

// short reads one line in short form.
func (s *source) short(l line, otherwise mover) (Diagram, error) {
	fail := func(i int, format string, args ...any) (Diagram, error) {
		return Diagram{}, s.errorAt(l.offset+i, format, args...)
	}
	number, m, i := cutShort(l.text)
	switch {
	case i == len(l.text) && !m.known:
		return fail(0, "there is no position in it")
	case !m.known && l.text[i] != '[':
		r, _ := utf8.DecodeRuneInString(l.text[i:])
		return fail(i, "a position in short form begins with g or s, not %q", r)
	}
	open := strings.IndexByte(l.text, '[')
	if open < 0 || strings.Trim(l.text[i:open], " \t") != "" {
		return fail(i, "after the side letter there must be the squares in brackets: g [...]")
	}
	end := strings.IndexByte(l.text, ']')
	if end < open {
		return fail(len(l.text), "the closing bracket is missing")
	}
	if rest := strings.TrimLeft(l.text[end+1:], " "); rest != "" && rest[0] != '\t' {
		return fail(len(l.text)-len(rest), "text after the closing bracket")
	}
	squares := l.text[open+1 : end]
	if n := utf8.RuneCountInString(squares); n != 64 {
		return fail(open, "the brackets hold %d squares, not 64", n)
	}
	var b arimaa.Board
	n := 0 // counts a8..h8, a7..h7, ..., a1..h1
	for at, r := range squares {
		if err := putLetter(&b, arimaa.Square(n^56), r, " ."); err != nil {
			return fail(open+1+at, "%v", err)
		}
		n++
	}
	return s.position(l, b, number, cmp.Or(m, otherwise))
}

// isRanks reports whether one of the first two words of a line looks like ranks with slashes
// between them: there are eight parts of letters and digits, such as in chess, or nearly eight of
// pieces and digits.
func isRanks(words []word) bool {
	for _, w := range words[:min(2, len(words))] {
		if n := strings.Count(w.text, "/"); n == 7 && slashes.MatchString(w.text) || n >= 5 && n <= 9 && squaresOnly.MatchString(w.text) {
			return true
		}
	}
	return false
}

var (
	slashes     = regexp.MustCompile(`^(?:[A-Za-z0-9.]{1,12}/){7}[A-Za-z0-9.]{1,12}$`)
	squaresOnly = regexp.MustCompile(`^[RCDHMErcdhme1-8./]+$`)
)

// slashed reads ranks with slashes between them, rank 8 first, and the side before or behind them.
func (s *source) slashed(l line, words []word, otherwise mover) (Diagram, error) {
	number, m := arimaa.FirstTurn, mover{}
	label := func(w word) error {
		n, side, rest, ok := cutLabel(w.text)
		switch {
		case !ok || rest != "":
			return s.errorAt(w.offset, "beside the ranks there may stand who is to move, g or s, or a turn such as 23g, not %q", w.text)
		case m.known:
			return s.errorAt(w.offset, "the side to move stands before the ranks and behind them")
		}
		number, m = n, mover{side, true}
		return nil
	}
	if !strings.Contains(words[0].text, "/") {
		if err := label(words[0]); err != nil {
			return Diagram{}, err
		}
		words = words[1:]
	}
	squares := words[0]
	for _, w := range words[1:] {
		if err := label(w); err != nil {
			return Diagram{}, err
		}
	}
	var b arimaa.Board
	rank, file := 8, 0
	for i, r := range squares.text {
		at := squares.offset + i
		switch {
		case r == '/' && file < 8:
			return Diagram{}, s.errorAt(at, "rank %d has %d squares, not 8", rank, file)
		case r == '/' && rank == 1:
			return Diagram{}, s.errorAt(at, "there are more than 8 ranks")
		case r == '/':
			rank, file = rank-1, 0
			continue
		case r >= '1' && r <= '8':
			file += int(r - '0')
		case file < 8:
			if err := putLetter(&b, arimaa.Square(8*(rank-1)+file), r, "."); err != nil {
				return Diagram{}, s.errorAt(at, "%v", err)
			}
			file++
		default:
			file++
		}
		if file > 8 {
			return Diagram{}, s.errorAt(at, "rank %d has more than 8 squares", rank)
		}
	}
	switch {
	case file < 8:
		return Diagram{}, s.errorAt(squares.offset+len(squares.text), "rank %d has %d squares, not 8", rank, file)
	case rank > 1:
		return Diagram{}, s.errorAt(squares.offset+len(squares.text), "there are %d of 8 ranks", 9-rank)
	}
	return s.position(l, b, number, cmp.Or(m, otherwise))
}

// isPieces reports whether a line consists of pieces on squares, and perhaps a side: two words at
// least.
func isPieces(words []word) bool {
	if len(words) < 2 {
		return false
	}
	if len(words[len(words)-1].text) == 1 {
		words = words[:len(words)-1]
	}
	return !slices.ContainsFunc(words, func(w word) bool { return !isPlacement(w.text) })
}

func isPlacement(text string) bool {
	if len(text) != 3 {
		return false
	}
	_, ok := pieceOfLetter(text[0])
	_, ok2 := squareOfName(text[1:])
	return ok && ok2
}

// pieces reads pieces on their squares, of both sides in any order.
func (s *source) pieces(l line, words []word, m mover) (Diagram, error) {
	if w := words[len(words)-1]; len(w.text) == 1 {
		side, ok := sideOfLetter(w.text[0])
		if !ok {
			return Diagram{}, s.errorAt(w.offset, "behind the pieces there stands who is to move, g or s, not %q", w.text)
		}
		m, words = mover{side, true}, words[:len(words)-1]
	}
	var b arimaa.Board
	for _, w := range words {
		piece, _ := pieceOfLetter(w.text[0])
		square, _ := squareOfName(w.text[1:])
		if b.At(square) != arimaa.Empty {
			return Diagram{}, s.errorAt(w.offset, "%q: the square is taken", w.text)
		}
		b.Put(square, piece)
	}
	return s.position(l, b, arimaa.FirstTurn, m)
}

// putLetter puts the piece with that letter on a square; the letters in empty mean none.
func putLetter(b *arimaa.Board, s arimaa.Square, r rune, empty string) error {
	if strings.ContainsRune(empty, r) {
		return nil
	}
	p, ok := arimaa.Empty, false
	if r < utf8.RuneSelf {
		p, ok = pieceOfLetter(byte(r))
	}
	if !ok {
		return fmt.Errorf("unknown letter %q on %v", r, s)
	}
	b.Put(s, p)
	return nil
}
