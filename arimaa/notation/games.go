package notation

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"goalproof/arimaa"
)

// ReadGame reads the record of a game: the setup of both sides and the turns, or a position given by
// hand and turns from there, each behind its label.
//
//	1w Ra1 Rb1 ...        1w Ca1 Rd2
//	1b ra8 rb8 ...        1b ra5
//	2w Ee2n Ee3n          2w pass
//
// Sides are g and s, or w and b as in older records. "pass" is allowed as the first turn, where it
// gives the move to the opponent. "takeback" undoes the turn before, which may be a setup.
// "resigns", "lost", "timeout" and the like end the record, as does a label without a turn; before
// any turn such a label says whose turn comes first. A turn is refused when the game is over by the
// board. Captures (hc3x) may be left out; one that is written must have happened. Tags, comments
// and variations are left out ([ReadVariations] keeps them).
//
// The error is a [*ParseError]; it wraps [arimaa.ErrNotChanged] or [arimaa.ErrThirdRepetition]
// where that rule was broken. The game is then what could be read before the turn that is broken,
// or nil. Nothing is mended, as [Read] does.
func ReadGame(file, text string) (*arimaa.Game, error) {
	g, _, err := (&source{file: file, line: 1, text: cleanText(text)}).game()
	return g, err
}

// word is one word of a line with its byte offset in the source.
type word struct {
	text   string
	offset int
}

// words returns the words of a line. A label that sticks to its turn, as in chess, is one of its own.
func (l line) words() []word {
	if l.found != nil {
		return l.found.words.in(l, split)
	}
	return split(l)
}

func split(l line) []word {
	all := make([]word, 0, 2+len(l.text)/6)
	start := -1 // of the word under way
	end := func(i int) {
		if start < 0 {
			return
		}
		if n := stuckLabel(l.text[start:i]); n > 0 {
			all = append(all, word{l.text[start : start+n], l.offset + start})
			start += n
		}
		all = append(all, word{l.text[start:i], l.offset + start})
		start = -1
	}
	for i, r := range l.text {
		switch {
		case r == ' ' || r == '\t':
			end(i)
		case start < 0:
			start = i
		}
	}
	end(len(l.text))
	return all
}

// withLabel matches a label with its mark, or dots, before a turn.
var withLabel = regexp.MustCompile(`^(?:\d+[wbgsWBGS]?(?:\.\.\.|…|[.:)])|\.\.\.|…)`)

// stuckLabel returns how long the label is that sticks to a step or to a piece that is placed, 0 if
// there is none.
func stuckLabel(text string) int {
	if c := text[0]; len(text) < len("1.Ra1") || !isDigit(c) && c != '.' && c != "…"[0] {
		return 0
	}
	n := len(withLabel.FindString(text))
	if turn := trimmed(text[n:]); isStep(turn) || isPlacement(turn) || n > 0 && isEndWord(turn) {
		return n
	}
	return 0
}

// turnText is a turn of a record: its label and its words.
type turnText struct {
	label  word
	number int // 0: it has no label
	side   arimaa.Side
	words  []word
	line   int
}

// offset returns where a turn begins.
func (t *turnText) offset() int {
	if t.label.text == "" {
		return t.words[0].offset
	}
	return t.label.offset
}

// isResult reports whether a word of a record says its result, or is a mark of chess programs.
func isResult(text string) bool {
	return text == "1-0" || text == "0-1" || text == "1/2-1/2" || text == "*" || text[0] == '$'
}

// grouping splits a text into turns.
type grouping struct {
	*source
	turns  []turnText
	result word // the last one
}

// grouped splits a text that holds nothing but turns: each begins with a label, wherever it stands,
// or with the command makemove. In a record without any of them each line is a turn. With an error
// come the turns before it.
func (s *source) grouped() ([]turnText, error) {
	lines := s.lines()
	g := grouping{source: s, turns: make([]turnText, 0, len(lines))}
	for _, l := range lines {
		begins := true // no word of the line has come
		for _, w := range l.words() {
			if resultOfWord(w.text) != "" {
				g.result = w
			}
			if isResult(w.text) || w.text == "newgame" {
				continue
			}
			if err := g.early(); err != nil {
				return g.turns, err
			}
			w.text = trimmed(w.text)
			if err := g.word(w, l.number, begins); err != nil {
				return g.turns, err
			}
			begins = false
		}
	}
	if len(g.turns) == 0 {
		e := s.errorAt(0, "%v", errNoTurn)
		e.Err = errNoTurn
		return nil, e
	}
	return g.turns, nil
}

var errNoTurn = errors.New("there is no turn in it")

// early notes a result that stands before other words of a record.
func (g *grouping) early() error {
	w := g.result
	if g.result = (word{}); w.text == "" {
		return nil
	}
	return g.mended(w.offset, "result before the end", "it does not count", "the result %s stands before the end of the record", w.text)
}

// word adds a word to the last turn, or begins another.
func (g *grouping) word(w word, line int, begins bool) error {
	number, side, labelled := g.label(w.text)
	if labelled || w.text == "makemove" {
		return g.begin(turnText{w, number, side, nil, line})
	}
	if len(g.turns) == 0 && !isPlacement(w.text) || begins && isDigit(w.text[0]) {
		return g.errorAt(w.offset, "a turn begins with its number and side, for example 2g or 2w, not %q", w.text)
	}
	last := len(g.turns) - 1
	if last < 0 || begins && g.turns[last].number == 0 && g.turns[last].label.text != "makemove" {
		g.turns = append(g.turns, turnText{words: []word{w}, line: line})
		return nil
	}
	t := &g.turns[last]
	if n := len(t.words); begins && n > 0 && isEndWord(w.text) && !isEndWord(t.words[n-1].text) && t.number > 0 {
		return g.errorAt(w.offset, "nobody knows who has ended the game: write %q behind a label", w.text)
	}
	t.words = append(t.words, w)
	if piece, ok := pieceOfLetter(w.text[0]); begins && ok && isStep(w.text) && t.number > 1 && piece.Side() != t.side && len(t.words) > 1 {
		return g.mended(w.offset, "turn in two lines", "it is taken as a part of the turn", "%s may belong to turn %s, or lack its label", w.text, t.label.text)
	}
	return nil
}

// label reads a word as a label. Three dots are that of Silver's turn behind Gold's.
func (g *grouping) label(text string) (number int, side arimaa.Side, ok bool) {
	last := len(g.turns) - 1
	if isDots(text) && last >= 0 && g.turns[last].number > 0 {
		return g.turns[last].number, arimaa.Silver, true
	}
	return labelOf(text)
}

// begin begins a turn. A label right behind another takes its place, and so do the dots of Silver's
// turn behind a number, as in chess.
func (g *grouping) begin(t turnText) error {
	last := len(g.turns) - 1
	if last < 0 || len(g.turns[last].words) > 0 || t.number == 0 || !g.turns[last].doubled(t) {
		g.turns = append(g.turns, t)
		return nil
	}
	before := g.turns[last].label.text
	g.turns[last] = t
	if isDots(t.label.text) && before[len(before)-1] == '.' {
		return nil
	}
	return g.mended(t.label.offset, "label doubled", "the inner one counts", "the label %s stands behind the label %s", t.label.text, before)
}

// doubled reports whether another label says the same turn, or stands in the same line, except for
// a setup without pieces.
func (t *turnText) doubled(by turnText) bool {
	return by.number == t.number && by.side == t.side || by.line == t.line && (t.number > 1 || isDots(by.label.text))
}

// trimmed returns a word of a record without the marks that separate it from the next.
func trimmed(text string) string {
	bare := strings.TrimRight(text, ",;.")
	if n := len(bare); n == len("pass") || n == len("takeback") {
		if small := strings.ToLower(bare); small == "pass" || small == "takeback" {
			return small
		}
	}
	if bare != text && (isStep(bare) || isPlacement(bare) || isReserved(bare)) {
		return bare
	}
	return text
}

// game reads a record, with its tags. With an error comes the game before the turn that is broken,
// if there is one.
func (s *source) game() (*arimaa.Game, map[string]string, error) {
	return s.gameOf(map[string]string{})
}

// gameOf reads a record, of which tags are known from elsewhere.
func (s *source) gameOf(tags map[string]string) (*arimaa.Game, map[string]string, error) {
	plain, notes, err := s.plain(tags)
	if err != nil {
		return nil, tags, err
	}
	r, err := s.begun(plain, tags)
	if err != nil {
		return nil, tags, err
	}
	if n := len(notes) - 1; n >= 0 && strings.TrimSpace(plain[notes[n].offset:]) == "" {
		r.remark = notes[n]
	}
	turns, err := r.grouped()
	if r.first != nil && errors.Is(err, errNoTurn) {
		err = nil
	}
	sound := 0
	for i := 0; err == nil && i < len(turns); i++ {
		if err = r.play(turns[i], i == len(turns)-1); err == nil {
			sound++
		}
	}
	if err == nil {
		r.begin(arimaa.FirstTurn, arimaa.Gold)
		err = r.result(tags)
	}
	if err == nil {
		maps.DeleteFunc(tags, func(name, _ string) bool { return strings.EqualFold(name, "Position") }) // it is in the game
		ownNames(tags)
		return r.game, tags, nil
	}
	again := *s
	again.notes = new([]Note) // they are made again
	if r, _ = again.begun(plain, tags); sound == 0 {
		return r.game, tags, err
	}
	for _, t := range turns[:sound] {
		_ = r.play(t, false) // as it was before
	}
	r.begin(arimaa.FirstTurn, arimaa.Gold)
	return r.game, tags, err
}

// chessNames are tags of chess by the names that they have here.
var chessNames = [][2]string{{"Gold", "White"}, {"Silver", "Black"}, {"GoldRating", "WhiteElo"}, {"SilverRating", "BlackElo"}, {"GoldRating", "GoldElo"}, {"SilverRating", "SilverElo"}}

// ownNames renames tags of chess.
func ownNames(tags map[string]string) {
	for _, names := range chessNames {
		own, chess := names[0], names[1]
		if value, ok := tags[chess]; ok && tags[own] == "" {
			tags[own] = value
			delete(tags, chess)
		}
	}
}

// begun begins a game, from the position that a tag gives, if there is one.
func (s *source) begun(plain string, tags map[string]string) (*gameReader, error) {
	r := &gameReader{source: s.with(plain)}
	for name, value := range tags {
		if !strings.EqualFold(name, "Position") {
			continue
		}
		at := max(strings.Index(s.text, value), 0)
		p, err := (&source{text: value, line: s.line + strings.Count(s.text[:at], "\n"), notes: s.notes, strict: s.strict}).first(value)
		if err != nil {
			return nil, s.errorAt(at, "the tag %s: %s", name, reason(err))
		}
		r.first = &p
	}
	return r, nil
}

// first reads the position of a tag. Words behind it may say who is to move.
func (s *source) first(value string) (inLine, error) {
	p, err := s.single(line{text: value})
	if err != nil {
		return p, err
	}
	switch said := captionOf(p.rest); {
	case said.known && p.known && said.side != p.side:
		return p, errors.New("the letter and the words behind it name different sides")
	case said.known:
		p.mover = said.mover
	case strings.Trim(p.rest.text, " .;,") != "":
		return p, errors.New("there is text behind the position")
	}
	if !p.known {
		return p, ErrNoSide
	}
	return p, nil
}

// gameReader is a game under construction: placements until the first turn.
type gameReader struct {
	*source
	first  *inLine // the position that a tag gives
	board  arimaa.Board
	setup  [2][]arimaa.Placement
	strays []word       // pieces of Silver that stand in the setup of Gold
	game   *arimaa.Game // nil during the setup
	passed bool         // the game begins with a pass
	remark note         // behind the last turn, if there is one
}

// begin ends the setup, if it has not ended yet.
func (r *gameReader) begin(number int, side arimaa.Side) {
	switch {
	case r.game != nil:
	case r.first != nil:
		r.game = arimaa.NewGame(arimaa.NewPosition(r.first.board, r.first.side), cmp.Or(r.first.number, number))
	default:
		r.game = arimaa.SetUp(r.setup, side, number)
	}
}

// play plays a turn of a record, or places a setup; last says that it is the last one.
func (r *gameReader) play(t turnText, last bool) error {
	if t.number == 0 {
		t.number, t.side = r.next()
		t.label = word{arimaa.TurnLabel(t.number, t.side), t.offset()}
	}
	if t.number == maxNumber && len(t.words) > 0 {
		return r.errorAt(t.label.offset, "turn %s: games end before turn %d", t.label.text, maxNumber)
	}
	if r.game == nil {
		if done, err := r.prepare(&t, last); done || err != nil {
			return err
		}
	}
	return r.proceed(t, last)
}

// next returns the label of a turn that has none.
func (r *gameReader) next() (number int, side arimaa.Side) {
	switch {
	case r.game != nil:
		last := r.game.Last()
		return r.game.Number(r.game.Len()), last.Side()
	case r.first != nil:
		return cmp.Or(r.first.number, arimaa.FirstTurn), r.first.side
	case len(r.setup[arimaa.Gold]) == 0:
		return 1, arimaa.Gold
	case len(r.setup[arimaa.Silver]) == 0:
		return 1, arimaa.Silver
	}
	return arimaa.FirstTurn, arimaa.Gold
}

// prepare reads a turn before which no turn was played. It reports whether that was a setup, or the
// like; otherwise the game begins with the turn.
func (r *gameReader) prepare(t *turnText, last bool) (done bool, err error) {
	words := t.words
	only := func(word string) bool { return len(words) == 1 && words[0].text == word }
	switch {
	case r.first != nil && (t.number > 1 || len(words) > 0 && !isPlacement(words[0].text)):
	case len(words) > 0 && isPlaced(words[0].text), t.number == 1 && len(words) == 0:
		return true, r.place(*t)
	case only("takeback"):
		return true, r.takeBackSetup(t.number, t.side, words[0])
	case t.number == 1 && only("pass") && len(r.setup[t.side]) > 0:
		return true, r.mended(words[0].offset, "pass in a setup", "the pieces of both sides stand in the other setup", "turn %s passes", t.label.text)
	case t.number == 1:
		return true, r.errorAt(t.label.offset, "turn 1 is the setup: pieces and squares, for example Ra1")
	case only("pass"):
		err = r.complete(t)
		t.number, t.side, t.words = t.number+int(t.side), t.side.Other(), nil
		r.passed = true
		r.begin(t.number, t.side)
		return true, err
	}
	if len(words) == 0 && !last {
		return true, r.errorAt(t.label.offset, "turn %s has no steps", t.label.text)
	}
	err = r.complete(t)
	r.begin(t.number, t.side)
	return len(words) == 0, err
}

// proceed plays a turn of a game that has begun.
func (r *gameReader) proceed(t turnText, last bool) error {
	g := r.game
	if g.End() != "" && len(t.words) > 0 {
		return r.errorAt(t.label.offset, "a turn after the game has ended (%s)", g.End())
	}
	i, next := g.Len(), g.Last()
	if g.Number(i) != t.number || next.Side() != t.side {
		// Some records count a resignation as a turn: in the label that comes last.
		if g.End() == "" || g.Number(i+1) != t.number || next.Side() == t.side {
			return r.errorAt(t.label.offset, "turn %s stands where turn %s is expected", t.label.text, g.Label(i))
		}
	}
	switch {
	case len(t.words) == 0 && !last:
		return r.errorAt(t.label.offset, "turn %s has no steps", t.label.text)
	case len(t.words) == 0:
		return nil
	case len(t.words) == 1 && t.words[0].text == "takeback":
		return r.takeBack(t)
	case len(t.words) == 1 && t.words[0].text == "pass":
		return r.pass(t)
	}
	if at := slices.IndexFunc(t.words, func(w word) bool { return isEndWord(w.text) }); at >= 0 {
		return r.ends(t, at)
	}
	if n := len(t.words); t.words[n-1].text == "pass" {
		t.words = t.words[:n-1]
	}
	return r.turn(t.label, t.words)
}

// ends reads how a record ends, from the word at. Steps before it are left out, since the player whose
// turn they begin has ended the game, unless the other one is named.
func (r *gameReader) ends(t turnText, at int) error {
	var all []string
	for _, w := range t.words[at:] {
		all = append(all, strings.ToLower(strings.TrimRight(w.text, ".!")))
	}
	end := strings.Join(all, " ")
	if _, ok := endWords[end]; !ok {
		return r.errorAt(t.words[at].offset, "turn %s: %q is no end of a record: write resigns, timeout, forfeits or lost", t.label.text, end)
	}
	if words := t.words[:at]; len(words) == 1 && isSideName(words[0].text) && sideNamed(words[0].text) == t.side {
		at = 0
	} else if n := len(words) - 1; n > 0 && isSideName(words[n].text) && sideNamed(words[n].text) != t.side && areSteps(words[:n]) {
		err := r.turn(t.label, words[:n])
		if err == nil {
			r.game.SetEnd(end) // of the turn of the other one
		}
		return err
	} else if !areSteps(words) && !(n > 0 && areSteps(words[:n]) && (words[n].text == "pass" || isSideName(words[n].text))) {
		w := words[slices.IndexFunc(words, func(w word) bool { return !isStep(w.text) })]
		return r.mended(w.offset, "words before the end of a record", "the turn and the end are left out", "turn %s: nobody knows what %q before %q means", t.label.text, w.text, end)
	}
	if at > 0 {
		if err := r.mended(t.words[at].offset, "steps of a turn that was given up", fmt.Sprintf("they are left out, and %v has lost", t.side), "turn %s: steps stand before %q", t.label.text, end); err != nil {
			return err
		}
	}
	r.game.SetEnd(end)
	return nil
}

// pass reads a turn that passes, which the rules forbid: the game goes on as a new one.
func (r *gameReader) pass(t turnText) error {
	if r.notes == nil {
		return r.wrap(t.words[0], t.label, arimaa.ErrNotChanged)
	}
	last := r.game.Last()
	r.game = arimaa.NewGame(arimaa.NewPosition(last.Board, t.side.Other()), t.number+int(t.side))
	return r.mended(t.words[0].offset, "pass", "the game is read from the next turn on", "turn %s passes, which the rules forbid", t.label.text)
}

// takeBack takes the turn before back.
func (r *gameReader) takeBack(t turnText) error {
	if r.game.TakeBack() == nil {
		return nil
	}
	if r.game = nil; r.passed {
		r.passed = false
		return nil
	}
	return r.takeBackSetup(t.number, t.side, t.words[0])
}

// wrap makes an error with a cause, such as a broken rule.
func (r *gameReader) wrap(w, label word, err error) error {
	e := r.errorAt(w.offset, "turn %s: %v", label.text, err)
	e.Err = err
	return e
}

// isPlaced reports whether a word looks like a piece on a square, or lacks its piece.
func isPlaced(text string) bool { return len(text) == 3 || isPlacement("R"+text) }

// place reads the pieces of a side before the first turn.
func (r *gameReader) place(t turnText) error {
	switch {
	case t.number != 1:
		return r.errorAt(t.label.offset, "pieces are placed in turn 1, not in %s", t.label.text)
	case r.first != nil:
		return r.errorAt(t.label.offset, "pieces are placed here and in the tag Position: leave one of them out")
	}
	if len(r.strays) > 0 && t.side == arimaa.Silver {
		if w := r.strays[0]; len(t.words) > 0 {
			return r.errorAt(w.offset, "%q: this piece is not gold's, and turn %s places others", w.text, t.label.text)
		}
		return nil
	}
	if len(r.setup[t.side]) > 0 {
		return r.errorAt(t.label.offset, "turn %s stands twice", t.label.text)
	}
	if !slices.ContainsFunc(t.words, func(w word) bool { return isPlacement(w.text) }) && len(t.words) > 0 {
		return r.errorAt(t.words[0].offset, "%q is not a placement such as Ra1", t.words[0].text)
	}
	for _, w := range t.words {
		if err := r.put(t, w); err != nil {
			return err
		}
	}
	return r.madeByHand(t)
}

// put places a piece.
func (r *gameReader) put(t turnText, w word) error {
	if isPlacement("R" + w.text) {
		return r.mended(w.offset, "placement without a piece", "it is left out", "%q names no piece", w.text)
	}
	if !isPlacement(w.text) {
		return r.errorAt(w.offset, "%q is not a placement such as Ra1", w.text)
	}
	piece, _ := pieceOfLetter(w.text[0])
	square, _ := squareOfName(w.text[1:])
	if r.board.At(square) != arimaa.Empty {
		return r.errorAt(w.offset, "%q: the square is taken", w.text)
	}
	if piece.Side() != t.side {
		if r.strays = append(r.strays, w); t.side == arimaa.Silver || len(r.setup[arimaa.Silver]) >= len(r.strays) {
			return r.errorAt(w.offset, "%q: this piece is not %v's", w.text, t.side)
		}
		if err := r.mended(w.offset, "setup of both sides", "it is placed all the same", "%q: this piece is not %v's", w.text, t.side); err != nil {
			return err
		}
	}
	r.board.Put(square, piece)
	r.setup[piece.Side()] = append(r.setup[piece.Side()], arimaa.Placement{Piece: piece, Square: square})
	return nil
}

// madeByHand notes that more than a full army sets up, or a full army elsewhere than where it does.
func (r *gameReader) madeByHand(t turnText) error {
	left, home := r.army(t.side)
	odd := ""
	switch {
	case slices.Min(left[:]) < 0:
		odd = "%v sets up more than a full army"
	case slices.Max(left[:]) == 0 && !home:
		odd = "not all of the army stands where %v sets up"
	default:
		return nil
	}
	return r.doubted(t.label.offset, "unusual setup", "the position is taken as made by hand", "turn %s: "+odd, t.label.text, t.side)
}

// army returns how many pieces of each kind the setup of a side lacks for a full army, and whether
// all of it stands at home.
func (r *gameReader) army(side arimaa.Side) (left [len(arimaa.FullArmy)]int, home bool) {
	left = arimaa.FullArmy
	var at arimaa.Bitboard
	for _, p := range r.setup[side] {
		left[p.Piece.Kind()]--
		at |= p.Square.Set()
	}
	return left, at&^arimaa.HomeRanks(side) == 0
}

// complete notes that the turns begin later than both armies, as they set up, have their first.
func (r *gameReader) complete(t *turnText) error {
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		if left, home := r.army(side); !home || left != [len(left)]int{} {
			return nil
		}
	}
	if t.number == arimaa.FirstTurn && t.side == arimaa.Gold {
		return nil
	}
	return r.doubted(t.label.offset, "turns missing", "the setup is taken for the position before it", "turn %s follows the setups, where turn %s is expected",
		t.label.text, arimaa.TurnLabel(arimaa.FirstTurn, arimaa.Gold))
}

// doubted notes what breaks no rule, but may be a mistake. A reader that takes no notes, and is not
// strict, passes over it.
func (s *source) doubted(offset int, kind, how, format string, args ...any) error {
	if s.notes == nil && !s.strict {
		return nil
	}
	return s.mended(offset, kind, how, format, args...)
}

// takeBackSetup undoes the setup of the opponent of side: Gold's in turn 1s, Silver's in turn 2g.
func (r *gameReader) takeBackSetup(number int, side arimaa.Side, w word) error {
	other := side.Other()
	last := arimaa.Gold
	if len(r.setup[arimaa.Silver]) > 0 {
		last = arimaa.Silver
	}
	if len(r.setup[other]) == 0 || other != last || number != 1+int(other) {
		return r.errorAt(w.offset, "there is no turn to take back")
	}
	for _, p := range r.setup[other] {
		r.board.Put(p.Square, arimaa.Empty)
	}
	r.setup[other] = nil
	return nil
}

// turn reads the steps of a turn and plays it.
func (r *gameReader) turn(label word, words []word) error {
	g := r.game
	if last := g.Last(); last.Occupied() == 0 {
		return r.errorAt(label.offset, "turn %s: there is no piece on the board: a list of turns begins with the setup, %s and %s", label.text, exampleSetup[0], exampleSetup[1])
	}
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		if p := g.Last(); g.Len() == 0 && r.first == nil && p.Of(side) == 0 {
			return r.errorAt(label.offset, "turn %s: %v has no piece on the board: there is no setup, such as %s", label.text, side, exampleSetup[side])
		}
	}
	if o := g.Outcome(); o.Over() {
		return r.errorAt(label.offset, "turn %s: the game is over: %v has won (%v)", label.text, o.Winner, o.Reason)
	}
	s := arimaa.NewState(g.Last())
	t, bad, err := playWords(&s, words, r.otherCase)
	if err != nil {
		return r.wrap(bad, label, err)
	}
	if err := g.Play(t); err != nil {
		return r.wrap(words[len(words)-1], label, err)
	}
	return nil
}

// exampleSetup is how the setup of each side begins.
var exampleSetup = [2]string{"1w Ra1 Rb1 ...", "1b ra8 rb8 ..."}

// otherCase returns a word with the letter of the piece that stands on a square, where the word has
// that of the other side's.
func (r *gameReader) otherCase(w word, stands arimaa.Piece) string {
	piece, ok := pieceOfLetter(w.text[0])
	if r.notes == nil || !ok || stands == arimaa.Empty || stands == piece || stands.Kind() != piece.Kind() {
		return w.text
	}
	_ = r.mended(w.offset, "letter of the other side", "it moves", "%s: the piece on this square is %v's", w.text, stands.Side())
	return string(stands.Letter()) + w.text[1:]
}

// olderLabel writes a turn number with w or b, which every program reads.
func olderLabel(number int, side arimaa.Side) string { return fmt.Sprintf("%d%c", number, "wb"[side]) }

// Turns writes the game as a list of turns, one a line, as [ReadGame] reads it and as the planning
// windows and files of other programs hold it: the setup, or the pieces of the first position, then
// the turns with their captures. The sides are w and b. A pass gives the first turn to Silver.
//
// A label without a turn comes last only where nothing else says which turn is to come, since
// pyrimaa does not read it; that is in a position without turns after it, with Gold to move in a
// turn other than the second. How a record ends stands behind the last label.
func Turns(g *arimaa.Game) string {
	var b strings.Builder
	first := g.Position(0)
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		b.WriteString(olderLabel(1, side))
		for _, p := range g.Setup(side) {
			b.WriteString(" " + p.String())
		}
		b.WriteByte('\n')
	}
	passes := first.Side() == arimaa.Silver && g.Number(0) < maxNumber
	if passes {
		b.WriteString(olderLabel(g.Number(0), arimaa.Gold) + " pass\n")
	}
	for i := range g.Len() {
		p := g.Position(i)
		fmt.Fprintf(&b, "%s %s\n", olderLabel(g.Number(i), p.Side()), p.Notation(g.Turn(i)))
	}
	last := g.Last()
	next := olderLabel(g.Number(g.Len()), last.Side())
	switch {
	case g.End() != "":
		b.WriteString(next + " " + g.End() + "\n")
	case g.Len() == 0 && !passes && g.Number(0) != arimaa.FirstTurn:
		b.WriteString(next + "\n")
	}
	return b.String()
}
