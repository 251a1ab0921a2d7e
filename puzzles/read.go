package puzzles

import (
	"io"
	"iter"

	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/solve"
)

// Read reads a set: a file, or all *.txt and *.tsv files below a directory. Each puzzle is read
// when it is asked for. An unreadable entry becomes a puzzle with an error and does not affect the
// others. There is always at least one puzzle. Prepare, if not nil, gets the lines of each file
// before they are read ([notation.Lines.Assume]).
func Read(s *files.Source, path string, prepare func(*notation.Lines)) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
		for name, err := range s.Files(path, ".txt", ".tsv") {
			if !readFile(s, name, err, prepare, yield) {
				return
			}
		}
	}
}

// readFile reads a file, unless there is an error, and reports whether to go on.
func readFile(s *files.Source, path string, err error, prepare func(*notation.Lines), yield func(Puzzle) bool) bool {
	var file io.ReadCloser
	if err == nil {
		file, err = s.Open(path)
	}
	if err != nil {
		return yield(Puzzle{File: path, Name: baseName(path), Err: err})
	}
	defer file.Close()
	lines := notation.NewLines(path, file)
	if prepare != nil {
		prepare(lines)
	}
	for p := range Parse(lines) {
		if !yield(p) {
			return false
		}
	}
	return true
}

// Parse reads what [notation.Read] reads. A game stands for its last position.
func Parse(lines *notation.Lines) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
		for p := range notation.Parts(lines) {
			if !yield(puzzleOf(&p)) {
				return
			}
		}
	}
}

// puzzleOf returns the puzzle that a part of a text holds. A game stands for its last position.
func puzzleOf(part *notation.Part) Puzzle {
	game, err := part.Played()
	p := Puzzle{File: part.File, Name: part.Name, Line: part.Line, Bytes: part.Bytes, Claim: part.Claim, ClaimFrom: part.ClaimFrom,
		Solution: part.Solution, SolutionFrom: part.SolutionFrom, Notes: part.Sentences(), Err: err}
	if p.Name == "" {
		if p.Name = baseName(part.File); !part.Alone {
			p.Name = lineName(p.Name, p.Line)
		}
	}
	switch {
	case err != nil:
	case game != nil:
		p.Position, p.Number = game.Last(), game.Number(game.Len())
	default:
		p.Position, p.Number = part.Position.Position, numberOf(&part.Entry)
	}
	if p.Claim > solve.MaxTurns {
		if p.Claim = 0; err == nil {
			p.fail("claim %d: it is a number of turns, 1 to %d", part.Claim, solve.MaxTurns)
		}
	}
	return p
}

// numberOf returns the number of the turn to be played in a position, 0 if the text does not say it.
// A position without a number has that of the first turn, which others hardly ever have; a puzzle
// text has turns.
func numberOf(e *notation.Entry) int {
	if !e.TurnKnown() {
		return 0
	}
	return e.Position.Number
}
