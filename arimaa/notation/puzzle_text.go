package notation

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// fieldName matches the beginning of the fields of a puzzle text.
var fieldName = regexp.MustCompile(`(?:^|[?&])([a-z]+)=`)

// beginsFields reports whether a text begins with a field of a puzzle text, or holds a list of turns
// as such.
func beginsFields(text string) bool {
	name, _, ok := strings.Cut(strings.TrimPrefix(text, "&"), "=")
	return ok && slices.Contains([]string{"mode", "movelist", "chat", "title", "side", "startmove"}, name) || mentions(text, "?movelist=", "&movelist=")
}

// fields are the fields of a puzzle text of arimaa.com, percent-encoded: "movelist=", "&side=",
// "&startmove=", "&title=", "&chat=". The position is the one before the turn startmove, the last
// one if there is none, and the turn played there is the solution.
type fields struct {
	done  map[string]field
	size  int             // in bytes
	name  string          // of the field that has begun
	value strings.Builder // of it
	line  int             // where it begins
	blank bool            // a blank line has come behind it
}

// field is a field of a puzzle text, still encoded.
type field struct {
	value string
	line  int
}

// takes reports whether a line is a part of the puzzle: it has a field, or continues a text.
func (f *fields) takes(text string) bool {
	switch {
	case fieldName.MatchString(unindented(text)):
		f.blank = false
		return true
	case unindented(text) == "":
		f.blank = true
		return true
	}
	return !f.blank && (f.name == "movelist" || f.name == "chat" || f.name == "title")
}

// end ends the field that has begun.
func (f *fields) end() {
	if f.name != "" {
		f.done[f.name] = field{strings.TrimSpace(f.value.String()), f.line}
	}
	f.value.Reset()
}

// beginPuzzle begins a puzzle text.
func (r *reader) beginPuzzle(l line) {
	r.puzzle, r.state = &fields{done: map[string]field{}}, inPuzzle
	r.addField(l)
}

// addField reads a line of a puzzle text. A field that comes again begins another puzzle.
func (r *reader) addField(l line) {
	f := r.puzzle
	if f.size += len(l.text) + 1; f.size > MaxEntry {
		r.puzzle, r.state = nil, outside
		r.fail(r.l.tooLong(l.number, "puzzle"))
		r.done = true
		return
	}
	text := unindented(l.text) + "\n"
	from := 0
	for _, at := range fieldName.FindAllStringSubmatchIndex(text, -1) {
		f.value.WriteString(text[from:at[0]])
		f.end()
		from, f.name, f.line = at[1], text[at[2]:at[3]], l.number
		if _, twice := f.done[f.name]; twice {
			r.yieldPuzzle()
			f.done, f.size = map[string]field{}, 0
		}
	}
	f.value.WriteString(text[from:])
}

// closePuzzle ends a puzzle text.
func (r *reader) closePuzzle() {
	r.puzzle.end()
	r.yieldPuzzle()
	r.puzzle, r.state = nil, outside
}

// yieldPuzzle reads the fields of a puzzle.
func (r *reader) yieldPuzzle() {
	e := Entry{Tags: map[string]string{}, Line: r.l.number}
	err := r.readPuzzle(r.puzzle.done, &e)
	e.Notes, r.notes = r.notes, nil
	r.entry(e, err)
}

// decoded decodes the value of a field. Escapes of old browsers are in Latin-1. A value that is not
// encoded, such as the title "100% forced", stands for itself.
func decoded(value string) string {
	plain, err := url.PathUnescape(value)
	switch {
	case err != nil:
		return value
	case utf8.ValidString(plain) || !utf8.ValidString(value):
		return plain
	}
	var b strings.Builder
	for i := range len(plain) {
		b.WriteRune(rune(plain[i]))
	}
	return b.String()
}

func (r *reader) readPuzzle(fields map[string]field, e *Entry) error {
	for _, f := range fields {
		e.Line = min(e.Line, f.line)
	}
	if moves := fields["movelist"].value; strings.Contains(moves, "+") && !strings.Contains(moves, " ") {
		for name, f := range fields { // blanks are encoded as in forms
			fields[name] = field{strings.ReplaceAll(f.value, "+", "%20"), f.line}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := decoded(fields[name].value)
		if !utf8.ValidString(value) {
			return r.l.fail(fields[name].line, "%s: the text is not in UTF-8: save it in that encoding", name)
		}
		e.Tags[name] = strings.TrimSpace(value)
	}
	if title, ok := e.Tags["title"]; ok {
		e.Tags["title"] = strings.Join(strings.Fields(title), " ")
	}
	e.Name = e.Tags["title"]
	moves, ok := fields["movelist"]
	if !ok {
		return r.l.fail(e.Line, "there is no movelist")
	}
	if _, err := url.PathUnescape(moves.value); err != nil {
		return r.l.fail(moves.line, "movelist: %v", err)
	}
	src := r.text(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(e.Tags["movelist"]), moves.line)
	d, solution, err := src.puzzle(e.Tags["startmove"], e.Tags["side"])
	if err == nil {
		d.Line = e.Line
		e.Position, e.Solution, e.played = &d, solution, true
		chat := decoded(strings.Join(strings.Fields(fields["chat"].value), " ")) // only encoded line ends are its own
		err = e.claimFrom(src, e.Tags["title"]+"\n"+chat)
	}
	for i := range r.notes {
		r.notes[i].Line = moves.line // a line of the field is none of the text
	}
	if err != nil {
		return r.l.fail(moves.line, "%s", reason(err))
	}
	return nil
}

// claimFrom takes the first claim of a win in the lines of a text. What they say of the other side
// than the one to move is left out.
func (e *Entry) claimFrom(src *source, text string) error {
	var left string
	if e.Claim, e.ClaimFrom, left = claimOf(text, e.mover()); left == "" {
		return nil
	}
	return src.mended(0, "words beside a puzzle", "they are left out", "the words %s", left)
}

// claimOf returns the first claim of a win for a side in the lines of a text, with its words. It also
// says why other words are left out, "" if none are: they are about the other side, or without a
// claim there are words that may be one.
func claimOf(text string, side arimaa.Side) (claim int, words, left string) {
	doubt := ""
	for l := range strings.Lines(bareReturns.Replace(text)) {
		l = strings.TrimSpace(l)
		switch c := captionOf(line{text: l}); {
		case c.known && c.side != side:
			left = fmt.Sprintf("%.100q are about %v, but %v is to move", l, c.side, side)
		case c.doubt:
			doubt = fmt.Sprintf("%.100q may claim a win, or not", l)
		case c.claim > 0 && claim > 0 && c.claim != claim:
			return 0, "", fmt.Sprintf("%.100q and %.100q claim differently", words, l)
		case c.claim > 0 && claim == 0:
			claim, words = c.claim, l
		}
	}
	if claim == 0 {
		left = cmp.Or(left, doubt)
	}
	return claim, words, left
}

// puzzle returns the position before the turn startmove of a list of turns, the last one if that is
// "", and the turn that was played there, if any. Side, unless "", is the letter of the side to
// move: after a bare setup nothing else says so. The error does not say where.
func (s *source) puzzle(startmove, side string) (d Diagram, solution string, err error) {
	g, _, err := s.game()
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
		m, err := moverOf(side)
		switch {
		case err != nil:
			return d, "", err
		case m.side != mover && (g.Len() > 0 || startmove != ""):
			return d, "", fmt.Errorf("side %q: in turn %s %v is to move", side, g.Label(i), mover)
		}
		mover = m.side
	}
	d = Diagram{Position: arimaa.NewPosition(g.Position(i).Board, mover), Number: number, Line: 1}
	if i < g.Len() {
		solution = d.Position.Notation(g.Turn(i))
	}
	return d, solution, nil
}
