// Package printable makes text that comes from elsewhere safe to print: names of files, players, events and engines may hold
// what controls a terminal, or turns around the order in which text is read.
package printable

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns a text in which control characters, but for tabs and line breaks, and those of the direction of text are escaped,
// such as \u001b, as well as bytes that are no UTF-8, such as \xff. JSON means the same afterwards.
func Text(text string) string {
	if !strings.ContainsFunc(text, unsafe) { // an invalid byte is read as RuneError
		return text
	}
	var b strings.Builder
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r != utf8.RuneError && unsafe(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Writer returns a writer that passes on what is written to it as Text makes it. Each Write is of whole characters.
func Writer(w io.Writer) io.Writer { return writer{w} }

type writer struct{ to io.Writer }

func (w writer) Write(b []byte) (int, error) {
	if _, err := io.WriteString(w.to, Text(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// unsafe reports whether a character is to be escaped, or may be an invalid byte.
func unsafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError
}
