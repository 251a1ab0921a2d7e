package arimaa

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseError says where a text could not be read, and why.
type ParseError struct {
	File   string // as given to the reader; empty when the text is not from a file
	Line   int    // from 1; 0 when unknown
	Column int    // in characters, from 1; 0 when it is the whole line
	Reason string // a sentence for a person
	Err    error  // the rule that was broken, or nil
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

// Unwrap returns the rule that was broken, if the text was well formed.
func (e *ParseError) Unwrap() error { return e.Err }

// source is a text being read; it turns byte offsets into places.
type source struct {
	file string
	line int // number of the text's first line
	text string
}

// at makes an error for the place at a byte offset. A byte order mark is no column.
func (s *source) at(offset int, format string, args ...any) *ParseError {
	before := s.text[:min(offset, len(s.text))]
	start := strings.LastIndexByte(before, '\n') + 1
	return &ParseError{
		File:   s.file,
		Line:   s.line + strings.Count(before, "\n"),
		Column: utf8.RuneCountInString(strings.ReplaceAll(before[start:], byteOrderMark, "")) + 1,
		Reason: Legible(fmt.Sprintf(format, args...)),
	}
}

// Legible returns a text that quotes what was read, without what controls a terminal, and shortened if it is long.
func Legible(text string) string {
	const most = 500 // bytes
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most/2], "") + " ... " + strings.ToValidUTF8(text[len(text)-most/2:], "")
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// byteOrderMark stands at the beginning of texts from some editors.
const byteOrderMark = "\ufeff"

// line is one line of a source: its text without the line end and trailing
// blanks, the byte offset where it begins, and its number.
type line struct {
	text   string
	offset int
	number int
}

// lines splits the source. Lines that begin with # are comments; they and blank
// lines are left out.
func (s *source) lines() []line {
	var all []line
	offset, number := 0, s.line
	for text := range strings.Lines(s.text) {
		trimmed := strings.TrimRight(text, " \t\r\n")
		if body := strings.TrimLeft(trimmed, " \t"+byteOrderMark); body != "" && body[0] != '#' {
			all = append(all, line{trimmed, offset, number})
		}
		offset += len(text)
		number++
	}
	return all
}
