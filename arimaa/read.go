package arimaa

// Document is what a text holds: positions, one game, or the games of an archive.
// Exactly one of the three is set.
type Document struct {
	Positions []Diagram
	Game      *Game
	Archive   []*Record
}

// Read reads a text in any of the forms that this package knows. The error is a
// [*ParseError].
func Read(file, text string) (Document, error) {
	src := &source{file, 1, text}
	lines := src.lines()
	var doc Document
	var err error
	switch {
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
// label, as where Gold has no pieces.
func isLabels(lines []line) bool {
	return len(lines) > 1 && !isTurnList(lines[0].text) && isTurnList(lines[1].text)
}
