package proof

import (
	"errors"
	"fmt"
)

// Refutation is a proof that the side to move at a position, the attacker, has no win within a
// number of his turns, the third repetition set aside.
type Refutation struct {
	Turns    int       // the claim: no win within this number of turns of the attacker; 1 or 2
	Position string    // in short form, with the attacker to move
	Refuted  []Refuted // every first turn of the attacker, each with its result once; none for a claim of 1

	line int // of the position in the file, from 1; 0 when built in memory
}

// Refuted is a first turn of the attacker, and why it does not win.
type Refuted struct {
	Turn string // in notation
	// Reply is a turn of the defender after which the attacker has no turn that wins at once, in
	// notation. It is empty where the defender has won already.
	Reply string

	line int // in the file, from 1; 0 when built in memory
}

// refutationLine names the format and its version.
const refutationLine = "goalproof refutation 1"

// MaxRefuted is the greatest number of turns of which a [Refutation] can say that there is no win
// in them.
const MaxRefuted = 2

// maxFirst is the greatest number of first turns. Positions of games have some 17,000 on the
// average.
const maxFirst = 1_000_000

// ErrTooDeep is the error of a refutation of more than [MaxRefuted] turns.
var ErrTooDeep = errors.New(`only "no win in 1" and "no win in 2" can be written down: a greater number needs a reply ` +
	"to each of some 17,000 first turns, and again one to each of as many second turns after every reply")

// Attacker is "gold" or "silver", the side to move at the position, of which it is said that it has
// no win, or "" where that is no position.
func (r *Refutation) Attacker() string { return sideToMove(r.Position) }

// GameOver says who has won where the game is over already, as for a [Certificate].
func (r *Refutation) GameOver() string { return gameOver(r.Position) }

// claimForm says what is wrong with the number of turns of a claim.
func claimForm(turns int) error {
	switch {
	case turns < 1:
		return fmt.Errorf("a claim of %d turns: it is at least 1", turns)
	case turns > MaxRefuted:
		return fmt.Errorf("a claim of %d turns: %w", turns, ErrTooDeep)
	}
	return nil
}

// wellFormed says what is wrong with the form of a first turn and its reply.
func (f *Refuted) wellFormed() error {
	if err := turnForm(f.Turn); err != nil || f.Reply == "" {
		return err
	}
	return turnForm(f.Reply)
}

// hole is a hole at a first turn.
func (r *Refutation) hole(f *Refuted, format string, args ...any) *Hole {
	return &Hole{Line: f.line, Position: r.Position, Reason: fmt.Sprintf(format, args...)}
}
