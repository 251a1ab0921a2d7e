package notation

import (
	"strings"

	"goalproof/arimaa"
)

// isAnnotated reports whether a text looks like an annotated game: it begins with a tag. A line
// that begins with a time or a link in brackets is none: more text stands behind the bracket, and
// no quotation mark is in the line.
func isAnnotated(text string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(text, blanks+"\r\n"), "\n")
	_, behind, closed := strings.Cut(first, "]")
	prose := closed && strings.Trim(behind, " \t\r") != "" && !strings.Contains(first, `"`)
	return strings.HasPrefix(first, "[") && !prose
}

// ReadAnnotated reads a game in the shape of the PGN files of chess: tags, one a line, then the
// turns behind their labels, in as many lines as one likes. The tags are returned by their names:
// Gold, Silver, Result, ...
//
//	[Gold "ann"]
//	[Silver "bob"]
//
//	1g Ra1 Ee2 1s ra8 ee7
//	2g Ee2n ?? {a comment} (2g Ee2e Ra1n {a variation})
//
// Comments in braces, variations in brackets (which may hold others), marks such as !, ?? and $4,
// and a result (1-0, 0-1, *) are left out ([ReadVariations] keeps them). The rest is read as by
// [ReadGame]. The error is a [*ParseError]. The game is then what could be read before the turn
// that is broken, or nil.
func ReadAnnotated(file, text string) (g *arimaa.Game, tags map[string]string, err error) {
	src := &source{file, 1, cleanText(text)}
	tags = map[string]string{}
	plain, _, err := src.plain(tags)
	if err != nil {
		return nil, tags, err
	}
	src.text = plain
	g, err = src.game(src.byLabel())
	return g, tags, err
}

// note is what stands beside the turns of a line.
type note struct {
	offset int
	kind   byte   // { is a comment, ( a variation, ! a mark
	text   string // without its brackets
}

// plain returns the text with blanks in place of all that is no turn, so that offsets stay what
// they are, and the notes in their order. It fills in the tags.
func (s *source) plain(tags map[string]string) (string, []note, error) {
	b := []byte(s.text)
	var open []int // the variations that have begun
	var notes []note
	for i := 0; i < len(b); {
		end := i + 1
		switch c := b[i]; {
		case c == '{':
			n := strings.IndexByte(s.text[i:], '}')
			if n < 0 {
				return "", nil, s.errorAt(i, "the comment does not end")
			}
			if end = i + n + 1; len(open) == 0 {
				notes = append(notes, note{i, c, s.text[i+1 : end-1]})
			}
		case c == '(':
			open = append(open, i)
		case c == ')':
			if len(open) == 0 {
				return "", nil, s.errorAt(i, "no variation ends here")
			}
			if len(open) == 1 {
				notes = append(notes, note{open[0], '(', s.text[open[0]+1 : i]})
			}
			open = open[:len(open)-1]
		case c == '[' && len(open) == 0:
			n := strings.IndexByte(s.text[i:], '\n')
			if n < 0 {
				n = len(b) - i
			}
			name, value, ok := strings.Cut(strings.TrimSpace(s.text[i:i+n]), " ")
			value, closed := strings.CutSuffix(value, "]")
			if !ok || !closed {
				return "", nil, s.errorAt(i, "a tag is written [Name \"value\"]")
			}
			tags[name[1:]] = strings.Trim(value, `" `)
			end = i + n
		case c != '\n' && len(open) > 0:
		case c == '!' || c == '?':
			for end < len(b) && (b[end] == '!' || b[end] == '?') {
				end++
			}
			notes = append(notes, note{i, '!', s.text[i:end]})
		default:
			i++
			continue
		}
		for ; i < end; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	if len(open) > 0 {
		return "", nil, s.errorAt(open[0], "the variation does not end")
	}
	return string(b), notes, nil
}

// byLabel splits a text into turns: each begins with a label, wherever it stands. Marks and results
// are left out.
func (s *source) byLabel() (turns []line) {
	var ends []int // offsets
	for _, l := range s.lines() {
		for _, w := range l.words() {
			if w.text == "1-0" || w.text == "0-1" || w.text == "*" || w.text[0] == '$' {
				continue
			}
			if _, _, rest, ok := cutNumbered(w.text); ok && rest == "" || len(turns) == 0 {
				turns = append(turns, line{w.text, w.offset, l.number})
				ends = append(ends, w.offset+len(w.text))
				continue
			}
			ends[len(ends)-1] = w.offset + len(w.text)
		}
	}
	blanks := strings.NewReplacer("\r\n", "  ", "\n", " ")
	for i := range turns {
		turns[i].text = blanks.Replace(s.text[turns[i].offset:ends[i]])
	}
	return turns
}
