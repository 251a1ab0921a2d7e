package proof

import (
	"errors"
	"fmt"
	"strings"

	"goalproof/proof/referee"
)

// Certificate is a proof that the side to move at its root wins or, of a loss, that its opponent
// does.
type Certificate struct {
	Turns   int     // the claim: a win within this number of turns of the attacker
	Loss    bool    // the claim is that the side to move at the root loses, whatever it plays
	Goal    string  // "" for the win; otherwise what the attacker reaches, such as "capture=e@f6" or "rabbit=7"
	Game    *Game   // the game that led to the root, or nil
	Entries []Entry // the first is the root
}

// ToMove is the side to move at the root, the attacker or, of a loss, the defender: "gold",
// "silver", or "" if there is no entry or no position in the first.
func (c *Certificate) ToMove() string {
	if len(c.Entries) == 0 {
		return ""
	}
	return sideToMove(c.Entries[0].Position)
}

// GameOver says who has won, and how, where the game is over at the root already, for example
// "silver has won (goal)", or "" where it is not. A claim about such a position is about what its
// side could do if the game continued.
func (c *Certificate) GameOver() string {
	if len(c.Entries) == 0 {
		return ""
	}
	return gameOver(c.Entries[0].Position)
}

// gameOver says who has won at a position, "" if nobody has or the text is no position.
func gameOver(position string) string {
	st, err := readPosition(position)
	if err != nil {
		return ""
	}
	winner, reason, over := referee.Outcome(st.Board, st.Side.Other())
	if !over {
		return ""
	}
	return fmt.Sprintf("%s has won (%v)", name(winner), reason)
}

// sideToMove is "gold", "silver", or "" if the text is no position.
func sideToMove(position string) string {
	st, err := readPosition(position)
	if err != nil {
		return ""
	}
	return name(st.Side)
}

// name is that of a side.
func name(side referee.Side) string {
	if side == referee.Gold {
		return "gold"
	}
	return "silver"
}

// Game is a game that led to the root.
type Game struct {
	Start string   // its first position, in short form
	Turns []string // every turn from there to the root, in notation

	lines []int // of the first position and of each turn in the file, from 1; nil when built in memory
}

// Entry says how the attacker, to move at a position, wins within a number of turns.
type Entry struct {
	Rank     int      // the number of the attacker's turns, this one included
	Position string   // in short form
	Turn     string   // the attacker's turn, in notation; of the root of a loss, where the defender is to move, ""
	Answers  []string // turns of the attacker, each of which wins at once after some of the replies

	line int // in the file, from 1; 0 when built in memory
}

// The first line names the format and its version: 2 where there is a game, 3 where a loss is
// claimed, 4 where there is a goal.
const (
	firstLine = "goalproof certificate 1"
	gameLine  = "goalproof certificate 2"
	lossLine  = "goalproof certificate 3"
	goalLine  = "goalproof certificate 4"
)

// read reads the position of an entry. The error says what is wrong with its form, or with that of
// the turn or the rank. The root of a loss has no turn.
func (e *Entry) read(rootOfLoss bool) (st referee.State, err error) {
	if e.Rank < 1 {
		return st, fmt.Errorf("rank %d: it is at least 1", e.Rank)
	}
	st, err = readPosition(e.Position)
	switch {
	case err != nil:
	case !rootOfLoss:
		err = turnForm(e.Turn)
	case e.Turn != "":
		err = fmt.Errorf("turn %q: the first entry of a loss has no turn", e.Turn)
	}
	return st, err
}

// read reads the first position of a game. The error says what is wrong with its form, or with that
// of a turn.
func (g *Game) read() (st referee.State, err error) {
	if st, err = readPosition(g.Start); err != nil {
		return st, err
	}
	for i, turn := range g.Turns {
		if err := turnForm(turn); err != nil {
			return st, fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	return st, nil
}

// readPosition reads a position in short form. The letters w and b of older records are refused.
func readPosition(text string) (st referee.State, err error) {
	if text != strings.TrimSpace(text) {
		return st, fmt.Errorf("position %q: blanks around it", text)
	}
	st, err = referee.ParsePosition(text)
	if err == nil && text[:1] != st.Side.String() {
		err = fmt.Errorf("position %q: in a certificate the side to move is g or s, not %q", text, text[:1])
	}
	return st, err
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
