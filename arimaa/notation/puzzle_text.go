package notation

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// fieldName matches the beginning of the fields of a puzzle text, firstField the first one of a
// text.
var (
	fieldName  = regexp.MustCompile(`(?:^|&)([a-z]+)=`)
	firstField = regexp.MustCompile(`^&?(?:mode|movelist|chat|title|side|startmove)=`)
)

// isPuzzleText reports whether a text that begins so is a puzzle text of arimaa.com: one of its
// lines begins with a field.
func isPuzzleText(head string) bool {
	for line := range strings.Lines(head) {
		if firstField.MatchString(strings.TrimLeft(line, blanks)) {
			return true
		}
	}
	return false
}

// field is a field of a puzzle text, still encoded.
type field struct {
	value string
	line  int
}

// puzzleTexts reads the puzzle text of arimaa.com: percent-encoded fields "movelist=", "&side=",
// "&startmove=", "&title=", "&chat=". The position is the one before the turn startmove, the last
// one if there is none, and the turn played there is the solution. A repeated field begins another
// puzzle.
func (l *Lines) puzzleTexts(yield func(Entry, error) bool) {
	fields := map[string]field{}
	size := 0             // of the fields, in bytes
	name := ""            // of the field that has begun
	var b strings.Builder // its value
	line := 0             // where it begins
	end := func() {
		if name != "" {
			fields[name] = field{strings.TrimSpace(b.String()), line}
		}
		b.Reset()
	}
	puzzle := func() bool {
		e, err := l.puzzle(fields)
		fields, size = map[string]field{}, 0
		return yield(e, err)
	}
	for {
		text, err := l.Next()
		if err == io.EOF {
			end()
			puzzle()
			return
		}
		if size += len(text); err == nil && size > MaxEntry {
			err = l.tooLong(l.number, "puzzle")
		}
		if err != nil {
			yield(Entry{}, err)
			return
		}
		text = strings.TrimLeft(clean(text), blanks)
		from := 0
		for _, at := range fieldName.FindAllStringSubmatchIndex(text, -1) {
			b.WriteString(text[from:at[0]])
			from = at[1]
			end()
			name, line = text[at[2]:at[3]], l.number
			if _, twice := fields[name]; twice && !puzzle() {
				return
			}
		}
		b.WriteString(text[from:])
	}
}

// puzzle reads the fields of a puzzle.
func (l *Lines) puzzle(fields map[string]field) (Entry, error) {
	e := Entry{Tags: map[string]string{}}
	first := l.number
	for _, f := range fields {
		first = min(first, f.line)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f := fields[name]
		value, err := url.PathUnescape(f.value)
		if err != nil {
			value = f.value // a title such as "100% forced" is no error
		}
		if !utf8.ValidString(value) {
			return e, l.fail(f.line, "%s: the text is not in UTF-8: save it in that encoding", name)
		}
		e.Tags[name] = strings.TrimSpace(value)
	}
	moves, ok := fields["movelist"]
	if !ok {
		return e, l.fail(first, "there is no movelist")
	}
	if _, err := url.PathUnescape(moves.value); err != nil {
		return e, l.fail(moves.line, "movelist: %v", err)
	}
	turns := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(e.Tags["movelist"])
	d, solution, err := ReadPuzzle(turns, e.Tags["startmove"], e.Tags["side"])
	if err != nil {
		return e, l.fail(moves.line, "%v", err)
	}
	d.Line = first
	e.Position, e.Solution = &d, solution
	return e, nil
}

// ReadPuzzle returns the position before the turn startmove of a list of turns, the last one if
// that is "", and the turn that was played there, if any. Side, unless "", is the letter of the
// side to move: after a bare setup nothing else says so. The error does not say where.
func ReadPuzzle(turns, startmove, side string) (d Diagram, solution string, err error) {
	g, err := ReadGame("", turns)
	if bad := (*ParseError)(nil); errors.As(err, &bad) {
		return d, "", fmt.Errorf("movelist: %s", bad.Reason)
	}
	i := g.Len()
	last := g.Last()
	mover := last.Side()
	number := g.Number(i)
	if startmove != "" {
		n, s, err := ParseLabel(startmove)
		if err != nil {
			return d, "", fmt.Errorf("startmove: %w", err)
		}
		at, ok := g.Find(n, s)
		if !ok && g.Len() > 0 {
			return d, "", fmt.Errorf("startmove: the list has no turn %s; it goes from %s to %s", startmove, g.Label(0), g.Label(g.Len()))
		}
		if mover, number = s, n; ok {
			i = at
		}
	}
	if side != "" {
		var s arimaa.Side
		ok := len(side) == 1
		if ok {
			s, ok = sideOfLetter(side[0])
		}
		switch {
		case !ok:
			return d, "", fmt.Errorf("side %q: it is w or b", side)
		case s != mover && (g.Len() > 0 || startmove != ""):
			return d, "", fmt.Errorf("side %q: in turn %s %v is to move", side, g.Label(i), mover)
		}
		mover = s
	}
	d = Diagram{Position: arimaa.NewPosition(g.Position(i).Board, mover), Number: number, Line: 1}
	if i < g.Len() {
		solution = d.Position.Notation(g.Turn(i))
	}
	return d, solution, nil
}
