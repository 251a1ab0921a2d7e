package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// Diagram is a position with the number of the turn that comes next.
type Diagram struct {
	Position arimaa.Position
	Number   int // 2 where the text does not say
	Line     int // where it begins in its file, from 1; in a puzzle file of 4steps, which has no lines, its number
}

// ParsePosition reads a position that is written in one line, for example
//
//	g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]
//
// The forms are those of [Read]. The error is a [*ParseError].
func ParsePosition(text string) (arimaa.Position, error) { return parsePosition(text, mover{}) }

// parsePosition also takes who is to move from elsewhere, if that is known. Both must agree.
func parsePosition(text string, m mover) (arimaa.Position, error) {
	src := &source{line: 1, text: clean(bareReturns.Replace(text))}
	l := line{text: unquoted(strings.TrimRight(src.text, trailing)), number: 1}
	if isComment(l.text) {
		return arimaa.Position{}, src.errorAt(0, "there is no position in it")
	}
	read := src.short
	if isSingle(l, l.words()) {
		read = src.single
	}
	p, err := read(l)
	if err == nil && strings.TrimSpace(p.rest.text) != "" {
		err = src.errorAt(p.rest.start(), "text after the position")
	}
	if err != nil {
		return arimaa.Position{}, err
	}
	if p.known && m.known && p.side != m.side {
		return arimaa.Position{}, fmt.Errorf("the side is given as %v, but in the position %v is to move", m.side, p.side)
	}
	p.mover = cmp.Or(p.mover, m)
	d, err := src.diagram(p, 1)
	return d.Position, err
}

// moverOf reads the side to move in a field of its own, which may be empty.
func moverOf(text string) (m mover, err error) {
	if text == "" {
		return m, nil
	}
	if m.side, m.known = sideOf(text); !m.known {
		err = fmt.Errorf("side %q: it is gold or silver, g or s, or w or b", text)
	}
	return m, err
}

// ReadPositions reads the positions in a text, in any of the forms of [Read]. The error is a
// [*ParseError]; a game is one, too.
//
// In long form the turn stands in the first line. Of the border nothing is needed but what tells
// which blanks are empty squares: a bar before each rank, or all squares shown (. for empty). The
// traps may be shown as x, X or *.
func ReadPositions(file, text string) ([]Diagram, error) {
	var all []Diagram
	for e, err := range Read(NewLines(file, strings.NewReader(text))) {
		switch {
		case err != nil:
			return nil, err
		case e.Position == nil:
			return nil, &ParseError{File: file, Line: 1, Reason: "this is a game, not a position"}
		}
		all = append(all, *e.Position)
	}
	return all, nil
}

// ranks reads the eight lines of a board. Without them the error is where the text ends.
func (s *source) ranks(lines []line, end int) (arimaa.Board, error) {
	var ranks []rankText
	fits := layouts
	for _, l := range lines {
		if isBorder(l.text) {
			continue
		}
		if len(ranks) == 8 {
			return arimaa.Board{}, s.errorAt(l.offset, "a line after the eighth rank of the board")
		}
		r, err := s.rank(8-len(ranks), l)
		if err != nil {
			return arimaa.Board{}, err
		}
		if fits = r.among(fits); len(fits) == 0 {
			if !r.numbered && !r.barred {
				return arimaa.Board{}, s.errorAt(r.offset, "a line of the board looks like 8| r r   r   c   r |")
			}
			return arimaa.Board{}, s.errorAt(r.offset, "rank %d does not have 8 squares", r.number)
		}
		ranks = append(ranks, r)
	}
	if len(ranks) < 8 {
		return arimaa.Board{}, s.errorAt(end, "the board has %d of 8 ranks", len(ranks))
	}
	if err := s.cutOff(ranks); err != nil {
		return arimaa.Board{}, err
	}
	return s.board(ranks, fits)
}

// cutOff returns an error for a rank that ends early, without the bar that ends others: pieces may
// have been lost there.
func (s *source) cutOff(ranks []rankText) error {
	longest := 0 // of the ranks that end with a bar
	for _, r := range ranks {
		if r.barred && r.whole {
			longest = max(longest, len(r.text))
		}
	}
	for _, r := range ranks {
		if r.barred && !r.whole && len(r.text) < longest-1 { // a blank before the bar is no square
			return s.errorAt(r.offset+len(r.text), "rank %d ends here, without the bar that ends other ranks", r.number)
		}
	}
	return nil
}

// isBorder reports whether a line of the long form is a border or names the files, or both. A rank
// is neither: with no pieces on it, it holds bars, dots, blanks and up to two asterisks for its
// traps.
func isBorder(text string) bool {
	files := 0
	for _, r := range text {
		switch {
		case strings.ContainsRune("+-=_*~|.:'`,/\\ \t", r):
		case files < 8 && r|('a'-'A') == 'a'+rune(files):
			files++
		default:
			return false
		}
	}
	return files == 8 || files == 0 && (strings.Trim(text, "|.* \t") != "" || strings.Count(text, "*") > 2)
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

// rank finds the squares in a line of the board such as "8| r r r |". There may be a bar on both
// sides, on the left, on the right or on neither, and the rank's number at the left end, the right
// end or neither.
func (s *source) rank(number int, l line) (rankText, error) {
	if isTableRank(strings.Trim(l.text, blanks)) {
		return s.tableRank(number, l)
	}
	r := rankText{number: number, text: l.text, offset: l.offset}
	cut := func(n int) { r.text, r.offset = r.text[n:], r.offset+n }
	cut(len(r.text) - len(strings.TrimLeft(r.text, " \t")))
	if r.numbered = isDigit(r.text[0]); r.numbered {
		if r.text[0] != '0'+byte(number) {
			return r, s.errorAt(r.offset, "rank %c stands where rank %d is expected", r.text[0], number)
		}
		cut(1)
	}
	bar := strings.IndexByte(r.text, '|')
	if r.barred = bar >= 0 && strings.Trim(r.text[:bar], " \t") == ""; r.barred {
		cut(bar + 1)
	}
	r.whole = !r.barred
	if ended, ok := strings.CutSuffix(strings.TrimRight(r.text, " \t"), strconv.Itoa(number)); ok && r.numbered && !r.barred {
		r.text = ended
	}
	if end := strings.IndexByte(r.text, '|'); end >= 0 {
		if after := strings.Trim(r.text[end+1:], " \t"); after != "" && after != strconv.Itoa(number) {
			return r, s.errorAt(r.offset+end+1, "text after the end of the rank")
		}
		r.text, r.whole = r.text[:end], true
	}
	return r, nil
}

// tableRank reads a rank in the row of a table: each square is a cell, and one more may hold the
// number of the rank.
func (s *source) tableRank(number int, l line) (rankText, error) {
	cells := tableCells(l.text)
	r := rankText{number: number, offset: l.start(), numbered: true, barred: true, whole: true}
	for _, at := range []int{len(cells) - 1, 0} {
		if len(cells) < 9 || cells[at] == "" || !isDigit(cells[at][0]) {
			continue
		}
		if cells[at] != strconv.Itoa(number) {
			return r, s.errorAt(r.offset, "rank %s stands where rank %d is expected", cells[at], number)
		}
		if cells = slices.Delete(cells, at, at+1); len(cells) != 8 {
			return r, s.errorAt(r.offset, "rank %d does not have 8 squares", number)
		}
	}
	r.text = strings.Join(cells, "\t")
	return r, nil
}

// layout is a way to spread the eight squares of a rank over its text, which is taken as columns.
type layout struct {
	inner       bool // blanks before the first piece and behind the last are margin
	tabs        bool // a column is what stands between two tabs; otherwise it is a character, and a tab is a blank
	first       int  // column of the first square
	apart       int  // columns from one square to the next
	least, most int  // number of columns; a rank that is not whole may have fewer
}

// layouts lists the ways that are known. All ranks of a board have the same. Where blanks are
// margin, the first and the last square of each rank must be shown: otherwise nobody knows how many
// of the blanks are empty squares. A rank with neither a bar nor its number before it can have no
// other layout.
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

// columns splits the text of a rank, or returns nil where a column would hold more than one
// character.
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

// board puts the pieces of eight ranks on a board. Where the ranks have several layouts, those with
// a letter that means nothing are left out, and the others must agree: else nobody can say where
// the pieces stand.
func (s *source) board(ranks []rankText, fits []layout) (arimaa.Board, error) {
	var found []arimaa.Board
	var failed error
	for _, y := range fits {
		b, err := s.boardAs(ranks, y)
		switch {
		case err == nil && len(found) > 0 && found[0] != b:
			return b, s.errorAt(ranks[0].offset, "the squares of the board can be told apart in several ways: end each rank with a bar, or write . for empty squares")
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
				return b, s.errorAt(c.offset, "%v", err)
			}
		}
	}
	return b, nil
}

// Long writes the diagram in long form, ending with a newline; traps are shown as x when empty. A
// Number of 0 is written as 2, the first turn after the setup.
func (d Diagram) Long() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n +-----------------+\n", arimaa.TurnLabel(cmp.Or(d.Number, arimaa.FirstTurn), d.Position.Side()))
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
