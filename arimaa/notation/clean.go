package notation

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// clean returns a line as its author typed it: without the marks of a quotation ("> ") and of
// preformatted text ([code], <pre>, ```), and with plain characters for those that editors and web
// pages put in their place. Only characters without width are dropped, so that columns stay what a
// reader counts. What is not in UTF-8 stays as it is, and so do the tag of an annotated game and a
// comment in braces, whose text is no notation.
func clean(text string) string { return cleanIn(text, 0) }

// cleanIn cleans a line that begins within what a character ends: a comment or a tag; 0: in neither.
func cleanIn(text string, until rune) string {
	text = strings.ReplaceAll(withoutQuotation(strings.TrimPrefix(text, byteOrderMark)), "&nbsp;", " ")
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
	if strings.IndexByte(text, '|') >= 0 || mentions(text, "**", "__") {
		text = withoutMarkdown(text)
	}
	if strings.IndexByte(text, '<') >= 0 && isTurn((line{text: text}).words()) {
		text = pageBreaks.ReplaceAllStringFunc(text, func(mark string) string { return strings.Repeat(" ", len(mark)) })
	}
	if strings.IndexByte(text, '\\') >= 0 && mentions(text, `\n`, `\r`) {
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

// These match what stands around the turns of a cell or a list: words before the setup of Gold, a
// quotation mark (1) before a turn, one at its end (1), and the line breaks of web pages.
var (
	beforeSetup = regexp.MustCompile(`^[ \t]*(?i:(?:the )?(?:game|opening|record|moves?|movelist|move list|turns|setup)(?: \w{1,10})?):[ \t]*["'“„«]?[ \t]*(1[gwGW][.:)]?[ \t]+[RCDHMErcdhme][a-h][1-8]\b)`)
	beforeTurn  = regexp.MustCompile(`^[ \t]*(["'“„«])[ \t]*\d+[gswbGSWB][.:)]?[ \t]+[RCDHMErcdhme][a-h][1-8]`)
	behindTurn  = regexp.MustCompile(`^[ \t]*\d+[gswbGSWB][.:)]?[ \t][^"“”„«»{}]*\S(["'”»][ \t,;]*)$`)
	pageBreaks  = regexp.MustCompile(`(?i)<br ?/?>`)
)

// withoutCell blanks the quotation marks around turns, and the words before the setup of Gold.
func withoutCell(text string) string {
	whole := text
	text = strings.TrimRight(whole, trailing)
	end := whole[len(text):]
	blank := func(from, to int) { text = text[:from] + strings.Repeat(" ", to-from) + text[to:] }
	if at := beforeSetup.FindStringSubmatchIndex(text); at != nil {
		blank(0, at[2])
	}
	if at := beforeTurn.FindStringSubmatchIndex(text); at != nil {
		if last := strings.LastIndexAny(text, "\"'“”«»"); last < at[3] || strings.Trim(text[last:], "\"'”»,; \t") == "" {
			blank(0, at[3])
		}
	}
	if at := behindTurn.FindStringSubmatchIndex(text); at != nil {
		blank(at[2], len(text))
	}
	return text + end
}

// joined blanks the marks for a line end that cells of archives have between turns.
var joined = strings.NewReplacer(`\n`, "  ", `\r`, "  ")

// boldLabel matches a label in bold letters.
var boldLabel = regexp.MustCompile(`(?:\*\*|__)\d+[gswbGSWB][.:)]?(?:\*\*|__)`)

// withoutMarkdown blanks the marks of bold labels, and the bars around turns in a table.
func withoutMarkdown(text string) string {
	if mentions(text, "**", "__") {
		text = boldLabel.ReplaceAllStringFunc(text, func(label string) string { return strings.NewReplacer("*", " ", "_", " ").Replace(label) })
	}
	if plain := unindented(text); plain[0] == '|' {
		return turnsOfRow(text)
	}
	return text
}

// turnsOfRow returns the row of a table that holds a label and a turn, or the number of a turn and those
// of both sides, as a list of turns has them. Any other text is returned as it is.
func turnsOfRow(text string) string {
	cells := tableCells(strings.TrimRight(text, trailing))
	for len(cells) > 2 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	label := strings.TrimRight(cells[0], ".:)")
	for _, cell := range cells[1:] {
		words := (line{text: cell}).words()
		if len(words) == 0 || len(cells) > 3 || !isRecord(words) || !isSteps(words) {
			return text
		}
	}
	number, side, ok := labelOf(label + ".")
	switch {
	case len(cells) == 2 && isTurn((line{text: label + " " + cells[1]}).words()):
		return strings.ReplaceAll(text, "|", " ")
	case label != strconv.Itoa(number) || !ok || side != arimaa.Gold || len(cells) < 2:
		return text
	case len(cells) == 3:
		return fmt.Sprintf("%d. %s ... %s\n", number, cells[1], cells[2])
	}
	return fmt.Sprintf("%d. %s\n", number, cells[1])
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
	marks := []string{"- ", "* ", "• ", "+ ", "-\t", "*\t", "•\t", "+\t"}
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
