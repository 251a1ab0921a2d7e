package notation

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// positionReader reads the positions of a text line by line. Between them there may be prose,
// unless the text is a list in short form; a line that looks like a part of a position is never
// prose. At any time the reader is at one of three places:
//
//   - outside of a position, where each line either begins one or is prose;
//   - in a diagram, whose lines are collected until there are eight ranks;
//   - below a position that is whole, where turns may follow that are played.
type positionReader struct {
	l     *Lines
	list  bool // the first line is in short form: there is no prose
	yield func(Entry, error) bool
	done  bool // nobody wants more

	found bool  // there was an entry or an error
	prose prose // what was passed over
	idle  int   // bytes of it since the last entry

	above   hint     // what the last line said about the side to move
	aei     bool     // the text holds commands of the AEI
	newGame bool     // the last command that sets a position is newgame
	diagram *drawing // under way
	broken  bool     // what follows a diagram with an error is a part of it, up to the next position

	whole *played // the last position, once it is complete
}

// prose is, of the lines that were passed over, the one that looks most like something; if none
// does, the first.
type prose struct {
	line
	like string // what it looks like, and where it departs from that; "" if it is like nothing
	at   int    // offset in the line
	bad  bool   // it is not in UTF-8
}

// hint is what a line beside a diagram says: who is to move, and perhaps which turn comes next.
type hint struct {
	mover
	number int
	doubt  error // it says the contrary of the position above, unless it belongs to one below
}

// drawing is a diagram under way.
type drawing struct {
	text   strings.Builder // of its lines, from the first
	begins int             // line number of the first
	head   hint            // what its first line says, or the line above
	headed bool            // it has a first line
	wrong  error           // the first line contradicts itself, or the line above
	ranks  int             // lines that are no border
}

// played is a position that is complete, with the turns below it.
type played struct {
	Diagram
	game         *arimaa.Game // the turns below it, if any
	inOneLine    bool         // it is written in one line
	sideKnown    bool         // the side to move is known from the text
	captioned    bool         // a line below says who is to move
	byCaption    bool         // and nothing else says it
	captionApart bool         // that line stands below a blank line
	numbered     bool         // the text says which turn comes next
	gap          bool         // there was a blank line or a comment
	err          error        // nobody knows who is to move, unless the next line says so
}

// positions reads positions, or a game below prose.
func (l *Lines) positions(list bool, yield func(Entry, error) bool) {
	r := &positionReader{l: l, list: list, yield: yield}
	for !r.done {
		text, err := l.Next()
		switch {
		case err == io.EOF:
			r.end()
			return
		case err != nil:
			if bad := (*ParseError)(nil); errors.As(err, &bad) && r.diagram == nil {
				r.flush() // it was whole before
			}
			r.fail(err)
			return
		}
		r.line(text)
	}
}

// entry hands over an entry or an error.
func (r *positionReader) entry(e Entry, err error) {
	r.found, r.idle = true, 0
	r.done = r.done || !r.yield(e, err)
}

func (r *positionReader) fail(err error) {
	if !r.done {
		r.entry(Entry{}, err)
	}
}

// failIn reports an error in a text that begins in a line.
func (r *positionReader) failIn(text string, begins int, err error) {
	if !utf8.ValidString(text) {
		err = r.l.fail(begins, "the text is not in UTF-8: save it in that encoding")
	}
	r.fail(err)
}

// flush hands over the position that is whole.
func (r *positionReader) flush() {
	w := r.whole
	r.whole = nil
	switch {
	case w == nil || r.done:
	case w.err != nil:
		r.fail(w.err)
	default:
		d := w.Diagram
		if w.game != nil {
			d.Position, d.Number = w.game.Last(), w.game.Number(w.game.Len())
		}
		r.entry(Entry{Position: &d}, nil)
	}
}

// end says what is missing at the end of the text.
func (r *positionReader) end() {
	r.closeDiagram()
	r.flush()
	if r.above.doubt != nil {
		r.fail(r.above.doubt)
	}
	switch {
	case r.found || r.done:
	case r.prose.number == 0:
		r.fail(&ParseError{File: r.l.file, Line: 1, Reason: "there is no position in it"})
	case r.prose.bad:
		r.failIn("\xff", r.prose.number, nil)
	case r.prose.like != "":
		r.fail(r.source(r.prose.line).errorAt(r.prose.at, "%s", r.prose.like))
	default:
		r.fail(r.source(r.prose.line).errorAt(r.prose.at, "%s", noPosition))
	}
}

// pass passes over a line of prose, and notes it if nothing before looked more like something.
func (r *positionReader) pass(l line) {
	if r.idle += len(l.text) + 1; r.idle > MaxEntry {
		r.fail(r.l.fail(l.number, "there are more than %d bytes of text without a position", MaxEntry))
		r.done = true
		return
	}
	if r.found || r.prose.like != "" {
		return
	}
	like, at := likeness(l)
	if r.prose.number == 0 || like != "" {
		l.text = strings.Clone(l.text[:min(len(l.text), 1000)])
		r.prose = prose{l, like, min(at, len(l.text)), !utf8.ValidString(l.text)}
	}
}

// likeness says which part of a position or a game a line of prose looks like, why it is none, and
// where; "" if it looks like nothing of the kind.
func likeness(l line) (like string, at int) {
	words := l.words()
	start := words[0].offset
	switch {
	case labelLike.MatchString(words[0].text):
		return "this looks like the label of a turn, but it is not one: write a number from 1 to 100000 and g or s, for example 47g", start
	case areSteps(words):
		return "this looks like a turn, but no position stands above it, and no list of turns with a setup", start
	case strings.Count(l.text, "|") > 1:
		return "this looks like a rank of a board, but it has other signs than pieces and empty squares, such as 8| r r   r   c   r |", start
	case strings.Contains(l.text, "["):
		return "this looks like a position in short form, but that is g and then 64 squares in brackets, g [...]", strings.IndexByte(l.text, '[')
	}
	return "", start
}

// labelLike matches what may be meant as a label.
var labelLike = regexp.MustCompile(`^\d+[.:]?[gswbGSWB]?[.:)]?$`)

// noPosition says what a text lacks that holds nothing but prose.
const noPosition = "a position begins with a line such as 47g (turn number and side), or is written g [64 squares]"

// source returns a line as a text of its own.
func (r *positionReader) source(l line) *source { return &source{r.l.file, l.number, l.text} }

// line reads the next line.
func (r *positionReader) line(raw string) {
	l := line{text: strings.TrimRight(clean(raw), " \t\r\n"), number: r.l.number}
	if isComment(l.text) {
		r.broken = false
		if r.diagram != nil {
			r.collect(l.text)
		} else if r.whole != nil {
			r.whole.gap = true
		}
		return
	}
	if d := r.diagram; d != nil && d.headed && d.ranks == 0 && d.wrong == nil && r.whole == nil && isSquares(l) {
		r.diagram = nil
		r.single(l, d.head)
		if r.whole != nil {
			r.whole.Number, r.whole.Line = d.head.number, d.begins
		}
		return
	}
	if r.diagram != nil && !r.begins(l) {
		r.collect(l.text)
		if r.diagram == nil || isBorder(l.text) {
			return
		}
		if r.diagram.ranks++; r.diagram.ranks == 8 {
			r.closeDiagram()
		}
		return
	}
	r.closeDiagram()
	if r.whole != nil && r.below(l) {
		return
	}
	if w := r.whole; w != nil && w.byCaption && (isRank(l.text) || isBareSquares(strings.TrimLeft(l.text, blanks)) || w.captionApart && w.sameMover(l)) {
		w.err = r.source(l).errorAt(0, "the line above may say who is to move in this position, or in the one above it: say it in both")
	}
	var before mover
	if r.whole != nil && r.whole.err == nil {
		before = mover{r.whole.mover(), true}
	}
	r.flush()
	if !r.done {
		r.outside(l, before)
	}
}

// begins reports whether a line begins another position while a diagram is under way.
func (r *positionReader) begins(l line) bool {
	_, _, ok := cutHead(l.text)
	return ok || isSingle(l.text, l.words())
}

// isSquares reports whether a line holds the squares of a position, perhaps without a side.
func isSquares(l line) bool {
	return isRanks(l.words()) || isBareSquares(strings.TrimLeft(l.text, blanks))
}

// isSingle reports whether a line looks like a position in one line.
func isSingle(text string, words []word) bool {
	return isShort(text) || isRanks(words) || isPieces(words) || words[0].text == "setposition"
}

// collect adds a line to the diagram under way.
func (r *positionReader) collect(text string) {
	d := r.diagram
	if d.text.Len()+len(text) >= MaxEntry {
		r.diagram = nil
		r.fail(r.l.tooLong(d.begins, "position"))
		r.done = true
		return
	}
	d.text.WriteString(text + "\n")
}

// closeDiagram reads the diagram under way, if there is one.
func (r *positionReader) closeDiagram() {
	d := r.diagram
	if d == nil {
		return
	}
	r.diagram = nil
	src := &source{r.l.file, d.begins, d.text.String()}
	lines := src.lines()
	last := lines[len(lines)-1]
	end := last.offset + len(last.text)
	if d.headed {
		lines = lines[1:]
	}
	if r.whole != nil { // a label stood below its turns
		r.flush()
		if d.ranks == 0 {
			return
		}
	}
	b, err := src.ranks(lines, end)
	if err == nil {
		err = d.wrong
	}
	if err != nil {
		r.broken = true
		r.failIn(src.text, d.begins, err)
		return
	}
	w := &played{sideKnown: d.head.known, numbered: d.head.number != 0}
	w.Diagram = Diagram{Number: cmp.Or(d.head.number, arimaa.FirstTurn), Line: d.begins}
	text, _, _ := strings.Cut(src.text, "\n")
	at, err := src.position(line{text: text, number: d.begins}, b, w.Number, cmp.Or(d.head.mover, r.l.otherwise))
	if w.Position, w.err = at.Position, err; err != nil {
		w.Position = arimaa.NewPosition(b, arimaa.Gold) // until a line below says who is to move
	}
	r.whole = w
}

// contradicts is the error of a line that names another side to move than the position above it.
func (r *positionReader) contradicts(l line, here, above arimaa.Side) error {
	return r.source(l).errorAt(l.words()[0].offset, "here %v is to move, but in the position above %v is", here, above)
}

// outside reads a line outside of a position. Before is who is to move in a position right above
// it.
func (r *positionReader) outside(l line, before mover) {
	above := r.above
	r.above = hint{}
	words := l.words()
	number, side, rest, labelled := cutNumbered(l.text)
	head, wrong, ok := cutHead(l.text)
	if above.doubt != nil && !ok && !isRank(l.text) && !isBorder(l.text) && !isSingle(l.text, words) {
		r.fail(above.doubt)
	}
	switch {
	case isSingle(l.text, words):
		r.single(l, above)
	case ok:
		r.newGame = false
		r.begin(l, head, true)
		if wrong == "" && above.known && above.side != head.side {
			wrong = fmt.Sprintf("the label says that %v is to move, the line above says %v", head.side, above.side)
		}
		if wrong != "" {
			r.diagram.wrong = r.source(l).errorAt(words[0].offset, "%s", wrong)
		}
	case isRank(l.text) && (!r.broken || words[0].text[0] == '8'):
		r.begin(l, above, false)
	case r.broken && (isRank(l.text) || isBorder(l.text)), r.broken && labelled:
	case labelled && isTurn(rest) && !r.found:
		r.game(l)
	case labelled && isTurn(rest) && !r.list:
		r.broken = true // the turns below are the same to it
		r.fail(r.source(l).errorAt(words[0].offset, "turn %s may continue a position above or be only about it: put turns right below their position, "+
			"or leave them out", arimaa.TurnLabel(number, side)))
	case words[0].text == "makemove" && r.newGame && !r.found:
		r.moves(l)
	case words[0].text == "makemove" && len(words) > 1 && (isPlacement(words[1].text) || isStep(words[1].text)):
		r.fail(r.source(l).errorAt(words[0].offset, "makemove stands before newgame and setposition: nobody knows in which position"))
	case words[0].text == "newgame" && len(words) == 1:
		r.aei, r.newGame = true, true
	case r.list && (strings.Contains(l.text, "[") || isSide(words[0].text)):
		r.single(l, above)
	case r.list && !r.aei:
		r.failIn(l.text, l.number, r.source(l).errorAt(words[0].offset, "%s", noPosition))
	case isBorder(l.text):
		r.above = above
	case bracketless.MatchString(l.text):
		r.fail(r.source(l).errorAt(words[1].offset, "this looks like a position in short form, g [64 squares], but the opening bracket is missing"))
	case embedded.MatchString(l.text):
		r.fail(r.source(l).errorAt(embedded.FindStringIndex(l.text)[0], "this looks like a position in short form, g [64 squares], but other text stands before it in its line"))
	default:
		r.broken = false
		if r.above = sideIn(l); r.above.known && before.known && r.above.side != before.side {
			r.above.doubt = r.contradicts(l, r.above.side, before.side)
		}
		r.aei = r.aei || words[0].text == "aei"
		r.pass(l)
	}
}

// embedded matches squares in brackets that stand anywhere in a line, bracketless squares without a
// bracket.
var (
	embedded    = regexp.MustCompile(`\[[RCDHMErcdhme .]{20,}`)
	bracketless = regexp.MustCompile(`^\s*\d*[gswb]\s+[RCDHMErcdhme][RCDHMErcdhme .]{19,}\]?\s*$`)
	// loose matches a turn with a mark behind its label.
	loose = regexp.MustCompile(`^\s*\d+[gswb][.:)]+\s*[RCDHMErcdhme][a-h][1-8][nsewx]`)
)

// single reads a position in one line.
func (r *positionReader) single(l line, above hint) {
	r.broken, r.newGame = false, false
	r.aei = r.aei || strings.HasPrefix(strings.TrimLeft(l.text, blanks), "setposition")
	src := r.source(l)
	d, err := src.single(l, cmp.Or(above.mover, r.l.otherwise))
	if err != nil {
		r.failIn(l.text, l.number, err)
		return
	}
	if above.known && d.Position.Side() != above.side {
		r.fail(src.errorAt(0, "%v is to move here, but the line above says %v", d.Position.Side(), above.side))
		return
	}
	r.whole = &played{Diagram: d, inOneLine: true, sideKnown: true, numbered: d.Number != arimaa.FirstTurn}
}

// begin begins a diagram.
func (r *positionReader) begin(l line, head hint, headed bool) {
	r.broken = false
	r.diagram = &drawing{begins: l.number, head: head, headed: headed}
	if !headed {
		r.diagram.ranks = 1
	}
	r.collect(l.text)
}

// below reads a line below a position that is whole, and reports whether it belongs to it.
func (r *positionReader) below(l line) bool {
	w := r.whole
	words := l.words()
	number, side, rest, labelled := cutNumbered(l.text)
	if head, _, ok := cutHead(l.text); ok && w.game != nil && head.number == w.game.Number(w.game.Len()) && head.side == w.mover() {
		r.begin(l, head, true) // or the label at the end of the turns, if no board follows
		return true
	} else if ok || isSingle(l.text, words) {
		return false
	}
	src := r.source(l)
	switch {
	case labelled && isTurn(rest):
		if w.err != nil {
			w.Position = arimaa.NewPosition(w.Position.Board, side)
			w.err, w.sideKnown = nil, true
		}
		if !w.numbered && w.game == nil && side == w.mover() && number >= arimaa.FirstTurn {
			w.Number, w.numbered = number, true
		}
		r.play(src, number, side, words)
		return true
	case words[0].text == "makemove" && len(words) > 1:
		g := w.start()
		words[0].text = g.Label(g.Len())
		r.play(src, g.Number(g.Len()), w.mover(), words)
		return true
	case r.list && !r.aei:
		return false
	case r.aei && isChatter(words[0].text):
		return true
	case isBorder(l.text):
		return true
	case !w.inOneLine && isRank(l.text) && words[0].text[0] != '8' && !w.gap:
		r.whole = nil
		r.broken = true
		r.fail(src.errorAt(0, "a line after the eighth rank of the board"))
		return true
	case areSteps(words), loose.MatchString(l.text):
		r.whole = nil
		r.broken = true
		r.fail(src.errorAt(words[0].offset, "a turn below a position begins with its label and a blank, here %s", w.label()))
		return true
	}
	if h := sideIn(l); h.known && !w.captioned && w.game == nil && !(w.gap && w.sideKnown) {
		switch w.captioned = true; {
		case w.err != nil:
			w.Position = arimaa.NewPosition(w.Position.Board, h.side)
			w.err, w.sideKnown, w.byCaption, w.captionApart = nil, true, true, w.gap
		case w.mover() != h.side:
			r.whole, r.broken = nil, true
			r.fail(r.contradicts(l, h.side, w.mover()))
		}
		return true
	}
	return false
}

// start returns the game that begins in a position.
func (w *played) start() *arimaa.Game {
	if w.game == nil {
		w.game = arimaa.NewGame(w.Position, w.Number)
	}
	return w.game
}

// mover returns who is to move after the turns.
func (w *played) mover() arimaa.Side {
	p := w.Position
	if w.game != nil {
		p = w.game.Last()
	}
	return p.Side()
}

// sameMover reports whether a line is the label of a board with the same side to move.
func (w *played) sameMover(l line) bool {
	head, _, ok := cutHead(l.text)
	return ok && head.side == w.mover()
}

// label returns the label of the turn to come.
func (w *played) label() string {
	g := w.start()
	return g.Label(g.Len())
}

// play plays a turn below a position.
func (r *positionReader) play(src *source, number int, side arimaa.Side, words []word) {
	w := r.whole
	if w.err == nil {
		g := &gameReader{source: src, game: w.start()}
		err := g.line(number, side, words, false)
		if err == nil {
			return
		}
		w.err = err
	}
	r.whole, r.broken = nil, true // the turns below are a part of it
	r.fail(w.err)
}

// game reads the rest of the text as a list of turns.
func (r *positionReader) game(first line) {
	e, err := r.l.gameFrom(first.text+"\n", first.number, func(s *source) (*arimaa.Game, error) { return s.game(s.lines()) })
	r.entry(e, err)
	r.done = true
}

// moves reads the rest of the text as commands of the AEI behind newgame.
func (r *positionReader) moves(first line) {
	e, err := r.l.gameFrom(first.text+"\n", first.number, (*source).commands)
	r.entry(e, err)
	r.done = true
}

// cutHead reads the first line of a diagram: a label such as 47g, perhaps with a remark such as
// (gold to move) behind it. If the remark says the other side, wrong says so.
func cutHead(text string) (head hint, wrong string, ok bool) {
	text = strings.TrimLeft(text, blanks)
	number, side, rest, ok := cutLabel(text)
	if !ok {
		return hint{}, "", false
	}
	head = hint{mover: mover{side, true}, number: number}
	if rest == "" {
		return head, "", true
	}
	remark := rest[0] == '(' && rest[len(rest)-1] == ')' || statement.MatchString(rest)
	if !isDigit(text[0]) || !remark {
		return hint{}, "", false
	}
	for _, said := range toMove.FindAllStringSubmatch(rest, -1) {
		if sideNamed(said[1]) != side {
			return head, "the label says that " + side.String() + " is to move, the words behind it say " + sideNamed(said[1]).String(), true
		}
	}
	return head, "", true
}

var (
	// toMove matches the words that say who is to move, statement a line that consists of them.
	toMove    = regexp.MustCompile(`(?i)\b(gold|white|silver|black)(?:'s (?:turn|move)\b|,? (?:is )?to (?:move|play)\b)`)
	statement = regexp.MustCompile(`(?i)^[\s(*_]*(?:gold|white|silver|black)(?:'s (?:turn|move)|,? (?:is )?to (?:move|play))(?: and wins?(?: in \w+(?: turns?| moves?)?)?)?[\s).:;,!*_]*$`)
	// sharp matches the line that bot_sharp writes above its diagrams: the player (1: gold), the
	// steps made and the turn.
	sharp = regexp.MustCompile(`^\s*P = ([01])(?:, S = (\d))?(?:, T = (\d+[gswb]))?(?:, H = \w+)?\s*$`)
)

func sideNamed(name string) arimaa.Side {
	if name = strings.ToLower(name); name == "gold" || name == "white" {
		return arimaa.Gold
	}
	return arimaa.Silver
}

// sideIn returns what a line says about the side to move, if it says nothing else.
func sideIn(l line) hint {
	if statement.MatchString(l.text) {
		return hint{mover: mover{sideNamed(toMove.FindStringSubmatch(l.text)[1]), true}}
	}
	if m := sharp.FindStringSubmatch(l.text); m != nil && (m[2] == "" || m[2] == "0") {
		h := hint{mover: mover{arimaa.Silver, true}}
		if m[1] == "1" {
			h.side = arimaa.Gold
		}
		if m[3] == "" {
			return h
		}
		if number, side, err := ParseLabel(m[3]); err == nil && side == h.side && number >= arimaa.FirstTurn {
			h.number = number
			return h
		}
	}
	return hint{}
}

// isTurn reports whether words look like a turn or a setup: the first is a step, a piece on a
// square, or a word that records use.
func isTurn(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return isStep(first) || isPlacement(first) || slices.Contains([]string{"takeback", "pass", "resign", "resigns", "lost"}, text)
}

// areSteps reports whether all words are steps or captures.
func areSteps(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool { return !isStep(w.text) })
}

// isSide reports whether a word names a side.
func isSide(text string) bool {
	_, ok := sideOfLetter(text[0])
	return ok && len(text) == 1
}

// isStep reports whether a word looks like a step, perhaps with an error in one of its letters.
func isStep(text string) bool {
	if len(text) != 4 {
		return false
	}
	_, ok := pieceOfLetter(text[0])
	_, ok2 := squareOfName(text[1:3])
	return ok && ok2 || ok && isDigit(text[2]) || ok2
}

// isRank reports whether a line looks like a rank of a board: behind a number and a bar, between
// two bars with nothing but squares, or eight squares of which each is shown.
func isRank(text string) bool {
	text = strings.Trim(text, blanks)
	numbered := isDigit(text[0])
	body := text
	if numbered {
		body = strings.TrimLeft(text[1:], " \t")
	}
	if inside, ok := strings.CutPrefix(body, "|"); ok {
		if numbered {
			return true
		}
		end := strings.IndexByte(inside, '|')
		return end >= 7 && strings.Trim(inside[:end], pieceLetters+" .xX*\t") == "" && len(strings.TrimLeft(inside[end+1:], " \t")) <= 1
	}
	body = strings.TrimRight(body, "| \t")
	squares := 0
	for i, c := range strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, body) {
		if !strings.ContainsRune(pieceLetters+".xX*", c) {
			return false
		}
		squares = i + 1
	}
	return squares == 8 && !isBorder(text)
}

// isChatter reports whether a word begins a message of the AEI that changes no position.
func isChatter(word string) bool {
	return slices.Contains([]string{"aei", "isready", "readyok", "setoption", "go", "stop", "quit", "bestmove", "info", "log",
		"id", "aeiok", "protocol-version"}, word)
}
