package notation

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// winClaim is what the sentences of a line say about who wins.
type winClaim struct {
	claim  int   // turns; 0: nothing
	of     mover // who claims it, if it is said
	stated bool  // a sentence says who is to move
	doubt  bool  // there are words about a win in so many turns that may claim it, or not
}

// numbers are the words for numbers, from zero.
var numbers = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// maxClaim is the greatest number that is a claim in a sentence; greater ones are years and the like.
const maxClaim = 200

// oneOf returns the pattern of one of some words.
func oneOf(patterns ...string) string { return "(?:" + strings.Join(patterns, "|") + ")" }

// These are parts of the sentences that claim a win, in small letters.
var (
	oneSide   = eitherSide + `(?: \([^)]{1,30}\))?`
	oneNumber = `(\d+|` + strings.Join(numbers, "|") + `)`
	win       = `(?:a |an |the )?(?:forced )?(?:wins?|winning|mates?|goals?)(?: by force)?`
	inTurns   = `(?: is forced|, claimed)?:? \(?in:? (?:exactly |just |only )?` + oneNumber + `(?: turns?| moves?)?(?: puzzle| problem| study)?`
	manyTurns = `(?:a |an |the )?(?:forced )?` + oneNumber + `[- ](?:turn|move) (?:wins?|winning|mates?|goals?)`
	movesNext = oneOf(`,? (?:who is |is )?(?:to|on) (?:move|play)`, `'s (?:turn|move)`, ` moves`, ` plays`, ` begins`, ` starts`)
	thisIs    = oneOf(`find `, `show `, `play and `, `(?:this |here |there |it )is `, `here `, `it's `, `there's `, `claimed: `) + `*`

	// entitled is what may stand before a claim: the number of the position, its author, where and that it is one.
	entitled = oneOf(
		`(?:the )?(?:`+positionNamed+`|figure|game)(?: ?(?:no\.? ?|nr\.? ?|#)?(?:\d+[a-z]?|[a-z]))?(?: (?:by|from) [^.:,;]{1,40})?[ .:,)\]–—-]+`,
		`(?:fig|no|nr|number|#)\.? ?\d+[a-z]?[ .:,)\]–—-]+`,
		`\(?\d+[a-z]?[.:)\]]+ *`,
		`\(?[a-z]\)+ *`,
		`[ac-fh-rt-vx-z]\. *`, // g. and s. are sides
	) + `*` + oneOf(
		`(?:no matter|whatever|however) [^,;.]*, `,
		`no doubt[,:]? `,
		`(?:here|now|in (?:this|the|the following) (?:position|diagram)(?: below)?)[,:]? `,
		`(?:the |a )?(?:claim|task|stipulation|theme|fact|puzzle|proof|note|title|re|subject|caption|goal|aim)(?::| that) ?`,
	) + `?`

	// harmless is what may stand behind a claim. What it says about an author must name no side.
	harmless = `(?:(?:,| [-–—]|:)? ?` + oneOf(
		`by force`, `from (?:here|now)`, `here`, `now`, `too`, `please`, `again`, `as well`,
		`with (?:best|correct|perfect|good) (?:play|defen[cs]e)`,
		`against (?:any|every|all|the best|best) (?:defen[cs]e|play|reply|replies)`,
		`(?:whatever|whichever|however|no matter|because (?:the|its?|all|every|`+aSide+`)) [^.;]*`,
		`(?:and |but )?`+aSide+` (?:cannot|can't|can not|can do nothing|has no|is helpless|is lost)[^.;]*`,
		`(?:but )?(?:not|(?:there is |there's )?no win) in \w+`,
		`(?:and |but )?(?:not|no) (?:sooner|faster|earlier)`,
		`(?:by|with) (?:[rcdhme][a-h][1-8][nsewx],? ?)+`,
		`(?P<author>(?:for|from|by) [^.;:]{1,60})`,
		`(?:but )?(?:how(?: (?:do|does|did|can|is) [^.;]*)?|(?:can|do|did) you [^.;]*)`,
	) + `)*`
)

// claims match whole sentences that claim a win. In each, one group is the number; the others are
// the sides, and the author.
var claims = []*regexp.Regexp{
	// Gold to play and win in 2. Gold wins in 2. Gold's win in 2.
	sentence(`(?:show (?:that|how) |find )?` + oneSide + movesNext + `?(?:'s)?[ ,:;–—-]* ?\(?(?:and |to |can |has |have |forces? |force )*` + win + inTurns),
	// Win in 2. Find the win in 2. Win in 2 for gold. Mate in 2, gold to move.
	sentence(thisIs + win + inTurns + oneOf(` (?:for|by) `+oneSide, ` \(`+oneSide+`\)`, `,? `+oneSide+` to (?:move|play)`) + `?`),
	// Gold to win (2 turns).
	sentence(oneSide + `(?:` + movesNext + `[ ,]*(?:and )?| to )win \(` + oneNumber + `[- ](?:turns?|moves?)\)`),
	// A two-turn win for gold.
	sentence(thisIs + manyTurns + `(?: (?:for|by) ` + oneSide + `)?`),
	// Gold has a two-turn win.
	sentence(oneSide + `(?:,? (?:is )?to (?:move|play)| has| forces|:| [-–—])*,? ` + manyTurns),
}

// sentence compiles the pattern of a whole sentence.
func sentence(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`^` + entitled + `(?:` + pattern + `)` + harmless + `[ .:;,!?)\]–—-]*$`)
}

var (
	// mayClaim matches what looks like a claim.
	mayClaim = regexp.MustCompile(oneOf(
		`\b(?:wins?|won|winning|claimed|mates?|goals?|loses?|lost)\b[^.;!?]{0,25}?[ (-](?:in|within|on)[ :(-]+(?:(?:at|as|a|an|the|another|exactly|just|only|least|most|few|single) )*(?:`+oneNumber+`|second|third|turn|move|[iv]+)(?:\b|[a-z]{2})`,
		`\b(?:wins?|mates?) in$`,
		`\b(?:wins?|winning|mates?)(?: ?[:(–—-]+ ?| )`+oneNumber+`(?:[- ](?:turn|move)|$|[.)])`,
		`\b`+oneNumber+`[- ](?:(?:turn|move)s? (?:to |for |later |the )*(?:win|mate|goal)|mover)\b`,
	))
	// denied matches words before a claim with which a sentence claims nothing; rejected words with
	// which one sentence takes back another.
	denied = regexp.MustCompile(`\b` + oneOf(`not`, `no`, `never`, `cannot`, `neither`, `nor`, `unless`, `if`, `would`, `could`, `might`, `may`, `fail\w*`, `threat\w*`, `without`, `hardly`,
		`almost`, `instead`, `missed`, `impossible`, `doubt\w*`, `far from`, `wrong`, `refut\w*`, `stop\w*`, `prevent\w*`, `wants?`, `plans?`, `hopes?`, `lost the`, `won`) + `\b|n't\b`)
	rejected = regexp.MustCompile(oneOf(
		`\b(?:wrong|false|incorrect|nonsense|mistaken|untrue|unsound|impossible|refuted?|busted|cooked|fails?|failed|doubt|disproved)\b`,
		`\bnot (?:true|right|correct|so|sound|work\w*|win\w*|(?:the|a) (?:solution|win))\b`,
		`\b(?:mistakes?|illegal)\b|\(no\)|\b(?:no (?:solution|good)|cannot be(?: (?:true|right|correct|so))?)(?:[.!,;:]|$)`,
		`n't (?:true|right|correct|work|win|the solution)\b`,
		`\bno win(?:[.!,;:]|$)`,
		`(?:^|[.!;] )no(?:[,!:]|\.(?: *[a-z]|$))`, // and not No. 7
	))
	// otherUnit matches what behind a number makes it none of turns.
	otherUnit = regexp.MustCompile(`^ (?:steps?|minutes?|seconds?|hours?|days?|weeks?|months?|years?|games?|rounds?|points?)\b`)
	// opinion matches what makes the next line the opinion of somebody.
	opinion = regexp.MustCompile(`\b(?:nobody|believed?|thought|claimed|said|says?)\b`)
	// takenBack matches a line that takes back the one before it.
	takenBack = regexp.MustCompile(`^[\s>"'(]*(?:(?:oops|sorry|actually|edit|well)[,:.! ]+)?(?:not|there|that|this|it|which|no|wrong|false|nonsense|but|he|she|they|unfortunately|sadly|alas|correction|the (?:claim|solution|study|puzzle|problem)|refuted|busted|cooked|disproved)\b`)
	// flatNo matches one that can only do so.
	flatNo = regexp.MustCompile(`^[\s>"'(]*(?:no|nope|wrong|false|nonsense|not true|correction|cooked|busted|refuted)\b[,.!:]`)
	// aside matches what stands in brackets.
	aside = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`)
	// askew matches words in brackets that make another claim of the one before them.
	askew = regexp.MustCompile(`^\((?:in )?\d{1,2}(?: turns?| moves?)?\)$|\b(?:unproved|unproven|unverified|unsure|conjecture|claimed|supposedly|above|below|upper|lower|left|right|next|previous|last|first|second|diagram|steps?|sides|both|counted|ply|plies|maybe|perhaps|probably|allegedly|weak|less|more|fewer|most|` + aSide + `|or|cook\w*|help\w*|self\w*)\b|\?`)
	// easy matches words in brackets that deny something else, otherNumber those that may correct a claim.
	easy        = regexp.MustCompile(`^\((?:not (?:\d+|easy|hard|difficult)|no solution without [^()]*|no\. ?\d+)\)$`)
	otherNumber = regexp.MustCompile(`^[(\[](?:[a-z ]+(?::| ) ?)?\d{1,2}[)\]]$`)
	// notAuthor matches what no words about an author hold.
	notAuthor = regexp.MustCompile(`\b` + oneOf(`\d{1,2}`, strings.Join(numbers, "|"), positionNamed, `i`, `me`, `now`, `sure`, `here`, `opponent`, `if`) + `\b`)
	// secondThought matches a sentence that doubts the one before it.
	secondThought = regexp.MustCompile(`^[(\[]?(?:unfortunately|(?:maybe|perhaps|possibly)(?: (?:in|not|only|it|\d)\b|[.!?]?$)|unsure|unverified|unproved|but (?:it|silver|gold|white|black|there|i)|is (?:that|it|this)|(?:silver|gold) (?:can (?:hold|defend|escape|save|stop|prevent)|escapes|holds(?: out|[.!]?$))|not|nope|no|never|can't|cannot|unless|really|or|hardly|alas|sadly|i (?:was|am|hope|doubt|guess)|so|at least|correction|actually|oops|sorry|edit|update|(?:it|that|this) (?:does|did|was|is not|isn't|cannot|can't))\b|\b(?:there is a defen[cs]e|found a (?:hole|defen[cs]e|cook))\b|\b(?:says?|said|thinks?|thought|believed?|joking|kidding)\b`)
	// otherSetting matches a sentence that makes the next one a claim about something else, or doubts it.
	otherSetting = regexp.MustCompile(`^(?:conjecture|hypothesis|is (?:it|this|that) (?:true|right|correct)|true or false|(?:now )?(?:remove|move|add|put|place|replace) (?:the|a|an|another) (?:` + aSide + ` )?(?:rabbit|cat|dog|horse|camel|elephant|piece)|(?:suppose|assume|imagine)\b|(?:if|without) (?:the|a|an|gold|silver|white|black)\b|(?:after|before) (?:the|a|an|this|gold's|silver's) (?:move|turn|capture|step|exchange|push|pull)|` + aSide + ` (?:passes|to (?:play|move) (?:would|loses|could)))|\bwould (?:lose|win)\b`)
	// movesFirst matches who is to move, before another does.
	movesFirst = regexp.MustCompile(`\b` + eitherSide + ` (?:to move|to play|moves|plays|goes|starts|begins) first\b`)
	// struck matches the marks of struck-out text.
	struck = regexp.MustCompile(`(?i)</?(?:del|s|strike)>|\[/?(?:s|strike|del)\]|~~`)
	// asking matches a question that claims nothing.
	asking = regexp.MustCompile(`^` + entitled + `(?:can|could|does|do|did|is|has|how|what|which|who|will|would|where|why)\b.*\?$`)
	// asksMore matches a sentence that claims, and asks how.
	asksMore = regexp.MustCompile(`[,:–—-] ?(?:but )?(?:how|can you|do you|did you)\b[^?]*\?$`)
	// address matches a link.
	address = regexp.MustCompile(`https?://\S+`)
	// markup matches marks of web pages and forums.
	markup = regexp.MustCompile(`(?i)</?[a-z][^<>]{0,60}>|\[/?(?:b|i|u|s|spoiler|code|quote|hide|center|size|color)\b[^\[\]]{0,40}\]`)
	// closed matches where a sentence ends. A number in front and No. 7 end none.
	closed = regexp.MustCompile(`[.!?;]+(?:["'”’»)\]]*)(?:\s|$)`)
)

// plainWords returns a line in small letters, without links, marks of text and doubled blanks.
func plainWords(text string) string {
	text = strings.ToLower(text)
	if strings.Contains(text, "://") {
		text = address.ReplaceAllString(text, "")
	}
	if strings.ContainsAny(text, "<[") {
		text = markup.ReplaceAllString(text, " ")
	}
	text = strings.ReplaceAll(text, "’", "'")
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_`|„“”\"", r) {
			return -1
		}
		return r
	}, text)
	if strings.ContainsAny(text, "\t\u00a0") || strings.Contains(text, "  ") {
		return strings.Join(strings.Fields(text), " ")
	}
	return strings.TrimSpace(text)
}

// sentences splits plain words into sentences, each with the mark that ends it.
func sentences(text string) (all []string) {
	begin := 0
	for _, at := range closed.FindAllStringIndex(text, -1) {
		if part := strings.TrimSpace(text[begin:at[1]]); !isAbbreviated(part) {
			all, begin = append(all, part), at[1]
		}
	}
	if rest := strings.TrimSpace(text[begin:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

// isAbbreviated reports whether what looks like a sentence is a number or a letter with a dot, or ends
// in an abbreviation.
func isAbbreviated(text string) bool {
	text, dot := strings.CutSuffix(text, ".")
	last := text[strings.LastIndexAny(text, " (")+1:]
	if !dot || last == "" {
		return false
	}
	item := digitsOf(last) == len(last) || len(last) == 1 && last[0] >= 'a' && last[0] <= 'z'
	return item && strings.TrimPrefix(text, "(") == last || slices.Contains([]string{"no", "nr", "fig", "ex"}, last)
}

// looksLikeClaim reports whether a sentence in small letters may claim a win.
func looksLikeClaim(one string) bool {
	return mentions(one, winWords...) && mayClaim.MatchString(one)
}

// winWords are words of which what looks like a claim has one.
var winWords = []string{"win", "won", "claimed", "mate", "goal", "lose", "lost", "mover"}

// numberWord matches a number in plain words.
var numberWord = regexp.MustCompile(`\b` + oneNumber + `\b`)

// denies reports whether plain words deny a win in so many turns, or ask about it.
func denies(text string, claim int) bool {
	if !looksLikeClaim(text) || winIn(text).claim > 0 {
		return false
	}
	return slices.ContainsFunc(numberWord.FindAllString(text, -1), func(word string) bool {
		n, err := strconv.Atoi(word)
		if err != nil {
			n = slices.Index(numbers, word)
		}
		return n >= claim
	})
}

// isRejected reports whether a text in small letters takes back what another says.
func isRejected(text string) bool {
	return mentions(text, "no", "n't", "mistake", "illegal", "wrong", "false", "incorrect", "untrue", "unsound", "impossible", "refut", "busted", "cooked", "fail", "doubt", "disproved") && rejected.MatchString(text)
}

// winIn reads plain words. A claim counts if its sentence claims it in plain words and nothing in
// the line speaks against it; words in brackets may stand anywhere.
func winIn(text string) (s winClaim) {
	other := false // the sentences before are about something else
	first := ""    // words that say who moves first
	for _, one := range sentences(text) {
		s.stated = s.stated || statesSide(one)
		if !looksLikeClaim(one) {
			s.doubt = s.doubt || s.claim > 0 && secondThought.MatchString(one)
			other = other || otherSetting.MatchString(one)
			first = cmp.Or(movesFirst.FindString(one), first)
			continue
		}
		switch n, of := claimOfSentence(one); {
		case n == 0 && isDenied(one):
		case n == 0 || other || s.claim > 0 && (n != s.claim || of.known && s.of.known && of != s.of):
			s.doubt = true
		default:
			s.claim, s.of = n, cmp.Or(of, s.of)
		}
	}
	otherFirst := first != "" && !(s.of.known && sideNamed(strings.Fields(first)[0]) == s.of.side)
	if s.claim > 0 && (otherFirst || isRejected(strings.ReplaceAll(text, "no doubt", ""))) {
		s.doubt = true
	}
	if s.doubt {
		s.claim, s.of = 0, mover{}
	}
	return s
}

// statesSide reports whether a sentence in small letters says who is to move.
func statesSide(one string) bool {
	return mentions(one, "move", "play", "turn") && (openingSide.MatchString(one) || closingSide.MatchString(one) && !denied.MatchString(one))
}

// isDenied reports whether a sentence plainly claims nothing: it asks, or denies its only claim.
func isDenied(one string) bool {
	found := mayClaim.FindAllStringIndex(one, 2)
	clause := one[:found[0][1]]
	if at := strings.LastIndexAny(one[:found[0][0]], ",:"); at >= 0 {
		clause = clause[at:]
	}
	return asking.MatchString(one) || len(found) == 1 && (denied.MatchString(clause) || otherUnit.MatchString(one[found[0][1]:]))
}

// claimOfSentence returns the claim of a sentence, in turns, and the side that it is about; 0 if it
// does not plainly claim a win.
func claimOfSentence(one string) (n int, of mover) {
	if strings.HasSuffix(strings.TrimRight(one, ")]!: "), "?") && !asksMore.MatchString(one) {
		return 0, of
	}
	one = unwrapped(one)
	bare := strings.Join(strings.Fields(aside.ReplaceAllStringFunc(one, func(words string) string {
		if name := strings.Trim(words, "()[] "); isSideName(name) || askew.MatchString(words) || (denied.MatchString(words) || isRejected(words) || otherNumber.MatchString(words)) && !(easy.MatchString(words) && !repeats(words, one)) || mayClaim.MatchString(words) {
			return words
		}
		return ""
	})), " ")
	for _, c := range claims {
		if found := c.FindStringSubmatch(bare); found != nil {
			return claimFound(c, found)
		}
	}
	return 0, of
}

// repeats reports whether words in brackets deny the number that the sentence claims: "in 2 (not 2)".
func repeats(words, sentence string) bool {
	number := numberWord.FindString(words)
	return number != "" && slices.Contains(numberWord.FindAllString(strings.Replace(sentence, words, "", 1), -1), number)
}

// isStruck reports whether some of a line is struck out.
func isStruck(text string) bool { return strings.ContainsAny(text, "<[~") && struck.MatchString(text) }

// claimFound returns the claim that a pattern has found. Words about its author must name no side.
func claimFound(c *regexp.Regexp, found []string) (n int, of mover) {
	for i, word := range found {
		switch {
		case i == 0 || word == "":
		case c.SubexpNames()[i] != "":
			if notAuthor.MatchString(word) || denied.MatchString(word) || askew.MatchString(word) || isMentioned(word, others[0][:]) || isMentioned(word, others[1][:]) || isMentioned(word, []string{"the", "a", "an", "accident", "after", "only", "free"}) {
				return 0, mover{}
			}
		case isSideName(word):
			of = mover{sideNamed(word), true}
		case isDigit(word[0]):
			n, _ = strconv.Atoi(word)
		default:
			n = slices.Index(numbers, word)
		}
	}
	if n > maxClaim {
		n = 0
	}
	return n, of
}

// unwrapped returns a sentence without brackets around all of it.
func unwrapped(one string) string {
	bare := strings.TrimRight(one, ".!:; ")
	if n := len(bare); n > 2 && bare[0] == '(' && bare[n-1] == ')' && !strings.ContainsAny(bare[1:n-1], "()") {
		return bare[1 : n-1]
	}
	return one
}

// isMentioned reports whether a text holds one of the words as such.
func isMentioned(text string, words []string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool {
		return slices.Contains(words, strings.Trim(w, ".,;:!'s")) || slices.Contains(words, w)
	})
}
