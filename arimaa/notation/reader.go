package notation

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
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
	inTable               // below the header of a table
	states
)

// reader reads a text line by line. A line does what the table says for its kind in the present
// state. Where the table says nothing, the state ends, and the line is read in the next one: below
// the position that was complete, or outside.
type reader struct {
	l       *Lines
	yield   func(Entry, error) bool
	done    bool // nothing more is read
	stopped bool // nobody wants more

	state    state
	list     bool     // the first line is a position in one line: there is no prose but the AEI's
	past     past     // what was passed over
	idle     int      // bytes of it since the last entry
	found    bool     // there was an entry or an error
	notes    []Note   // of the entry under way
	board    *drawing // headed, inBoard
	whole    *played  // below
	pieces   []line   // inList
	game     *script  // inGame
	puzzle   *fields  // inPuzzle
	table    *table   // inTable
	columns  []string // of an archive
	wait     *Entry   // the last position, since its solution may follow
	ends     int64    // where it ends
	held     []held   // what comes before it, if solutions of the first may follow at the end
	before   mover    // of the position that ended right above
	block    bool     // no blank line has come since a position ended
	sideless bool     // nothing says who is to move in the one that ended right above
	lost     caption  // what was said above the prose right above

	// Words about the next position or the last one.
	above     caption           // what the line above says
	stray     caption           // the claim before that, which no position stands beside
	doubt     error             // the line above contradicts the position before it, unless it is about the next
	prior     string            // the line right above, if it is one of prose
	solved    *solving          // the solution right above
	announced *solving          // the one that the next line may give
	count     int               // positions so far, broken ones too
	numbered  int               // the number of the next one, by a line above; 0: not said
	headed    bool              // a line has numbered a position: the others have no number
	unclear   bool              // or it may be that of the last position
	elsewhere int               // otherPosition, if a line above is about one that is not in the text
	tags      map[string]string // of the next entry, from a header
	tagged    int               // line number of the last line of the header; 0: it consists of tags
}

// past is, of the lines that were passed over, the one that looks most like something; if none
// does, the first.
type past struct {
	line
	like string // what it looks like, and where it departs from that; "" if it is like nothing
	at   int    // offset in the line
	bad  bool   // it is not in UTF-8
}

type action func(*reader, line)

var actions [states][kinds]action

func init() { actions = transitions() }

func transitions() (t [states][kinds]action) {
	ignore := func(*reader, line) {}
	t[outside] = [kinds]action{
		blank: (*reader).blankAbove, border: ignore, chatter: func(r *reader, _ line) { r.drop() },
		single: (*reader).single, head: (*reader).head, rank: (*reader).firstRank,
		tag: (*reader).beginGame, headerLine: (*reader).header, comment: (*reader).beginGame, newgame: (*reader).beginGame, turn: (*reader).firstTurn,
		makemove: (*reader).lostMove, fieldLine: (*reader).beginPuzzle, row: (*reader).row, header: (*reader).beginTable, jsonObject: (*reader).object,
		captionLine: (*reader).captionAbove, solution: (*reader).solution, reversed: (*reader).reversedAbove, steps: (*reader).pass, prose: (*reader).pass,
	}
	t[broken] = [kinds]action{blank: (*reader).mend, border: ignore, turn: (*reader).turnOfBroken, steps: ignore, makemove: ignore, rank: (*reader).rankOfBroken}
	for k := range kinds {
		t[headed][k], t[inBoard][k], t[inGame][k] = (*reader).collect, (*reader).collect, (*reader).add
	}
	t[headed][single], t[headed][head], t[headed][captionLine] = (*reader).squares, (*reader).secondHead, (*reader).captionOfHead
	for _, k := range []kind{tag, comment, turn, steps} {
		t[headed][k] = (*reader).headOfGame
	}
	t[inBoard][single], t[inBoard][head], t[inBoard][captionLine], t[inBoard][solution] = nil, nil, nil, nil
	t[below] = [kinds]action{
		blank: (*reader).blankBelow, border: (*reader).borderBelow, chatter: ignore, headerLine: (*reader).headerLineBelow,
		single: (*reader).singleBelow, head: (*reader).headBelow, rank: (*reader).rankBelow,
		turn: (*reader).turnBelow, makemove: (*reader).makeBelow, steps: (*reader).stepsBelow,
		captionLine: (*reader).captionBelow, solution: (*reader).solution, reversed: (*reader).reversedBelow,
	}
	for k := range kinds {
		t[inList][k], t[inTable][k] = (*reader).endOfList, (*reader).tableRow
	}
	t[inList][blank], t[inList][single], t[inList][steps] = ignore, (*reader).morePieces, (*reader).gameOfList
	t[inGame][tag], t[inGame][turn], t[inGame][newgame] = (*reader).nextRecord, (*reader).nextTurn, (*reader).nextRecord
	t[inGame][header], t[inGame][jsonObject] = nil, (*reader).objectInGame
	t[inTable][blank], t[inTable][header], t[inTable][rank] = ignore, nil, nil
	t[inGame][captionLine], t[inGame][headerLine], t[inGame][solution] = (*reader).captionInGame, (*reader).headerInGame, (*reader).solutionInGame
	t[inGame][rank], t[inGame][single], t[inGame][fieldLine] = (*reader).rankInGame, (*reader).singleInGame, nil
	return t
}

// positions reads what a text holds besides tables: positions, games and puzzles.
func (l *Lines) positions(yield func(Entry, error) bool) {
	r := &reader{l: l, yield: yield}
	defer func() {
		for len(r.held) > 0 {
			r.release()
		}
	}()
	for first := true; !r.done; {
		text, err := l.Next()
		switch {
		case err == io.EOF:
			r.end()
			return
		case err != nil:
			if bad := (*ParseError)(nil); errors.As(err, &bad) && (r.board == nil || r.whole != nil) {
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
			first, r.list = false, beginsList(plain)
		}
		if mark := isComment(plain) && strings.ContainsAny(text, "[<`"); !mark || r.state != below && r.state != outside { // it is no gap
			r.line(plain)
		}
	}
}

// beginsList reports whether a line is a position in one line, with others below it.
func beginsList(text string) bool {
	words := line{text: text}.words()
	return isShort(text) || isRanks(words) || len(words) > 1 && len(words[0].text) == 1 && strings.Contains(letters, words[0].text) && words[1].text[0] == '['
}

// line reads the next line, which was cleaned.
func (r *reader) line(text string) {
	l := line{text: withoutBullet(strings.TrimRight(text, trailing)), number: r.l.number}
	switch {
	case r.state == inGame && r.game.open() && !(r.game.endsBlank() && beginsRecord(l)):
		r.add(l)
		return
	case r.state == inPuzzle && r.puzzle.takes(l.text):
		r.addField(l)
		return
	}
	if solution := r.parted(&l); solution != "" {
		r.line(l.text)
		r.line(solution)
		return
	}
	l.found = &findings{text: l.text}
	k := classify(l)
	r.takeBack(l, k)
	r.missed(l, k)
	defer func() {
		if k == prose || k == captionLine {
			r.prior = l.text
		} else if k != blank || len(strings.Fields(r.prior)) > 4 {
			r.prior = ""
		}
	}()
	if r.doubt != nil && k != blank && k != head && k != rank && k != border && k != single {
		r.fail(r.doubt)
	}
	if r.announced != nil && k != blank && r.announcedIn(l, k) {
		return
	}
	if r.solved != nil && (k == steps || k == turn) && l.number == r.solved.ends+1 && !beginsRecord(l) {
		r.goesOn(l, k)
		return
	}
	if k != blank {
		r.solved = nil
	}
	r.dispatch(l, k)
}

// parted cuts the solution off a line of other words, and returns it, in its place in the line. It
// blanks the number before a list of pieces.
func (r *reader) parted(l *line) (solution string) {
	if len(l.text) > 2*maxCaption || !strings.Contains(l.text, ":") || r.state == inTable || r.state == inGame || strings.IndexByte("{|", unindented(l.text)[0]) >= 0 {
		return ""
	}
	if mentions(strings.ToLower(l.text), solutionWords...) {
		if at := solutionBehind.FindStringSubmatchIndex(l.text); at != nil {
			solution = strings.Repeat(" ", at[2]) + l.text[at[2]:]
			l.text = l.text[:at[2]]
		}
	}
	if m := headedList.FindStringSubmatch(l.text); m != nil {
		rest := l.text[len(m[0]):]
		if list, ok := cutPieces(line{text: rest}); ok && list.sides != [2]bool{} {
			r.leaveAll()
			r.numbered, _ = strconv.Atoi(m[1])
			l.text = strings.Repeat(" ", len(m[0])) + rest
		}
	}
	return solution
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
			r.before, r.sideless = mover{}, false
		}
		return
	}
}

// again reads a line that the present state has no use for.
func (r *reader) again(l line) {
	r.leave()
	r.dispatch(l, classify(l))
}

// blankAbove notes a blank line above a game or a position.
func (r *reader) blankAbove(l line) {
	if e := r.wait; r.block && r.numbered > 0 && e != nil && !e.numbered && r.numbered != e.place+1 { // it is that of the one above
		e.place, e.numbered, r.headed, r.numbered = r.numbered, true, true, 0
	}
	r.above.blankBelow, r.block = true, false
	r.headerEnds()
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
	r.tags, r.numbered, r.elsewhere = nil, 0, 0 // of this entry, or of nothing
	r.drop()
	r.lost = caption{}
	r.hand(&e, err, r.l.end)
}

// held is an entry that waits until it is handed over.
type held struct {
	*Entry
	err  error
	ends int64 // where it ends
}

// mostHeld is how many entries wait behind a position with a number or a claim, since solutions by
// number may follow at the end.
const mostHeld = 100

func (r *reader) hand(e *Entry, err error, ends int64) {
	r.found, r.idle = true, 0
	r.held = append(r.held, held{e, err, ends})
	for len(r.held) > 0 && (len(r.held) > mostHeld || r.l.end-r.held[0].ends > 4*MaxEntry || !r.held[0].waits()) {
		r.release()
	}
}

// waits reports whether the solution of a position may follow at the end of the text.
func (h held) waits() bool {
	return h.Position != nil && (h.numbered || h.Claim > 0 && h.Solution == "" && h.ClaimFrom != "")
}

// release hands over the first entry that waits.
func (r *reader) release() {
	h := r.held[0]
	r.held = r.held[1:]
	if r.l.ends = h.ends; !r.stopped {
		r.stopped = !r.yield(*h.Entry, h.err)
		r.done = r.done || r.stopped
	}
}

// numberedAs returns the positions with a number that are not handed over yet. Where lines number
// positions, those without have none.
func (r *reader) numberedAs(number int) (found []*Entry) {
	var all []*Entry
	for _, h := range r.held {
		all = append(all, h.Entry)
	}
	if all = append(all, r.wait); r.whole != nil {
		all = append(all, &r.whole.Entry)
	}
	for _, e := range all {
		if e != nil && e.place == number && (e.numbered || !r.headed) {
			found = append(found, e)
		}
	}
	return found
}

// settle hands over the position that waits for its solution.
func (r *reader) settle() {
	if e := r.wait; e != nil {
		r.wait = nil
		r.hand(e, nil, r.ends)
	}
}

func (r *reader) fail(err error) {
	r.notes, r.doubt, r.solved = nil, nil, nil
	r.entry(Entry{}, err)
}

// failIn reports an error in the text of a position that begins in a line. The position counts.
func (r *reader) failIn(text string, begins int, err error) {
	r.count++
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
	if r.state == inGame {
		r.playersBelow()
	}
	for r.state != outside {
		r.leave()
	}
	r.drop()
	if e := r.wait; e != nil && e.Tags == nil {
		e.Tags = r.tags // nothing stands below it
	}
	if e := r.wait; e != nil && r.stray.claim > 0 && !r.claimFor(e) {
		if r.stray.adjoins && e.Claim > 0 {
			e.Claim, e.ClaimFrom = 0, ""
			r.leaveOut(&e.Notes, r.stray.line, "claims that differ", "this claim differs from another one of the position, and neither counts")
		} else {
			r.leaveOut(&e.Notes, r.stray.line, strayKind, strayWhy)
		}
	} else if e == nil && r.found && r.stray.claim > 0 {
		r.l.report([]Note{{strayKind, r.stray.line.number, strayWhy + ": it is left out"}}) // no entry is left that could have it
	}
	if e := r.wait; e != nil {
		e.Notes = append(e.Notes, r.notes...)
	} else if r.found {
		r.l.report(r.notes)
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
	if !byline.MatchString(l.text[:min(len(l.text), maxCaption)]) {
		r.drop()
	}
	words := l.words()
	var at []int
	if strings.Contains(l.text, "1") {
		if at = setupIn.FindStringSubmatchIndex(l.text); at != nil && !isSteps(line{text: strings.TrimRight(l.text[at[1]:], `"'”»,;.`)}.words()) {
			at = nil // it is a sentence
		}
	}
	switch src := r.source(l); {
	case r.list && (strings.Contains(l.text, "[") || isSide(words[0].text)):
		r.single(l)
	case r.list && r.count > 1:
		r.failIn(l.text, l.number, src.errorAt(words[0].offset, "%s", noPosition))
	case bracketless.MatchString(l.text):
		r.failIn(l.text, l.number, src.errorAt(words[1].offset, "this looks like a position in short form, g [64 squares], but the opening bracket is missing"))
	case strings.Contains(l.text, "[") && inBrackets.MatchString(l.text):
		r.failIn(l.text, l.number, src.errorAt(inBrackets.FindStringIndex(l.text)[0], "this looks like a position in short form, but that is g and then 64 squares in brackets, g [...]"))
	case at != nil:
		r.breaks(src.errorAt(max(at[2], at[4]), "here a setup begins, in the middle of a line: write the turns of a game in lines of their own"))
	default:
		if len(words) == 1 && isPlacement(strings.Trim(words[0].text, ",;.")) {
			r.above.wrong = src.errorAt(words[0].offset, "a piece stands alone in this line: write all pieces in one line")
		}
		r.endInProse(l)
		r.passOver(l)
	}
}

// passOver notes a line of prose.
func (r *reader) passOver(l line) {
	r.turnBehindWords(l)
	switch n, e := numberIn(l.text), r.wait; {
	case n == 0:
	case e != nil && !e.numbered && e.place == n && r.block:
		r.numbered, e.numbered, r.headed = 0, true, true
	case e != nil && !e.numbered && e.place == n: // it may be its own
		r.numbered, r.unclear = 0, true
	default:
		r.numbered = n
	}
	if text := l.text[:min(len(l.text), maxCaption)]; mentions(strings.ToLower(text), "last", "previous") && otherLine.MatchString(text) {
		r.elsewhere = otherPosition
	}
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
	case len(placement.FindAllString(l.text, 2)) > 1 && !numbered.MatchString(l.text):
		return "this looks like a list of pieces: write Gold: Ra6, Ee3. Silver: rh7. Gold to move.", placement.FindStringIndex(l.text)[0]
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
	// placement matches a piece on its square, numbered the label of a turn.
	numbered  = regexp.MustCompile(`\b\d+[gswb]\b`)
	placement = regexp.MustCompile(`\b[RCDHMErcdhme][a-h][1-8]\b`)
	// inBrackets matches squares in brackets that stand anywhere in a line, bracketless squares
	// without a bracket.
	inBrackets  = regexp.MustCompile(`\[[RCDHMErcdhme .]{20,}`)
	bracketless = regexp.MustCompile(`^\s*\d*[gswb]\s+[RCDHMErcdhme][RCDHMErcdhme .]{19,}\]?\s*$`)
)

// setupIn matches the setup of Gold (1, 2) in a line of other words: behind a mark or of many pieces.
var setupIn = regexp.MustCompile(`["'“„«,;|=]\s*(1[gwGW][.:)]?(?:\s+[RCDHMErcdhme][a-h][1-8]\b){2})|\b(1[gwGW][.:)]?(?:\s+[RCDHMErcdhme][a-h][1-8]\b){6})`)

// byline matches a line that says whose a study is, between its claim and its board.
var byline = regexp.MustCompile(`(?i)^[\s_*(]*(?:(?:composed |made )?by|author:|from) [^.!?:]{1,60}\)?$|^\s*\(?\d{4}\)?\s*$`)

// captionAbove reads words about the next position.
func (r *reader) captionAbove(l line) { r.captionOfNext(l, captionOf(l)) }

func (r *reader) captionOfNext(l line, c caption) {
	r.doubtful(&r.notes, l, c)
	if c.claim == 0 && !c.known {
		r.pass(l)
		return
	}
	if a := r.above; c.claim > 0 && c.known && a.known && a.alone && !c.alone && a.side != c.side {
		r.leaveOut(&r.notes, l, "claim of the other side", "this claim is not about the side to move")
	}
	r.agreed(l, &c, &r.above)
	e := r.wait
	c.adjoins, c.numbered = r.before.known, numberIn(l.text) > 0 && (e != nil && e.numbered || e == nil && !r.block && !r.sideless)
	c.sameBlock = (r.block || r.sideless) && !c.numbered && !(e != nil && c.known && c.side != e.mover()) // it is not about the one above
	c, err := c.below(r.above)
	if err != nil {
		r.fail(r.source(l).errorAt(l.start(), "%v", err))
		return
	}
	c.between = c.between || c.claim > 0 && r.wait != nil && r.wait.Claim == 0
	r.above = c
	if b := r.before; r.above.alone && r.above.known && b.known && r.above.side != b.side {
		r.doubt = r.contradicts(l, r.above.side, b.side)
	}
	r.passOver(l)
}

// contradicts is the error of a line that names another side to move than the position above it.
func (r *reader) contradicts(l line, here, above arimaa.Side) error {
	return r.source(l).errorAt(l.start(), "here %v is to move, but in the position above %v is", here, above)
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
	r.drop()
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
	if c.sameBlock && c.blankBelow && (c.known || c.claim > 0) {
		return caption{}, r.source(c.line).mended(c.line.start(), "caption between two positions", "it is left out",
			"these words may be about the position above or the one below: put them right at their position, without a blank line")
	}
	if err := r.placed(&c); err != nil {
		return c, err
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
		if c.claim == 0 { // its claim is left out
			return caption{}, nil
		}
		// The claim is about something else.
		return caption{}, r.source(c.line).mended(c.line.start(), "claim of the other side", "it is left out", "%v is to move below, and this claim is not about that side", m.side)
	}
	return c, nil
}

// placed notes where a claim stands that may be about another position than the one below.
func (r *reader) placed(c *caption) error {
	const kind, either = "claim between two positions", "this claim may be about the position above or the one below"
	var err error
	switch {
	case !c.between || c.numbered: // or it is the heading of the one below
	case c.adjoins && c.blankBelow, r.unclear:
		err = r.source(c.line).mended(c.line.start(), kind, "it is left out", either+": put it right at its position, without a blank line")
		*c = caption{}
	default:
		err = r.source(c.line).mended(c.line.start(), kind, "it is taken for the one below", either)
	}
	if a := r.stray; err == nil && a.claim > 0 && !a.sameClaim(*c) {
		err = r.source(a.line).mended(a.line.start(), strayKind, "it is left out", strayWhy)
	}
	r.stray = caption{}
	return err
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

// beside returns what words in the line of a position say about it. The error says that they
// contradict the letter of the side to move.
func (r *reader) beside(l line, src *source, p inLine) (own caption, err error) {
	own, before := captionOf(p.rest), captionOf(line{text: l.text[:p.at-l.offset], number: l.number})
	if own.words == "" && before.words == "" {
		own = captionOf(l)
	}
	doubt := own.doubt || before.doubt
	r.agreed(l, &own, &before)
	if own.claim > 0 && own.known && !own.alone && before.alone && own.side != before.side {
		r.leaveOut(&r.notes, l, "claim of the other side", "this claim is not about the side to move")
	}
	if own, err = own.below(before); err != nil {
		return own, src.errorAt(p.at, "the words before the position and behind it name different sides to move")
	}
	own.doubt = doubt
	r.doubtful(&r.notes, l, own)
	if own.guess {
		if m := cmp.Or(p.mover, r.above.mover, r.l.otherwise); own.side != m.side || !m.known {
			own = caption{}
		}
	}
	if !p.known {
		return own, nil
	}
	said, both := sideIn(toMove, strings.ToLower(l.text))
	plain := both || said.known
	switch {
	case own.known && own.side != p.side && plain, !own.known && (both || plain && said.side != p.side):
		return own, src.errorAt(p.at, "the letter says that %v is to move, the words beside it say %v", p.side, p.side.Other())
	case own.known && own.side != p.side:
		r.leaveOut(&r.notes, l, "claim of the other side", "this claim is not about the side to move")
		return caption{}, nil
	}
	return own, nil
}

// place makes a position of one line the last one.
func (r *reader) place(l line, src *source, p inLine) {
	own, err := r.beside(l, src, p)
	if err != nil {
		r.failIn(l.text, l.number, err)
		return
	}
	p.mover = cmp.Or(p.mover, own.mover)
	above, err := r.take(p.mover)
	if err != nil && !errors.As(err, new(*ParseError)) {
		err = src.errorAt(0, "%v", err)
	}
	if err != nil {
		r.failIn(l.text, l.number, err)
		return
	}
	r.agreed(l, &own, &above)
	c := own
	if c.claim == 0 {
		c = above
	}
	p.mover = cmp.Or(p.mover, above.mover, r.l.otherwise)
	if n := numberIn(l.text[:p.at-l.offset]); n > 0 {
		r.numbered = n
	}
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
	case r.whole.Claim == 0 && stepsIn(p.rest.text):
		r.leaveOut(&r.whole.Notes, p.rest, "turn beside a position", `the turn behind the position may be its solution: write it in a line of its own behind "Solution:"`)
	}
}

// maxListLines is how many lines a list of pieces has.
const maxListLines = 64

// morePieces takes the pieces of the other side into a list.
func (r *reader) morePieces(l line) {
	list, ok := cutPieces(l)
	first, _ := cutPieces(r.pieces[0])
	if len(r.pieces) == maxListLines {
		r.again(l)
		return
	}
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
	switch words := l.words(); {
	case isOpen(r.pieces[len(r.pieces)-1]):
		r.morePieces(l)
	case len(words) > 0 && isStep(words[0].text):
		r.gameOfList(l) // with something else in its line
	default:
		r.again(l)
	}
}

// closeList reads the list of pieces.
func (r *reader) closeList() {
	l := r.pieces[0]
	shown := l.text
	for i, more := range r.pieces[1:] {
		n := more.number - r.pieces[i].number
		l.text += strings.Repeat(" ", n) + more.text
		shown += strings.Repeat("\n", n) + more.text
	}
	r.pieces, r.state = nil, outside
	src := r.source(l)
	src.shown = shown
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
	first, _ := cutPieces(pieces[0])
	if len(pieces) < 2 || first.sides != [2]bool{} || first.first() != arimaa.Gold || !isRecord(pieces[0].words()) {
		r.again(l)
		return
	}
	r.pieces = nil
	r.beginGame(pieces[0])
	for _, next := range []line{pieces[1], l} {
		if r.state == inGame { // it is not too long
			r.add(next)
		}
	}
}

// These say that a claim is left out.
const (
	strayKind = "claim apart"
	strayWhy  = "this claim is not about a position right beside it"
)

// drop gives up what the line above says, and ends a header. A claim may be about the last position,
// if nothing comes below it.
func (r *reader) drop() {
	if c := r.above; c.claim > 0 {
		if r.stray.claim > 0 && !r.stray.sameClaim(c) {
			c.between = false // one of two
		}
		r.stray = c
	}
	if r.above.known {
		r.lost = r.above
	}
	r.above = caption{}
	r.proseBelow()
}

// claimFor takes a claim below the last position as that of the position, and reports whether there
// is one.
func (r *reader) claimFor(e *Entry) bool {
	r.drop()
	c := r.stray
	if e.Claim > 0 && e.Claim == c.claim {
		r.stray = caption{}
		return true
	}
	if e.Claim > 0 || !c.between || c.known && c.side != e.mover() || r.numbered != 0 && r.numbered != e.place {
		return false
	}
	e.Claim, e.ClaimFrom, r.stray = c.claim, c.words, caption{}
	return true
}
