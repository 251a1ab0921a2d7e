package notation

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
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

// inLine is a position that is written in one line. Perhaps nothing in it says who is to move, or
// which turn comes next (0).
type inLine struct {
	board  arimaa.Board
	number int
	mover
	at   int  // where it begins, an offset in the source
	rest line // what stands behind it
}

// single reads a position that is written in one line:
//
//	g [64 squares]             short form; 23g [...] says which turn comes next
//	setposition g [...]        the AEI command
//	22g rrrddrrr/8/...         ranks from 8 to 1, digits for empty squares; the side may also stand behind them
//	...?ranks=rrrddrrr/8/...   the address of a picture of a board
//	Ra1 Rb1 ra8 g              pieces, as the client 4steps copies them, with the side behind
//	Gold: Ra6. Silver: rh7.    pieces as people write them
//
// There may be quotation marks around it or around its squares. The short form may stand anywhere
// among prose, if all of it is right.
func (s *source) single(l line) (inLine, error) {
	l.text = unquoted(l.text)
	words := l.words()
	if positionsIn(l.text, words) > 1 {
		return inLine{}, s.errorAt(l.start(), "several positions in a line: write one a line")
	}
	if isLink(l.text) {
		return s.link(l)
	}
	if isRanks(words) {
		return s.slashed(l, words)
	}
	if list, ok := cutPieces(l); ok {
		return s.pieces(l, list)
	}
	if len(words) > 0 && words[0].text == "setposition" {
		return s.short(l.from(words[0].offset + len("setposition")))
	}
	if isShort(l.text) {
		return s.short(l)
	}
	if at := embedded.FindStringIndex(l.text); at != nil {
		begins := at[1] - 66 // of the squares
		for begins > at[0] && strings.IndexByte(blanks+"gswb0123456789", l.text[begins-1]) >= 0 {
			begins--
		}
		l = l.from(l.offset + begins)
	}
	return s.short(l)
}

// positionsIn counts the positions in a line.
func positionsIn(text string, words []word) int {
	n := strings.Count(text, "ranks=")
	if mayEmbed(text) {
		n += len(embedded.FindAllStringIndex(text, -1))
	}
	for i := range words {
		if ranksAmong(words[i:i+1]) == 0 {
			n++
		}
	}
	return n
}

// InOneLine reports whether a line looks like a position in one line, in any of the forms of
// [ParsePosition], and not like the name of a file.
func InOneLine(text string) bool {
	l := line{text: clean(text)}
	return !isComment(l.text) && isSingle(l, l.words())
}

// isSingle reports whether a line looks like a position in one line.
func isSingle(l line, words []word) bool {
	if isShort(l.text) || isRanks(words) || words[0].text == "setposition" && len(words) > 1 || isLink(l.text) {
		return true
	}
	return isList(l)
}

// isList reports whether a line begins with a list of pieces.
func isList(l line) bool {
	_, ok := cutPieces(l)
	return ok
}

// diagram makes a diagram of a position, if it is known who is to move.
func (s *source) diagram(p inLine, number int) (Diagram, error) {
	if !p.known {
		e := s.errorAt(p.at, "%v: write g (gold) or s (silver) before the position", ErrNoSide)
		e.Err = ErrNoSide
		return Diagram{}, e
	}
	return Diagram{arimaa.NewPosition(p.board, p.side), cmp.Or(p.number, arimaa.FirstTurn), number}, nil
}

// embedded matches a position in short form among other text, behind its side, or behind a mark.
var embedded = regexp.MustCompile("(?:(?:^|[^A-Za-z0-9])[0-9]*[gswb] ?|[:,;`|] ?)\\[[RCDHMErcdhme .]{64}\\]")

// mayEmbed reports whether 64 characters stand in brackets somewhere in a text.
func mayEmbed(text string) bool {
	for i := range max(len(text)-65, 0) {
		if text[i] == '[' && text[i+65] == ']' {
			return true
		}
	}
	return false
}

// start returns where the text of a line begins, in the source.
func (l line) start() int { return l.offset + len(l.text) - len(unindented(l.text)) }

// from returns what stands in a line from an offset in the source.
func (l line) from(offset int) line {
	return line{text: l.text[offset-l.offset:], offset: offset, number: l.number}
}

// blanks are what may stand before the text of a line.
const blanks = " \t"

// unindented returns a text without the blanks before it.
func unindented(text string) string {
	for text != "" && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	return text
}

// isShort reports whether a line looks like a position in short form: squares in brackets behind a
// side, a label or nothing.
func isShort(text string) bool {
	text = unindented(text)
	if isBareSquares(text) {
		return true
	}
	if text = text[digitsOf(text):]; text == "" {
		return false
	}
	if _, ok := sideOfLetter(text[0]); !ok {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(text[1:], ":"), blanks), "[")
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
	start := len(text) - len(unindented(text))
	i := start + digitsOf(text[start:])
	if i == len(text) {
		return 0, mover{}, start
	}
	number, side, _, ok := cutLabel(text[start : i+1])
	if !ok {
		return 0, mover{}, start
	}
	if i == start {
		number = 0
	}
	return number, mover{side, true}, i + 1
}

// short reads one line in short form.
func (s *source) short(l line) (inLine, error) {
	fail := func(i int, format string, args ...any) (inLine, error) {
		return inLine{}, s.errorAt(l.offset+i, format, args...)
	}
	number, m, i := cutShort(l.text)
	switch {
	case i == len(l.text) && !m.known:
		return fail(0, "there is no position in it")
	case !m.known && l.text[i] != '[':
		if letter := strings.TrimLeft(l.text[i:], "0123456789"); len(letter) < len(l.text[i:]) && isShort(letter) {
			return fail(i, "the number of a turn is from 1 to 100000")
		}
		r, _ := utf8.DecodeRuneInString(l.text[i:])
		return fail(i, "a position in short form begins with g or s, not %q", r)
	}
	open := strings.IndexByte(l.text, '[')
	if open < 0 || strings.Trim(strings.TrimPrefix(l.text[i:open], ":"), blanks) != "" {
		return fail(i, "after the side letter there must be the squares in brackets: g [...]")
	}
	end := strings.IndexByte(l.text, ']')
	if end < open {
		return fail(len(l.text), "the closing bracket is missing")
	}
	squares := l.text[open+1 : end]
	if n := utf8.RuneCountInString(squares); n != 64 {
		return fail(open, "the brackets hold %d squares, not 64", n)
	}
	p := inLine{number: number, mover: m, at: l.start(), rest: l.from(l.offset + end + 1)}
	n := 0 // counts a8..h8, a7..h7, ..., a1..h1
	for at, r := range squares {
		if err := putLetter(&p.board, arimaa.Square(n^56), r, " ."); err != nil {
			return fail(open+1+at, "%v", err)
		}
		n++
	}
	return p, nil
}

// ranksAmong returns the place of ranks with slashes between them among the words of a line, -1 if
// there are none: eight parts of letters and digits, such as in chess, or nearly eight of pieces and
// digits. Behind the first two words they must have eight parts, and pieces.
func ranksAmong(words []word) int {
	for i, w := range words {
		w.text = strings.TrimRight(w.text, ",;")
		n := strings.Count(w.text, "/")
		switch {
		case n < 5 || n > 9:
		case i > 1 && (n != 7 || !isSquaresOnly(w.text) || !strings.ContainsAny(w.text, pieceLetters)):
		case n == 7 && isSlashed(w.text), isSquaresOnly(w.text):
			return i
		}
	}
	return -1
}

func isRanks(words []word) bool { return ranksAmong(words) >= 0 }

// isSlashed reports whether a word has letters, digits and dots between its slashes, up to 12.
func isSlashed(text string) bool {
	for part := range strings.SplitSeq(text, "/") {
		if len(part) < 1 || len(part) > 12 || strings.Trim(part, letters+".") != "" {
			return false
		}
	}
	return true
}

// isSquaresOnly reports whether a word has nothing but pieces, digits and dots between its slashes.
func isSquaresOnly(text string) bool { return strings.Trim(text, pieceLetters+"12345678./") == "" }

var (
	// link matches the address of a picture of a board, with its ranks (1), linkSide its side (1).
	link     = regexp.MustCompile(`[?&;]ranks=([^&\s"'<>()\[\]]+)`)
	linkSide = regexp.MustCompile(`[?&;]side=([gswb])\b`)
)

// slashed reads ranks with slashes between them, rank 8 first, and the side before or behind them.
func (s *source) slashed(l line, words []word) (inLine, error) {
	p := inLine{at: l.start()}
	label := func(w word) error {
		n, side, rest, ok := cutLabel(w.text)
		switch {
		case !ok || rest != "":
			return s.errorAt(w.offset, "beside the ranks there may stand who is to move, g or s, or a turn such as 23g, not %q", w.text)
		case p.known:
			return s.errorAt(w.offset, "the side to move stands before the ranks and behind them")
		}
		if p.mover = (mover{side, true}); isDigit(w.text[0]) {
			p.number = n
		}
		return nil
	}
	at := ranksAmong(words)
	if at == 1 && len(words[0].text) < 3 || at > 0 && isLabel(words[at-1].text) {
		if err := label(words[at-1]); err != nil {
			return p, err
		}
	}
	ranks := words[at]
	end := ranks.offset + len(ranks.text)
	ranks.text = strings.TrimRight(ranks.text, ",;")
	if at > 0 && !p.known {
		p.at = ranks.offset // the words before it may say who is to move
	}
	if behind := words[at+1:]; len(behind) > 0 && (!p.known || isSide(behind[0].text)) && namesSide(l.from(end), behind[0], at > 1) {
		if err := label(behind[0]); err != nil {
			return p, err
		}
		end = behind[0].offset + len(behind[0].text)
	}
	p.rest = l.from(end)
	return p, s.slashedRanks(&p.board, ranks)
}

// namesSide reports whether the first word behind ranks must say who is to move. Words may do so instead,
// or, in a sentence, before the ranks.
func namesSide(behind line, first word, inSentence bool) bool {
	if inSentence {
		return isLabel(first.text)
	}
	return isLabel(strings.TrimRight(first.text, ",;")) || !captionOf(behind).known
}

// isLabel reports whether a word is the label of a turn, or the letter of a side.
func isLabel(text string) bool {
	_, _, rest, ok := cutLabel(text)
	return ok && rest == ""
}

// slashedRanks puts the pieces of eight ranks on a board.
func (s *source) slashedRanks(b *arimaa.Board, squares word) error {
	rank, file := 8, 0
	for i, r := range squares.text {
		at := squares.offset + i
		switch {
		case r == '/' && rank == 1:
			return s.errorAt(at, "there are more than 8 ranks")
		case r == '/':
			if err := s.filled(at, rank, file); err != nil {
				return err
			}
			rank, file = rank-1, 0
			continue
		case r >= '1' && r <= '8':
			file += int(r - '0')
		case file < 8:
			if err := putLetter(b, arimaa.Square(8*(rank-1)+file), r, "."); err != nil {
				return s.errorAt(at, "%v", err)
			}
			file++
		default:
			file++
		}
		if file > 8 {
			return s.errorAt(at, "rank %d has more than 8 squares", rank)
		}
	}
	end := squares.offset + len(squares.text)
	if rank > 1 {
		return s.errorAt(end, "there are %d of 8 ranks", 9-rank)
	}
	return s.filled(end, rank, file)
}

// filled notes that a rank has fewer squares than eight: those that are missing are empty.
func (s *source) filled(at, rank, file int) error {
	if file == 8 {
		return nil
	}
	return s.mended(at, "missing squares", "the others are taken as empty", "rank %d has %d of 8 squares", rank, file)
}

func isLink(text string) bool { return strings.Contains(text, "ranks=") && link.MatchString(text) }

// link reads the ranks in the address of a picture of a board, as forums show it.
func (s *source) link(l line) (inLine, error) {
	ranks := link.FindStringSubmatchIndex(l.text)[2:4]
	p := inLine{at: l.start(), rest: l.from(l.offset + ranks[1])}
	if side := linkSide.FindStringSubmatch(l.text); side != nil {
		p.side, p.known = sideOfLetter(side[1][0])
	}
	text := l.text[ranks[0]:ranks[1]]
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	p.rest.text = strings.TrimLeft(p.rest.text, "&;=/?.,%+-_~#"+letters)
	p.rest.offset = l.offset + len(l.text) - len(p.rest.text)
	return p, s.slashedRanks(&p.board, word{text, l.offset + ranks[0]})
}

// letters are those of addresses.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// pieceList is a list of pieces on their squares.
type pieceList struct {
	pieces []listed
	sides  [2]bool // a heading names the side
	mover
	inWords mover // to move, by words before the pieces
	rest    int   // where the list ends, an offset in the source
}

// first returns the side of the first piece.
func (list pieceList) first() arimaa.Side {
	if w := list.pieces[0]; w.heading.known {
		return w.heading.side
	}
	p, _ := pieceOfLetter(list.pieces[0].text[0])
	return p.Side()
}

// isOpen reports whether a line of a list goes on in the next one.
func isOpen(l line) bool { return strings.HasSuffix(l.text, ",") || strings.HasSuffix(l.text, " and") }

// oneSided reports whether all pieces are of one side.
func (list pieceList) oneSided() bool {
	first := list.first()
	for _, w := range list.pieces {
		if list.pieces = []listed{w}; list.first() != first {
			return false
		}
	}
	return true
}

// listed is a piece of a list, with the side that its heading names, if any.
type listed struct {
	word
	heading mover
}

// maxList is how long a line is that lists pieces, in bytes: 64 pieces take 320.
const maxList = 4096

// cutPieces reads the pieces on their squares with which a line begins, with or without headings
// such as Gold:. It is a list if only the side to move stands behind it: a letter, or words.
func cutPieces(l line) (list pieceList, ok bool) {
	if l.found == nil {
		return readPieces(l)
	}
	f := l.found.pieces.in(l, func(l line) foundPieces {
		list, ok := readPieces(l)
		return foundPieces{list, ok}
	})
	return f.list, f.ok
}

// foundPieces are what cutPieces returns.
type foundPieces struct {
	list pieceList
	ok   bool
}

func readPieces(l line) (list pieceList, ok bool) {
	if text := strings.TrimLeft(l.text, blanks+"(),;."); len(l.text) > maxList || text == "" || isDigit(text[0]) || !strings.ContainsAny(text, "12345678") {
		return list, false
	}
	var heading mover
	list.rest = l.offset + len(l.text)
	said, words := pieceWords(l)
	list.inWords = said
	for i, w := range words {
		bare := strings.Trim(w.text, "(),;.")
		name, headed := strings.CutSuffix(bare, ":")
		switch {
		case isPlacement(bare):
			list.pieces = append(list.pieces, listed{word{bare, w.offset + strings.Index(w.text, bare)}, heading})
			continue
		case headed && isSideName(name):
			heading = mover{sideNamed(name), true}
			list.sides[heading.side] = true
			continue
		case len(list.pieces) > 0 && (bare == "and" || bare == "&" || bare == ""):
			continue
		case i == len(words)-1 && len(w.text) == 1 && len(list.pieces) > 0:
			list.side, list.known = sideOfLetter(w.text[0])
			return list, list.known || len(list.pieces) > 1
		}
		list.rest = w.offset
		break
	}
	if n := len(list.pieces); n == 0 || n == 1 && !heading.known {
		return list, false
	}
	rest := l.from(list.rest)
	if isBare(rest.text) {
		return list, true
	}
	return list, heading.known || captionOf(rest).known
}

// pieceWords splits a line that may list pieces: also at commas without a blank, and with E e3 as one
// word. The line may begin with words that say who is to move.
func pieceWords(l line) (said mover, words []word) {
	all := line{text: strings.ReplaceAll(l.text, ",", " "), offset: l.offset}.words()
	if len(all) > 3 && isSideName(all[0].text) && all[1].text == "to" && all[2].text == "move:" {
		said, all = mover{sideNamed(all[0].text), true}, all[3:]
	}
	for i, w := range all {
		if n := len(words) - 1; i > 0 && len(words[n].text) == 1 && isPlacement(words[n].text+strings.TrimRight(w.text, ".;)")) {
			words[n].text += w.text
			continue
		}
		words = append(words, w)
	}
	return said, words
}

// isBare reports whether nothing but marks stands behind a list.
func isBare(rest string) bool { return strings.Trim(rest, " .;,") == "" }

var (
	// restOfList matches how words begin that may stand behind a list of pieces, squareIn a square.
	restOfList = regexp.MustCompile(`^[\s.;,:(*_-]*(?:` + aSide + `|win|mate)`)
	squareIn   = regexp.MustCompile(`\b[A-Za-z]?[a-h][1-8]\b`)
)

func isPlacement(text string) bool {
	if len(text) != 3 {
		return false
	}
	_, ok := pieceOfLetter(text[0])
	_, ok2 := squareOfName(text[1:])
	return ok && ok2
}

// pieces reads a list of pieces, of both sides in any order.
func (s *source) pieces(l line, list pieceList) (inLine, error) {
	p := inLine{mover: list.mover, at: l.start(), rest: l.from(list.rest)}
	if last := l.words(); !p.known && len(last[len(last)-1].text) == 1 && list.rest == l.offset+len(l.text) {
		w := last[len(last)-1]
		return p, s.errorAt(w.offset, "behind the pieces there stands who is to move, g or s, not %q", w.text)
	}
	if rest := p.rest.text; !isBare(rest) && (!restOfList.MatchString(strings.ToLower(rest)) || squareIn.MatchString(rest)) {
		w := p.rest.words()[0]
		return p, s.errorAt(w.offset, "%q is not a piece on a square such as Ra1", w.text)
	}
	if list.inWords.known && p.known && list.side != list.inWords.side {
		return p, s.errorAt(p.at, "the words before the pieces say another side to move than the letter behind them")
	}
	p.mover = cmp.Or(p.mover, list.inWords)
	for _, w := range list.pieces {
		piece, _ := pieceOfLetter(w.text[0])
		square, _ := squareOfName(w.text[1:])
		if p.board.At(square) != arimaa.Empty {
			return p, s.errorAt(w.offset, "%q: the square is taken", w.text)
		}
		if w.heading.known && piece.Side() != w.heading.side {
			if err := s.otherHeading(list, w); err != nil {
				return p, err
			}
			piece = arimaa.NewPiece(w.heading.side, piece.Kind())
		}
		p.board.Put(square, piece)
	}
	return p, nil
}

// otherHeading notes a piece that has a letter of the other side than its heading: all pieces below
// it must have.
func (s *source) otherHeading(list pieceList, w listed) error {
	for _, other := range list.pieces {
		if p, _ := pieceOfLetter(other.text[0]); other.heading == w.heading && p.Side() == w.heading.side {
			return s.errorAt(w.offset, "%s stands below the heading of %v, with letters of both sides", w.text, w.heading.side)
		}
	}
	return s.mended(w.offset, "letters of the other side", "the heading counts", "%s stands below the heading of %v", w.text, w.heading.side)
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
