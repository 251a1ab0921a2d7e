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

// state is where a reader stands between two lines.
type state uint8

const (
	outside  state = iota // each line begins something, or is prose
	broken                // below an error in a position: what looks like a part of it is
	headed                // below a label alone, which begins a board or a turn
	inBoard               // some of the eight ranks have come
	below                 // a position is complete; turns and words may follow
	inList                // a list of pieces may go on: those of the other side, or turns
	inGame                // in the record of a game
	inPuzzle              // among the fields of a puzzle text
	states
)

// reader reads a text line by line. A line does what the table says for its kind in the present
// state. Where the table says nothing, the state ends, and the line is read in the next one: below
// the position that was complete, or outside.
type reader struct {
	l     *Lines
	yield func(Entry, error) bool
	done  bool // nobody wants more

	state   state
	list    bool              // the first line is a position in one line: there is no prose but the AEI's
	past    past              // what was passed over
	idle    int               // bytes of it since the last entry
	found   bool              // there was an entry or an error
	notes   []Note            // of the entry under way
	above   caption           // what the line above says
	doubt   error             // it contradicts the position above it, unless it belongs to one below
	before  mover             // of the position that ended right above
	board   *drawing          // headed, inBoard
	whole   *played           // below
	columns []string          // of an archive
	pieces  []line            // inList
	game    *script           // inGame
	puzzle  *fields           // inPuzzle
	wait    *Entry            // the last position, since its solution may follow
	solved  *Entry            // whose solution stands in the line above
	tags    map[string]string // above the next position
	ends    int64             // where that one ends
}

// past is, of the lines that were passed over, the one that looks most like something; if none
// does, the first.
type past struct {
	line
	like string // what it looks like, and where it departs from that; "" if it is like nothing
	at   int    // offset in the line
	bad  bool   // it is not in UTF-8
}

// drawing is a diagram under way.
type drawing struct {
	text   strings.Builder // of its lines, from the first
	begins int             // line number of the first
	head   caption         // what its first line says, or the line above
	headed bool            // it has a first line
	wrong  error           // the first line contradicts itself, or the line above
	ranks  int             // lines that are no border
}

// played is a position that is complete, with the turns below it.
type played struct {
	Entry
	game         *arimaa.Game // the turns below it, if any
	inOneLine    bool         // it is written in one line
	sideKnown    bool         // the side to move is known from the text
	captioned    bool         // a line below says who is to move
	byCaption    bool         // and nothing else says it
	captionApart bool         // that line stands below a blank line
	numbered     bool         // the text says which turn comes next
	gap          bool         // there was a blank line or a comment
	solved       bool         // a turn below it is its solution
	claimBelow   *line        // the words below it that claim
	err          error        // nobody knows who is to move, unless the next line says so
}

type action func(*reader, line)

var actions [states][kinds]action

func init() { actions = transitions() }

func transitions() (t [states][kinds]action) {
	ignore := func(*reader, line) {}
	t[outside] = [kinds]action{
		blank: ignore, border: ignore, chatter: func(r *reader, _ line) { r.above = caption{} },
		single: (*reader).single, head: (*reader).head, rank: (*reader).firstRank,
		tag: (*reader).beginGame, comment: (*reader).beginGame, newgame: (*reader).beginGame, turn: (*reader).firstTurn,
		makemove: (*reader).lostMove, fieldLine: (*reader).beginPuzzle, row: (*reader).row,
		said: (*reader).said, solution: (*reader).solution, reversed: (*reader).reversedAbove, steps: (*reader).pass, prose: (*reader).pass,
	}
	t[broken] = [kinds]action{blank: (*reader).mend, border: ignore, turn: ignore, steps: ignore, makemove: ignore, rank: (*reader).rankOfBroken}
	for k := range kinds {
		t[headed][k], t[inBoard][k], t[inGame][k] = (*reader).collect, (*reader).collect, (*reader).add
	}
	t[headed][single], t[headed][head], t[headed][said] = (*reader).squares, (*reader).secondHead, (*reader).saidOfHead
	for _, k := range []kind{tag, comment, turn, steps} {
		t[headed][k] = (*reader).headOfGame
	}
	t[inBoard][single], t[inBoard][head] = nil, nil
	t[below] = [kinds]action{
		blank: (*reader).gap, border: ignore, chatter: ignore,
		single: (*reader).singleBelow, head: (*reader).headBelow, rank: (*reader).rankBelow,
		turn: (*reader).turnBelow, makemove: (*reader).makeBelow, steps: (*reader).stepsBelow,
		said: (*reader).saidBelow, solution: (*reader).solution, reversed: (*reader).reversedBelow,
	}
	for k := range kinds {
		t[inList][k] = (*reader).endOfList
	}
	t[inList][blank], t[inList][single], t[inList][steps] = ignore, (*reader).morePieces, (*reader).gameOfList
	t[inGame][tag], t[inGame][turn], t[inGame][newgame] = (*reader).nextRecord, (*reader).nextTurn, (*reader).nextRecord
	t[inGame][said] = (*reader).saidInGame
	t[inGame][rank], t[inGame][single], t[inGame][fieldLine] = (*reader).rankInGame, (*reader).singleInGame, nil
	return t
}

// positions reads what a text holds besides tables: positions, games and puzzles.
func (l *Lines) positions(yield func(Entry, error) bool) {
	r := &reader{l: l, yield: yield}
	for first := true; !r.done; {
		text, err := l.Next()
		switch {
		case err == io.EOF:
			r.end()
			return
		case err != nil:
			if bad := (*ParseError)(nil); errors.As(err, &bad) && r.board == nil {
				r.leaveAll() // it was whole before
			}
			r.fail(err)
			r.done = true
			return
		}
		until := rune(0)
		if r.state == inGame {
			until = r.game.until()
		}
		plain := cleanIn(text, until)
		if first && !isComment(plain) {
			first = false
			words := line{text: plain}.words()
			r.list = isShort(plain) || isRanks(words) || len(words) > 1 && len(words[0].text) == 1 && strings.Contains(letters, words[0].text) && words[1].text[0] == '['
		}
		if mark := isComment(plain) && strings.ContainsAny(text, "[<`"); !mark || r.state != below { // it is no gap
			r.line(plain)
		}
	}
}

// line reads the next line, which was cleaned.
func (r *reader) line(text string) {
	l := line{text: withoutBullet(strings.TrimRight(text, trailing)), number: r.l.number}
	switch {
	case r.state == inGame && r.game.open():
		r.add(l)
		return
	case r.state == inPuzzle && r.puzzle.takes(l.text):
		r.addField(l)
		return
	}
	k := classify(l)
	if r.doubt != nil && k != blank && k != head && k != rank && k != border && k != single {
		r.fail(r.doubt)
	}
	if k == steps && r.solved != nil {
		r.goesOn(l)
		return
	}
	r.solved = nil
	r.dispatch(l, k)
}

// dispatch does what the table says.
func (r *reader) dispatch(l line, k kind) {
	for !r.done {
		act, was := actions[r.state][k], r.state
		if act == nil {
			r.leave()
			continue
		}
		if act(r, l); was == outside && k != blank {
			r.before = mover{}
		}
		return
	}
}

// again reads a line that the present state has no use for.
func (r *reader) again(l line) {
	r.leave()
	r.dispatch(l, classify(l))
}

// leave ends the present state.
func (r *reader) leave() {
	switch r.state {
	case headed, inBoard:
		r.closeBoard()
	case below:
		r.flush()
	case inList:
		r.closeList()
	case inGame:
		r.closeGame()
	case inPuzzle:
		r.closePuzzle()
	default:
		r.state = outside
	}
}

// leaveAll ends all that is under way.
func (r *reader) leaveAll() {
	for r.state != outside {
		r.leave()
	}
	r.settle()
}

// entry hands over an entry or an error, behind the position that waits.
func (r *reader) entry(e Entry, err error) {
	r.settle()
	r.above = caption{} // it was about this entry, or about nothing
	r.hand(e, err)
}

func (r *reader) hand(e Entry, err error) {
	if r.found, r.idle = true, 0; !r.done {
		r.done = !r.yield(e, err)
	}
}

// settle hands over the position that waits for its solution.
func (r *reader) settle() {
	if e := r.wait; e != nil {
		r.wait, r.l.ends = nil, r.ends
		r.hand(*e, nil)
	}
}

func (r *reader) fail(err error) {
	r.notes, r.doubt = nil, nil
	r.entry(Entry{}, err)
}

// failIn reports an error in a text that begins in a line.
func (r *reader) failIn(text string, begins int, err error) {
	if !utf8.ValidString(text) {
		err = r.l.fail(begins, "the text is not in UTF-8: save it in that encoding")
	}
	r.fail(err)
}

// breaks reports an error in a position or a turn: what looks like a part of it below is ignored.
func (r *reader) breaks(err error) {
	r.whole, r.board, r.state = nil, nil, broken
	r.fail(err)
}

// end ends the text, and says what is missing in it.
func (r *reader) end() {
	r.l.begin = r.l.end
	for r.state != outside {
		r.leave()
	}
	if e, c := r.wait, r.above; e != nil && c.between != nil && (!c.known || e.mover() == c.side) {
		e.Claim, e.ClaimFrom = c.claim, c.words // nothing stands below it
	}
	r.settle()
	if r.doubt != nil {
		r.fail(r.doubt)
	}
	switch p := r.past; {
	case r.found || r.done:
	case p.number == 0:
		r.fail(&ParseError{File: r.l.file, Line: 1, Reason: "there is no position in it"})
	case p.bad:
		r.failIn("\xff", p.number, nil)
	default:
		r.fail(r.source(p.line).errorAt(p.at, "%s", cmp.Or(p.like, noPosition)))
	}
}

// source returns a line as a text of its own. What is mended in it is noted for the entry under
// way.
func (r *reader) source(l line) *source { return r.text(l.text, l.number) }

// text returns lines of the text, from the one with that number.
func (r *reader) text(text string, number int) *source {
	s := &source{file: r.l.file, line: number, text: text, strict: r.l.strict}
	if !r.l.strict {
		s.notes = &r.notes
	}
	return s
}

// pass passes over a line of prose, and notes it if nothing before looked more like something. What
// nearly is a position is an error.
func (r *reader) pass(l line) {
	r.above = caption{}
	words := l.words()
	switch src := r.source(l); {
	case r.list && (strings.Contains(l.text, "[") || isSide(words[0].text)):
		r.single(l)
	case r.list:
		r.failIn(l.text, l.number, src.errorAt(words[0].offset, "%s", noPosition))
	case bracketless.MatchString(l.text):
		r.fail(src.errorAt(words[1].offset, "this looks like a position in short form, g [64 squares], but the opening bracket is missing"))
	case strings.Contains(l.text, "[") && inBrackets.MatchString(l.text):
		r.fail(src.errorAt(inBrackets.FindStringIndex(l.text)[0], "this looks like a position in short form, but that is g and then 64 squares in brackets, g [...]"))
	default:
		if len(words) == 1 && isPlacement(strings.Trim(words[0].text, ",;.")) {
			r.above.wrong = src.errorAt(words[0].offset, "a piece stands alone in this line: write all pieces in one line")
		}
		r.passOver(l)
	}
}

// passOver notes a line of prose.
func (r *reader) passOver(l line) {
	if r.idle += len(l.text) + 1; r.idle > MaxEntry {
		r.fail(r.l.fail(l.number, "there are more than %d bytes of text without a position", MaxEntry))
		r.done = true
		return
	}
	if r.found || r.past.like != "" {
		return
	}
	like, at := likeness(l)
	if r.past.number == 0 || like != "" {
		l.text = strings.Clone(l.text[:min(len(l.text), 1000)])
		r.past = past{l, like, min(at, len(l.text)), !utf8.ValidString(l.text)}
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

// noPosition says what a text lacks that holds nothing but prose.
const noPosition = "a position begins with a line such as 47g (turn number and side), or is written g [64 squares]"

var (
	// labelLike matches what may be meant as a label.
	labelLike = regexp.MustCompile(`^\d+[.:]?[a-zA-Z]?[.:)]?$`)
	// inBrackets matches squares in brackets that stand anywhere in a line, bracketless squares
	// without a bracket.
	inBrackets  = regexp.MustCompile(`\[[RCDHMErcdhme .]{20,}`)
	bracketless = regexp.MustCompile(`^\s*\d*[gswb]\s+[RCDHMErcdhme][RCDHMErcdhme .]{19,}\]?\s*$`)
)

// said reads words about the next position.
func (r *reader) said(l line) { r.saidOfNext(l, captionOf(l)) }

func (r *reader) saidOfNext(l line, c caption) {
	c, err := c.below(r.above)
	if err != nil {
		r.fail(r.source(l).errorAt(l.start(), "%v", err))
		return
	}
	c.line = l
	r.above = c
	if r.above.claim > 0 && r.wait != nil && r.wait.Claim == 0 {
		r.above.between = &l
	}
	if b := r.before; r.above.alone && r.above.known && b.known && r.above.side != b.side {
		r.doubt = r.contradicts(l, r.above.side, b.side)
	}
	r.passOver(l)
}

// contradicts is the error of a line that names another side to move than the position above it.
func (r *reader) contradicts(l line, here, above arimaa.Side) error {
	return r.source(l).errorAt(l.start(), "here %v is to move, but in the position above %v is", here, above)
}

// solution takes the solution of the last position.
func (r *reader) solution(l line) {
	e := r.wait
	if r.state == below {
		e = &r.whole.Entry
	}
	if e == nil {
		r.passOver(l)
		return
	}
	turn, number, m, err := solutionIn(l.text)
	if e.Solution != "" {
		notes := r.notes
		if r.notes = nil; r.source(l).mended(l.start(), "second solution", "it is left out", "this is a second solution") == nil {
			e.Notes, r.notes = append(e.Notes, r.notes...), notes
			return
		}
		r.notes, err = notes, errors.New("this is a second solution")
	}
	if e.Position != nil && number > 0 && e.Position.Number != arimaa.FirstTurn && e.Position.Number != number {
		err = fmt.Errorf("the solution is turn %d, but turn %d comes next", number, e.Position.Number)
	}
	if m.known && m.side != e.mover() {
		err = fmt.Errorf("the solution is a turn of %v, but in the position %v is to move", m.side, m.side.Other())
	}
	if err != nil {
		if r.state == below {
			r.flush()
		}
		r.fail(r.source(l).errorAt(l.start(), "%v", err))
		return
	}
	e.Solution, e.SolutionFrom = turn, strings.TrimSpace(l.text)
	r.above, r.solved = caption{}, e
}

// goesOn adds a line of steps to the solution in the line above.
func (r *reader) goesOn(l line) {
	for _, w := range l.words() {
		r.solved.Solution = strings.TrimSpace(r.solved.Solution + " " + w.text)
	}
}

// mover returns who is to move in a position, or at the end of a game.
func (e *Entry) mover() arimaa.Side {
	if e.Game != nil {
		last := e.Game.Last()
		return last.Side()
	}
	return e.Position.Position.Side()
}

// reversedAbove remembers that a board follows that is seen from the other side.
func (r *reader) reversedAbove(l line) {
	r.above = caption{wrong: r.source(l).errorAt(l.start(), reversedFiles)}
}

const reversedFiles = "the files go from h to a: turn the board so that a1 is below at the left"

// reversedBelow refuses a board that is seen from the other side.
func (r *reader) reversedBelow(l line) {
	r.breaks(r.source(l).errorAt(l.start(), reversedFiles))
}

// take returns what the line above says about a position with that side to move, perhaps.
func (r *reader) take(m mover) (caption, error) {
	c := r.above
	r.above, r.doubt = caption{}, nil
	if c.wrong != nil {
		return c, c.wrong
	}
	if l := c.between; l != nil {
		if err := r.source(*l).mended(l.start(), "claim between two positions", "it is taken for the one below", "this claim may be about the position above or the one below"); err != nil {
			return c, err
		}
	}
	if c.guess {
		if m = cmp.Or(m, r.l.otherwise); !m.known {
			c.mover, c.claim = mover{}, 0
			return c, r.source(c.line).mended(c.line.start(), "claim of one side", "it is left out", "these words do not say who is to move")
		}
	}
	if m.known && c.known && c.side != m.side {
		if c.alone {
			return c, fmt.Errorf("%v is to move here, but the line above says %v", m.side, c.side)
		}
		if c.claim > 0 { // it is about something else
			return caption{}, r.source(c.line).mended(c.line.start(), "claim of the other side", "it is left out", "%v is to move below, and this claim is not about that side", m.side)
		}
		return caption{}, nil
	}
	return c, nil
}

// single reads a position in one line, with what else stands there.
func (r *reader) single(l line) {
	r.state = outside
	if list, ok := cutPieces(l); ok && !list.known && (list.oneSided() || isOpen(l)) {
		r.pieces, r.state = []line{l}, inList
		return
	}
	src := r.source(l)
	p, err := src.single(l)
	if err != nil {
		r.failIn(l.text, l.number, err)
		return
	}
	r.place(l, src, p)
}

// place makes a position of one line the last one.
func (r *reader) place(l line, src *source, p inLine) {
	own := captionOf(p.rest)
	for _, beside := range []line{{text: l.text[:p.at-l.offset]}, l} {
		if own.words == "" {
			own = captionOf(beside)
		}
	}
	if own.guess {
		if m := cmp.Or(p.mover, r.above.mover, r.l.otherwise); own.side != m.side || !m.known {
			own = caption{}
		}
	}
	if said, both := sideIn(toMove, strings.ToLower(l.text)); p.known && !own.known && (both || said.known && said.side != p.side) {
		own.mover = mover{p.side.Other(), true}
	}
	if p.known && own.known && own.side != p.side {
		if own.alone = toMove.MatchString(strings.ToLower(l.text)); own.alone {
			r.fail(src.errorAt(p.at, "the letter says that %v is to move, the words beside it say %v", p.side, own.side))
			return
		}
		own = caption{}
	}
	p.mover = cmp.Or(p.mover, own.mover)
	above, err := r.take(p.mover)
	if errors.As(err, new(*ParseError)) {
		r.fail(err)
		return
	}
	if err != nil {
		r.fail(src.errorAt(0, "%v", err))
		return
	}
	c := own
	if c.claim == 0 {
		c = above
	}
	p.mover = cmp.Or(p.mover, above.mover, r.l.otherwise)
	r.complete(l, p, c)
	r.whole.inOneLine, r.whole.sideKnown = true, p.known
	words := p.rest.words()
	switch {
	case len(words) == 0:
	case isTurn(words):
		r.turnBelow(p.rest)
	case words[0].text == "makemove":
		r.makeBelow(p.rest)
	case areSteps(words) || isLabel(words[0].text) || strings.HasSuffix(l.text[:p.rest.offset-l.offset], "]") && strings.IndexByte(letters, p.rest.text[0]) >= 0:
		r.breaks(src.errorAt(words[0].offset, "text after the position"))
	}
}

// complete makes a position the last one.
func (r *reader) complete(l line, p inLine, c caption) {
	w := &played{numbered: p.number != 0 && p.number != arimaa.FirstTurn}
	d, err := r.source(l).diagram(p, l.number)
	if w.err = err; err != nil {
		d = Diagram{arimaa.NewPosition(p.board, arimaa.Gold), cmp.Or(p.number, arimaa.FirstTurn), l.number} // until a line below says who is to move
	}
	w.Entry = Entry{Line: l.number, Position: &d, Claim: c.claim, Tags: r.tags}
	r.tags = nil
	if c.claim > 0 {
		w.ClaimFrom = c.words
	}
	r.whole, r.state = w, below
}

// head begins a diagram, or a turn, with a label.
func (r *reader) head(l line) {
	c, wrong, _ := cutHead(l.text)
	above, err := r.take(c.mover)
	contrary := err != nil && !errors.As(err, new(*ParseError))
	if wrong == "" && contrary {
		wrong = fmt.Sprintf("the label says that %v is to move, the line above says %v", c.side, above.side)
	}
	if c.claim == 0 {
		c.claim, c.words = above.claim, above.words
	}
	r.board = &drawing{begins: l.number, head: c, headed: true}
	if err != nil && !contrary {
		r.board.wrong = err
	}
	if wrong != "" {
		r.board.wrong = r.source(l).errorAt(l.start(), "%s", wrong)
	}
	r.state = headed
	r.collect(l)
}

// firstRank begins a diagram without a label.
func (r *reader) firstRank(l line) {
	c, err := r.take(mover{})
	r.board = &drawing{begins: l.number, head: c, wrong: err}
	r.state = inBoard
	r.collect(l)
}

// rankOfBroken begins a diagram with its eighth rank. Others are those of the broken one.
func (r *reader) rankOfBroken(l line) {
	if strings.TrimLeft(l.text, blanks)[0] == '8' {
		r.firstRank(l)
	}
}

// mend ends the lines that may be parts of something broken.
func (r *reader) mend(line) { r.state = outside }

// collect adds a line to the diagram under way.
func (r *reader) collect(l line) {
	d := r.board
	first := d.text.Len() == 0
	if r.state == headed && r.whole != nil && !first && !isComment(l.text) && !isBorder(l.text) && !isRank(l.text) {
		r.again(l) // the label stood at the end of the turns
		return
	}
	if d.text.Len()+len(l.text) >= MaxEntry {
		r.breaks(r.l.tooLong(d.begins, "position"))
		r.done = true
		return
	}
	d.text.WriteString(l.text + "\n")
	if first && d.headed || isComment(l.text) || isBorder(l.text) {
		return
	}
	r.state = inBoard
	if d.ranks++; d.ranks == 8 {
		r.closeBoard()
	}
}

// closeBoard reads the diagram under way.
func (r *reader) closeBoard() {
	d := r.board
	r.board, r.state = nil, outside
	src := r.text(d.text.String(), d.begins)
	lines := src.lines()
	last := lines[len(lines)-1]
	if d.headed {
		lines = lines[1:]
	}
	if w := r.whole; w != nil { // a label stood below its turns
		if d.ranks == 0 && d.head.claim > 0 && w.Claim == 0 {
			w.Claim, w.ClaimFrom = d.head.claim, d.head.words
		}
		r.flush()
		if d.ranks == 0 && d.wrong != nil {
			r.fail(d.wrong)
		}
		if d.ranks == 0 {
			return
		}
	}
	b, err := src.ranks(lines, last.offset+len(last.text))
	if err == nil {
		err = d.wrong
	}
	if err != nil {
		r.failIn(src.text, d.begins, err)
		r.state = broken
		return
	}
	text, _, _ := strings.Cut(src.text, "\n")
	first := line{text: text, number: d.begins}
	r.complete(first, inLine{board: b, number: d.head.number, mover: cmp.Or(d.head.mover, r.l.otherwise), at: first.start()}, d.head)
	r.whole.sideKnown = d.head.known
}

// squares reads squares below a label, or else a position that says itself who is to move.
func (r *reader) squares(l line) {
	d := r.board
	if d.wrong != nil || r.whole != nil {
		r.again(l)
		return
	}
	src := r.source(l)
	p, err := src.single(l)
	switch list, ok := cutPieces(l); {
	case ok && !list.known && !list.sides[0] && !list.sides[1]:
		r.headOfGame(l)
	case err == nil && p.known:
		r.closeBoard()
		r.state = outside
		r.single(l)
	case err != nil:
		r.breaks(err)
	default:
		r.board = nil
		p.number, p.mover = d.head.number, d.head.mover
		r.complete(l, p, d.head)
		r.whole.Line, r.whole.Position.Line = d.begins, d.begins
		r.whole.inOneLine, r.whole.sideKnown = true, true
	}
}

// secondHead reads a label below a label alone: the first one is that of a setup without pieces, or
// lacks its board.
func (r *reader) secondHead(l line) {
	if r.board.head.number == 1 {
		r.headOfGame(l)
		return
	}
	r.leave()
	r.state = outside
	r.head(l)
}

// saidOfHead reads words below a label.
func (r *reader) saidOfHead(l line) {
	c, d := captionOf(l), r.board
	switch {
	case !c.known || c.side == d.head.side:
		if c.claim > 0 {
			d.head.claim, d.head.words = c.claim, c.words
		}
	case c.alone && d.wrong == nil:
		d.wrong = r.source(l).errorAt(l.start(), "the label above says that %v is to move, this line says %v", d.head.side, c.side)
	}
	d.text.WriteByte('\n')
}

// headOfGame begins a game with a label that stands alone above its turn.
func (r *reader) headOfGame(l line) {
	d := r.board
	text, _, _ := strings.Cut(d.text.String(), "\n")
	if !isDigit(strings.TrimLeft(text, blanks)[0]) || d.head.number > 1 && slices.Contains([]kind{tag, comment}, classify(l)) {
		r.collect(l)
		return
	}
	r.board = nil
	if r.whole != nil {
		r.flush()
	}
	r.beginGame(line{text: text, number: d.begins})
	r.game.skipTo(l.number)
	r.add(l)
}

// gap notes a blank line below a position.
func (r *reader) gap(line) { r.whole.gap = true }

// flush makes the position that is complete wait for its solution.
func (r *reader) flush() {
	w := r.whole
	r.whole, r.state = nil, outside
	if w.err != nil {
		r.fail(w.err)
		return
	}
	r.settle()
	r.before = mover{w.mover(), true}
	if w.game != nil && w.game.Len() > 0 {
		w.Position, w.Game = nil, w.game
	}
	w.Notes, r.notes = append(r.notes, w.Notes...), nil
	r.wait, r.ends = &w.Entry, r.l.begin
}

// eitherSide makes an error of a position below a caption that names the side to move for it or for
// the one above, where nothing else does.
func (r *reader) eitherSide(l line) {
	if c := r.whole.claimBelow; c != nil && !r.whole.gap {
		if err := r.source(*c).mended(c.start(), "claim between two positions", "it is taken for the one above", "this claim may be about the position above or the one below"); err != nil {
			r.whole.err = err
		}
	}
	if w := r.whole; w.byCaption {
		w.err = r.source(l).errorAt(0, "the line above may say who is to move in this position, or in the one above it: say it in both")
	}
}

// singleBelow begins another position.
func (r *reader) singleBelow(l line) {
	w := r.whole
	w.byCaption = w.byCaption && isBareSquares(strings.TrimLeft(l.text, blanks))
	r.eitherSide(l)
	r.flush()
	r.single(l)
}

// headBelow begins another position, unless the label is that at the end of the turns.
func (r *reader) headBelow(l line) {
	w := r.whole
	c, _, _ := cutHead(l.text)
	if w.game == nil || c.number != w.game.Number(w.game.Len()) || c.side != w.mover() {
		w.byCaption = w.byCaption && w.captionApart && c.side == w.mover()
		r.eitherSide(l)
		r.flush()
	}
	r.head(l)
}

// rankBelow begins another position.
func (r *reader) rankBelow(l line) {
	if w := r.whole; !w.inOneLine && strings.TrimLeft(l.text, blanks)[0] != '8' && !w.gap {
		r.breaks(r.source(l).errorAt(0, "a line after the eighth rank of the board"))
		return
	}
	r.eitherSide(l)
	r.flush()
	r.firstRank(l)
}

// turnBelow plays the turns of a line, or begins a game with its setup.
func (r *reader) turnBelow(l line) {
	w, src := r.whole, r.rest(l)
	turns, err := src.grouped()
	if err == nil && turns[0].number == 1 && w.game == nil {
		r.flush()
		r.beginGame(l)
		return
	}
	if err == nil && w.ClaimFrom != "" && w.game == nil && w.err == nil && (w.solved || w.Solution == "" && w.solvedBy(turns[0])) {
		if !w.solved {
			err = r.solutionBelow(src, l, turns)
		}
		turns = nil
	}
	for i := 0; err == nil && i < len(turns); i++ {
		err = r.playBelow(src, turns[i])
	}
	if err != nil {
		r.breaks(err)
	}
}

// solutionBelow takes a turn below a position as its solution, since words claim a win there.
func (r *reader) solutionBelow(src *source, l line, turns []turnText) error {
	t := turns[0]
	var steps []string
	for _, w := range t.words {
		steps = append(steps, w.text)
	}
	w := r.whole
	w.Solution, w.SolutionFrom, w.solved = strings.Join(steps, " "), strings.TrimSpace(l.text), true
	return src.mended(t.label.offset, "turn below a claim", "it is taken as the solution, and turns behind it are left out",
		"turn %s stands below a position in which a win is claimed", t.label.text)
}

// solvedBy reports whether a turn may be the solution of the position.
func (w *played) solvedBy(t turnText) bool {
	return t.side == w.mover() && (!w.numbered || t.number == w.Position.Number) && len(t.words) > 0 && areSteps(t.words)
}

// rest returns a text that is the rest of its line.
func (r *reader) rest(l line) *source {
	return r.text(strings.Repeat(" ", l.offset)+l.text, l.number)
}

// playBelow plays a turn.
func (r *reader) playBelow(src *source, t turnText) error {
	w := r.whole
	if w.err != nil {
		w.Position.Position = arimaa.NewPosition(w.Position.Position.Board, t.side)
		w.err, w.sideKnown = nil, true
	}
	if !w.numbered && w.game == nil && t.side == w.mover() && t.number >= arimaa.FirstTurn {
		w.Position.Number, w.numbered = t.number, true
	}
	g := &gameReader{source: src, game: w.start()}
	err := g.play(t, false)
	w.game = g.game
	return err
}

// makeBelow plays a turn of the AEI.
func (r *reader) makeBelow(l line) {
	w := r.whole
	if w.err != nil {
		r.breaks(w.err)
		return
	}
	src := r.rest(l)
	turns, err := src.grouped()
	for i := 0; err == nil && i < len(turns); i++ {
		g := &gameReader{source: src, game: w.start()}
		err = g.play(turns[i], false)
		w.game = g.game
	}
	if err != nil {
		r.breaks(err)
	}
}

// stepsBelow refuses a turn without a label.
func (r *reader) stepsBelow(l line) {
	r.breaks(r.source(l).errorAt(l.start(), "a turn below a position begins with its label and a blank, here %s", r.whole.label()))
}

// saidBelow reads words below a position. They are about it, unless it is known already who is to
// move, and they stand apart, or say another claim.
func (r *reader) saidBelow(l line) {
	w, c := r.whole, captionOf(l)
	if c.guess && w.err != nil {
		c = caption{}
	}
	more := w.captioned && c.claim > 0 && w.Claim == 0 && !w.gap
	about := w.game == nil && (!w.captioned || more) && !(w.gap && w.sideKnown) && !(w.Claim > 0 && c.claim > 0) && (c.known || c.claim > 0 && !w.gap)
	switch {
	case !about, !c.alone && w.err == nil && c.known && w.mover() != c.side:
		r.flush()
		r.saidOfNext(l, c)
		return
	case !c.known:
	case w.err != nil:
		w.Position.Position = arimaa.NewPosition(w.Position.Position.Board, c.side)
		w.err, w.sideKnown, w.byCaption, w.captionApart = nil, true, true, w.gap
	case w.mover() != c.side:
		r.breaks(r.contradicts(l, c.side, w.mover()))
		return
	}
	w.captioned = true
	if c.claim > 0 {
		w.Claim, w.ClaimFrom, w.claimBelow = c.claim, c.words, &l
	}
}

// start returns the game that begins in a position.
func (w *played) start() *arimaa.Game {
	if w.game == nil {
		w.game = arimaa.NewGame(w.Position.Position, w.Position.Number)
	}
	return w.game
}

// mover returns who is to move after the turns.
func (w *played) mover() arimaa.Side {
	p := w.Position.Position
	if w.game != nil {
		p = w.game.Last()
	}
	return p.Side()
}

// label returns the label of the turn to come.
func (w *played) label() string {
	g := w.start()
	return g.Label(g.Len())
}

// morePieces takes the pieces of the other side into a list.
func (r *reader) morePieces(l line) {
	list, ok := cutPieces(l)
	first, _ := cutPieces(r.pieces[0])
	if isOpen(r.pieces[len(r.pieces)-1]) {
		if r.pieces = append(r.pieces, l); !isOpen(l) {
			r.closeList()
		}
		return
	}
	if !ok || len(r.pieces) > 1 || !list.oneSided() || list.first() == first.first() {
		r.again(l)
		return
	}
	r.pieces = append(r.pieces, l)
}

// endOfList ends a list of pieces, unless it goes on in this line.
func (r *reader) endOfList(l line) {
	if isOpen(r.pieces[len(r.pieces)-1]) {
		r.morePieces(l)
		return
	}
	r.again(l)
}

// closeList reads the list of pieces.
func (r *reader) closeList() {
	l := r.pieces[0]
	for _, more := range r.pieces[1:] {
		l.text += " " + more.text
	}
	r.pieces, r.state = nil, outside
	src := r.source(l)
	p, err := src.single(l)
	if err != nil {
		r.failIn(l.text, l.number, err)
		return
	}
	r.place(l, src, p)
}

// gameOfList begins a game without labels, whose setups were taken for a list of pieces.
func (r *reader) gameOfList(l line) {
	pieces := r.pieces
	if isOpen(pieces[len(pieces)-1]) {
		r.morePieces(l)
		return
	}
	if first, _ := cutPieces(pieces[0]); len(pieces) < 2 || first.sides != [2]bool{} || first.first() != arimaa.Gold {
		r.again(l)
		return
	}
	r.pieces = nil
	r.beginGame(pieces[0])
	for _, next := range []line{pieces[1], l} {
		r.game.skipTo(next.number)
		r.add(next)
	}
}

// cutHead reads the first line of a diagram: a label such as 47g, perhaps with a remark such as
// (gold to move) behind it. If the remark says the other side, wrong says so.
func cutHead(text string) (c caption, wrong string, ok bool) {
	text = strings.TrimLeft(text, blanks)
	number, side, rest, ok := cutLabel(text)
	if !ok {
		return c, "", false
	}
	c = caption{mover: mover{side, true}, number: number}
	if rest == "" {
		return c, "", true
	}
	if first, _, _ := strings.Cut(rest, " "); !isDigit(text[0]) || isStep(first) || isPlacement(first) {
		return c, "", false
	}
	said := captionOf(line{text: rest})
	if !(rest[0] == '(' && rest[len(rest)-1] == ')' || said.alone) {
		return c, "", false
	}
	if said.known && said.side != side {
		return c, "the label says that " + side.String() + " is to move, the words behind it say " + said.side.String(), true
	}
	c.claim, c.words = said.claim, said.words
	return c, "", true
}
