package notation

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode"

	"goalproof/arimaa"
)

// Part is an entry of a text with its place there, or the reason why it cannot be read.
type Part struct {
	Entry // its name is in one line, and its Line known
	File  string
	Alone bool  // it is all that the text holds
	Turns bool  // it is a game, perhaps a broken one
	Count int   // its number among the games of the text, or among the other entries, from 1
	Bytes int64 // that were read for it, from the end of the part before
	Err   error // of [Read]; the other fields may then be missing

	lines *Lines
}

// Parts reads what [Read] reads, each part when the one before it is asked for. There is always at
// least one.
func Parts(l *Lines) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		pull, stop := iter.Pull2(Read(l))
		defer stop()
		games, others := 0, 0
		next := func() (Part, bool) {
			e, err, ok := pull()
			p := l.part(e, err)
			if p.Turns = e.Game != nil || e.Record != nil || e.game; p.Turns {
				games++
				p.Count = games
			} else {
				others++
				p.Count = others
			}
			return p, ok
		}
		p, ok := next()
		for first := true; ok; first = false {
			following, more := next()
			p.Alone = first && !more
			if !yield(p) {
				return
			}
			p, ok = following, more
		}
	}
}

// part returns an entry, the last one that was read, with its place.
func (l *Lines) part(e Entry, err error) Part {
	p := Part{Entry: e, File: l.file, Bytes: l.sinceLast(), Err: err, lines: l}
	switch bad, ok := errors.AsType[*ParseError](p.Err); {
	case ok:
		p.Line = bad.Line
	case e.Position != nil:
		p.Line = e.Position.Line
	case p.Err != nil:
		p.Line = l.number
	}
	p.Name, p.Line = oneLine(p.Name), max(p.Line, 1)
	return p
}

// maxName is how many characters of a name are kept, so that the names of many entries do not fill
// the memory.
const maxName = 200

// oneLine makes one line of a text, without control characters.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if all := []rune(text); len(all) > maxName {
		text = string(all[:maxName]) + "..."
	}
	return strings.Clone(text)
}

// Place returns the file, with the line if the text holds more than this part.
func (p *Part) Place() string {
	if p.Alone {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Label identifies the part to a person: its place, and its name if it has one, then always with
// the line.
func (p *Part) Label() string {
	if p.Name == "" {
		return p.Place()
	}
	return fmt.Sprintf("%s:%d %s", p.File, p.Line, p.Name)
}

// Called reports whether the part is the game or the position that somebody asks for: by its name, or
// by its number. A name that is itself a number leaves no doubt which is meant.
func (p *Part) Called(name string) bool {
	_, err := strconv.Atoi(p.Name)
	return p.Name == name || err != nil && strconv.Itoa(p.Count) == name
}

// Played returns the game that the part holds, nil for a position; that of a row is read now. With an
// error the game is what could be read of it, if anything. The notes are passed on ([Lines.OnNote]).
func (p *Part) Played() (*arimaa.Game, error) {
	g, err := p.Game, p.Err
	if err == nil && p.Record != nil {
		g, err = p.Record.Game()
		p.Notes = p.Record.Notes
	}
	p.lines.report(p.Notes)
	return g, err
}

// Sentences returns the notes, one of each kind, with its line; none of a nil entry.
func (e *Entry) Sentences() (all []string) {
	if e == nil {
		return nil
	}
	had := map[string]bool{}
	for _, n := range e.Notes {
		if !had[n.Kind] {
			all = append(all, fmt.Sprintf("line %d: %s", n.Line, n.Text))
		}
		had[n.Kind] = true
	}
	return all
}

// report passes on those of the notes whose kind is new.
func (l *Lines) report(notes []Note) {
	for _, n := range notes {
		if l.note != nil && !l.noted[n.Kind] {
			l.noted[n.Kind] = true
			l.note(n)
		}
	}
}
