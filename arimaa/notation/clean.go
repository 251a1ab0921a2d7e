package notation

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

// clean returns a line as its author typed it: without the marks of a quotation ("> ") and of
// preformatted text ([code], <pre>, ```), and with plain characters for those that editors and web
// pages put in their place. Only characters without width are dropped, so that columns stay what a
// reader counts. What is not in UTF-8 stays as it is, and so do the tag of an annotated game and a
// comment in braces, whose text is no notation.
func clean(text string) string { return cleanIn(text, 0) }

// cleanIn cleans a line that begins within what a character ends: a comment or a tag; 0: in neither.
func cleanIn(text string, until rune) string {
	text = withoutQuotation(strings.TrimPrefix(text, byteOrderMark))
	if until == 0 {
		text = withoutMarks(text)
	}
	if ascii := utf8.RuneCountInString(text) == len(text); ascii || !utf8.ValidString(text) {
		return text
	}
	if isTag(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case until == r:
			until = 0
		case until != 0:
			return r
		case r == '{':
			until = '}'
		}
		return plainRune(r)
	}, text)
}

// cleanText cleans all lines of a text.
func cleanText(text string) string {
	var b strings.Builder
	until := rune(0)
	for l := range strings.Lines(bareReturns.Replace(text)) {
		b.WriteString(cleanIn(l, until))
		if last := strings.LastIndexAny(l, "{}"); last >= 0 {
			until = map[byte]rune{'{': '}'}[l[last]]
		}
	}
	return b.String()
}

// withoutQuotation blanks the marks of a quotation at the beginning of a line.
func withoutQuotation(text string) string {
	n := len(text) - len(unindented(text))
	if !strings.HasPrefix(text[n:], ">") {
		return text
	}
	for n < len(text) && strings.IndexByte("> ", text[n]) >= 0 {
		n++
	}
	return strings.ReplaceAll(text[:n], ">", " ") + text[n:]
}

// withoutMarks blanks the other marks that are no text of the author.
func withoutMarks(text string) string {
	if strings.ContainsAny(text, "[<`") {
		text = withoutFences(text)
	}
	if mentions(text, "makemove", "newgame", "setposition") {
		if at := beforeCommand.FindStringSubmatchIndex(text); at != nil {
			text = strings.Repeat(" ", at[2]) + text[at[2]:]
		}
	}
	if strings.ContainsAny(text, `:"'`) || strings.IndexByte(text, "“"[0]) >= 0 || strings.IndexByte(text, "«"[0]) >= 0 {
		text = withoutCell(text)
	}
	if strings.ContainsAny(text, "*_|") && strings.ContainsAny(text, "123456789") {
		text = withoutMarkdown(text)
	}
	if strings.Contains(text, "<br") && beforeTurn.MatchString(text) {
		text = breaks.Replace(text)
	}
	if strings.Contains(text, `\n`) || strings.Contains(text, `\r`) {
		text = joined.Replace(text)
		if body := strings.Trim(text, trailing); len(body) > 1 && body[0] == '"' && strings.Count(body, `"`) == 2 && body[len(body)-1] == '"' {
			text = strings.ReplaceAll(text, `"`, " ")
		}
	}
	return text
}

// bareReturns replaces carriage returns that end a line alone.
var bareReturns = strings.NewReplacer("\r\n", "\r\n", "\r", "\n")

// withoutFences blanks the marks at the beginning and at the end of a line. It looks there alone,
// because lines may be long.
func withoutFences(line string) string {
	text := []byte(line)
	blank := func(from, to int) {
		for i := range text[from:to] {
			text[from+i] = ' '
		}
	}
	from := 0
	for {
		from = len(text) - len(bytes.TrimLeft(text[from:], " \t"))
		var mark []byte
		if from < len(text) && strings.IndexByte("[<`", text[from]) >= 0 {
			mark = firstFence.Find(text[from:])
		}
		if mark == nil {
			break
		}
		blank(from, from+len(mark))
	}
	for to := len(text); ; {
		to = len(bytes.TrimRight(text[:to], trailing))
		at := len(bytes.TrimRight(text[:to], "`"))
		if at == to {
			at = bytes.LastIndexAny(text[:to], "[<")
		}
		if at < from || len(firstFence.Find(text[at:to])) < to-at {
			return string(text)
		}
		blank(at, to)
		to = at
	}
}

// firstFence matches, at the beginning of a text, what begins or ends preformatted text, quotations
// and hidden text in forums and on pages.
var firstFence = regexp.MustCompile("^(?i:\\[/?(?:code|pre|quote|spoiler|hide|tt|b|i)(?:=[^\\]\\n]*)?\\]|</?(?:code|pre|blockquote|p|div|li|tt|b|i|br) ?/?>|```+[a-z]*|``?)")

// beforeCommand matches what logs write before a command of the AEI (1): a time, a mark, a level.
var beforeCommand = regexp.MustCompile(`^\s*(?:[-\[\](){}<>0-9:.,/|=*TZ]+\s*|(?i:debug|info|sent|send|recv|received|in|out|to|from|gold|silver|engine|bot)[\w:>\])]*\s+){1,6}((?:newgame|makemove|setposition)\b)`)

// beforeTurn matches what may stand before the turns of a cell or a list: words (1) before the setup
// of Gold, the quotation mark (2); behindTurn the mark that ends them (1).
var (
	beforeTurn = regexp.MustCompile(`^([ \t]*(?:[A-Za-z][\w '-]{0,40}:)?[ \t]*)(["'“„«]?)[ \t]*(\d+)[gswbGSWB][.:)]?[ \t]+[RCDHMErcdhme][a-h][1-8]`)
	behindTurn = regexp.MustCompile(`^[ \t]*\d+[gswbGSWB][.:)]?[ \t][^"“”„«»{}]*([nsewx1-8]["'”»][ \t,;]*)$`)
)

// withoutCell blanks the quotation marks around turns, and the words before the setup of Gold.
func withoutCell(text string) string {
	text, end := strings.TrimRight(text, trailing), text[len(strings.TrimRight(text, trailing)):]
	if at := beforeTurn.FindStringSubmatchIndex(text); at != nil && (text[at[6]:at[7]] == "1" || strings.TrimSpace(text[:at[3]]) == "") {
		text = strings.Repeat(" ", at[5]) + text[at[5]:]
	}
	if at := behindTurn.FindStringSubmatchIndex(text); at != nil {
		text = text[:at[2]+1] + strings.Repeat(" ", at[3]-at[2]-1)
	}
	return text + end
}

// joined blanks the marks for a line end that cells of archives have between turns, breaks those of
// web pages.
var (
	joined = strings.NewReplacer(`\n`, "  ", `\r`, "  ")
	breaks = strings.NewReplacer("<br>", "    ", "<br/>", "     ", "<br />", "      ")
)

var (
	// boldLabel matches a label in bold letters, inCells a row of a table with the number of a turn
	// or its label (1) and the turn in the next cell.
	boldLabel = regexp.MustCompile(`(?:\*\*|__)\d+[gswbGSWB][.:)]?(?:\*\*|__)`)
	inCells   = regexp.MustCompile(`^[ \t]*\|[ \t]*(\d+[gswbGSWB]?)[.:)]?[ \t]+\|[ \t]*[RCDHMErcdhme][a-h][1-8]`)
)

// withoutMarkdown blanks the marks of bold labels, and the bars around turns in a table. Of two turns
// in a row the second is Silver's, as behind the dots of chess.
func withoutMarkdown(text string) string {
	text = boldLabel.ReplaceAllStringFunc(text, func(label string) string { return strings.NewReplacer("*", " ", "_", " ").Replace(label) })
	at := inCells.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	if gold, silver, both := strings.Cut(text[at[1]:], " | "); isDigit(text[at[3]-1]) {
		if silver = strings.Trim(silver, "| \t\r\n"); both && silver != "" {
			gold += " ... " + silver
		}
		text = text[:at[3]] + "." + text[at[3]+1:at[1]] + gold + "\n"
	}
	return strings.ReplaceAll(text, "|", " ")
}

// isTag reports whether a line is a tag of an annotated game.
func isTag(text string) bool {
	text = unindented(text)
	return strings.HasPrefix(text, "[") && strings.Contains(text, `"`)
}

// plainRune returns the plain character that is meant by one from an editor, or -1 for one without
// width. A middle dot is an empty square; lines that draw a box are a border.
func plainRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case r == '\u00a0', r >= '\u2000' && r <= '\u200a', r == '\u202f', r == '\u205f', r == '\u3000':
		return ' '
	case r >= '\u200b' && r <= '\u200d', r == '\u2060', r == '\ufeff', r == '\u00ad':
		return -1
	case r >= '\u2010' && r <= '\u2015', r == '\u2212', strings.ContainsRune("─━═╌┄", r):
		return '-'
	case strings.ContainsRune("│┃║", r):
		return '|'
	case r >= '┌' && r <= '╋', r >= '╒' && r <= '╬':
		return '+'
	case strings.ContainsRune("·∙⋅", r):
		return '.'
	}
	return r
}

// bulletOf returns how long the mark or the number of an item in a list is with which a text begins,
// with the blanks around it; 0: there is none.
func bulletOf(text string) int {
	item := strings.TrimLeft(text, blanks+byteOrderMark)
	marks := []string{"- ", "* ", "• "}
	if n := digitsOf(item); n > 0 {
		item, marks = item[n:], []string{") "}
	}
	for _, mark := range marks {
		if rest, ok := strings.CutPrefix(item, mark); ok {
			return len(text) - len(rest)
		}
	}
	return 0
}

// withoutBullet blanks the mark of an item in a list before a turn.
func withoutBullet(text string) string {
	n := bulletOf(text)
	if n == 0 {
		return text
	}
	if words := (line{text: text[n:]}).words(); !isTurn(words) && (len(words) != 1 || !isLabel(words[0].text)) {
		return text
	}
	return strings.Repeat(" ", n) + text[n:]
}
