// Package puzzles reads sets of Arimaa puzzles as they are published, with what they claim, and
// finds out what is true: the least number of turns to the win, every first turn that keeps
// it, whether the given solution is one of them.
//
// A puzzle says "the side to move wins in N turns", with the third repetition set aside. The
// claim is true if N is the least such number: a win in fewer turns is another puzzle.
package puzzles

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"goalproof/arimaa"
)

// Puzzle is an entry of a set.
type Puzzle struct {
	File string // where it was read
	Name string // as its set calls it, or the file's name without its ending
	Line int    // where it begins in the file, from 1; 0 if the file was not read

	Position arimaa.Position
	// Claim is the number of turns in which the side to move is said to win; 0 if nothing is said.
	Claim int
	// Solution is the winning turn as the set writes it, not checked; "" if none is given.
	Solution string
	// Err says why the entry cannot be read, with file and line; the rest may then be missing.
	Err error
}

// Label names a puzzle for people: the file, the line where the file's name alone would not do,
// and a name of its own.
func (p *Puzzle) Label() string {
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

// baseName is the name of a file without folders and ending.
func baseName(file string) string {
	name := filepath.Base(file)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// lineName is the name of one of several puzzles in a file that have none.
func lineName(base string, line int) string { return fmt.Sprintf("%s:%d", base, line) }

// fail makes the error of an entry.
func (p *Puzzle) fail(format string, args ...any) {
	p.Err = &arimaa.ParseError{File: p.File, Line: p.Line, Reason: fmt.Sprintf(format, args...)}
}

// firstTurn reads a turn in notation, perhaps behind its label, perhaps with others behind it.
func firstTurn(p arimaa.Position, text string) (arimaa.Turn, error) {
	words := strings.Fields(text)
	isLabel := func(word string) bool {
		_, _, err := arimaa.ParseLabel(word)
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
		return arimaa.Turn{}, errors.New("there is no turn in it")
	}
	// A game that begins with the position: its reader checks every step and capture.
	game, err := arimaa.ReadGame("", strings.TrimSuffix(arimaa.NewGame(p, 2).Turns(), "\n")+" "+strings.Join(words, " "))
	var bad *arimaa.ParseError
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
