package arimaa

import "strings"

// Document is what a text holds: positions, one game, or the games of an archive.
// Exactly one of the three is set.
type Document struct {
	Positions []Diagram
	Game      *Game
	Archive   []*Record
}

// Read reads a text in any of the forms that this package knows; of an annotated game it keeps the game. The error
// is a [*ParseError].
func Read(file, text string) (Document, error) {
	src := &source{file, 1, text}
	lines := src.lines()
	var doc Document
	var err error
	switch {
	case IsAnnotated(text):
		var a Annotated
		if a, err = ReadAnnotated(file, text); err == nil {
			doc.Game = a.Game
		}
	case len(lines) > 0 && isArchive(lines[0].text):
		doc.Archive, err = ReadArchive(file, text)
	case len(lines) > 0 && isTurnList(lines[0].text), isLabels(lines):
		doc.Game, err = ReadGame(file, text)
	default:
		doc.Positions, err = ReadPositions(file, text)
	}
	return doc, err
}

// isLabels tells whether the text is a list of turns whose first line is a bare
// label, as where Gold has no pieces. No line of a board looks like a label.
func isLabels(lines []line) bool {
	if len(lines) < 2 {
		return false
	}
	text := strings.TrimLeft(lines[1].text, " \t"+byteOrderMark)
	_, _, _, ok := cutLabel(text)
	return ok && isDigit(text[0])
}
