package notation

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"goalproof/arimaa"
)

// MaxEntry is the greatest length, in bytes, of a line, a position or a game that is read, and of
// consecutive blank lines and comments. Rows of the game room's archive take about 5,000.
const MaxEntry = 1 << 20

// Lines is a text that is read line by line. What it holds at a time is limited, however long the
// text is.
type Lines struct {
	file   string
	in     *bufio.Reader
	number int   // of the last line that was read, from 1
	begin  int64 // of that line, in bytes
	end    int64
	taken  int64 // bytes that sinceLast has returned
	ends   int64 // where the last entry ends, if lines behind it have been taken; otherwise 0
	idle   int   // bytes read since the last line that was neither blank nor a comment

	otherwise mover // of positions in which nothing says who is to move
	strict    bool  // nothing is mended
	note      func(Note)
	noted     map[string]bool // the kinds that note has had
}

// bufferSize is how much is read at a time, in bytes.
const bufferSize = 64 << 10

// NewLines returns the lines of a text in a file of this name.
func NewLines(file string, text io.Reader) *Lines {
	return &Lines{file: file, in: bufio.NewReaderSize(text, bufferSize)}
}

// Assume says who is to move in positions in which nothing says so. Without it they are errors,
// [ErrNoSide].
func (l *Lines) Assume(side arimaa.Side) { l.otherwise = mover{side, true} }

// Strict makes an error of each [Note].
func (l *Lines) Strict() { l.strict = true }

// OnNote makes [Part.Played] call a function with the first note of each kind.
func (l *Lines) OnNote(note func(Note)) { l.note, l.noted = note, map[string]bool{} }

// File returns the name of the file.
func (l *Lines) File() string { return l.file }

// Number returns the number of the last line that was taken, from 1.
func (l *Lines) Number() int { return l.number }

// Span returns where the last line that was taken begins, and how long it is with its end, in
// bytes.
func (l *Lines) Span() (offset, bytes int64) { return l.begin, l.end - l.begin }

// sinceLast returns how many bytes of the text have been taken for entries since it was called last.
func (l *Lines) sinceLast() (bytes int64) {
	end := cmp.Or(l.ends, l.end)
	bytes, l.taken, l.ends = end-l.taken, end, 0
	return bytes
}

// head returns the beginning of the text, which it does not take: up to the second line that is
// neither blank nor a comment. It is called before the first line is taken.
func (l *Lines) head() string {
	var head strings.Builder
	var begin int64 // of the first line
	rest := io.Reader(l.in)
	for n := 0; n < 2; {
		text, err := l.Next()
		if err != nil {
			rest = failed{err}
			break
		}
		if head.WriteString(text); l.number == 1 {
			begin = l.begin
		}
		if !isComment(text) {
			n++
		}
	}
	again := NewLines(l.file, io.MultiReader(strings.NewReader(head.String()), rest))
	again.otherwise, again.strict, again.note, again.noted = l.otherwise, l.strict, l.note, l.noted
	again.end = begin
	*l = *again
	return head.String()
}

// failed is a text that cannot be read.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// Next takes a line, with its end: a line feed, a carriage return, or both. The error is io.EOF
// after the last line, that of reading, or a [*ParseError] where a limit is exceeded or the text is
// no text; nothing more can be read then.
func (l *Lines) Next() (string, error) {
	text, err := l.take()
	if err != nil {
		return "", err
	}
	if l.number++; l.number == 1 && strings.HasPrefix(text, byteOrderMark) {
		text, l.end = text[len(byteOrderMark):], l.end+int64(len(byteOrderMark))
	}
	l.begin, l.end = l.end, l.end+int64(len(text))
	switch {
	case l.number == 1 && (strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff")):
		return "", l.fail(l.number, "the text is in UTF-16: save it in UTF-8")
	case strings.IndexByte(text, 0) >= 0:
		return "", l.fail(l.number, "this is not a text: it holds binary data")
	}
	if l.idle += len(text); !isComment(text) {
		l.idle = 0
	} else if l.idle > MaxEntry {
		return "", l.fail(l.number, "there are more than %d bytes of blank lines and comments", MaxEntry)
	}
	return text, nil
}

// take takes the bytes of a line.
func (l *Lines) take() (string, error) {
	var line []byte
	for ended := false; !ended; {
		_, err := l.in.Peek(1)
		if err == io.EOF && len(line) > 0 {
			break
		}
		if err != nil {
			return "", err
		}
		part, _ := l.in.Peek(l.in.Buffered())
		if i := bytes.IndexAny(part, "\r\n"); i >= 0 {
			part, ended = part[:i+1], true
		}
		if len(line)+len(part) > MaxEntry {
			return "", l.fail(l.number+1, "the line is longer than %d bytes", MaxEntry)
		}
		line = append(line, part...)
		_, _ = l.in.Discard(len(part)) // which are buffered
		if next, _ := l.in.Peek(1); ended && line[len(line)-1] == '\r' && string(next) == "\n" {
			line = append(line, '\n')
			_, _ = l.in.Discard(1)
		}
	}
	return string(line), nil
}

// fail makes the error of a line.
func (l *Lines) fail(line int, format string, args ...any) error {
	return &ParseError{File: l.file, Line: line, Reason: Legible(fmt.Sprintf(format, args...))}
}

// tooLong is the error of an entry that begins in a line.
func (l *Lines) tooLong(line int, what string) error {
	return l.fail(line, "the %s is longer than %d bytes", what, MaxEntry)
}

// isComment reports whether a line is blank or a comment.
func isComment(line string) bool {
	for i := range len(line) {
		switch line[i] {
		case ' ', '\t':
		case '#', ';', '%':
			rest := strings.TrimLeft(line[i+1:], " ")
			return line[i] != '#' || rest == "" || rest[0] != ',' && rest[0] != '|' // the header of a table
		default:
			return strings.Trim(line[i:], trailing) == ""
		}
	}
	return true
}

// trailing is what may stand behind the text of a line: blanks, the line's end, and the mark by
// which old editors end a text.
const trailing = " \t\r\n\x1a"
