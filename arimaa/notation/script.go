package notation

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// script is the record of a game while its lines are collected.
type script struct {
	text   strings.Builder
	begins int // line number of the first line
	lines  int // that have been added
	size   int // of all lines, in bytes

	tagged  bool   // there is a tag
	placed  bool   // one gives the position
	after   []line // tags behind that one and a blank line, perhaps of the next record
	cut     int    // where they begin in the text
	played  bool   // there is a turn
	gold    bool   // Gold has set up
	both    bool   // and Silver, or a later turn has come
	later   bool   // a turn has come that is no setup
	labels  int    // that stand alone in their line
	undone  bool   // the last turn is taken back
	log     bool   // it is one of the AEI
	heading int    // where the label begins that came last, if nothing has come since; -1: none
	headed  line   // that line
	wrong   error  // of a line that is no part of it, where nothing is mended

	captions   []line // words that may be about a position below
	adjoin     bool   // no blank line stands above them
	blankBelow bool   // one stands below them
	header     []line // below the turns, perhaps of a game or a position below
	ends       int    // number of the last line of turns

	comment bool // a comment is open
	inTag   bool // a tag is
	quoted  bool // and a quotation mark has come in it
	depth   int  // of brackets
}

// open reports whether a comment, a tag or brackets are open.
func (g *script) open() bool { return g.comment || g.inTag || g.depth > 0 }

// endsBlank reports whether the last line is blank.
func (g *script) endsBlank() bool { return strings.HasSuffix(g.text.String(), "\n\n") }

// until returns the character that ends the comment or the tag that is open, 0 if none is.
func (g *script) until() rune {
	switch {
	case g.comment:
		return '}'
	case g.inTag:
		return ']'
	}
	return 0
}

// skipTo writes blank lines up to the line with a number.
func (g *script) skipTo(number int) {
	for ; g.begins+g.lines < number; g.lines++ {
		g.text.WriteByte('\n')
	}
}

// add adds a line to the record.
func (g *script) add(text string) {
	g.lines++
	g.text.WriteString(text)
	g.text.WriteByte('\n')
	if strings.ContainsAny(text, "{}()[]") && (g.open() || !isComment(text)) {
		g.balance(text)
	}
}

// balance follows what is open in a line.
func (g *script) balance(text string) {
	for i := range len(text) {
		switch c := text[i]; {
		case g.comment:
			g.comment = c != '}' || escaped(text, i)
		case g.inTag:
			g.quoted = g.quoted || c == '"'
			g.inTag = c != ']' || g.quoted && !strings.HasSuffix(strings.TrimRight(text[:i], " \t"), `"`)
		case c == ';' && beginsComment(text, i, g.depth > 0):
			return
		case c == '{':
			g.comment = true
		case c == '(':
			g.depth++
		case c == ')':
			g.depth = max(g.depth-1, 0)
		case c == '[' && g.depth == 0:
			g.inTag, g.quoted = isTagStart(text[i:]), false
		}
	}
}

// note takes note of what a line of turns holds.
func (g *script) note(words []word) {
	for i, w := range words {
		number, side, ok := labelIn(words[i:])
		step := trimmed(w.text)
		g.later = g.later || isStep(step) && strings.IndexByte("nsewxNSEWX", step[3]) >= 0
		g.both = g.both || number > 1 && (g.played || len(words) > 1) || g.gold && (ok && side == arimaa.Silver || isDots(w.text))
		g.gold = g.gold || ok && side == arimaa.Gold
		g.undone = i == len(words)-1 && w.text == "takeback"
	}
	if _, _, label := labelOf(words[0].text); label && len(words) == 1 {
		g.labels++
	} else {
		g.played = true
	}
}

// labelIn returns the label with which words begin. Dots behind a number are that of Silver.
func labelIn(words []word) (number int, side arimaa.Side, ok bool) {
	if number, side, ok = labelOf(words[0].text); ok && len(words) > 1 && isDots(words[1].text) {
		side = arimaa.Silver
	}
	return number, side, ok
}

// beginGame begins a record.
func (r *reader) beginGame(l line) {
	r.game = &script{begins: l.number, heading: -1}
	r.state = inGame
	r.add(l)
}

// firstTurn begins a record with a turn. Only a setup may stand below something else.
func (r *reader) firstTurn(l line) {
	words := l.words()
	number, side, _ := labelOf(words[0].text)
	if number == 1 || !r.found && r.wait == nil {
		r.beginGame(l)
		return
	}
	r.state = broken // the turns below are the same to it
	r.fail(r.source(l).errorAt(words[0].offset, "turn %s may continue a position above or be only about it: put turns right below their position, "+
		"or leave them out", arimaa.TurnLabel(number, side)))
}

// turnOfBroken begins a record below something broken. Other turns may be a part of that.
func (r *reader) turnOfBroken(l line) {
	if beginsRecord(l) {
		r.beginGame(l)
	}
}

// lostMove refuses a command of the AEI before those that set a position.
func (r *reader) lostMove(l line) {
	r.breaks(r.source(l).errorAt(l.start(), "makemove stands before newgame and setposition: nobody knows in which position"))
}

// add adds a line to the record, or notes that it does not belong to it.
func (r *reader) add(l line) {
	g := r.game
	g.skipTo(l.number)
	if g.size += len(l.text) + 1; g.size > MaxEntry {
		r.game, r.state = nil, outside
		r.fail(r.l.tooLong(g.begins, "game"))
		r.done = true
		return
	}
	if g.open() || isComment(l.text) {
		g.blankBelow = true
		g.add(l.text)
		return
	}
	words := l.words()
	heading := g.heading
	g.heading = -1
	r.settleBelow(l, words)
	switch first := words[0].text; {
	case g.log && first != "makemove" && first != "newgame" && !isSteps(words):
		g.add("")
	case isBorder(l.text) && !isResult(first):
		g.add("")
		g.heading = heading
	case first[0] == '[' || first[0] == '{' || first[0] == '(':
		g.tagged = g.tagged || first[0] == '['
		g.tagAdded(l)
		g.add(l.text)
		if first[0] != '[' {
			g.ends = l.number
		}
		g.played = g.played || first[0] == '[' && slices.ContainsFunc(words, func(w word) bool { _, _, ok := labelOf(w.text); return ok })
	case first == "newgame", first == "makemove":
		g.log = true
		if g.add(l.text); len(words) > 1 {
			g.played, g.ends = true, l.number
		}
	case !g.played && !g.tagged && !isRecord(words):
		r.again(l)
	case r.foreign(l, words):
		g.add("")
	default:
		if len(words) == 1 && isLabel(words[0].text) {
			g.heading, g.headed = g.text.Len(), l
		}
		g.note(words)
		g.add(l.text)
		g.ends = l.number
	}
}

// solutionInGame ends the turns of a record: solutions of positions above follow.
func (r *reader) solutionInGame(l line) {
	if r.game.played {
		r.again(l)
		return
	}
	r.add(l)
}

// captionInGame keeps words below the tags or the turns of a record. They may be about a position that
// follows.
func (r *reader) captionInGame(l line) {
	g := r.game
	if !g.played && !g.tagged {
		r.add(l)
		return
	}
	if len(g.captions) == 0 {
		g.adjoin = !g.endsBlank()
	}
	g.captions = append(g.captions, l)
	g.size += len(l.text)
	r.add(line{number: l.number})
	g.blankBelow = false
}

// headerInGame keeps a line of a header below the turns of a record; it may be that of what follows.
func (r *reader) headerInGame(l line) {
	g := r.game
	switch {
	case g.log || g.played && l.number == g.ends+1 && bareResult.MatchString(unindented(l.text)):
		r.add(l)
		return
	case g.played:
		g.header = append(g.header, l)
		g.size += len(l.text)
	default:
		r.header(l)
	}
	r.add(line{number: l.number})
}

// settleBelow takes what was kept for something below the record as a part of it, since the record
// goes on. A label alone may be that of a board.
func (r *reader) settleBelow(l line, words []word) {
	g := r.game
	if isBorder(l.text) || len(words) == 1 && isLabel(words[0].text) {
		return
	}
	for _, said := range g.captions {
		r.foreign(said, said.words())
	}
	g.captions = nil
	if !isRecord(words) && words[0].text != "makemove" {
		return
	}
	for _, h := range g.header {
		r.foreign(h, h.words())
	}
	g.header = nil
}

// isRecord reports whether a word may begin a line of a record.
func isRecord(words []word) bool {
	text := trimmed(words[0].text)
	_, _, label := labelOf(text)
	return label || isStep(text) || isPlacement(text) || isPlaced(text) && len(text) == 2 || isResult(text) || strings.Trim(text, "!?") == "" || isDots(text) ||
		text == "takeback" || text == "pass" || isSteps(words)
}

// isSteps reports whether all words are such as a record has behind labels.
func isSteps(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool {
		text := trimmed(w.text)
		return !isStep(text) && !isPlacement(text) && !isReserved(text)
	})
}

// damagedTurn matches a turn whose label sticks to it, or that stands between marks.
var damagedTurn = regexp.MustCompile(`^\W*\d+[gswbGSWB]?[\W_]*[RCDHMErcdhme][a-h][1-8][nsewx]`)

// foreign notes a line of a record that looks like no part of it, and reports whether it is one.
func (r *reader) foreign(l line, words []word) bool {
	if isRecord(words) || !utf8.ValidString(l.text) || damagedTurn.MatchString(l.text) {
		return false
	}
	steps, plain := 0, 0
	for _, w := range words {
		if isStep(trimmed(w.text)) {
			steps++
		} else if len(w.text) > 1 && strings.Trim(w.text, letters[:52]+",.;:!?'()") == "" {
			plain++
		}
	}
	first := words[0].text
	if isDigit(first[0]) && (len(words) == 1 && labelLike.MatchString(first) || steps > 0) || steps > 0 && plain < 2 {
		return false
	}
	err := r.source(l).mended(l.start(), "foreign line", "it is left out", "this line is no part of the game: %.100q", l.text)
	if r.game.wrong == nil {
		r.game.wrong = err
	}
	return true
}

// positionTag matches the beginning of a tag that gives the position.
var positionTag = regexp.MustCompile(`(?i)^\s*\[\s*position\b`)

// tagAdded notes a tag before it is added.
func (g *script) tagAdded(l line) {
	if !g.placed {
		g.placed = positionTag.MatchString(l.text)
		return
	}
	if len(g.after) == 0 && g.endsBlank() {
		g.cut = g.text.Len()
	}
	if g.cut > 0 {
		g.after = append(g.after, l)
	}
}

// nextRecord begins the next record with a tag, or with the command newgame. If no turn has come, a
// second tag Position begins it, with the tags above it up to a blank line.
func (r *reader) nextRecord(l line) {
	g := r.game
	if !g.played && !(g.placed && (g.cut > 0 || g.endsBlank()) && positionTag.MatchString(l.text)) {
		r.add(l)
		return
	}
	lines := append(g.after, l)
	if g.played {
		lines = lines[len(lines)-1:]
	} else if text := g.text.String(); g.cut > 0 {
		g.text.Reset()
		g.text.WriteString(text[:g.cut])
	}
	r.closeGame()
	r.beginGame(lines[0])
	for _, next := range lines[1:] {
		r.add(next)
	}
}

// beginsRecord reports whether a line begins a record beyond doubt, with a tag or the setup of Gold.
func beginsRecord(l line) bool {
	words := l.words()
	if len(words) < 2 {
		return false
	}
	number, side, _ := labelIn(words)
	return isTagStart(unindented(l.text)) || number == 1 && side == arimaa.Gold && isPlacement(words[1].text)
}

// nextTurn begins the next record with a setup, which is that of Gold unless turns stand above it.
func (r *reader) nextTurn(l line) {
	g, words := r.game, l.words()
	number, side, _ := labelIn(words)
	if number == 1 && !g.undone && (side == arimaa.Gold && (g.both || g.header != nil) || g.later && isPlacement(words[1].text)) {
		r.closeGame()
		r.beginGame(l)
		return
	}
	r.add(l)
}

// rankInGame ends the record with a board, whose label may have been taken for one of the record.
func (r *reader) rankInGame(l line) {
	if g := r.game; r.endAbove(g.heading >= 0) {
		r.head(g.headed)
		r.collect(l)
		return
	}
	r.dispatch(l, classify(l))
}

// singleInGame adds pieces to the setup of a record. Another position ends it, and so does the setup
// of the next record.
func (r *reader) singleInGame(l line) {
	g := r.game
	list, ok := cutPieces(l)
	if ok && !list.known && list.sides == [2]bool{} && !(g.later && list.first() == arimaa.Gold) {
		r.add(l)
		return
	}
	if r.endAbove(g.heading >= 0 && !ok && isSquares(l, l.words())) {
		r.head(g.headed)
		r.squares(l)
		return
	}
	r.dispatch(l, classify(l))
}

// endAbove ends the record above a position, and reports what it is told: whether the label that came
// last is that of the position. So are tags without turns.
func (r *reader) endAbove(headed bool) bool {
	g := r.game
	text := g.text.String()
	if headed {
		g.labels--
		text = text[:g.heading]
		g.text.Reset()
		g.text.WriteString(text)
	}
	if g.tagged && !g.played {
		tags := map[string]string{}
		if _, _, err := r.text(text, g.begins).plain(tags); err == nil && tags["Position"] == "" {
			if g.tagged = false; tags["Result"] != "" {
				r.tagged = 0
			}
			r.tags = withTags(tags, r.tags)
		}
	}
	if headed && g.labels > 0 && !g.played && !g.tagged {
		r.game, r.state = nil, outside
		r.fail(r.l.fail(g.begins, "a label without a turn or a board"))
	} else {
		r.closeGame()
	}
	return headed
}

// isSquares reports whether a line holds the squares of a position, perhaps without a side.
func isSquares(l line, words []word) bool {
	return isRanks(words) || isBareSquares(unindented(l.text))
}

// closeGame reads the record, if it is more than a comment, and what was kept below it.
func (r *reader) closeGame() {
	g := r.game
	r.resultBelow()
	r.game, r.state = nil, outside
	switch {
	case g.played || g.tagged || g.labels > 0:
		r.readGame(g)
	case g.open():
		r.fail(r.l.fail(g.begins, "a comment or brackets begin here, and do not end"))
	case g.wrong != nil:
		r.fail(g.wrong)
	}
	r.headerOfNext(g)
	for _, l := range g.captions {
		r.captionAbove(l)
	}
	if c := &r.above; g.played && g.adjoin && g.blankBelow { // they are about the end of the game, or nobody knows
		if c.between, c.adjoins, c.blankBelow = c.claim > 0, true, true; c.claim == 0 {
			*c = caption{}
		}
	}
}

func (r *reader) readGame(g *script) {
	src := r.text(g.text.String(), g.begins)
	game, tags, err := src.game()
	if err == nil {
		err = (&gameReader{source: src, game: game}).resultOutside(tags, r.tags["Result"])
	}
	if g.wrong != nil {
		err = g.wrong
	}
	tags = withTags(tags, r.tags)
	e := Entry{Line: g.begins, Game: game, Tags: tags, Notes: r.notes, game: true, record: src.with(src.text)}
	if e.record.notes != nil {
		e.record.notes = new([]Note) // another one takes what is mended again
	}
	if r.notes = nil; game == nil {
		e = Entry{Line: g.begins, Tags: tags, game: true}
	}
	if err == nil {
		err = e.claimOfTags(src)
	}
	r.entry(e, err)
}

// claimOfTags takes the claim of the tags, if the record has no turns. Other claims of its title are
// noted.
func (e *Entry) claimOfTags(src *source) error {
	if src.notes != nil {
		src.notes = &e.Notes
	}
	var found caption
	for _, name := range []string{"Title", "title", "Event"} {
		c := captionOf(line{text: e.Tags[name]})
		if c.claim == 0 || e.Game.Len() > 0 && name == "Event" {
			continue
		}
		if e.Game.Len() > 0 || c.known && c.side != e.mover() || found.claim > 0 && found.claim != c.claim {
			e.Claim, e.ClaimFrom = 0, ""
			return src.mended(0, "claim in a tag", "it is left out", "the tag %s claims a win: %.100q", name, e.Tags[name])
		}
		found = c
		e.Claim, e.ClaimFrom = c.claim, c.words
	}
	return nil
}
