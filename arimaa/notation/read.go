package notation

import (
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// Entry is something that a text holds: a position, a game, or a row of an archive. Exactly one of the three is set.
type Entry struct {
	Position *Diagram
	Game     *arimaa.Game
	Tags     map[string]string // of an annotated game
	Record   *Record
}

// Read reads a text in any of the forms that this package knows, one entry at a time: positions, one game, which may be
// annotated, or the rows of an archive. An entry is read when it is asked for, and is not kept. A text without positions
// has at least one entry or error.
//
// An error is a [*ParseError] or that of reading. A broken position or row does not stop those after it. With the error
// of a game comes what could be read of it before ([ReadGame], [ReadAnnotated]), if anything.
func Read(l *Lines) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		head := l.Head()
		lines := (&source{l.file, 1, head}).lines()
		switch {
		case isAnnotated(head):
			yield(l.annotated())
		case len(lines) > 0 && isArchive(lines[0].text):
			l.archive(yield)
		case len(lines) > 0 && isTurnList(lines[0].text), isLabels(lines):
			yield(l.game())
		default:
			l.positions(len(lines) > 0 && strings.Contains(lines[0].text, "["), yield)
		}
	}
}

// isLabels tells whether the text is a list of turns whose first line is a bare
// label, as where Gold has no pieces. No line of a board looks like a label.
func isLabels(lines []line) bool {
	if len(lines) < 2 || !isLabel(lines[0].text) {
		return false
	}
	text := strings.TrimLeft(lines[1].text, " \t"+byteOrderMark)
	_, _, _, ok := cutLabel(text)
	return ok && isDigit(text[0])
}

// annotated reads an annotated game.
func (l *Lines) annotated() (Entry, error) {
	text, err := l.rest("game")
	if err != nil {
		return Entry{}, err
	}
	g, tags, err := ReadAnnotated(l.file, text)
	return Entry{Game: g, Tags: tags}, err
}

// game reads a game.
func (l *Lines) game() (Entry, error) {
	text, err := l.rest("game")
	if err != nil {
		return Entry{}, err
	}
	g, err := ReadGame(l.file, text)
	return Entry{Game: g}, err
}

// archive reads the rows of an archive.
func (l *Lines) archive(yield func(Entry, error) bool) {
	a := archive{file: l.file}
	rows := 0
	for {
		text, err := l.Next()
		if err == io.EOF && rows == 0 { // there was a header
			yield(Entry{}, l.fail(l.number, "there are no games below the header"))
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			yield(Entry{}, err)
			return
		}
		r, err := a.row(text)
		if r == nil && err == nil {
			continue
		}
		if rows++; !yield(Entry{Record: r}, err) {
			return
		}
		if a.header == nil && err != nil {
			return
		}
	}
}

// positions reads positions: in short form each line is one, in long form one begins at each label.
func (l *Lines) positions(short bool, yield func(Entry, error) bool) {
	var part strings.Builder // the lines of a position, with comments
	begins := 1
	begun, found := false, false
	position := func() bool {
		src := &source{l.file, begins, part.String()}
		part.Reset()
		begun = false
		all, err := src.positions()
		if err != nil && !utf8.ValidString(src.text) { // in a comment it does no harm
			err = l.fail(begins, "the text is not in UTF-8: save it in that encoding")
		}
		if err != nil {
			return yield(Entry{}, err)
		}
		return yield(Entry{Position: &all[0]}, nil)
	}
	for {
		text, err := l.Next()
		switch {
		case err == io.EOF && (begun || !found):
			position()
			return
		case err == io.EOF:
			return
		case err != nil:
			yield(Entry{}, err)
			return
		}
		if begun && isLabel(strings.TrimRight(text, " \t\r\n")) {
			if !position() {
				return
			}
			begins = l.number
		}
		if part.Len()+len(text) > MaxEntry {
			yield(Entry{}, l.tooLong(begins, "position"))
			return
		}
		part.WriteString(text)
		begun = begun || !isComment(text)
		found = found || begun
		if short && begun {
			if !position() {
				return
			}
			begins = l.number + 1
		}
	}
}
