package notation

import (
	"io"
	"iter"

	"goalproof/arimaa"
)

// Entry is something that a text holds: a position, a game, or a row of an archive. Exactly one of
// Position, Game and Record is set. A position with turns below it is a game.
type Entry struct {
	Name     string // that the text gives it: an id, a title; "" if it gives none
	Line     int    // where it begins in its file, from 1
	Position *Diagram
	Game     *arimaa.Game
	Record   *Record
	Tags     map[string]string // of a game or position, such as Gold and Event; of the puzzle text of arimaa.com the fields, decoded

	Claim    int    // the side to move is said to win in so many turns; 0: nothing is said
	Solution string // the turn that its author published, as records write it; "" if there is none
	// ClaimFrom and SolutionFrom are the words among prose from which these two were taken; "" where
	// they stand in a field of their own.
	ClaimFrom, SolutionFrom string

	Notes []Note // what was mended in it

	game     bool    // it is, or would be, a game
	played   bool    // of a position: a game led there
	place    int     // of a position: its number, by a line above or from 1
	numbered bool    // by a line above
	record   *source // of a game, all of its record
}

// TurnKnown reports whether the text says which turn comes next in a position.
func (e *Entry) TurnKnown() bool { return e.played || e.Position.Number != arimaa.FirstTurn }

// Note says how a text was read that breaks the rules of its form, or that has several readings.
// With [Lines.Strict] it is an error instead.
type Note struct {
	Kind string // a name for all notes that say the same about other places
	Line int    // from 1
	Text string // a sentence for a person
}

// Annotated returns a game with its comments and variations, if the text has any. The tags of a row
// of an archive are those of [Record.Tags]. The error is that of reading the game.
func (e *Entry) Annotated() (*Annotated, error) {
	switch {
	case e.record != nil:
		a, err := e.record.tree()
		if err == nil {
			a.Tags = e.Tags // and the players that lines of their own name
		}
		return a, err
	case e.Record != nil:
		moves := e.Record.moves
		if moves.notes != nil {
			moves.notes = new([]Note) // another one takes what is mended again
		}
		a, err := moves.tree()
		if err == nil {
			a.Tags = e.Record.Tags()
		}
		return a, err
	}
	a := Line(e.Game)
	a.Tags = e.Tags
	return a, nil
}

// Read reads a text in any of the forms that this package knows, one entry at a time: positions,
// puzzles, games, which may be annotated, the rows of an archive or of a table, or objects in JSON.
// An entry is read when it is asked for, and is not kept, but for some positions whose solutions may
// follow. A text without positions has at least one entry or error.
//
// An error is a [*ParseError] or that of reading. A broken position, row or game does not stop those
// after it. With the error of a game comes what could be read of it before ([ReadGame]), if
// anything; with that of a puzzle text its fields.
func Read(l *Lines) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if l.isPuzzleFile() {
			l.puzzleFile(yield)
			return
		}
		head := l.head()
		first := (&source{text: cleanText(head)}).lines()
		switch table := tableOf(head); {
		case isJSON(head):
			l.objects(yield)
		case table != nil:
			l.table(table, yield)
		case len(first) > 0 && isArchive(first[0].text):
			l.archive(yield)
		default:
			l.positions(yield)
		}
	}
}

// archive reads the rows of an archive.
func (l *Lines) archive(yield func(Entry, error) bool) {
	a := archive{file: l.file, strict: l.strict}
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
		entry := Entry{Record: r, Line: l.number, game: true}
		if r != nil {
			entry.Name = r.ID
		}
		if rows++; !yield(entry, err) {
			return
		}
		if a.header == nil && err != nil {
			return
		}
	}
}
