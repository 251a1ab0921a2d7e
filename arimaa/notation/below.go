package notation

import (
	"cmp"
	"errors"
	"strings"

	"goalproof/arimaa"
)

// played is a position that is complete, with the turns below it.
type played struct {
	Entry
	game         *arimaa.Game // the turns below it, if any
	inOneLine    bool         // it is written in one line
	sideKnown    bool         // the side to move is known from the text
	captioned    bool         // a line below says who is to move
	byCaption    bool         // and nothing else says it
	captionApart bool         // that line stands below a blank line
	turnKnown    bool         // the text says which turn comes next
	afterBlank   bool         // there was a blank line or a comment
	claimBelow   *line        // the words below it that claim
	lost         caption      // what is said above the prose above it
	unclear      caption      // what may be said below it, or above the next one
	err          error        // nobody knows who is to move, unless the next line says so
}

// complete makes a position the last one.
func (r *reader) complete(l line, p inLine, c caption) {
	w := &played{turnKnown: p.number != 0 && p.number != arimaa.FirstTurn}
	r.count++
	d, err := r.source(l).diagram(p, l.number)
	if w.err = err; err != nil {
		d = Diagram{arimaa.NewPosition(p.board, arimaa.Gold), cmp.Or(p.number, arimaa.FirstTurn), l.number} // until a line below says who is to move
	}
	if r.tags["Result"] != "" && r.tagged > 0 { // or it is a tag
		delete(r.tags, "Result")
		r.leaveOut(&r.notes, line{number: r.tagged}, "result of a position", "a result stands above a position, which is no game")
	}
	w.Entry = Entry{Line: l.number, Position: &d, Claim: c.claim, Tags: r.tags, place: cmp.Or(r.numbered, r.count), numbered: r.numbered > 0}
	r.headed = r.headed || r.numbered > 0
	if r.unclear && r.wait != nil {
		r.wait.place = otherPosition
	}
	w.lost, r.lost = r.lost, caption{}
	r.tags, r.numbered, r.elsewhere, r.unclear = nil, 0, 0, false
	if c.claim > 0 {
		w.ClaimFrom = c.words
	}
	r.whole, r.state = w, below
}

// blankBelow notes a blank line below a position.
func (r *reader) blankBelow(line) { r.whole.afterBlank = true }

// headerLineBelow reads a line of a header below a position. A result right below turns is theirs.
func (r *reader) headerLineBelow(l line) {
	w := r.whole
	if !isResultLine(l) || w.game == nil {
		r.leave()
		r.header(l)
		return
	}
	if w.afterBlank {
		r.leaveOut(&w.Notes, l, "result between two games", "this may be the result of the turns above or of what is below: put it right below the turns, without a blank line")
		return
	}
	r.resultOfTurns(r.source(l), fieldsOf(l)[0].value)
}

// resultOfTurns takes the result of the turns below a position.
func (r *reader) resultOfTurns(src *source, result string) {
	w := r.whole
	if w.Tags == nil {
		w.Tags = map[string]string{}
	}
	if err := (&gameReader{source: src, game: w.game}).resultOutside(w.Tags, result); err != nil {
		r.breaks(err)
	}
}

// borderBelow ends the block of the turns below a position.
func (r *reader) borderBelow(line) {
	w := r.whole
	w.afterBlank = w.afterBlank || w.game != nil
}

// flush makes the position that is complete wait for its solution.
func (r *reader) flush() {
	w := r.whole
	r.whole, r.state, r.block = nil, outside, !w.afterBlank
	if w.err != nil {
		r.fail(w.err)
		r.sideless = errors.Is(w.err, ErrNoSide)
		return
	}
	r.settle()
	r.before, r.lost = mover{w.mover(), true}, w.unclear
	if w.game != nil && (w.game.Len() > 0 || w.game.End() != "") {
		w.Position, w.Game = nil, w.game
	}
	w.Notes, r.notes = append(r.notes, w.Notes...), nil
	r.wait, r.ends = &w.Entry, r.l.begin
}

// doubtCaption makes an error of a position below a caption that names the side to move for it or for
// the one above, where nothing else does.
func (r *reader) doubtCaption(l line) {
	if w := r.whole; w.claimBelow != nil && !w.afterBlank {
		err := r.source(*w.claimBelow).mended(w.claimBelow.start(), "claim between two positions", "it is left out", "this claim may be about the position above or the one below: put a blank line where it does not belong")
		if w.Claim, w.ClaimFrom = 0, ""; err != nil {
			w.err = err
		}
	}
	if w := r.whole; w.byCaption && (w.captionApart || !w.afterBlank) {
		w.err = r.source(l).errorAt(0, "the line above may say who is to move in this position, or in the one above it: say it in both")
	}
}

// singleBelow begins another position.
func (r *reader) singleBelow(l line) {
	w := r.whole
	w.byCaption = w.byCaption && isBareSquares(unindented(l.text))
	r.doubtCaption(l)
	r.flush()
	r.single(l)
}

// headBelow begins another position, unless the label is that at the end of the turns.
func (r *reader) headBelow(l line) {
	w := r.whole
	c, _, _ := cutHead(l.text)
	if w.game == nil || c.number != w.game.Number(w.game.Len()) || c.side != w.mover() {
		w.byCaption = w.byCaption && w.captionApart && c.side == w.mover()
		r.doubtCaption(l)
		r.flush()
	}
	r.head(l)
}

// rankBelow begins another position.
func (r *reader) rankBelow(l line) {
	if w := r.whole; !w.inOneLine && unindented(l.text)[0] != '8' && !w.afterBlank {
		r.breaks(r.source(l).errorAt(0, "a line after the eighth rank of the board"))
		return
	}
	r.doubtCaption(l)
	r.flush()
	r.firstRank(l)
}

// turnBelow plays the turns of a line, or begins a game with its setup.
func (r *reader) turnBelow(l line) {
	w, src := r.whole, r.rest(l)
	turns, err := src.grouped()
	if err == nil && turns[0].number == 1 && (w.game == nil || beginsRecord(l)) && !startsWithStep(turns[0].words) {
		r.flush()
		r.beginGame(l)
		return
	}
	if err == nil && w.game == nil {
		w.labelled(turns[0])
	}
	if r.leavesTurn(l) {
		return
	}
	for i := 0; err == nil && i < len(turns); i++ {
		err = r.playBelow(src, turns[i])
	}
	words := l.words()
	if err != nil {
		r.breaks(err)
	} else if last := words[len(words)-1].text; resultOfWord(last) != "" {
		r.resultOfTurns(src, last)
	}
}

// labelled takes from the label of the first turn who is to move and which turn comes next, where
// the text does not say it.
func (w *played) labelled(t turnText) {
	if w.err != nil {
		w.decide(t.side)
	}
	if !w.turnKnown && t.side == w.mover() && t.number > 1 {
		w.Position.Number, w.turnKnown = t.number, true
	}
}

// decide says who is to move, where nothing has said it so far.
func (w *played) decide(side arimaa.Side) {
	w.Position.Position = arimaa.NewPosition(w.Position.Position.Board, side)
	w.err, w.sideKnown = nil, true
}

// rest returns a text that is the rest of its line.
func (r *reader) rest(l line) *source {
	return r.text(strings.Repeat(" ", l.offset)+l.text, l.number)
}

// playBelow plays a turn. What was said about the position before is not true of the one behind.
func (r *reader) playBelow(src *source, t turnText) error {
	w := r.whole
	if w.Claim > 0 || w.Solution != "" {
		err := src.mended(t.offset(), "turns below a claim", "what they say is left out", "the words above are about the position before these turns")
		if err != nil {
			return err
		}
		w.Claim, w.ClaimFrom, w.Solution, w.SolutionFrom = 0, "", "", ""
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
		err = r.playBelow(src, turns[i])
	}
	if err != nil {
		r.breaks(err)
	}
}

// leavesTurn leaves out a turn below a position that has its claim or solution, and reports whether
// it has: this may be the solution, or how the game went on.
func (r *reader) leavesTurn(l line) bool {
	w := r.whole
	if w.game != nil || w.Claim == 0 && w.Solution == "" {
		return false
	}
	r.leaveOut(&w.Notes, l, "turns below a claim", `this may be the solution (then write "Solution:" before it) or how the game went on`)
	return true
}

// stepsBelow refuses a turn without a label.
func (r *reader) stepsBelow(l line) {
	if !r.leavesTurn(l) {
		r.breaks(r.source(l).errorAt(l.start(), "a turn below a position begins with its label and a blank, here %s", r.whole.label()))
	}
}

// captionBelow reads words below a position. They are about it, unless it is known already who is to
// move, and they stand apart, or say another claim.
func (r *reader) captionBelow(l line) {
	w, c := r.whole, captionOf(l)
	r.doubtful(&w.Notes, l, c)
	if c.claim == 0 && !c.known || r.whole == nil {
		r.leave()
		r.pass(l)
		return
	}
	if c.guess && w.err != nil {
		c = caption{}
	}
	more := w.captioned && (c.claim > 0 || w.err != nil) && !w.afterBlank
	about := w.game == nil && r.numberedBelow(l) && (!w.captioned || more) && !(w.afterBlank && w.sideKnown) && !(w.Claim > 0 && c.claim > 0) && (c.known || c.claim > 0 && !w.afterBlank)
	if about && r.againstLost(l, &c) {
		return
	}
	switch {
	case !about, !c.alone && w.err == nil && c.known && w.mover() != c.side:
		r.flush()
		r.captionOfNext(l, c)
		return
	case !c.known:
	case w.err != nil:
		r.sideBelow(l, c.side)
		w.byCaption, w.captionApart = true, w.afterBlank
	case w.mover() != c.side:
		r.breaks(r.contradicts(l, c.side, w.mover()))
		return
	}
	w.captioned = true
	if c.claim > 0 {
		w.Claim, w.ClaimFrom, w.claimBelow = c.claim, c.words, &l
	}
}

// againstLost compares words below the position with those above the prose above it, and reports
// whether this has ended the position. Claims that differ do not count: each caption may be that of the
// position below it.
func (r *reader) againstLost(l line, c *caption) (ended bool) {
	w := r.whole
	if w.lost.claim > 0 && c.claim > 0 && !w.lost.sameClaim(*c) {
		r.leaveOut(&w.Notes, l, "claims that differ", "this claim differs from the one above the position, and neither counts")
		w.unclear, c.claim = *c, 0
	}
	if r.whole != nil && w.err != nil && w.lost.known && c.known && w.lost.side != c.side {
		r.breaks(r.source(l).errorAt(l.start(), "here %v is to move, and above the position %v: put these words right above or right below it", c.side, w.lost.side))
	}
	return r.whole == nil
}

// numberedBelow reports whether the number in words right below the position may be its own, and takes
// it: if no line above has numbered it, any but the next one.
func (r *reader) numberedBelow(l line) bool {
	w := r.whole
	n := numberIn(l.text)
	switch {
	case n == 0 || n == w.place:
		return true
	case w.numbered || w.afterBlank || n == w.place+1:
		return false
	}
	w.place, w.numbered, r.headed = n, true, true
	return true
}

// sideBelow takes from words below who is to move. A solution above must be that side's.
func (r *reader) sideBelow(l line, side arimaa.Side) {
	w := r.whole
	w.decide(side)
	if w.Solution != "" && illegal(w.Position.Position, strings.Fields(w.Solution), false) != "" {
		w.Solution, w.SolutionFrom = "", ""
		r.leaveOut(&w.Notes, l, "solution", "the solution above is not that of the side to move")
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

// startsWithStep reports whether a turn begins with a step: then 1 is no number of a setup.
func startsWithStep(words []word) bool { return len(words) > 0 && isStep(words[0].text) }
