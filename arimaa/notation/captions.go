package notation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goalproof/arimaa"
)

// caption is what a line beside a position says about it in words: who is to move, perhaps which
// turn comes next, and the claim that this side wins.
type caption struct {
	mover
	number     int    // 0: not said
	claim      int    // turns; 0: none
	doubt      bool   // words in it may claim a win, or not
	alone      bool   // it says plainly who is to move
	guess      bool   // only the claim says it, and the line names both sides
	words      string // the line
	line       line   // of the claim, if there is one
	between    bool   // the claim stands between two positions
	adjoins    bool   // nothing stands between the one above and it
	blankBelow bool   // a blank line stands below it
	sameBlock  bool   // no blank line stands between the position above and it
	numbered   bool   // its number is that of the position below
	wrong      error  // the board below it cannot be read
}

// maxCaption is how long the line of a caption may be, in bytes.
const maxCaption = 300

// aSide matches the name of a side, eitherSide too, as a group; moves matches words by which it is to
// move.
const (
	aSide      = `(?:gold|white|silver|black)`
	eitherSide = `(` + aSide + `)`
	moves      = `(?:'s (?:turn|move)|[,:]? (?:is )?(?:to|on) (?:move|play))`
)

// These match texts in small letters.
var (
	// toMove matches the words that say who is to move, openingSide a line that begins with them as a
	// sentence of its own, closingSide one that they end.
	toMove      = regexp.MustCompile(`\b` + eitherSide + moves + `\b|\bside to move: ` + eitherSide + `\b`)
	openingSide = regexp.MustCompile(`^[\s(,*_–—-]*(?:it is |it's )?(?:` + eitherSide + moves + `|side to move: ` + eitherSide + `)(?:[\s).:;,!*_]*|,? (?:and|but)\b.*)$`)
	closingSide = regexp.MustCompile(`^[^?]*[,(:;.] ?` + eitherSide + moves + `[\s).:;,!*_]*$`)
	// sharp matches the line that bot_sharp writes above its diagrams: the player (1: gold), the
	// steps made and the turn.
	sharp = regexp.MustCompile(`^\s*P = ([01])(?:, S = (\d))?(?:, T = (\d+[gswb]))?(?:, H = \w+)?\s*$`)
)

func isSideName(name string) bool {
	return len(name) <= len("silver") && slices.Contains(sideNames, strings.ToLower(name))
}

func sideNamed(name string) arimaa.Side {
	if name = strings.ToLower(name); name == "gold" || name == "white" {
		return arimaa.Gold
	}
	return arimaa.Silver
}

// captionOf returns what a line says about who is to move and wins. A line that says it of both
// sides says nothing.
func captionOf(l line) caption {
	if l.found != nil {
		return l.found.caption.in(l, readCaption)
	}
	return readCaption(l)
}

func readCaption(l line) (c caption) {
	if len(l.text) > maxCaption {
		return c
	}
	text := strings.ToLower(l.text)
	if !mentions(text, "p = ") && !mentions(text, sideNames...) && !mentions(text, winWords...) {
		return c
	}
	if m := sharp.FindStringSubmatch(l.text); m != nil {
		return sharpCaption(m)
	}
	said := winIn(plainWords(l.text))
	if isStruck(l.text) {
		said = winClaim{doubt: said.claim > 0 || said.doubt}
	}
	c.words, c.line, c.claim, c.doubt = strings.TrimSpace(l.text), l, said.claim, said.doubt
	nothing := caption{words: c.words, line: l, doubt: c.doubt}
	if !c.doubt {
		nothing = caption{}
	}
	if c.claim == 0 && !said.stated {
		return nothing
	}
	var both bool
	if c.mover, both = sideIn(toMove, plainWords(l.text)); both {
		return nothing
	}
	c.alone = c.known
	switch of := said.of; {
	case c.known && of.known && of.side != c.side:
		c.claim, c.doubt = 0, true // it is about the other side
	case !c.known:
		c.mover = of
		c.guess = of.known && mentions(text, others[of.side][:]...)
	}
	return c
}

// sideNames are the names of the sides.
var sideNames = []string{"gold", "white", "silver", "black"}

// others are the names of the other side.
var others = [2][2]string{arimaa.Gold: {"silver", "black"}, arimaa.Silver: {"gold", "white"}}

// sideIn returns the side that the words name which match, and whether they name both.
func sideIn(words *regexp.Regexp, text string) (m mover, both bool) {
	if !mentions(text, sideNames...) {
		return m, false
	}
	for _, found := range words.FindAllStringSubmatch(text, -1) {
		side := sideNamed(strings.Join(found[1:], ""))
		if m.known && m.side != side {
			return mover{}, true
		}
		m = mover{side, true}
	}
	return m, false
}

// mentions reports whether a text holds one of the words.
func mentions(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// below returns what a caption says together with that of the line above it. A claim of the other
// side than the one that is plainly to move is about something else.
func (c caption) below(above caption) (caption, error) {
	if c.known && above.known && c.side != above.side {
		switch {
		case c.alone && above.alone:
			return c, fmt.Errorf("here %v is to move, but in the line above %v is", c.side, above.side)
		case above.alone:
			return above, nil
		}
		return c, nil
	}
	if !c.known || c.guess && above.known {
		c.guess = above.guess
	}
	c.mover, c.alone = cmp.Or(c.mover, above.mover), c.alone || above.alone
	c.number = cmp.Or(c.number, above.number)
	if c.claim == 0 {
		c.claim, c.words, c.between, c.adjoins, c.blankBelow, c.numbered = above.claim, above.words, above.between, above.adjoins, above.blankBelow, above.numbered
		if c.sameBlock = c.sameBlock || above.sameBlock; above.line.number > 0 {
			c.line = above.line
		}
	}
	c.wrong = above.wrong
	return c, nil
}

// sharpCaption is the caption of a line of bot_sharp. In the middle of a turn it says nothing.
func sharpCaption(m []string) (c caption) {
	if m[2] != "" && m[2] != "0" {
		return c
	}
	side := arimaa.Silver
	if m[1] == "1" {
		side = arimaa.Gold
	}
	c.mover, c.alone = mover{side, true}, true
	if m[3] == "" {
		return c
	}
	number, s, err := ParseLabel(m[3])
	if err != nil || s != side || number < arimaa.FirstTurn {
		return caption{}
	}
	c.number = number
	return c
}

// sameClaim reports whether two captions claim the same.
func (c caption) sameClaim(other caption) bool {
	return c.claim == other.claim && (c.mover == other.mover || !c.known || !other.known)
}

// doubtful notes that a line may claim a win, or not, or that it holds a turn beside its claim.
func (r *reader) doubtful(notes *[]Note, l line, c caption) {
	if c.claim > 0 && stepsIn(l.text) {
		r.leaveOut(notes, l, "turn beside a claim", `the turn in this line may be the solution: write it in a line of its own behind "Solution:"`)
	}
	if c.doubt {
		r.leaveOut(notes, l, "words that may claim a win", `these words may claim a win, or not: write for example "Gold to play and win in 2."`)
	}
}

// afterDoubt reports whether the line right above casts doubt on this one: "I doubt that", "Wrong:".
func (r *reader) afterDoubt(k kind) bool {
	if r.prior == "" || len(r.prior) > maxCaption {
		return false
	}
	prior := plainWords(nameMay.ReplaceAllString(r.prior, "$1"))
	if k == captionLine && otherSetting.MatchString(prior) {
		return true
	}
	if hasStep(prior) || numberIn(prior) > 0 {
		return false
	}
	if prior = strings.TrimSpace(strings.ReplaceAll(prior, "no doubt", "")); prior == "" {
		return false
	}
	open := !strings.ContainsAny(prior[len(prior)-1:], ".;!?)")
	if k == captionLine && open && opinion.MatchString(prior) {
		return true
	}
	return isRejected(prior) && (k == captionLine || open) || denied.MatchString(prior) && !strings.ContainsAny(prior[len(prior)-1:], ".;!?):")
}

// nameMay matches the name or the month May.
var nameMay = regexp.MustCompile(`(\S )May\b`)

// takeBack leaves out a claim or a solution that this line, right below it, takes back.
func (r *reader) takeBack(l line, k kind) {
	nothing := r.solved == nil && r.above.claim == 0 && (r.state != below || r.whole.Claim == 0)
	if nothing || k != prose && k != captionLine || len(l.text) > maxCaption || numberIn(l.text) > 0 {
		return
	}
	claim := r.above.claim
	if r.state == below {
		claim = r.whole.Claim
	}
	plain := plainWords(l.text)
	if !flatNo.MatchString(plain) && !goesOn(r.prior, plain) && (!takenBack.MatchString(plain) || !isRejected(plain) || hasStep(plain)) && !(claim > 0 && denies(plain, claim)) {
		return
	}
	const kind, why = "words taken back", "the words below it take it back"
	near := func(claim line) bool { return l.number-claim.number <= 2 }
	switch {
	case r.solved != nil:
		e := r.solved.entry
		e.Solution, e.SolutionFrom = "", ""
		r.leaveOut(&e.Notes, l, kind, "this takes the solution back")
	case r.above.claim > 0 && near(r.above.line):
		r.above.claim, r.above.between = 0, false
		r.leaveOut(&r.notes, r.above.line, kind, why)
	case r.state == below && r.whole.Claim > 0 && !r.whole.captioned && !r.whole.afterBlank:
		w := r.whole
		w.Claim, w.ClaimFrom = 0, ""
		r.leaveOut(&w.Notes, l, kind, "this takes the claim above back")
	case r.state == below && r.whole.claimBelow != nil && near(*r.whole.claimBelow):
		w := r.whole
		claim := *w.claimBelow
		w.Claim, w.ClaimFrom, w.claimBelow = 0, "", nil
		r.leaveOut(&w.Notes, claim, kind, why)
	}
}

// goesOn reports whether plain words are the rest of the claim in the line above them, which then says
// something else: "Gold to play and win in 2", below it "if Silver passes".
func goesOn(claim, plain string) bool {
	claim = strings.TrimRight(claim, "*_ ")
	return claim != "" && strings.IndexByte(".!?:;)", claim[len(claim)-1]) < 0 && changes.MatchString(plain)
}

// changes matches words in small letters that change the claim before them.
var changes = regexp.MustCompile(`^(?:(?:steps?|minutes?|seconds?|hours?|days?|games?)[.!]?$|or\b|and a half|if\b|unless\b|not (?:in|if|when|by|against|sure|prove\w*)\b|\((?:unsound|cooked|no solution|wrong|not))`)

var (
	// endsInWin and goesOnInTurns match the parts of a claim in two lines, in small letters.
	endsInWin     = regexp.MustCompile(`\b(?:wins?|mates?)[\s*_]*$`)
	goesOnInTurns = regexp.MustCompile(`^[\s*_]*in (?:exactly |just |only )?` + oneNumber + `\b`)
)

// solves reports whether a comment may give solutions.
func solves(comment string) bool {
	_, ok := solutionIn(comment)
	return ok || isDigit(comment[0]) && hasStep(comment)
}

// missed notes a claim that does not count where it stands: in a comment, or in two lines.
func (r *reader) missed(l line, k kind) {
	if r.state != outside && r.state != below || len(l.text) > maxCaption {
		return
	}
	switch comment := strings.TrimLeft(l.text, " \t#"); {
	case k == blank && comment != "" && (captionOf(line{text: comment}).claim > 0 || solves(comment)):
		r.leaveOut(&r.notes, l, "claim in a comment", "a line that begins with # is a comment")
	case k == prose && r.prior != "" && goesOnInTurns.MatchString(strings.ToLower(l.text)) && endsInWin.MatchString(strings.ToLower(r.prior)):
		r.leaveOut(&r.notes, l, "claim in two lines", "these words and those above may claim a win: write them in one line")
	}
}

// agreed compares a claim in a line with the words above it. In doubt it does not count, and of claims
// that differ neither does.
func (r *reader) agreed(l line, own, above *caption) {
	if own.claim > 0 && r.afterDoubt(captionLine) {
		r.leaveOut(&r.notes, l, "claim in doubt", "the line above casts doubt on this claim")
		own.claim = 0
	}
	if own.claim > 0 && above.claim > 0 && !own.sameClaim(*above) {
		r.leaveOut(&r.notes, l, "claims that differ", "this claim differs from the one above it, and neither counts")
		own.claim, above.claim = 0, 0
	}
}
