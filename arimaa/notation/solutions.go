package notation

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"goalproof/arimaa"
)

// solving is the solution that a line gives, or announces for the next line.
type solving struct {
	of     int // the number of the position that it solves; 0: not said
	number int // of its turn; 0: not said
	mover
	steps []string // of the turn, as they are written; none if it is announced
	wrong string   // why these words are not taken
	open  bool     // the turn may go on in the next line
}

// positionNamed matches what authors call the positions that they number.
const positionNamed = `(?:study|puzzle|problem|position|diagram|exercise)`

var (
	// solutionLine matches the beginning of a line that gives the solution (4), perhaps with the number
	// of the position (1 or 3); 2 are the words for a solution.
	solutionLine = regexp.MustCompile(`(?i)^[\s(*_|]*(?:` + positionNamed + ` ?#?(\d+)[,:.]? )?(?:the )?(solutions?|answers?|keys?(?: turns?| moves?)?|winning (?:turn|move)s?)` +
		`(?:,? (?:of|to|for) (?:the )?` + positionNamed + `)?(?: (?:no\.? ?|#)?(\d+))?(?:(?: is)?[*_]*\s*[:=]|\s+[-–—]|\s+is\b)[*_]*\s*(.*)$`)
	// numberedLine matches the beginning of a line that numbers the position below (1).
	numberedLine = regexp.MustCompile(`(?i)^[\s(*_]*` + positionNamed + ` (?:no\.? ?|#)?(\d+)\b`)
	// itemNumber matches the number (1) that stands before a turn as in chess, or as in a list.
	itemNumber = regexp.MustCompile(`^(\d+)(?:[.)]|\.\.\.|…)$`)
	// stepLike matches a word that may be meant as a step.
	stepLike = regexp.MustCompile(`^[RCDHMErcdhme]?[a-h][1-8]\S*$`)
)

// solutionIn reads a line that gives the solution, of several turns the first. It reports whether
// the line is one: it announces a solution, or holds a word that may be a step.
func solutionIn(text string) (s solving, ok bool) {
	if len(text) > 2*maxCaption || !mentions(strings.ToLower(text), "solution", "answer", "key", "winning") {
		return s, false
	}
	found := solutionLine.FindStringSubmatch(text)
	if found == nil {
		return s, false
	}
	s.of, _ = strconv.Atoi(found[1] + found[3])
	s.open = true
	var behind solvingWords
	for _, word := range strings.Fields(found[4]) {
		bare := strings.Trim(word, ",;.!?()[]*_`\"'“”")
		step := isStep(bare) || stepLike.MatchString(bare)
		ok = ok || step
		s.read(&behind, word, bare, step)
	}
	if many := strings.HasSuffix(strings.ToLower(strings.Fields(found[2])[0]), "s"); many && len(s.steps) > 1 || many && behind.numbered {
		s.wrong = "there may be several solutions in this line"
	}
	return s, ok || found[4] == ""
}

// solvingWords is what was read of a line that gives a solution.
type solvingWords struct {
	other    string // the first word that is no part of the turn; "": none has come
	clear    bool   // the turn ends before that word, whatever follows
	numbered bool   // there was a number as in a list
}

// read reads a word of a solution; bare is without the marks around it, step says that it may be one.
func (s *solving) read(w *solvingWords, word, bare string, step bool) {
	number, side, label := labelOf(bare)
	item := itemNumber.FindStringSubmatch(word)
	switch {
	case w.other != "":
		if step && !w.clear && s.wrong == "" {
			s.wrong = fmt.Sprintf("it breaks off at %q", w.other)
		}
		w.clear = w.clear || strings.ContainsAny(word[len(word)-1:], ".;!?")
		return
	case item != nil && len(s.steps) == 0:
		w.numbered = true
		if s.number, _ = strconv.Atoi(item[1]); s.number == 1 { // of the solution, not of the game
			s.number = 0
		}
		return
	case label && len(s.steps) == 0:
		s.number, s.mover = number, mover{side, true}
		return
	case step:
		s.steps = append(s.steps, bare)
		return
	case bare == "", bare == "->", bare == "→", bare == "-", bare == "then", bare == "and":
		return
	}
	w.other, s.open = word, false
	w.clear = label || item != nil || strings.ContainsAny(word[:1], "([{") || bare == "or" || strings.ContainsAny(word[len(word)-1:], ".;!?")
	if len(s.steps) == 0 {
		s.wrong = "it does not begin with a turn"
	}
}

// solution reads a line that gives or announces a solution.
func (r *reader) solution(l line) {
	s, _ := solutionIn(l.text)
	r.solve(l, s)
}

// announcedIn reads a line below one that announces a solution, and reports whether it is one.
func (r *reader) announcedIn(l line, k kind) bool {
	a := r.announced
	r.announced = nil
	if k != steps && k != turn && k != prose {
		return false
	}
	s, ok := solutionIn("solution: " + l.text)
	if ok {
		s.of = a.of
		r.solve(l, s)
	}
	return ok
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
	case e.Game != nil:
		return e, endOf(e.Game)
	default:
		return e, *e.Position
	}
}

// endOf returns the last position of a game.
func endOf(g *arimaa.Game) Diagram {
	return Diagram{Position: g.Last(), Number: g.Number(g.Len())}
}

// solve takes the solution of the last position, or leaves it out with a note. What is not legal is
// taken: the solution is wrong.
func (r *reader) solve(l line, s solving) {
	e, p := r.last()
	if s.of == 0 {
		s.of = r.numbered
	}
	if e != nil && s.of > 0 && s.of != e.place {
		e = nil
	}
	if len(s.steps) == 0 && s.wrong == "" {
		r.announced = &s
		return
	}
	if e == nil {
		r.leaveOut(&r.notes, l, "solution", "the position of this solution does not stand right above it")
		return
	}
	r.claimFor(e)
	if w := r.whole; r.state == below && w.err != nil && s.known {
		w.decide(s.side)
		p = *w.Position
	}
	mover := p.Position.Side()
	text := strings.Join(s.steps, " ")
	switch {
	case s.wrong != "":
	case e.Solution == text:
		return
	case e.Solution != "":
		s.wrong = "this is a second solution"
	case s.known && s.side != mover:
		s.wrong = fmt.Sprintf("it is a turn of %v, but in the position %v is to move", s.side, mover)
	case s.number > 0 && p.Number != arimaa.FirstTurn && s.number != p.Number:
		s.wrong = fmt.Sprintf("it is turn %d, but turn %d comes next", s.number, p.Number)
	case !isOneTurn(p.Position, s.steps):
		s.wrong = notOneTurn
	}
	if s.wrong != "" {
		r.leaveOut(&e.Notes, l, "solution", "the solution: "+s.wrong)
		return
	}
	e.Solution, e.SolutionFrom = text, strings.TrimSpace(l.text)
	r.solved = &s
}

const notOneTurn = "this may be more than one turn: write each behind its label"

// isOneTurn reports whether steps are meant as one turn: it is legal, or none of the steps may be
// the opponent's.
func isOneTurn(p arimaa.Position, words []string) bool {
	var sides [2]bool
	steps := 0
	for _, w := range words {
		if piece, ok := pieceOfLetter(w[0]); ok && w[len(w)-1]|('a'-'A') != 'x' {
			sides[piece.Side()] = true
			steps++
		}
	}
	if steps <= 4 && !(sides[0] && sides[1]) {
		return true
	}
	s := arimaa.NewState(p)
	_, err := PlaySteps(&s, strings.Join(words, " "))
	return err == nil
}

// goesOn reads steps or a turn right below a solution: steps may belong to it, and turns come later.
func (r *reader) goesOn(l line, k kind) {
	e, p := r.last()
	s := r.solved
	if k == turn || !s.open {
		s.open = false
		r.leaveOut(&e.Notes, l, "turns below a solution", "this comes after the solution")
		return
	}
	for _, w := range l.words() {
		s.steps = append(s.steps, trimmed(w.text))
	}
	if !isOneTurn(p.Position, s.steps) {
		e.Solution, e.SolutionFrom, s.open = "", "", false
		r.leaveOut(&e.Notes, l, "solution", "the solution: "+notOneTurn)
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
