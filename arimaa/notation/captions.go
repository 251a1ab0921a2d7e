package notation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goalproof/arimaa"
)

// caption is what a line beside a position says about it in words: who is to move, perhaps which
// turn comes next, and the claim that this side wins.
type caption struct {
	mover
	number  int    // 0: not said
	claim   int    // turns; 0: none
	alone   bool   // it says plainly who is to move
	guess   bool   // only the claim says it, and the line names both sides
	words   string // the line
	line    line   // of the claim, if there is one
	between bool   // the claim stands between two positions
	wrong   error  // the board below it cannot be read
}

// maxCaption is how long the line of a caption may be, in bytes.
const maxCaption = 300

// eitherSide matches the name of a side, moves that it moves.
const (
	eitherSide = `(gold|white|silver|black)`
	moves      = `(?:'s (?:turn|move)|[,:]? (?:is )?(?:to|on) (?:move|play))`
)

// These match texts in small letters.
var (
	// toMove matches the words that say who is to move, openingSide a line that begins with them as a
	// sentence of its own, closingSide one that they end.
	toMove      = regexp.MustCompile(`\b` + eitherSide + moves + `\b|\bside to move: ` + eitherSide + `\b`)
	openingSide = regexp.MustCompile(`^[\s(,*_]*(?:it is |it's )?(?:` + eitherSide + moves + `|side to move: ` + eitherSide + `)(?:[\s).:;,!*_]*|[.;!] .*)$`)
	closingSide = regexp.MustCompile(`^[^?]*[,(:;.] ?` + eitherSide + moves + `[\s).:;,!*_]*$`)
	// claimed matches a claim; a number of something else (2), which it matches as well, is none.
	claimed = regexp.MustCompile(`\b(?:wins?|won|winning|win is forced|claimed|mates?|goals?)(?: by force)? in (?:at most )?(\d+|` + strings.Join(numbers, "|") + `)\b( (?:steps?|minutes?|seconds?|hours?|days?|games?|rounds?|points?)\b|[-–.,]\d)?|\b(\d+|` + strings.Join(numbers[1:], "|") + `)-(?:turn|move) (?:win|mate|goal)\b`)
	// denied matches words with which a sentence claims nothing, or not about this position.
	denied = regexp.MustCompile(`\b(?:not|no|never|cannot|neither|nor|unless|if|would|could|might|may|fail\w*|threat\w*|without|hardly|almost|instead|missed|impossible|doubt\w*|far from|wrong|refut\w*|stop\w*|prevent\w*|wants?|plans?|hopes?|lost the)\b|n['’]t\b|\bafter [rcdhme]?[a-h][1-8][nsew]\b`)
	// behindClaim matches what may stand behind a claim. Two ways, nine of ten games, three weeks and
	// two or more turns claim nothing. otherNumber matches where the number goes on.
	behindClaim = regexp.MustCompile(`^(?: (?:turns?|moves?))?(?:[\s.!?;:)\]*_|/"'”’»]*$|[.!?;:)\]*_|/"'”’»]|\s*[(\[]|\s+[-–—→]|,? (?:for|by|from|with|here|against|at most|now|whatever|whichever|no matter|however|or (?:less|fewer|sooner|earlier)|and (?:silver|gold|black|white)|as|too|again|but|gold|silver|white|black|puzzles?|problems?|stud(?:y|ies)|please|forced)\b|, [a-z])`)
	otherNumber = regexp.MustCompile(`^(?:,|/| or| to| and)? ?(?:\d|(?:` + strings.Join(numbers, "|") + `)\b)`)
	// address matches a link.
	address = regexp.MustCompile(`https?://\S+`)
	// reported matches words about other games, or those of somebody who asks.
	reported = regexp.MustCompile(`\bwon\b|\?`)
	// claimant matches the side that a claim is about: before it (1) or behind it (2).
	claimant = regexp.MustCompile(`\b(gold|white|silver|black)(?:,? (?:is )?to (?:move|play|win|mate)| wins?\b| mates?\b| has a\b| forces\b|'s (?:win|mate|goal)\b)|\bin \w+(?: turns?| moves?)? (?:for |\()(gold|white|silver|black)\b`)
	// sharp matches the line that bot_sharp writes above its diagrams: the player (1: gold), the
	// steps made and the turn.
	sharp = regexp.MustCompile(`^\s*P = ([01])(?:, S = (\d))?(?:, T = (\d+[gswb]))?(?:, H = \w+)?\s*$`)
)

// numbers are the words for numbers, from zero.
var numbers = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

func isSideName(name string) bool {
	switch strings.ToLower(name) {
	case "gold", "white", "silver", "black":
		return true
	}
	return false
}

func sideNamed(name string) arimaa.Side {
	if name = strings.ToLower(name); name == "gold" || name == "white" {
		return arimaa.Gold
	}
	return arimaa.Silver
}

// claimIn returns the claim in a sentence, in turns, or 0 if there is none.
func claimIn(text string) int {
	text = strings.ToLower(text)
	if !mentions(text, " in ", "-turn", "-move") {
		return 0
	}
	found := claimed.FindStringSubmatch(text)
	if found == nil || denied.MatchString(text) || found[2] != "" {
		return 0
	}
	_, behind, _ := strings.Cut(text, found[0])
	word := found[1] + found[3]
	if found[1] != "" && (otherNumber.MatchString(behind) || behind != "" && !behindClaim.MatchString(behind)) {
		return 0
	}
	for n, name := range numbers {
		if word == name {
			return n
		}
	}
	if n, err := strconv.Atoi(word); err == nil && n <= maxClaim {
		return n
	}
	return 0
}

// maxClaim is the greatest number that is a claim in a sentence; greater ones are years and the like.
const maxClaim = 200

// captionOf returns what a line says about who is to move and wins. A line that says it of both
// sides says nothing.
func captionOf(l line) (c caption) {
	if len(l.text) > maxCaption {
		return c
	}
	text := strings.ToLower(l.text)
	if !mentions(text, "gold", "silver", "white", "black", " in ", "-turn", "-move", "p = ") {
		return c
	}
	if m := sharp.FindStringSubmatch(l.text); m != nil {
		return sharpCaption(m)
	}
	text = address.ReplaceAllString(text, "")
	c.words, c.line = strings.TrimSpace(l.text), l
	c.alone = openingSide.MatchString(text) || closingSide.MatchString(text) && !denied.MatchString(text)
	if c.claim = claimIn(text); reported.MatchString(text) {
		c.claim = 0
	}
	if c.claim == 0 && !c.alone {
		return caption{}
	}
	var both bool
	if c.mover, both = sideIn(toMove, text); both {
		return caption{}
	}
	c.alone = c.known
	of, both := sideIn(claimant, text)
	switch {
	case both || c.known && of.known && of.side != c.side:
		if c.claim = 0; !c.known { // it is about the other side, or nobody knows about which
			return caption{}
		}
	case !c.known:
		c.mover = of
		c.guess = of.known && mentions(text, others[of.side][:]...)
	}
	return c
}

// others are the names of the other side.
var others = [2][2]string{arimaa.Gold: {"silver", "black"}, arimaa.Silver: {"gold", "white"}}

// sideIn returns the side that the words name which match, and whether they name both.
func sideIn(words *regexp.Regexp, text string) (m mover, both bool) {
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
		c.claim, c.words, c.line, c.between = above.claim, above.words, above.line, above.between
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
