package puzzles

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// fieldName matches the beginning of the fields of a puzzle text, firstField that at the beginning of a line.
var (
	fieldName  = regexp.MustCompile(`(?:^|&)([a-z]+)=`)
	firstField = regexp.MustCompile(`^&?[a-z]+=`)
)

// isPuzzleText tells whether a text that begins so is a puzzle text of arimaa.com: one of its lines begins with a field.
func isPuzzleText(head string) bool {
	for line := range strings.Lines(head) {
		if firstField.MatchString(line) {
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

// parseFields reads the puzzle text of arimaa.com. A repeated field begins another puzzle.
func parseFields(lines *notation.Lines) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
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
		puzzle := func() Puzzle {
			p := Puzzle{File: lines.File()}
			p.fields(fields)
			fields, size = map[string]field{}, 0
			return p
		}
		for {
			text, err := lines.Next()
			if err == io.EOF {
				end()
				yield(puzzle())
				return
			}
			if size += len(text); err == nil && size > notation.MaxEntry {
				err = &notation.ParseError{File: lines.File(), Line: lines.Number(), Reason: fmt.Sprintf("the puzzle is longer than %d bytes", notation.MaxEntry)}
			}
			if err != nil {
				yield(unread(lines, err))
				return
			}
			text = strings.TrimPrefix(text, byteOrderMark)
			from := 0
			for _, at := range fieldName.FindAllStringSubmatchIndex(text, -1) {
				b.WriteString(text[from:at[0]])
				from = at[1]
				end()
				name, line = text[at[2]:at[3]], lines.Number()
				if _, twice := fields[name]; twice && !yield(puzzle()) {
					return
				}
			}
			b.WriteString(text[from:])
		}
	}
}

// fields reads the fields of one puzzle.
func (p *Puzzle) fields(fields map[string]field) {
	for _, f := range fields {
		if p.Line == 0 || f.line < p.Line {
			p.Line = f.line
		}
	}
	decoded := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f := fields[name]
		value, err := url.PathUnescape(f.value)
		if err != nil {
			value = f.value // a title such as "100% forced" is no error
		}
		if !utf8.ValidString(value) {
			p.Line = f.line
			p.fail("%s: %s", name, notUTF8)
			return
		}
		decoded[name] = strings.TrimSpace(value)
	}
	p.Name = oneLine(decoded["title"])
	if p.Claim = claimIn(decoded["title"]); p.Claim == 0 {
		p.Claim = claimIn(decoded["chat"])
	}
	moves, ok := fields["movelist"]
	if !ok {
		p.fail("there is no movelist")
		return
	}
	if _, err := url.PathUnescape(moves.value); err != nil {
		p.Line = moves.line
		p.fail("movelist: %v", err)
		return
	}
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(decoded["movelist"])
	p.game(lines, decoded["startmove"], decoded["side"], moves.line)
}

// maxName is how many characters of a name are kept: what many puzzles have is not to fill the memory.
const maxName = 200

// oneLine makes one line of a text, without control characters.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if all := []rune(text); len(all) > maxName {
		text = string(all[:maxName]) + "..."
	}
	return strings.Clone(text)
}

// game takes the position before the turn startmove, the last one if that is "", from a list of turns that
// stands in a line of the file, and the turn that was played there as the solution. Side is who is to
// move: after a bare setup nothing else says so.
func (p *Puzzle) game(moves, startmove, side string, line int) {
	fail := func(format string, args ...any) {
		p.Line = line
		p.fail(format, args...)
	}
	g, err := notation.ReadGame(p.File, moves)
	var bad *notation.ParseError
	if errors.As(err, &bad) {
		fail("movelist: %s", bad.Reason)
		return
	}
	i := g.Len()
	last := g.Last()
	mover := last.Side()
	if startmove != "" {
		number, s, err := notation.ParseLabel(startmove)
		if err != nil {
			fail("startmove: %v", err)
			return
		}
		at, ok := g.Find(number, s)
		if !ok && g.Len() > 0 {
			fail("startmove: the list has no turn %s; it goes from %s to %s", startmove, g.Label(0), g.Label(g.Len()))
			return
		}
		if mover = s; ok {
			i = at
		}
	}
	if side != "" {
		s, ok := sides[side]
		switch {
		case !ok:
			fail("side %q: it is w or b", side)
			return
		case s != mover && (g.Len() > 0 || startmove != ""):
			fail("side %q: in turn %s %v is to move", side, g.Label(i), mover)
			return
		}
		mover = s
	}
	p.Position = arimaa.NewPosition(g.Position(i).Board, mover)
	if i < g.Len() && p.Solution == "" {
		p.Solution = p.Position.Notation(g.Turn(i))
	}
}

var sides = map[string]arimaa.Side{"w": arimaa.Gold, "g": arimaa.Gold, "b": arimaa.Silver, "s": arimaa.Silver}
