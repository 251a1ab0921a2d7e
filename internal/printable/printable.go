// Package printable makes foreign text safe to print: names of files, players, events and engines
// may contain characters that control a terminal or reverse the direction of text.
package printable

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text escapes control characters except tabs and line breaks, characters that set the direction of
// text, such as \u202e, and bytes that are not UTF-8, such as \xff. JSON keeps its meaning.
func Text(text string) string {
	if !strings.ContainsFunc(text, unsafe) { // which includes RuneError, read for an invalid byte
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

// Writer returns a writer that passes text on through Text. Each Write must consist of whole
// characters.
func Writer(w io.Writer) io.Writer { return writer{w} }

type writer struct{ to io.Writer }

func (w writer) Write(b []byte) (int, error) {
	if _, err := io.WriteString(w.to, Text(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// unsafe reports whether a character must be escaped, or may be an invalid byte.
func unsafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError
}
