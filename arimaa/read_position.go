package arimaa

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Diagram is a position with the number of the turn that comes next.
type Diagram struct {
	Position Position
	Number   int // 2 where the text does not say
	Line     int // where it begins in its file, from 1
}

// defaultNumber is the number of the first turn after the setup.
const defaultNumber = 2

// ParsePosition reads a position in short form, for example
//
//	g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]
//
// The error is a [*ParseError].
func ParsePosition(text string) (Position, error) {
	src := &source{line: 1, text: text}
	d, err := src.short(line{text: strings.TrimRight(text, " \t\r\n")})
	return d.Position, err
}

// ReadPositions reads the positions in a text: one in long form, or any number in
// short form, one a line, where a tab and further columns may follow. Lines that
// begin with # are comments. The error is a [*ParseError].
func ReadPositions(file, text string) ([]Diagram, error) {
	src := &source{file, 1, text}
	lines := src.lines()
	if len(lines) == 0 {
		return nil, &ParseError{File: file, Line: 1, Reason: "there is no position in it"}
	}
	if !isShort(lines[0].text) {
		d, err := src.long(lines)
		if err != nil {
			return nil, err
		}
		return []Diagram{d}, nil
	}
	var all []Diagram
	for _, l := range lines {
		d, err := src.short(l)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// isShort tells whether a line looks like a position in short form.
func isShort(text string) bool {
	text = strings.TrimLeft(text, " \t\ufeff")
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
	i := len(l.text) - len(strings.TrimLeft(l.text, " \t\ufeff"))
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
	if rest := l.text[end+1:]; rest != "" && rest[0] != '\t' && strings.Trim(rest, " ") != "" {
		return fail(end+1, "text after the closing bracket")
	}
	squares := l.text[open+1 : end]
	if n := utf8.RuneCountInString(squares); n != 64 {
		return fail(open, "the brackets hold %d squares, not 64", n)
	}
	var b Board
	n := 0
	for at, r := range squares {
		if err := b.putLetter(squareInReadingOrder(n), r, " ."); err != nil {
			return fail(open+1+at, "%v", err)
		}
		n++
	}
	return Diagram{NewPosition(b, side), defaultNumber, s.at(l.offset, "").Line}, nil
}

// squareInReadingOrder counts a8..h8, a7..h7, ..., a1..h1 from 0.
func squareInReadingOrder(n int) Square { return Square(n ^ 56) }

// putLetter puts the piece with that letter on a square; the letters in empty mean none.
func (b *Board) putLetter(s Square, r rune, empty string) error {
	if strings.ContainsRune(empty, r) {
		return nil
	}
	p, ok := Empty, false
	if r < utf8.RuneSelf {
		p, ok = pieceOfLetter(byte(r))
	}
	if !ok {
		return fmt.Errorf("unknown letter %q on %v", r, s)
	}
	b.Put(s, p)
	return nil
}

// long reads a position in long form: a first line such as "47g", then the board,
// with any border.
func (s *source) long(lines []line) (Diagram, error) {
	head := lines[0]
	number, side, rest, ok := cutLabel(strings.TrimLeft(head.text, " \t\ufeff"))
	if !ok || rest != "" {
		return Diagram{}, s.at(head.offset, "a position begins with a line such as 47g (turn number and side), or is written g [64 squares]")
	}
	var b Board
	rank := 8
	for _, l := range lines[1:] {
		if isBorder(l.text) {
			continue
		}
		if rank == 0 {
			return Diagram{}, s.at(l.offset, "a line after the eighth rank of the board")
		}
		if err := s.rank(&b, rank, l); err != nil {
			return Diagram{}, err
		}
		rank--
	}
	if rank != 0 {
		return Diagram{}, s.at(len(s.text), "the board has %d ranks, not 8", 8-rank)
	}
	return Diagram{NewPosition(b, side), number, s.at(head.offset, "").Line}, nil
}

// cutLabel cuts a turn label such as "47g" off the front of text. Without digits
// the number is that of the first turn.
func cutLabel(text string) (number int, side Side, rest string, ok bool) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	number = defaultNumber
	if digits > 0 {
		n, err := strconv.Atoi(text[:digits])
		if err != nil || n < 1 || n > maxNumber {
			return 0, 0, "", false
		}
		number = n
	}
	if digits == len(text) {
		return 0, 0, "", false
	}
	side, ok = sideOfLetter(text[digits])
	rest = text[digits+1:]
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		ok = false
	}
	return number, side, strings.Trim(rest, " \t"), ok
}

// maxNumber is the greatest turn number that is read; records end long before.
const maxNumber = 100_000

// ParseLabel reads a turn label such as "34g" or "34b".
func ParseLabel(text string) (number int, side Side, err error) {
	number, side, rest, ok := cutLabel(text)
	if !ok || rest != "" || text[0] < '0' || text[0] > '9' {
		return 0, 0, fmt.Errorf("%q is not a turn: write a number and a side, for example 34g", text)
	}
	return number, side, nil
}

// isBorder tells whether a line of the long form is a border or names the files.
func isBorder(text string) bool {
	fields := strings.Join(strings.Fields(text), "")
	if strings.EqualFold(fields, "abcdefgh") {
		return true
	}
	return strings.ContainsAny(text, "-=_") && strings.Trim(text, "+-=_*~| \t.'`,/\\") == ""
}

// rank reads a line of the board such as "8| r r   r |". Between the bars, which
// may be missing, there are eight squares with a blank before each, after each, on
// both sides of each, or without blanks; a tab may stand for a blank.
func (s *source) rank(b *Board, rank int, l line) error {
	content, start := l.text, 0
	cut := func(n int) { content, start = content[n:], start+n }
	cut(len(content) - len(strings.TrimLeft(content, " \t")))
	if content[0] >= '0' && content[0] <= '9' {
		if content[0] != '0'+byte(rank) {
			return s.at(l.offset+start, "rank %c stands where rank %d is expected", content[0], rank)
		}
		cut(1)
	}
	bar := strings.IndexByte(content, '|')
	if bar >= 0 && strings.Trim(content[:bar], " \t") == "" {
		cut(bar + 1)
	} else if start == 0 || content == "" || bar >= 0 {
		return s.at(l.offset+start, "a line of the board looks like 8| r r   r   c   r |")
	}
	closed := false
	if end := strings.IndexByte(content, '|'); end >= 0 {
		if after := strings.Trim(content[end+1:], " \t"); after != "" && after != strconv.Itoa(rank) {
			return s.at(l.offset+start+end+1, "text after the end of the rank")
		}
		content, closed = content[:end], true
	}
	cells, offsets := splitRank(content, closed)
	if cells == nil {
		return s.at(l.offset+start, "rank %d does not have 8 squares", rank)
	}
	for file, cell := range cells {
		square := Square(8*(rank-1) + file)
		empty := " ."
		if Traps.Has(square) {
			empty = " .xX"
		}
		if err := b.putLetter(square, cell, empty); err != nil {
			return s.at(l.offset+start+offsets[file], "%v", err)
		}
	}
	return nil
}

// splitRank finds the eight squares in the text between the bars, with their byte
// offsets, or returns nil. A rank without its closing bar may have lost trailing
// blanks.
func splitRank(content string, closed bool) (cells []rune, offsets []int) {
	if fields := strings.Split(content, "\t"); len(fields) == 8 {
		offset := 0
		for _, field := range fields {
			cell := strings.Trim(field, " ")
			if utf8.RuneCountInString(cell) > 1 {
				return nil, nil
			}
			r := ' '
			for _, c := range cell {
				r = c
			}
			cells, offsets = append(cells, r), append(offsets, offset)
			offset += len(field) + 1
		}
		return cells, offsets
	}
	var runes []rune
	var at []int
	for i, r := range content {
		if r == '\t' {
			r = ' '
		}
		runes, at = append(runes, r), append(at, i)
	}
	if !closed && len(runes) != 8 {
		for len(runes) < 17 {
			runes, at = append(runes, ' '), append(at, len(content))
		}
	}
	first, apart := 0, 2
	switch {
	case len(runes) == 8:
		apart = 1
	case len(runes) >= 16 && len(runes) <= 17 && blankEverySecond(runes, 0):
		first = 1
	case len(runes) >= 15 && len(runes) <= 16 && blankEverySecond(runes, 1):
	default:
		return nil, nil
	}
	for i := range 8 {
		cells, offsets = append(cells, runes[first+i*apart]), append(offsets, at[first+i*apart])
	}
	return cells, offsets
}

// blankEverySecond tells whether every second character from first on is a blank.
func blankEverySecond(runes []rune, first int) bool {
	for i := first; i < len(runes); i += 2 {
		if runes[i] != ' ' {
			return false
		}
	}
	return true
}

// Unusual says what cannot come up in a game about a position at the start of a
// turn: more pieces of a kind than a full army has, an undefended piece on a trap,
// or that the game is over. Each reason is one line of the error; nil if there is none.
func (p *Position) Unusual() error {
	var reasons []error
	for _, side := range []Side{Gold, Silver} {
		for kind := Rabbit; kind <= Elephant; kind++ {
			if n := p.Pieces(side, kind).Len(); n > FullArmy[kind] {
				reasons = append(reasons, fmt.Errorf("%v has %d %vs, a full army has %d", side, n, kind, FullArmy[kind]))
			}
		}
	}
	for rest := p.Undefended(); rest != 0; rest = rest.Rest() {
		at := rest.First()
		reasons = append(reasons, fmt.Errorf("the piece %v stands on the trap %v without a defender", p.At(at), at))
	}
	if o := p.Board.Ended(p.side.Other()); o.Over() {
		reasons = append(reasons, fmt.Errorf("the game is over: %v has won (%v)", o.Winner, o.Reason))
	}
	return errors.Join(reasons...)
}
