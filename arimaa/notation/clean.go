package notation

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// clean returns a line as its author typed it: without the marks of a quotation ("> ") and of
// preformatted text ([code], <pre>, ```), and with plain characters for those that editors and web
// pages put in their place. Only characters without width are dropped, so that columns stay what a
// reader counts. What is not in UTF-8 stays as it is, and so do the tag of an annotated game and a
// comment in braces, whose text is no notation.
func clean(text string) string {
	body := strings.TrimLeft(text, blanks)
	if body == "" {
		return text
	}
	if body[0] == '>' {
		n := len(text) - len(body)
		for n < len(text) && strings.IndexByte("> \t", text[n]) >= 0 {
			n++
		}
		text = strings.ReplaceAll(text[:n], ">", " ") + text[n:]
	}
	if strings.ContainsAny(text, "[<`") {
		text = withoutFences(text)
	}
	if ascii := utf8.RuneCountInString(text) == len(text); ascii || !utf8.ValidString(text) || isTag(text) {
		return text
	}
	comment := false
	return strings.Map(func(r rune) rune {
		if r == '{' || r == '}' {
			comment = r == '{'
		}
		if comment {
			return r
		}
		return plainRune(r)
	}, text)
}

// cleanText cleans all lines of a text.
func cleanText(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString(clean(l))
	}
	return b.String()
}

// withoutFences blanks the marks at the beginning and at the end of a line. It looks there alone,
// because lines may be long.
func withoutFences(text string) string {
	from := len(text) - len(strings.TrimLeft(text, " \t"))
	for {
		mark := firstFence.FindString(text[from:])
		if mark == "" {
			break
		}
		text = text[:from] + strings.Repeat(" ", len(mark)) + text[from+len(mark):]
		from += len(mark) + len(text[from+len(mark):]) - len(strings.TrimLeft(text[from+len(mark):], " \t"))
	}
	for {
		to := len(strings.TrimRight(text, " \t\r\n"))
		at := max(strings.LastIndexAny(text[:to], "[<"), strings.LastIndex(text[:to], "```"))
		if at < from || len(firstFence.FindString(text[at:to])) < to-at {
			return text
		}
		text = text[:at] + strings.Repeat(" ", to-at) + text[to:]
	}
}

// firstFence matches what begins or ends preformatted text, and quotations in forums, at the
// beginning of a text.
var firstFence = regexp.MustCompile("^(?i:\\[/?(?:code|pre|quote)(?:=[^\\]\\n]*)?\\]|</?(?:code|pre|blockquote)>|```[a-z]*)")

// isTag reports whether a line is a tag of an annotated game.
func isTag(text string) bool {
	text = strings.TrimLeft(text, blanks)
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
