package notation

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// Diagram is a position with the number of the turn that comes next.
type Diagram struct {
	Position arimaa.Position
	Number   int // 2 where the text does not say
	Line     int // where it begins in its file, from 1
}

// ParsePosition reads a position in short form, for example
//
//	g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]
//
// The error is a [*ParseError].
func ParsePosition(text string) (arimaa.Position, error) {
	src := &source{line: 1, text: text}
	d, err := src.short(line{text: strings.TrimRight(text, " \t\r\n"), number: 1})
	return d.Position, err
}

// ReadPositions reads the positions in a text: in long form, one after the other, or
// in short form, one a line, where a tab and further columns may follow. Lines that
// begin with # are comments. The error is a [*ParseError].
//
// In long form the turn stands in the first line. Of the border nothing is needed
// but what tells which blanks are empty squares: a bar before each rank, or all
// squares shown (. for empty). The traps may be shown as x, X or *.
func ReadPositions(file, text string) ([]Diagram, error) {
	src := &source{file, 1, text}
	return src.positions()
}

// positions reads positions in long or in short form.
func (s *source) positions() ([]Diagram, error) {
	lines := s.lines()
	if len(lines) == 0 {
		return nil, &ParseError{File: s.file, Line: s.line, Reason: "there is no position in it"}
	}
	if !isShort(lines[0].text) {
		return s.boards(lines)
	}
	var all []Diagram
	for _, l := range lines {
		d, err := s.short(l)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// isShort tells whether a line looks like a position in short form.
func isShort(text string) bool {
	text = strings.TrimLeft(text, " \t"+byteOrderMark)
	if text == "" {
		return false
	}
	if _, ok := sideOfLetter(text[0]); !ok {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(text[1:], " \t"), "[")
}

// short reads one line in short form.
func (s *source) short(l line) (Diagram, error) {
	fail := func(i int, format string, args ...any) (Diagram, error) {
		return Diagram{}, s.at(l.offset+i, format, args...)
	}
	i := len(l.text) - len(strings.TrimLeft(l.text, " \t"+byteOrderMark))
	if i == len(l.text) {
		return fail(0, "there is no position in it")
	}
	side, ok := sideOfLetter(l.text[i])
	if !ok {
		r, _ := utf8.DecodeRuneInString(l.text[i:])
		return fail(i, "a position in short form begins with g or s, not %q", r)
	}
	open := strings.IndexByte(l.text, '[')
	if open < 0 || strings.Trim(l.text[i+1:open], " \t") != "" {
		return fail(i+1, "after the side letter there must be the squares in brackets: g [...]")
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
	n := 0
	for at, r := range squares {
		if err := putLetter(&b, squareInReadingOrder(n), r, " ."); err != nil {
			return fail(open+1+at, "%v", err)
		}
		n++
	}
	return Diagram{arimaa.NewPosition(b, side), arimaa.FirstTurn, l.number}, nil
}

// squareInReadingOrder counts a8..h8, a7..h7, ..., a1..h1 from 0.
func squareInReadingOrder(n int) arimaa.Square { return arimaa.Square(n ^ 56) }

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

// boards reads positions in long form one after the other: each begins with its label.
func (s *source) boards(lines []line) ([]Diagram, error) {
	var all []Diagram
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && !isLabel(lines[n].text) {
			n++
		}
		d, err := s.long(lines[:n])
		if err != nil {
			return nil, err
		}
		all, lines = append(all, d), lines[n:]
	}
	return all, nil
}

// long reads a position in long form: a first line such as "47g", then the board,
// with any border.
func (s *source) long(lines []line) (Diagram, error) {
	head := lines[0]
	number, side, rest, ok := cutLabel(strings.TrimLeft(head.text, " \t"+byteOrderMark))
	if !ok || rest != "" {
		return Diagram{}, s.at(head.offset, "a position begins with a line such as 47g (turn number and side), or is written g [64 squares]")
	}
	var ranks []rankText
	fits := layouts
	for _, l := range lines[1:] {
		if isBorder(l.text) {
			continue
		}
		if len(ranks) == 8 {
			return Diagram{}, s.at(l.offset, "a line after the eighth rank of the board")
		}
		r, err := s.rank(8-len(ranks), l)
		if err != nil {
			return Diagram{}, err
		}
		if fits = r.among(fits); len(fits) == 0 {
			if !r.numbered && !r.barred {
				return Diagram{}, s.at(r.offset, "a line of the board looks like 8| r r   r   c   r |")
			}
			return Diagram{}, s.at(r.offset, "rank %d does not have 8 squares", r.number)
		}
		ranks = append(ranks, r)
	}
	if len(ranks) < 8 {
		last := lines[len(lines)-1]
		return Diagram{}, s.at(last.offset+len(last.text), "the board has %d ranks, not 8", len(ranks))
	}
	b, err := s.board(ranks, fits)
	if err != nil {
		return Diagram{}, err
	}
	return Diagram{arimaa.NewPosition(b, side), number, head.number}, nil
}

// isBorder tells whether a line of the long form is a border or names the files,
// or both. A rank is neither: with no pieces on it, it holds bars, dots, blanks and
// up to two asterisks for its traps.
func isBorder(text string) bool {
	rest := strings.Map(func(r rune) rune {
		if strings.ContainsRune("+-=_*~|.:'`,/\\ \t", r) {
			return -1
		}
		return r
	}, text)
	if strings.EqualFold(rest, "abcdefgh") {
		return true
	}
	return rest == "" && (strings.Trim(text, "|.* \t") != "" || strings.Count(text, "*") > 2)
}

// rankText is the part of a line that holds the squares of a rank.
type rankText struct {
	number   int
	text     string
	offset   int  // in the source
	numbered bool // its number stands before it
	barred   bool // a bar stands before it
	whole    bool // no blanks can have been stripped from its end
}

// rank finds the squares in a line of the board such as "8| r r   r |". There may
// be a bar on both sides, on the left, on the right or on neither, and the rank's
// number at the left end, the right end or neither.
func (s *source) rank(number int, l line) (rankText, error) {
	r := rankText{number: number, text: l.text, offset: l.offset}
	cut := func(n int) { r.text, r.offset = r.text[n:], r.offset+n }
	cut(len(r.text) - len(strings.TrimLeft(r.text, " \t")))
	if r.numbered = isDigit(r.text[0]); r.numbered {
		if r.text[0] != '0'+byte(number) {
			return r, s.at(r.offset, "rank %c stands where rank %d is expected", r.text[0], number)
		}
		cut(1)
	}
	bar := strings.IndexByte(r.text, '|')
	if r.barred = bar >= 0 && strings.Trim(r.text[:bar], " \t") == ""; r.barred {
		cut(bar + 1)
	}
	r.whole = !r.barred
	if end := strings.IndexByte(r.text, '|'); end >= 0 {
		if after := strings.Trim(r.text[end+1:], " \t"); after != "" && after != strconv.Itoa(number) {
			return r, s.at(r.offset+end+1, "text after the end of the rank")
		}
		r.text, r.whole = r.text[:end], true
	}
	return r, nil
}

// layout is a way to spread the eight squares of a rank over its text, which is
// taken as columns.
type layout struct {
	inner       bool // blanks before the first piece and behind the last are margin
	tabs        bool // a column is what stands between two tabs; otherwise it is a character, and a tab is a blank
	first       int  // column of the first square
	apart       int  // columns from one square to the next
	least, most int  // number of columns; a rank that is not whole may have fewer
}

// layouts lists the ways that are known. All ranks of a board have the same. Where
// blanks are margin, the first and the last square of each rank must be shown:
// otherwise nobody knows how many of the blanks are empty squares. A rank with
// neither a bar nor its number before it can have no other layout.
var layouts = []layout{
	{first: 1, apart: 2, least: 16, most: 17}, // "| r r   r |", perhaps no blank at the end
	{first: 0, apart: 2, least: 15, most: 16}, // "|r r   r |"
	{first: 0, apart: 1, least: 8, most: 8},   // "|rr r|"
	{first: 0, apart: 1, least: 8, most: 9, tabs: true},
	{first: 1, apart: 1, least: 9, most: 10, tabs: true},
	{first: 0, apart: 2, least: 15, most: 15, inner: true},
	{first: 0, apart: 1, least: 8, most: 8, inner: true},
	{first: 0, apart: 1, least: 8, most: 8, inner: true, tabs: true},
}

// cell is a column of a rank: a character and its byte offset.
type cell struct {
	letter rune
	offset int
}

// columns splits the text of a rank, or returns nil where a column would hold more
// than one character.
func (r rankText) columns(tabs bool) []cell {
	var all []cell
	if !tabs {
		for i, letter := range r.text {
			if letter == '\t' {
				letter = ' '
			}
			all = append(all, cell{letter, r.offset + i})
		}
		return all
	}
	offset := r.offset
	for field := range strings.SplitSeq(r.text, "\t") {
		content := strings.Trim(field, " ")
		c := cell{' ', offset}
		if content != "" {
			letter, size := utf8.DecodeRuneInString(content)
			if size < len(content) {
				return nil
			}
			c = cell{letter, offset + strings.Index(field, content)}
		}
		all = append(all, c)
		offset += len(field) + 1
	}
	return all
}

// cells returns the eight squares of the rank in a layout, or false.
func (r rankText) cells(y layout) ([8]cell, bool) {
	var squares [8]cell
	if !y.inner && !r.barred && !r.numbered {
		return squares, false
	}
	if y.inner {
		inner := strings.TrimLeft(r.text, " \t")
		r.offset += len(r.text) - len(inner)
		r.text = strings.TrimRight(inner, " \t")
	}
	columns := r.columns(y.tabs)
	if n := len(columns); n == 0 && y.tabs || n > y.most || n < y.least && (r.whole || y.inner) {
		return squares, false
	}
	for len(columns) < y.most {
		columns = append(columns, cell{' ', r.offset + len(r.text)})
	}
	for i, c := range columns {
		file := (i - y.first) / y.apart
		if i >= y.first && (i-y.first)%y.apart == 0 && file < 8 {
			squares[file] = c
		} else if c.letter != ' ' {
			return squares, false
		}
	}
	return squares, true
}

// among returns those of the layouts that the rank can have.
func (r rankText) among(all []layout) []layout {
	var fits []layout
	for _, y := range all {
		if _, ok := r.cells(y); ok {
			fits = append(fits, y)
		}
	}
	return fits
}

// board puts the pieces of eight ranks on a board. Where the ranks have several
// layouts, those with a letter that means nothing are left out, and the others
// must agree: else nobody can say where the pieces stand.
func (s *source) board(ranks []rankText, fits []layout) (arimaa.Board, error) {
	var found []arimaa.Board
	var failed error
	for _, y := range fits {
		b, err := s.boardAs(ranks, y)
		switch {
		case err == nil && len(found) > 0 && found[0] != b:
			return b, s.at(ranks[0].offset, "the squares of the board can be told apart in several ways: end each rank with a bar, or write . for empty squares")
		case err == nil:
			found = append(found, b)
		case failed == nil:
			failed = err
		}
	}
	if len(found) == 0 {
		return arimaa.Board{}, failed
	}
	return found[0], nil
}

// boardAs reads eight ranks in one layout.
func (s *source) boardAs(ranks []rankText, y layout) (arimaa.Board, error) {
	var b arimaa.Board
	for _, r := range ranks {
		squares, _ := r.cells(y)
		for file, c := range squares {
			square := arimaa.Square(8*(r.number-1) + file)
			empty := " ."
			if arimaa.Traps.Has(square) {
				empty = " .xX*"
			}
			if err := putLetter(&b, square, c.letter, empty); err != nil {
				return b, s.at(c.offset, "%v", err)
			}
		}
	}
	return b, nil
}

// Long writes the diagram in long form, ending with a newline; traps are shown as
// x when empty. A Number of 0 is written as 2, the first turn after the setup.
func (d Diagram) Long() string {
	var b strings.Builder
	number := d.Number
	if number == 0 {
		number = arimaa.FirstTurn
	}
	fmt.Fprintf(&b, "%s\n +-----------------+\n", arimaa.TurnLabel(number, d.Position.Side()))
	for rank := 8; rank >= 1; rank-- {
		fmt.Fprintf(&b, "%d|", rank)
		for file := range 8 {
			s := arimaa.Square(8*(rank-1) + file)
			letter := d.Position.At(s).Letter()
			if letter == ' ' && arimaa.Traps.Has(s) {
				letter = 'x'
			}
			b.WriteByte(' ')
			b.WriteByte(letter)
		}
		b.WriteString(" |\n")
	}
	b.WriteString(" +-----------------+\n   a b c d e f g h\n")
	return b.String()
}
