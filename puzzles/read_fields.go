package puzzles

import (
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"goalproof/arimaa"
)

// puzzleText is in every puzzle text of arimaa.com, and fieldName at the beginning of its fields.
var (
	puzzleText = regexp.MustCompile(`(?m)(?:^|&)movelist=`)
	fieldName  = regexp.MustCompile(`(?m)(?:^|&)([a-z]+)=`)
)

// field is a field of a puzzle text, still encoded.
type field struct {
	value string
	line  int
}

// parseFields reads the puzzle text of arimaa.com. Where a field comes for the second time another
// puzzle begins.
func parseFields(file, text string) []Puzzle {
	var all []Puzzle
	fields := map[string]field{}
	add := func() {
		p := Puzzle{File: file}
		p.fields(fields)
		all = append(all, p)
		fields = map[string]field{}
	}
	found := fieldName.FindAllStringSubmatchIndex(text, -1)
	line, counted := 1, 0 // up to that offset
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		name := text[at[2]:at[3]]
		if _, twice := fields[name]; twice {
			add()
		}
		line += strings.Count(text[counted:at[2]], "\n")
		counted = at[2]
		fields[name] = field{strings.TrimSpace(text[at[1]:end]), line}
	}
	add()
	return all
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
			value = f.value // in a title, "100% forced" is not worth an error
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

// oneLine makes one line of a text, with nothing that would control a terminal.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// game takes the position before the turn startmove, the last one if that is "", from a list of turns that
// stands in a line of the file, and the turn that was played there as the solution. Side is who is to
// move: after a bare setup nothing else says so.
func (p *Puzzle) game(moves, startmove, side string, line int) {
	fail := func(format string, args ...any) {
		p.Line = line
		p.fail(format, args...)
	}
	g, err := arimaa.ReadGame(p.File, moves)
	var bad *arimaa.ParseError
	if errors.As(err, &bad) {
		fail("movelist: %s", bad.Reason)
		return
	}
	i := g.Len()
	last := g.Last()
	mover := last.Side()
	if startmove != "" {
		number, s, err := arimaa.ParseLabel(startmove)
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
