package review

import (
	"cmp"
	"fmt"
	"iter"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/reviews"
	"goalproof/internal/files"
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
			for r := range f.readFile(source, arg, t) {
				if r.game != nil && f.Certificates != "" {
					if err := names.Take(reviews.FileName(r.game)); err != nil {
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

// readFile yields the games of a file, and what is wrong with the others. A position ends it.
func (f *flags) readFile(source *files.Source, name string, t cli.Terminal) iter.Seq[record] {
	return func(yield func(record) bool) {
		name, text, err := inputs.Open(t, source, name)
		if err != nil {
			yield(record{err: err})
			return
		}
		defer text.Close()
		found := false
		for p := range f.reading.Games(t, name, text, f.game) {
			found = true
			r := f.recordOf(&p)
			r.bytes = p.Bytes
			if !yield(r) || p.Err == nil && p.Position != nil {
				return
			}
		}
		if !found {
			yield(record{err: inputs.NoGame(name, f.game)})
		}
	}
}

// recordOf returns the game that a part of a text holds.
func (f *flags) recordOf(p *notation.Part) record {
	g, err := p.Played()
	switch {
	case err == nil && g == nil:
		return record{err: fmt.Errorf("%s holds positions: a review needs a game", p.File)}
	case g == nil || err != nil && !f.keepGoing:
		return record{err: err}
	}
	game := review.FromEntry(cmp.Or(p.Name, p.Place()), &p.Entry, g, err)
	return record{game: &game, err: err}
}
