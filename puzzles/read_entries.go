package puzzles

import (
	"iter"
	"strings"
	"unicode"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// parseEntries reads what [notation.Read] reads: positions, puzzles, or a game, which stands for
// its last position.
func parseEntries(lines *notation.Lines) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
		for e, err := range notation.Read(lines) {
			p := Puzzle{File: lines.File(), Line: 1}
			switch {
			case err != nil:
				p = unread(lines, err)
			case e.Game != nil:
				p.Position, p.Number = e.Game.Last(), numberOf(&e)
			default:
				p.Position, p.Number, p.Line, p.Solution = e.Position.Position, numberOf(&e), e.Position.Line, e.Solution
			}
			if e.Game == nil {
				p.Name = oneLine(e.Tags["title"])
				if p.Claim = claimIn(e.Tags["title"]); p.Claim == 0 {
					p.Claim = claimIn(e.Tags["chat"])
				}
			}
			if !yield(p) {
				return
			}
		}
	}
}

// numberOf returns the number of the turn to be played in a game or position, 0 if the text does
// not say it. A position without a number has that of the first turn, which others hardly ever
// have; a puzzle text has turns.
func numberOf(e *notation.Entry) int {
	switch {
	case e.Game != nil:
		return e.Game.Number(e.Game.Len())
	case e.Position.Number == arimaa.FirstTurn && e.Tags == nil:
		return 0
	}
	return e.Position.Number
}

// maxName is how many characters of a name are kept, so that the names of many puzzles do not fill
// the memory.
const maxName = 200

// oneLine makes one line of a text, without control characters.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if all := []rune(text); len(all) > maxName {
		text = string(all[:maxName]) + "..."
	}
	return strings.Clone(text)
}

// game takes the position of a row from a list of turns that stands in a line of the file; see
// [notation.ReadPuzzle].
func (p *Puzzle) game(moves, startmove, side string, line int) {
	d, solution, err := notation.ReadPuzzle(moves, startmove, side)
	if err != nil {
		p.Line = line
		p.fail("%v", err)
		return
	}
	if p.Position, p.Number = d.Position, d.Number; p.Solution == "" {
		p.Solution = solution
	}
}
