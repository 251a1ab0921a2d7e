package proof

import (
	"errors"
	"fmt"
	"strings"

	"goalproof/referee"
)

// Certificate is a proof that the side to move at its root wins.
type Certificate struct {
	Turns   int     // the claim: a win within so many turns of the attacker
	Seen    []Seen  // the history of the game up to and including the root, or none
	Entries []Entry // the first is the root
}

// Seen says how often a position has occurred at the start of a turn.
type Seen struct {
	Count    int    // 1 or 2
	Position string // in short form, with the side to move

	line int // in the file, from 1; 0 when built in memory
}

// Entry says how the attacker, to move at a position, wins within a number of turns.
type Entry struct {
	Rank     int      // the number of the attacker's turns, this one included
	Position string   // in short form
	Turn     string   // the attacker's turn, in notation
	Answers  []string // turns of the attacker, each of which wins at once after some of the replies

	line int // in the file, from 1; 0 when built in memory
}

// firstLine names the format and its version.
const firstLine = "goalproof certificate 1"

// wellFormed says what is wrong with the form of an entry's position and turn.
func (e *Entry) wellFormed() error {
	if e.Rank < 1 {
		return fmt.Errorf("rank %d: it is at least 1", e.Rank)
	}
	if err := positionForm(e.Position); err != nil {
		return err
	}
	return turnForm(e.Turn)
}

// wellFormed says what is wrong with the form of a line of the history.
func (s *Seen) wellFormed() error {
	if s.Count < 1 || s.Count > 2 {
		return fmt.Errorf("a position has occurred once or twice, not %d times", s.Count)
	}
	return positionForm(s.Position)
}

// positionForm says what is wrong with a text that should be a position.
func positionForm(text string) error {
	if text != strings.TrimSpace(text) {
		return fmt.Errorf("position %q: blanks around it", text)
	}
	_, err := referee.ParsePosition(text)
	return err
}

// turnForm says what is wrong with a text that should be a turn on some board.
func turnForm(text string) error {
	words := strings.Fields(text)
	if strings.Join(words, " ") != text {
		return fmt.Errorf("turn %q: want one blank between steps, and none around them", text)
	}
	steps := 0
	for _, word := range words {
		if isCapture(word) {
			continue
		}
		if _, err := referee.ParseStep(word); err != nil {
			return err
		}
		steps++
	}
	switch {
	case steps == 0:
		return errors.New("a turn without steps")
	case steps > referee.StepsPerTurn:
		return fmt.Errorf("turn %q has %d steps, more than %d", text, steps, referee.StepsPerTurn)
	}
	return nil
}

// isCapture reports whether a word of a turn is a capture, such as "hc3x".
func isCapture(word string) bool {
	if len(word) != 4 || word[3] != 'x' || !strings.Contains("RCDHMErcdhme", word[:1]) {
		return false
	}
	_, err := referee.ParseSquare(word[1:3])
	return err == nil
}
