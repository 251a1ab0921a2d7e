package notation

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"goalproof/arimaa"
)

// solving is the solution that a line gives, or announces for the next line.
type solving struct {
	of     int // the number of the position that it solves; 0: not said; otherPosition: some other
	number int // of its turn; 0: not said
	mover
	item     int             // the number before the turn, as in a list or in chess; 0: none
	steps    []string        // of the turn, as they are written; none if it is announced
	wrong    string          // why these words are not taken
	open     bool            // the turn may go on in the next line
	many     bool            // it announces several
	entry    *Entry          // that it solves
	position arimaa.Position // of it
	ends     int             // number of its last line
	parted   int             // steps before the first bar or slash; 0: there is none
}

// otherPosition is the number of a position that is not in the text, or not known.
const otherPosition = -1

// positionNamed matches what authors call the positions that they number, solutionNamed what they
// call a solution.
const (
	positionNamed = `(?:study|puzzle|problem|position|diagram|exercise)`
	solutionNamed = `(?:solutions?|sol|answers?|keys?(?: turns?| moves?)?|winning (?:turn|move)s?)`
)

var (
	// solutionLine matches the beginning of a line that gives the solution (5), perhaps with the number
	// of the position (1 or 4), or with words about another one (3); 2 are the words for a solution.
	solutionLine = regexp.MustCompile(`(?i)^[\s(*_|>=~-]*(?:` + positionNamed + ` ?#?(\d+)[,:.]? (?:[-–—] )?)?(?:(?:here (?:are|is|come|comes)|the|author['’]s|composer['’]s|correct|right|intended|best|full) )*(` + solutionNamed + `)\b` +
		`(?:,? (?:of|to|for) (?:the )?` + positionNamed + `s?)?((?:,? (?:of|to|for|from) (?:the )?(?:last|previous|next|other)\b[^:=]*)?)(?: ?\(?(?:no\.? ?|#)?(\d+)\)?)?(?: ?\(by [^)]{1,40}\))?` +
		`(?:(?: is)?[*_]*\s*[:=]|\s+[-–—]|\s+is\b|[*_.]*(?:\s|$))[*_]*\s*(.*)$`)
	// numberedLine matches a line that numbers the position or the solution below, headedList the number
	// (1) before a list of pieces, otherLine words about a position elsewhere.
	numberedLine = regexp.MustCompile(`(?i)^[\s(*_-]*(?:for |to |ad )?(?:` + positionNamed + ` (?:no\.? ?|#)?(\d+)\b|(?:no\.|nr\.?|number) ?(\d+)\b|no (\d+)[.:,)]|[#(](\d{1,3})[.):]*\s*$|(\d{1,3})[.):]+\s*$|\(?(\d+)[.)]\s+(?:gold|silver|white|black|win|mate)\b)`)
	headedList   = regexp.MustCompile(`(?i)^\s*(?:` + positionNamed + ` ?#?)?(\d+)[.:)]\s+`)
	otherLine    = regexp.MustCompile(`(?i)\b(?:last|previous) (?:week|month|time|issue|page|year|puzzle|problem|study)\b`)
	// itemNumber matches the number (1) that stands before a turn as in chess, or as in a list.
	itemNumber = regexp.MustCompile(`^\(?(\d+)(?:[.)]|\.\.\.|…)$`)
	// itemNamed matches the name of a position with its number (1) before its solution.
	itemNamed = regexp.MustCompile(`(?i)^` + positionNamed + ` ?#?(\d+)[.:,)]*\s+`)
	// stepLike matches a word that may be meant as a step.
	stepLike = regexp.MustCompile(`^[RCDHMErcdhme]?[a-h][1-8]\S*$`)
	// namedBehind matches the number of a position (1) in other words.
	namedBehind = regexp.MustCompile(`(?i)\b` + positionNamed + ` ?#?(\d+)`)
	// solutionBehind matches a solution (1) behind other words of its line.
	solutionBehind = regexp.MustCompile(`(?i)[.;!)\]]\s+((?:the )?` + solutionNamed + `(?: is)?\s*[:=].*)$`)
	// stuck matches a number that sticks to its step (1, 2), and a step that sticks to another.
	stuck      = regexp.MustCompile(`\b(\d+[.)])([RCDHMErcdhme]?[a-h][1-8])`)
	stuckSteps = regexp.MustCompile(`([a-h][1-8][nsewxX])[-/|\\,;]+`)
)

// solutionIn reads a line that gives the solution, of several turns the first. It reports whether
// the line is one: it announces a solution, or holds a word that may be a step.
func solutionIn(text string) (s solving, ok bool) {
	small := strings.ToLower(text)
	if len(text) > 2*maxCaption || !mentions(small, solutionWords...) {
		return s, false
	}
	if isStruck(text) {
		s.wrong = "it is struck out"
	}
	text = strings.TrimSpace(marksOfText.Replace(markup.ReplaceAllString(text, " ")))
	found := solutionLine.FindStringSubmatch(text)
	if found == nil {
		if mentions(small, "solution") && hasStep(text) {
			return solving{wrong: "these words are not understood"}, true
		}
		return s, false
	}
	if isOrnament(found[5]) {
		found[5] = ""
	}
	s.open = true
	if s.of, _ = strconv.Atoi(found[1] + found[4]); found[3] != "" {
		s.of = otherPosition
	}
	named := strings.ToLower(found[2])
	s.many = strings.HasSuffix(strings.Fields(named)[0], "s") || strings.HasSuffix(named, " turns")
	for _, m := range namedBehind.FindAllStringSubmatch(found[5], -1) {
		if n, _ := strconv.Atoi(m[1]); s.of == 0 || s.of == n {
			s.of = n
		} else {
			s.wrong = "it names several positions"
		}
	}
	if before := strings.ToLower(text[:len(text)-len(found[5])]); isRejected(before) {
		s.wrong = "the words before it reject it"
	}
	s.readTurn(found[5])
	if s.many && (len(s.steps) > 1 || s.item > 0) {
		s.wrong = "there may be several solutions in this line"
	}
	return s, hasStep(found[5]) || found[5] == ""
}

// isOrnament reports whether nothing but marks, or words in brackets, stand behind the word for a
// solution.
func isOrnament(text string) bool {
	rest := strings.Trim(text, "-=~* \t")
	return rest == "" || rest[0] == '(' && strings.IndexByte(rest, ')') == len(rest)-1 && !hasStep(rest) && !numberWord.MatchString(rest)
}

// solutionWords are words of which each solutionNamed has one.
var solutionWords = []string{"sol", "answer", "key", "winning"}

var marksOfText = strings.NewReplacer("*", "", "_", "")

// hasStep reports whether a word of a text may be a step.
func hasStep(text string) bool {
	for _, word := range strings.Fields(unstuck(text)) {
		if bare := bareWord(word); isStep(bare) || stepLike.MatchString(bare) {
			return true
		}
	}
	return false
}

// unstuck returns a text with blanks between steps, and between a number and its step.
func unstuck(text string) string {
	return stuckSteps.ReplaceAllString(stuck.ReplaceAllString(text, "$1 $2"), "$1 ")
}

// bareWord returns a word of a sentence without the marks around it.
func bareWord(word string) string {
	return strings.Trim(word, ",;:.!?()[]<>*_`|\\#+…\"'“”„«»")
}

// readTurn reads the turn at the beginning of a text, and what the sentence says about it.
func (s *solving) readTurn(text string) {
	words := strings.Fields(unstuck(text))
	for i, word := range words {
		if s.parted == 0 && strings.Trim(word, "/|") == "" {
			s.parted = len(s.steps)
		}
		bare := bareWord(word)
		number, side, label := labelOf(bare)
		item := itemNumber.FindStringSubmatch(word)
		switch {
		case isDots(word) && len(s.steps) > 0: // others make the next turn
			s.open = false
			return
		case item != nil && len(s.steps) == 0:
			s.item, _ = strconv.Atoi(item[1])
		case label && len(s.steps) == 0:
			s.number, s.mover = number, mover{side, true}
		case isStep(bare) && strings.HasSuffix(word, "?"):
			s.wrong = cmp.Or(s.wrong, fmt.Sprintf("it is in doubt: %q", word))
			s.steps = append(s.steps, bare)
		case isStep(bare):
			s.steps = append(s.steps, bare)
		case stepLike.MatchString(bare):
			s.wrong = cmp.Or(s.wrong, fmt.Sprintf("%q is no step", bare))
		case bare == "" && strings.Contains(word, "?") && len(s.steps) > 0:
			s.wrong = cmp.Or(s.wrong, fmt.Sprintf("it is in doubt: %q", word))
		case bare == "", strings.Trim(bare, "/|") == "", bare == "→", bare == "-", bare == "then", bare == "and":
		default:
			s.open = false
			s.readRest(words[i:], label || item != nil || bare == "or")
			return
		}
	}
}

// readRest reads the words behind a turn. They must not hold more of it, unless they are clearly
// about something else, and must not reject it.
func (s *solving) readRest(words []string, clear bool) {
	if len(s.steps) == 0 {
		s.wrong = cmp.Or(s.wrong, "it does not begin with a turn")
		return
	}
	if clear && bareWord(words[0]) != "or" {
		return // another turn
	}
	clear = clear || strings.ContainsAny(words[0][:1], "([{")
	for i, one := range sentences(strings.ToLower(strings.Join(words, " "))) {
		if first := i == 0; isRejected(one) && (first || !hasStep(one)) || first && strings.Contains(one, "loses") {
			s.wrong = cmp.Or(s.wrong, "the words behind it reject it")
		}
	}
	for _, word := range words {
		if bare := bareWord(word); !clear && (isStep(bare) || stepLike.MatchString(bare)) {
			s.wrong = cmp.Or(s.wrong, fmt.Sprintf("it breaks off at %q", words[0]))
		}
		if strings.ContainsAny(word[len(word)-1:], ".;!?") {
			return
		}
	}
}

// solution reads a line that gives or announces a solution.
func (r *reader) solution(l line) {
	s, _ := solutionIn(l.text)
	r.solve(l, s)
}

// announcedIn reads a line below one that announces solutions, and reports whether it is one.
func (r *reader) announcedIn(l line, k kind) bool {
	a := r.announced
	r.announced = nil
	if n := numberIn(l.text); a.many && n > 0 && !hasStep(l.text) {
		r.announced = &solving{of: n, many: true}
		return true
	}
	if k != steps && k != turn && k != prose || !hasStep(l.text) || beginsRecord(l) {
		return false
	}
	s := solving{of: a.of, open: !a.many}
	text := strings.TrimLeft(l.text, " \t-*|")
	if m := itemNamed.FindStringSubmatch(text); m != nil && a.of == 0 {
		s.of, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	s.readTurn(text)
	if e, _ := r.last(); a.many {
		if s.item > 0 && s.of == 0 {
			s.of, s.item = s.item, 0
		}
		if s.of == 0 && e != nil && e.place > 1 {
			s.wrong = "nobody knows of which position it is"
		}
	}
	if r.solve(l, s); a.many {
		r.announced = &solving{many: true}
	}
	return true
}

// last returns the entry that came last, with the position at its end; nil if there is none.
func (r *reader) last() (*Entry, Diagram) {
	switch w, e := r.whole, r.wait; {
	case r.state == below && w.game != nil:
		return &w.Entry, endOf(w.game)
	case r.state == below:
		return &w.Entry, *w.Position
	case e == nil:
		return nil, Diagram{}
	default:
		return e, e.end()
	}
}

// end returns the position of an entry, or the last one of its game.
func (e *Entry) end() Diagram {
	if e.Game != nil {
		return endOf(e.Game)
	}
	return *e.Position
}

// endOf returns the last position of a game.
func endOf(g *arimaa.Game) Diagram {
	return Diagram{Position: g.Last(), Number: g.Number(g.Len())}
}

// solvedBy returns the position whose solution a line gives, perhaps one above the last. If there is
// none, that is noted.
func (r *reader) solvedBy(l line, s *solving) (*Entry, Diagram) {
	e, p := r.last()
	if s.of == 0 {
		s.of = cmp.Or(r.elsewhere, r.numbered)
	}
	why, notes := "", &r.notes
	if e != nil {
		notes = &e.Notes
	}
	switch all := r.numberedAs(s.of); {
	case s.of == otherPosition:
		why = "this is the solution of another position"
	case s.of > 0 && len(all) > 1:
		why = fmt.Sprintf("several positions have the number %d", s.of)
	case s.of > 0 && len(all) == 1 && all[0] != e:
		return all[0], all[0].end()
	case s.of > 0 && len(all) == 1:
		return e, p
	case e == nil:
		why = "no position stands above this solution"
	case s.of > 0 && (s.of != e.place || r.headed && !e.numbered):
		why = fmt.Sprintf("this is the solution of position %d, and the one above is another", s.of)
	default:
		return e, p
	}
	r.leaveOut(notes, l, "solution", why)
	return nil, p
}

// solve takes the solution of the last position, or of one that a number names, or leaves it out with
// a note. What is not legal is none.
func (r *reader) solve(l line, s solving) {
	if len(s.steps) == 0 && s.wrong == "" {
		r.announced = &s
		return
	}
	e, p := r.solvedBy(l, &s)
	if e == nil {
		return
	}
	if c := captionOf(l); looksLikeClaim(plainWords(l.text)) {
		c.claim, c.doubt = 0, true
		r.doubtful(&e.Notes, l, c)
	}
	last, _ := r.last()
	if e == last {
		r.claimFor(e)
	}
	open := e == last && r.state == below && r.whole.err != nil // nobody knows who is to move
	if open && s.known {
		p.Position = arimaa.NewPosition(p.Position.Board, s.side)
	}
	if r.afterDoubt(solution) {
		s.wrong = cmp.Or(s.wrong, "the line above casts doubt on it")
	}
	if s.judge(e, p, open && !s.known); s.wrong != "" {
		r.leaveOut(&e.Notes, l, "solution", "the solution: "+s.wrong)
		return
	}
	if open && s.known {
		r.whole.decide(s.side)
	}
	if e.Solution == "" {
		e.Solution, e.SolutionFrom = strings.Join(s.steps, " "), strings.TrimSpace(l.text)
	}
	s.ends, s.entry, s.position = l.number, e, p.Position
	r.solved = &s
}

// judge says why a turn is not taken as the solution of a position. Perhaps either side may be to
// move there.
func (s *solving) judge(e *Entry, p Diagram, either bool) {
	mover := p.Position.Side()
	switch {
	case s.wrong != "":
	case s.item > 1 && p.Number != arimaa.FirstTurn && s.item != p.Number, s.item > 0 && s.item != p.Number && e.place > 1:
		s.wrong = fmt.Sprintf("nobody knows what the number %d before it means", s.item)
	case e.Solution != "" && e.Solution != strings.Join(s.steps, " "):
		s.wrong = "this is a second solution"
	case s.known && s.side != mover:
		s.wrong = fmt.Sprintf("it is a turn of %v, but in the position %v is to move", s.side, mover)
	case s.number > 0 && p.Number != arimaa.FirstTurn && s.number != p.Number:
		s.wrong = fmt.Sprintf("it is turn %d, but turn %d comes next", s.number, p.Number)
	default:
		s.wrong = illegal(p.Position, s.steps, either)
		if s.wrong != "" && s.parted > 0 && illegal(p.Position, s.steps[:s.parted], either) == "" { // the next turns come behind
			s.steps, s.wrong, s.open = s.steps[:s.parted], "", false
		}
	}
}

// illegal says why steps are not legal in a position as one turn; "" if they are. Perhaps either side
// may be to move.
func illegal(p arimaa.Position, words []string, either bool) string {
	s := arimaa.NewState(p)
	_, err := PlaySteps(&s, strings.Join(words, " "))
	if err != nil && either {
		s = arimaa.NewState(arimaa.NewPosition(p.Board, p.Side().Other()))
		_, err = PlaySteps(&s, strings.Join(words, " "))
	}
	if err == nil {
		return ""
	}
	return fmt.Sprintf("it is not legal as one turn (%v); write each turn behind its label", err)
}

// goesOn reads steps or a turn right below a solution: steps may belong to it, and turns come later.
func (r *reader) goesOn(l line, k kind) {
	s := r.solved
	e := s.entry
	if k == turn || !s.open {
		s.open = false
		r.leaveOut(&e.Notes, l, "turns below a solution", "this comes after the solution")
		return
	}
	s.ends = l.number
	for _, w := range l.words() {
		s.steps = append(s.steps, trimmed(w.text))
	}
	if wrong := illegal(s.position, s.steps, e.Position != nil && r.state == below && r.whole.err != nil && e == &r.whole.Entry); wrong != "" {
		e.Solution, e.SolutionFrom, s.open = "", "", false
		r.leaveOut(&e.Notes, l, "solution", "the solution: "+wrong)
		return
	}
	e.Solution = strings.Join(s.steps, " ")
}

// leaveOut notes that a line is left out; strictly it is an error.
func (r *reader) leaveOut(notes *[]Note, l line, kind, why string) {
	src := r.source(l)
	if src.notes != nil {
		src.notes = notes
	}
	if err := src.mended(l.start(), kind, "it is left out", "%s", why); err != nil {
		if r.state == below {
			r.flush()
		}
		r.fail(err)
	}
}

// numberIn returns the number that a line gives to a position below or above it; 0: none.
func numberIn(text string) (n int) {
	if m := numberedLine.FindStringSubmatch(text[:min(len(text), maxCaption)]); m != nil {
		n, _ = strconv.Atoi(strings.Join(m[1:], ""))
	}
	return n
}

// stepsIn reports whether a word of a text is a step as records write it.
func stepsIn(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t,;|", r) }) {
		if _, err := ParseStep(bareWord(word)); err == nil {
			return true
		}
	}
	return false
}

// behindWords matches steps (1) behind words and a colon.
var behindWords = regexp.MustCompile(`^[^:]{1,60}:((?:\s*(?:\d+[gswb]?[.:]? ?)?[RCDHMErcdhme][a-h][1-8][nsewx][.,;!]*)+)\s*$`)

// turnBehindWords notes a turn behind words below a position, such as "Hint: Ra7n": it is no solution
// by these words.
func (r *reader) turnBehindWords(l line) {
	if e, _ := r.last(); e != nil && len(l.text) <= maxCaption && behindWords.MatchString(l.text) {
		r.leaveOut(&e.Notes, l, "turn behind words", `this may be the solution: write "Solution:" before it`)
	}
}
