// Package puzzles reads published sets of Arimaa puzzles and verifies them: the length of the
// shortest win, every first turn that keeps it, and whether the given solution is one of them. It
// also mines puzzles from games.
//
// A puzzle claims that the side to move wins in N turns, with the third repetition set aside. The
// claim is true if N is the least such number: a win in fewer turns is another puzzle.
package puzzles

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// Puzzle is an entry of a set.
type Puzzle struct {
	File string
	Name string // given by the set, or the name of the file without its extension
	Line int    // first line in the file, from 1; 0 if the file was not read
	// Bytes is how many bytes of the file were read for it, from the end of the entry before.
	Bytes int64

	Position arimaa.Position
	Number   int // of the turn to be played, as in "34g"; 0: not known
	// Claim is the claimed number of turns; 0 if none is claimed.
	Claim int
	// Solution is the given winning turn, unchecked; "" if none is given.
	Solution string
	// ClaimFrom and SolutionFrom are the words among prose from which these two were taken; "" where
	// they stand in a field of their own.
	ClaimFrom, SolutionFrom string
	Notes                   []string // what was mended in the text, each a sentence
	// Err says why the entry cannot be read, with file and line; the other fields may then be missing.
	Err error
}

// Label identifies a puzzle to the user: the file, the line if the file has several puzzles, and
// the puzzle's own name if it has one. One that is from no file has its name alone.
func (p *Puzzle) Label() string {
	if p.File == "" {
		return p.Name
	}
	base := baseName(p.File)
	switch place := fmt.Sprintf("%s:%d", p.File, p.Line); p.Name {
	case base:
		return p.File
	case lineName(base, p.Line):
		return place
	default:
		return place + " " + p.Name
	}
}

// Sources says from which words among prose the claim and the solution were taken, a line for each.
func (p *Puzzle) Sources() (lines []string) {
	if p.ClaimFrom != "" && p.ClaimFrom != p.Name { // which stands there anyway
		lines = append(lines, fmt.Sprintf("claim %d, from: %s", p.Claim, p.ClaimFrom))
	}
	if p.SolutionFrom != "" {
		lines = append(lines, fmt.Sprintf("solution %s, from: %s", p.Solution, p.SolutionFrom))
	}
	return lines
}

// baseName returns the name of a file without folders and extension.
func baseName(file string) string {
	name := filepath.Base(file)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// lineName returns the name of an unnamed puzzle in a file of several.
func lineName(base string, line int) string { return fmt.Sprintf("%s:%d", base, line) }

// fail sets the error of an entry.
func (p *Puzzle) fail(format string, args ...any) {
	p.Err = &notation.ParseError{File: p.File, Line: p.Line, Reason: notation.Legible(fmt.Sprintf(format, args...))}
}

// ReadTurn reads the first turn of a text in notation, with or without a label.
func ReadTurn(p arimaa.Position, text string) (arimaa.Turn, error) {
	words := strings.Fields(text)
	isLabel := func(word string) bool {
		_, _, err := notation.ParseLabel(word)
		return err == nil
	}
	if len(words) > 0 && isLabel(words[0]) {
		words = words[1:]
	}
	for i, word := range words {
		if isLabel(word) {
			words = words[:i]
			break
		}
	}
	if len(words) == 0 {
		return arimaa.Turn{}, errors.New("it contains no turn")
	}
	// The reader of games checks every step and capture.
	before := arimaa.NewGame(p, arimaa.FirstTurn)
	game, err := notation.ReadGame("", notation.Turns(before)+[2]string{"2w", "2b"}[p.Side()]+" "+strings.Join(words, " "))
	var bad *notation.ParseError
	switch {
	case errors.As(err, &bad):
		return arimaa.Turn{}, errors.New(bad.Reason)
	case err != nil:
		return arimaa.Turn{}, err
	case game.Len() != 1:
		return arimaa.Turn{}, fmt.Errorf("%q is no turn", text)
	}
	return game.Turn(0), nil
}
