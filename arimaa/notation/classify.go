package notation

import (
	"regexp"
	"slices"
	"strings"
)

// kind is what a line looks like by itself.
type kind uint8

const (
	blank       kind = iota // nothing, or a comment
	single                  // a position in one line
	head                    // the label of a turn alone, or with a remark: 47g (gold to move)
	rank                    // a rank of a board
	border                  // of a board, or its files
	reversed                // the files of a board that is seen from the other side
	tag                     // [Name "value"]
	headerLine              // of a header without brackets: Gold: ann
	comment                 // it begins with a comment in braces
	turn                    // a label with a setup or a turn
	steps                   // a turn without its label
	makemove                // a command of the AEI that makes a setup or turn
	newgame                 // the one that begins a game
	chatter                 // another message of the AEI
	fieldLine               // of a puzzle text of arimaa.com
	row                     // of an archive without a header
	header                  // of a table of positions
	jsonObject              // in JSON
	captionLine             // who is to move, or a claim
	solution                // a solution
	prose                   // anything else
	kinds
)

// classifiers tell what a line looks like. The first that fits counts.
var classifiers = []struct {
	kind kind
	fits func(l line, words []word) bool
}{
	{row, func(l line, _ []word) bool { return isRow(l.text) }},
	{header, func(l line, _ []word) bool { return headerOf(l) != nil }},
	{jsonObject, func(l line, _ []word) bool {
		return strings.HasPrefix(unindented(l.text), `{"`) && object.MatchString(l.text)
	}},
	{fieldLine, func(l line, _ []word) bool {
		return strings.Contains(l.text, "=") && beginsFields(unindented(l.text))
	}},
	{tag, func(l line, _ []word) bool { return isTagStart(unindented(l.text)) }},
	{headerLine, func(l line, _ []word) bool { return fieldsOf(l) != nil }},
	{single, isSingle},
	{head, func(l line, _ []word) bool { _, _, ok := cutHead(l.text); return ok }},
	{rank, func(l line, _ []word) bool { return isRank(l.text) }},
	{border, func(l line, _ []word) bool { return isBorder(l.text) }},
	{reversed, func(_ line, words []word) bool { return isReversed(words) }},
	{turn, func(_ line, words []word) bool { return isTurn(words) }},
	{steps, func(_ line, words []word) bool {
		return areSteps(words) || len(words) == 1 && isPlacement(words[0].text)
	}},
	{comment, func(l line, words []word) bool { return words[0].text[0] == '{' }},
	{makemove, func(_ line, words []word) bool {
		return words[0].text == "makemove" && len(words) > 1 && (isPlacement(words[1].text) || isStep(words[1].text) || isEndWord(words[1].text))
	}},
	{newgame, func(_ line, words []word) bool {
		return words[0].text == "newgame" && (len(words) == 1 || words[1].text == "makemove")
	}},
	{chatter, func(_ line, words []word) bool { return isChatter(words) }},
	{single, func(l line, _ []word) bool { return mayEmbed(l.text) && embedded.MatchString(l.text) }},
	{solution, func(l line, _ []word) bool { _, ok := solutionIn(l.text); return ok }},
	{captionLine, func(l line, _ []word) bool { c := captionOf(l); return c.known || c.claim > 0 || c.doubt }},
}

// classify tells what a line looks like.
func classify(l line) kind {
	if isComment(l.text) {
		return blank
	}
	words := l.words()
	for _, c := range classifiers {
		if c.fits(l, words) {
			return c.kind
		}
	}
	return prose
}

// tagNames are the names that the tags of games have.
var tagNames = strings.Fields("Event Site Source Date Round White Black Gold Silver Result Winner Position TimeControl Annotator Termination ResultCode PlyCount " +
	"GoldRating SilverRating WhiteElo BlackElo")

// tagNamed returns the name of a tag as games have it, in capitals or small letters.
func tagNamed(name string) string {
	for _, known := range tagNames {
		if strings.EqualFold(name, known) {
			return known
		}
	}
	return name
}

// tagStart matches the beginning of a tag of a game, also of one that goes on in the next line; its
// name is one of those that games have, or its value is in quotation marks.
var tagStart = regexp.MustCompile(`^\[\s*(?:[A-Za-z]\w*\s+"|(?i:` + strings.Join(tagNames, "|") + `)\s*[:=]\s*"|(?i:event|site|source|date|round|white|black|gold|silver|result|winner|position|timecontrol|annotator|termination|resultcode|plycount)(?:[\s=]|$)|` +
	`(?i:result|winner):|[A-Za-z]\w{2,}\s*$)`)

func isTagStart(text string) bool { return strings.HasPrefix(text, "[") && tagStart.MatchString(text) }

// isTurn reports whether a line begins with a label and then a turn, a setup or a word that records
// use.
func isTurn(words []word) bool {
	if len(words) < 2 || !isDigit(words[0].text[0]) {
		return false
	}
	if _, _, ok := labelOf(words[0].text); !ok {
		return false
	}
	if _, _, ok := labelOf(words[1].text); ok && words[1].text[len(words[1].text)-1] != '.' {
		return true
	}
	if last := words[0].text[len(words[0].text)-1]; last == '.' && len(words) > 2 && !isRecord(words[2:]) {
		return false // an item of a list in prose
	}
	if words[1].text[0] == '{' || isSideName(words[1].text) {
		return turnBehindRemark(words[1:])
	}
	next := strings.TrimRight(words[1].text, ",;!?")
	if isStep(next) || isPlacement(next) || isReserved(next) || isDots(next) || isPlacement("R"+next) && len(words) > 2 && isPlacement(words[2].text) {
		return true
	}
	return !strings.HasSuffix(words[0].text, ".") && len(next) > len("f6") && stepLike.MatchString(next) // perhaps with an error
}

// turnBehindRemark reports whether a comment in braces comes before a step or a piece, or the name of a
// side before the words that end a record.
func turnBehindRemark(words []word) bool {
	if isSideName(words[0].text) {
		var end []string
		for _, w := range words[1:] {
			end = append(end, strings.ToLower(strings.TrimRight(w.text, ".!")))
		}
		_, ok := endWords[strings.Join(end, " ")]
		return ok
	}
	i := slices.IndexFunc(words, func(w word) bool { return strings.HasSuffix(w.text, "}") })
	return i >= 0 && i+1 < len(words) && (isStep(words[i+1].text) || isPlacement(words[i+1].text))
}

// isDots reports whether a word is the label of Silver's turn behind Gold's.
func isDots(text string) bool { return text == "..." || text == "…" }

// isReserved reports whether a record has a word in place of a turn.
func isReserved(text string) bool { return text == "takeback" || text == "pass" || isEndWord(text) }

// endWords are the words that end a record, with the letter of an archive for what they mean.
var endWords = map[string]string{
	"resign": "r", "resigns": "r", "resigned": "r", "lost": "", "loses": "",
	"timeout": "t", "time": "t", "time out": "t", "timed out": "t", "lost on time": "t", "loses on time": "t", "out of time": "t", "times out": "t",
	"forfeit": "f", "forfeits": "f", "forfeited": "f", "illegal": "i", "abandons": "a", "abandoned": "a",
}

// endParts are the single words of endWords.
var endParts = func() map[string]bool {
	parts := map[string]bool{}
	for words := range endWords {
		for _, w := range strings.Fields(words) {
			parts[w] = true
		}
	}
	return parts
}()

func isEndWord(text string) bool { return endParts[strings.ToLower(strings.TrimRight(text, ".!"))] }

// areSteps reports whether all words are steps, captures or words that a record has in place of a
// turn.
func areSteps(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool { return !isStep(strings.TrimRight(w.text, ",;")) })
}

// isSide reports whether a word names a side.
func isSide(text string) bool {
	_, ok := sideOfLetter(text[0])
	return ok && len(text) == 1
}

// isStep reports whether a word looks like a step, perhaps with an error in one of its letters.
func isStep(text string) bool {
	if len(text) != 4 {
		return false
	}
	_, ok := pieceOfLetter(text[0])
	_, ok2 := squareOfName(text[1:3])
	return ok && ok2 || ok && isDigit(text[2]) || ok2
}

// isRank reports whether a line looks like a rank of a board: behind a number and a bar, between
// two bars with nothing but squares, eight squares of which each is shown, or the row of a table.
func isRank(text string) bool {
	text = strings.Trim(text, blanks)
	numbered := isDigit(text[0])
	body := text
	if numbered {
		body = strings.TrimLeft(text[1:], " \t")
	}
	if inside, ok := strings.CutPrefix(body, "|"); ok {
		if numbered || isTableRank(text) {
			return true
		}
		end := strings.IndexByte(inside, '|')
		return end >= 7 && strings.Trim(inside[:end], pieceLetters+" .xX*\t") == "" && len(strings.TrimLeft(inside[end+1:], " \t")) <= 1
	}
	body = strings.TrimRight(body, "| \t")
	if numbered {
		body = strings.TrimSuffix(body, text[:1])
	}
	squares := 0
	for _, c := range body {
		switch {
		case c == ' ' || c == '\t':
		case !strings.ContainsRune(pieceLetters+".xX*", c):
			return false
		default:
			squares++
		}
	}
	return squares == 8 && !isBorder(text)
}

// isReversed reports whether words are the files from h to a.
func isReversed(words []word) bool {
	if strings.IndexByte("hH|+-*", words[0].text[0]) < 0 {
		return false
	}
	var b strings.Builder
	for _, w := range words[:min(len(words), 10)] {
		b.WriteString(noBars.Replace(w.text))
	}
	return strings.EqualFold(b.String(), "hgfedcba")
}

// noBars takes out what may stand between the files.
var noBars = strings.NewReplacer("|", "", "+", "", "-", "", "*", "")

// isTableRank reports whether a line is a row of a table in Markdown that holds the squares of a
// rank, perhaps behind its number: cells between bars, with one letter at most.
func isTableRank(text string) bool {
	if bars := strings.Count(text, "|"); len(text) > maxCaption || bars < 9 || bars > 11 || text[len(text)-1] != '|' {
		return false
	}
	cells := tableCells(text)
	for i, cell := range cells {
		number := (i == 0 || i == 8) && len(cells) > 8 && len(cell) == 1 && isDigit(cell[0])
		if !number && cell != "" && (len(cell) != 1 || !strings.Contains(pieceLetters+".xX*", cell)) {
			return false
		}
	}
	return true
}

// tableCells returns the cells in a row of a table in Markdown, without the marks of bold text.
func tableCells(text string) []string {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.Trim(text, blanks), "|"), "|")
	cells := strings.Split(text, "|")
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		if len(cell) > len("****") && strings.HasPrefix(cell, "**") && strings.HasSuffix(cell, "**") {
			cell = strings.Trim(cell, "*")
		}
		cells[i] = cell
	}
	return cells
}

// isChatter reports whether words are a message of the AEI that changes no position.
func isChatter(words []word) bool {
	switch words[0].text {
	case "aei", "isready", "readyok", "aeiok", "stop", "quit":
		return len(words) == 1
	case "go":
		return len(words) == 1 || len(words) == 2 && words[1].text == "ponder"
	}
	return len(words) > 1 && slices.Contains([]string{"setoption", "bestmove", "info", "log", "id", "protocol-version"}, words[0].text)
}
