package review

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"os"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
	"goalproof/puzzles"
	"goalproof/review"
)

// record is a game that was read, or an error, or both: then the game is the part before the error.
type record struct {
	game  *review.Record
	err   error
	bytes int64 // of the inputs
}

// positions is the number of positions to look at.
func (r record) positions() int {
	if r.game == nil {
		return 1
	}
	return r.game.Game.Len() + 1
}

// read yields the games. A game that cannot be read does not stop the others, but an interruption
// does.
func (f *flags) read(source *files.Source, args []string, t cli.Terminal) iter.Seq[record] {
	return func(yield func(record) bool) {
		names := certificates.NewNames("games")
		for _, arg := range args {
			for r := range f.readFile(source, arg, t.In) {
				if r.game != nil && f.certificates != "" {
					if err := names.Take(gameFile(r.game)); err != nil {
						r = record{err: err}
					}
				}
				if source.Interrupted() != nil || !yield(r) {
					return
				}
			}
		}
	}
}

// readFile yields the games of a file, and what is wrong with the others.
func (f *flags) readFile(source *files.Source, name string, stdin *os.File) iter.Seq[record] {
	return func(yield func(record) bool) {
		var text io.ReadCloser
		var err error
		if name == "-" {
			name = "standard input"
			text, err = source.Reader(name, stdin)
		} else if text, err = source.Open(name); err == nil {
			defer text.Close()
		}
		if err != nil {
			yield(record{err: err})
			return
		}
		found := f.game == ""
		for r := range f.records(notation.NewLines(name, text)) {
			found = true
			if !yield(r) {
				return
			}
		}
		if !found {
			yield(record{err: fmt.Errorf("%s: there is no game %s in it", name, f.game)})
		}
	}
}

// records yields the games of a text that --game asks for, and what is wrong with the others. A
// position ends it.
func (f *flags) records(lines *notation.Lines) iter.Seq[record] {
	other := func(id string) bool { return f.game != "" && id != f.game }
	return func(yield func(record) bool) {
		if rows, ok := puzzles.Rows(lines); ok {
			for p := range rows {
				if p.Err == nil && other(p.ID) {
					continue
				}
				if !yield(rowOf(p)) || p.Err == nil && p.Game == nil {
					return
				}
			}
			return
		}
		for e, err := range notation.Read(lines) {
			if e.Record != nil && other(e.Record.ID) {
				continue
			}
			r := f.entry(lines.File(), e, err)
			r.bytes = lines.Taken()
			if !yield(r) || e.Position != nil {
				return
			}
		}
	}
}

// rowOf returns the game of a row, see [puzzles.Rows].
func rowOf(p puzzles.Puzzle) record {
	switch {
	case p.Err != nil:
		return record{err: p.Err, bytes: p.Bytes}
	case p.Game == nil:
		return record{err: errPositions(p.File), bytes: p.Bytes}
	}
	game := review.NewRecord(cmp.Or(p.ID, p.Label()), p.Game)
	return record{game: &game, bytes: p.Bytes}
}

// errPositions is the error of a file that holds positions.
func errPositions(name string) error {
	return fmt.Errorf("%s holds positions: a review needs a game", name)
}

// entry returns the game of an entry of a file, see [notation.Read].
func (f *flags) entry(name string, e notation.Entry, err error) record {
	switch {
	case e.Record != nil:
		return f.row(e.Record)
	case f.game != "" && (e.Game != nil || e.Position != nil):
		return record{err: fmt.Errorf("%s: --game chooses from an archive", name)}
	case e.Position != nil:
		return record{err: errPositions(name)}
	case e.Game == nil || err != nil && !f.keepGoing:
		return record{err: err}
	}
	game := review.NewRecord(name, e.Game)
	if e.Tags != nil {
		if err != nil {
			delete(e.Tags, "Result") // it is that of the whole game
		}
		game = review.FromTags(name, e.Tags, e.Game)
	}
	return record{game: &game, err: err}
}

// row returns a game of an archive.
func (f *flags) row(a *notation.Record) record {
	g, err := a.Game()
	if g == nil || err != nil && !f.keepGoing {
		return record{err: err}
	}
	if err != nil {
		a.Result = "" // it is that of the whole game
	}
	game := review.FromArchive(a, g)
	return record{game: &game, err: err}
}
