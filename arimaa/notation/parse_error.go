package notation

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// ParseError says where a text could not be read, and why.
type ParseError struct {
	File   string // as given to the reader; empty when the text is not from a file
	Line   int    // from 1, as for a [Diagram]; 0 when unknown
	Column int    // in characters, from 1; 0 when it is the whole line
	Reason string // a sentence for a person
	Err    error  // the cause, such as the rule that was broken, or nil

	Excerpt string // the line, or a part of it, and below it a caret under the column; "" when unknown
}

// Error returns "file:line:column: reason", without the parts that are unknown.
func (e *ParseError) Error() string {
	var b strings.Builder
	for _, part := range []struct {
		text string
		ok   bool
	}{
		{e.File, e.File != ""},
		{fmt.Sprint(e.Line), e.Line > 0},
		{fmt.Sprint(e.Column), e.Line > 0 && e.Column > 0},
	} {
		if part.ok {
			b.WriteString(part.text + ":")
		}
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	return b.String() + e.Reason
}

// Explain returns the text of an error for a person: if a [*ParseError] says where, the place is
// shown below it.
func Explain(err error) string {
	var bad *ParseError
	if !errors.As(err, &bad) || bad.Excerpt == "" {
		return err.Error()
	}
	return err.Error() + "\n  " + strings.ReplaceAll(bad.Excerpt, "\n", "\n  ")
}

// Unwrap returns the cause, if it is known.
func (e *ParseError) Unwrap() error { return e.Err }

// Legible returns a text that quotes what was read, without what controls a terminal or the
// direction of text, and shortened if it is long.
func Legible(text string) string {
	const most = 500 // bytes
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most/2], "") + " ... " + strings.ToValidUTF8(text[len(text)-most/2:], "")
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// legible returns a part of a line as a terminal can show it, one character for each of the text.
func legible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\r':
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
