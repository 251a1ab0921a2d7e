package notation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"goalproof/arimaa"
)

// ReadAnnotated reads a record as [ReadGame] does, and returns its tags by their names: Gold,
// Silver, Result, ...
//
//	[Gold "ann"]
//	[Silver "bob"]
//
//	1g Ra1 Ee2 1s ra8 ee7
//	2g Ee2n ?? {a comment} (2g Ee2e Ra1n {a variation})
func ReadAnnotated(file, text string) (g *arimaa.Game, tags map[string]string, err error) {
	return (&source{file: file, line: 1, text: cleanText(text)}).game()
}

// note is what stands beside the turns of a line.
type note struct {
	offset int
	kind   byte   // { is a comment, ( a variation, ! a mark such as ?! or $14
	text   string // without its brackets
}

// marked is a record that is read up to a place.
type marked struct {
	*source
	plain []byte
	open  []int // the variations that have begun
	notes []note
	tags  map[string]string
	fresh bool // nothing but blanks stands before the place in its line
}

// plain returns the text with blanks in place of all that is no turn, so that offsets stay what
// they are, and the notes in their order. It fills in the tags.
func (s *source) plain(tags map[string]string) (string, []note, error) {
	s = s.with(withoutLastBrackets(s.text))
	m := &marked{source: s, plain: []byte(s.text), tags: tags, fresh: true}
	for i := 0; i < len(s.text); {
		end, err := m.next(i)
		if err != nil {
			return "", nil, err
		}
		m.fresh = s.text[i] == '\n' || m.fresh && strings.IndexByte(blanks, s.text[i]) >= 0
		if end == i { // it belongs to a turn
			if end++; len(m.open) == 0 {
				i = end
				continue
			}
		}
		for ; i < end; i++ {
			if m.plain[i] != '\n' {
				m.plain[i] = ' '
			}
		}
	}
	if len(m.open) > 0 {
		return "", nil, s.errorAt(m.open[0], "the variation does not end")
	}
	return string(m.plain), m.notes, nil
}

// lastBrackets matches brackets around a result (1) or, behind a label, around words that may end a
// record (2).
var lastBrackets = regexp.MustCompile(`(?i)(?:^|[a-h][1-8][nsewx])[ \t]*\((1-0|0-1|1/2-1/2)\)$|(?:^|\s)\d+[gswb][.:]?[ \t]*\(([a-z ]+)[.!]?\)$`)

// withoutLastBrackets blanks brackets around how a record ends, in its last line.
func withoutLastBrackets(text string) string {
	end := len(strings.TrimRight(text, trailing))
	begin := strings.LastIndexByte(text[:end], '\n') + 1
	if end == 0 || text[end-1] != ')' || end-begin > maxCaption {
		return text
	}
	at := lastBrackets.FindStringSubmatchIndex(text[begin:end])
	if at == nil {
		return text
	}
	from := begin + max(at[2], at[4])
	if _, ok := endWords[strings.ToLower(text[from:begin+max(at[3], at[5])])]; at[4] >= 0 && !ok {
		return text
	}
	return text[:from-1] + " " + text[from:end-1] + " " + text[end:]
}

// next reads what begins at a place, and returns where it ends; the same place if a turn may go on
// there.
func (m *marked) next(i int) (end int, err error) {
	switch c := m.text[i]; {
	case c == '{':
		return m.comment(i)
	case c == ';' && beginsComment(m.text, i, len(m.open) > 0), (c == '#' || c == '%') && m.fresh:
		end = i + len(m.lineFrom(i))
		if c == ';' && len(m.open) == 0 {
			if m.hidesTurn(i, (line{text: m.text[i+1 : end]}).words()) {
				return i, m.errorAt(i, "behind a semicolon stands a comment, but this looks like a part of the turn: write it without, or in braces")
			}
			m.notes = append(m.notes, note{i, '{', m.text[i+1 : end]})
		}
		return end, nil
	case c == '(':
		m.open = append(m.open, i)
		return i + 1, nil
	case c == ')' && len(m.open) > 0:
		begin := m.open[len(m.open)-1]
		if m.open = m.open[:len(m.open)-1]; len(m.open) == 0 {
			m.notes = append(m.notes, note{begin, '(', m.text[begin+1 : i]})
		}
		return i + 1, nil
	case len(m.open) > 0:
		return i, nil
	case c == '[' && beginsWord(m.text, i) && i+1 < len(m.text) && strings.IndexByte(letters[:52]+" ", m.text[i+1]) >= 0:
		return m.tag(i)
	case c == '$' && beginsWord(m.text, i):
		return m.glyph(i), nil
	case c == '!' || c == '?':
		return m.mark(i), nil
	}
	return i, nil
}

// beginsComment reports whether a semicolon begins a comment: behind a blank, or, outside of
// brackets, before one.
func beginsComment(text string, i int, inBrackets bool) bool {
	return beginsWord(text, i) || !inBrackets && i+1 < len(text) && text[i+1] == ' '
}

// hidesTurn reports whether the words behind a semicolon may be a part of the record: all of them,
// or, if the semicolon ends a word and so may only separate, any.
func (m *marked) hidesTurn(i int, words []word) bool {
	part := func(w word) bool {
		text := trimmed(w.text)
		_, _, label := labelOf(text)
		return label || isStep(text) || isPlacement(text)
	}
	switch {
	case m.fresh:
		return len(words) > 0 && areSteps(words)
	case beginsWord(m.text, i):
		return len(words) > 0 && !slices.ContainsFunc(words, func(w word) bool { return !part(w) })
	}
	return slices.ContainsFunc(words, part)
}

// lineFrom returns the rest of the line from a place.
func (s *source) lineFrom(i int) string {
	text, _, _ := strings.Cut(s.text[i:], "\n")
	return text
}

// beginsWord reports whether a blank stands before a place, or nothing.
func beginsWord(text string, i int) bool {
	return i == 0 || strings.IndexByte(" \t\r\n", text[i-1]) >= 0
}

// escaped reports whether the brace at a place stands behind a backslash and does not end a comment:
// another one does in the same line, before the next comment begins.
func escaped(text string, i int) bool {
	if i == 0 || text[i-1] != '\\' {
		return false
	}
	rest, _, _ := strings.Cut(text[i+1:], "\n")
	later := strings.IndexAny(rest, "{}")
	return later >= 0 && rest[later] == '}'
}

// comment reads a comment in braces.
func (m *marked) comment(i int) (end int, err error) {
	for at := i + 1; ; {
		n := strings.IndexByte(m.text[at:], '}')
		if n < 0 {
			return i, m.errorAt(i, "the comment does not end")
		}
		at += n + 1
		if escaped(m.text, at-1) {
			continue
		}
		if len(m.open) == 0 {
			m.notes = append(m.notes, note{i, '{', strings.ReplaceAll(m.text[i+1:at-1], `\}`, "}")})
		}
		return at, nil
	}
}

// mark reads a mark such as !? if it stands alone or behind a step.
func (m *marked) mark(i int) (end int) {
	before := m.text[max(i-5, 0):i] // a step and a blank
	before = before[strings.LastIndexAny(before, " \t\r\n")+1:]
	if before != "" && !isStep(before) && !isPlacement(before) {
		return i
	}
	for end = i; end < len(m.text) && (m.text[end] == '!' || m.text[end] == '?'); end++ {
	}
	if before == "" && end < len(m.text) && strings.IndexByte(" \t\r\n{(;", m.text[end]) < 0 {
		return i
	}
	m.notes = append(m.notes, note{i, '!', m.text[i:end]})
	return end
}

// glyphs are the marks that the first numbers of chess programs stand for.
var glyphs = map[string]string{"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}

// glyph reads a mark as chess programs number them, such as $14.
func (m *marked) glyph(i int) (end int) {
	for end = i + 1; end < len(m.text) && strings.IndexByte(" \t\r\n{}()", m.text[end]) < 0; end++ {
	}
	m.notes = append(m.notes, note{i, '!', cmp.Or(glyphs[m.text[i:end]], m.text[i:end])})
	return end
}

// quotedTag matches a tag, whose value may go on in the next line, bareTag one without quotation marks.
// Behind the names that games have there may be a mark (2).
var (
	quotedTag = regexp.MustCompile(`^\[\s*([A-Za-z]\w*)(\s+|\s*[:=]\s*)"((?s:.*?))"\s*\]`)
	bareTag   = regexp.MustCompile(`^\[\s*([A-Za-z]\w*)(\s+|\s*[:=]\s*)([^\]"\n]*)\][ \t\r]*(?:\n|$)`)
)

// otherTag matches a tag in the lines of another, whose value then does not end.
var otherTag = regexp.MustCompile(`\n[ \t]*\[[A-Za-z]\w*\s+"`)

// maxTag is how long a tag may be, in bytes.
const maxTag = 4096

// tag reads a tag.
func (m *marked) tag(i int) (end int, err error) {
	for _, form := range []*regexp.Regexp{quotedTag, bareTag} {
		if found := form.FindStringSubmatch(m.text[i:min(i+maxTag, len(m.text))]); found != nil && !otherTag.MatchString(found[3]) {
			name, value := tagNamed(found[1]), strings.TrimSpace(found[3])
			if strings.ContainsAny(found[2], ":=") && !slices.Contains(tagNames, name) {
				continue
			}
			if strings.ContainsAny(value, "\r\n") { // it goes on in other lines, which may be indented
				value = strings.Join(strings.Fields(value), " ")
			}
			if had := m.tags[name]; had != "" && had != value {
				err = m.doubted(i, "second tag", "the first counts", "the tag %s stands twice: %.100q and %.100q", name, had, value)
			} else {
				m.tags[name] = value
			}
			return i + len(found[0]), err
		}
	}
	if tagStart.MatchString(m.text[i:min(i+maxTag, len(m.text))]) {
		return i, m.errorAt(i, "a tag is written [Name \"value\"]")
	}
	return i, nil
}
