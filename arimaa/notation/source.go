package notation

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// source is a text being read; it turns byte offsets into places.
type source struct {
	file string
	line int // number of the text's first line
	text string
	// shown is the text as errors show it, with the same places; "": it is text.
	shown string
	// notes takes what is mended; nil: nothing is.
	notes *[]Note
	// strict says that what needs a note is an error, even if it breaks no rule.
	strict bool
}

// mended notes what breaks the rules of a form at a place in the text, and how it is read all the
// same. Where nothing is mended it is an error.
func (s *source) mended(offset int, kind, how, format string, args ...any) error {
	if s.notes != nil && countOf(*s.notes, kind) == mostNotes {
		return nil
	}
	e := s.errorAt(offset, format, args...)
	if s.notes == nil {
		return e
	}
	*s.notes = append(*s.notes, Note{kind, e.Line, e.Reason + ": " + how})
	return nil
}

// mostNotes is how many notes of a kind an entry has; others say nothing new.
const mostNotes = 20

func countOf(notes []Note, kind string) (n int) {
	for i := range notes {
		if notes[i].Kind == kind {
			n++
		}
	}
	return n
}

// with returns the source with another text in the same places.
func (s *source) with(text string) *source {
	other := *s
	other.text, other.shown = text, cmp.Or(s.shown, s.text)
	return &other
}

// errorAt makes an error for the place at a byte offset.
func (s *source) errorAt(offset int, format string, args ...any) *ParseError {
	text := cmp.Or(s.shown, s.text)
	offset = min(offset, len(text))
	before := text[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	end, _, _ := strings.Cut(text[offset:], "\n")
	return &ParseError{
		File:    s.file,
		Line:    s.line + strings.Count(before, "\n"),
		Column:  utf8.RuneCountInString(before[start:]) + 1,
		Reason:  Legible(fmt.Sprintf(format, args...)),
		Excerpt: excerpt(before[start:], end),
	}
}

// excerpt shows a line, given as what stands before a place and from there, with a caret below the
// place. Of a long line it shows a part.
func excerpt(before, after string) string {
	const most = 80 // characters on each side
	before = legible(before)
	after = strings.TrimRight(legible(after), " ")
	if n := utf8.RuneCountInString(before); n > most {
		before = "..." + string([]rune(before)[n-most:])
	}
	if utf8.RuneCountInString(after) > most {
		after = string([]rune(after)[:most]) + "..."
	}
	return before + after + "\n" + strings.Repeat(" ", utf8.RuneCountInString(before)) + "^"
}

// byteOrderMark stands at the beginning of texts from some editors.
const byteOrderMark = "\ufeff"

// line is one line of a source: its text without the line end and trailing blanks, the byte offset
// where it begins, and its number.
type line struct {
	text   string
	offset int
	number int
	found  *findings // nil: nothing is kept
}

// findings keep what a line of the text is found to hold, since several parts of the reader ask for
// the same.
type findings struct {
	text    string // of the line; another one has other findings
	words   found[[]word]
	caption found[caption]
	fields  found[[]headerField]
	pieces  found[foundPieces]
}

// found is something that is found when it is first asked for.
type found[T any] struct {
	value T
	known bool
}

// in returns what find returns for a line.
func (f *found[T]) in(l line, find func(line) T) T {
	if l.found.text != l.text || l.offset != 0 {
		return find(l)
	}
	if !f.known {
		f.value, f.known = find(l), true
	}
	return f.value
}

// lines splits the source. Lines that begin with # are comments; they and blank lines are left out.
func (s *source) lines() []line {
	const usual = 64 // a text of a million blank lines has none
	all := make([]line, 0, min(1+strings.Count(s.text, "\n"), usual))
	offset, number := 0, s.line
	for text := range strings.Lines(s.text) {
		trimmed := strings.TrimRight(text, trailing)
		if !isComment(trimmed) {
			all = append(all, line{text: trimmed, offset: offset, number: number})
		}
		offset += len(text)
		number++
	}
	return all
}
