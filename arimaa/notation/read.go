package notation

import (
	"io"
	"iter"
	"strings"

	"goalproof/arimaa"
)

// Entry is something that a text holds: a position, a game, or a row of an archive. Exactly one of
// Position, Game and Record is set.
type Entry struct {
	Name     string // that the text gives it: an id, a title; "" if it gives none
	Line     int    // where it begins in its file, from 1
	Position *Diagram
	Game     *arimaa.Game
	Record   *Record
	Tags     map[string]string // of a record, such as Gold and Event; of the puzzle text of arimaa.com the fields, decoded

	Claim    int    // the side to move is said to win in so many turns; 0: nothing is said
	Solution string // the turn that its author published, as records write it; "" if there is none
	// ClaimFrom and SolutionFrom are the words among prose from which these two were taken; "" where
	// they stand in a field of their own.
	ClaimFrom, SolutionFrom string

	Notes []Note // what was mended in it
}

// Note says how a text was read that breaks the rules of its form, or that has several readings.
// With [Lines.Strict] it is an error instead.
type Note struct {
	Kind string // a name for all notes that say the same about other places
	Line int    // from 1
	Text string // a sentence for a person
}

// Read reads a text in any of the forms that this package knows, one entry at a time: positions,
// puzzles, one game, which may be annotated, or the rows of an archive. An entry is read when it is
// asked for, and is not kept. A text without positions has at least one entry or error.
//
// An error is a [*ParseError] or that of reading. A broken position or row does not stop those
// after it. With the error of a game comes what could be read of it before ([ReadGame],
// [ReadAnnotated]), if anything; with that of a puzzle text its fields.
func Read(l *Lines) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if l.isPuzzleFile() {
			l.puzzleFile(yield)
			return
		}
		head := cleanText(l.Head())
		lines := (&source{l.file, 1, head}).lines()
		first, single, list := "", false, false
		if len(lines) > 0 {
			words := lines[0].words()
			first, single = lines[0].text, isSingle(lines[0].text, words)
			list = single || len(words[0].text) == 1 && strings.Contains(first, "[")
		}
		_, _, isHead := cutHead(first)
		switch {
		case isPuzzleText(head):
			l.puzzleTexts(yield)
		case isAnnotated(head) && !single:
			yield(l.annotated())
		case isArchive(first):
			l.archive(yield)
		case isTurnList(first) && !single && !isHead, isLabels(lines):
			yield(l.gameFrom("", 1, func(s *source) (*arimaa.Game, error) { return s.game(s.lines()) }))
		default:
			l.positions(list, yield)
		}
	}
}

// isLabels reports whether the text is a list of turns whose first line is a bare label, as where
// Gold has no pieces. No line of a board looks like a label.
func isLabels(lines []line) bool {
	if len(lines) < 2 {
		return false
	}
	_, _, rest, first := cutLabel(strings.TrimLeft(lines[0].text, blanks))
	_, _, _, second := cutNumbered(lines[1].text)
	return first && rest == "" && second
}

// annotated reads an annotated game.
func (l *Lines) annotated() (Entry, error) {
	text, err := l.rest("", 1)
	if err != nil {
		return Entry{}, err
	}
	g, tags, err := ReadAnnotated(l.file, text)
	return Entry{Game: g, Tags: tags}, err
}

// gameFrom reads the rest of the text as a game; it begins with lines that were taken, the first of
// which has a number.
func (l *Lines) gameFrom(begin string, first int, read func(*source) (*arimaa.Game, error)) (Entry, error) {
	text, err := l.rest(begin, first)
	if err != nil {
		return Entry{}, err
	}
	g, err := read(&source{l.file, first, text})
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
