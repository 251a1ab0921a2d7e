package report

import (
	"fmt"

	"goalproof/answer"
	"goalproof/proof"
)

// Claim says what a certificate claims, which is proved once it has been accepted.
func Claim(c *proof.Certificate) string {
	does := " " + c.Does()
	if c.Loss {
		does = ", to move, loses"
	}
	claim := fmt.Sprintf("%s%s in %s", c.ToMove(), does, turns(c.Turns))
	if c.Game != nil && len(c.Game.Turns) > 0 {
		claim += " after a game of " + turns(len(c.Game.Turns))
	}
	return claim + although(c.GameOver())
}

// NoWin says what a refutation claims, which is proved once it has been accepted.
func NoWin(r *proof.Refutation) string {
	return fmt.Sprintf("%s has no win in %s%s", r.Attacker(), turns(r.Turns), answer.Aside(r.Turns > 1)) + although(r.GameOver())
}

// although says that the game is over at the position of a claim, if it is.
func although(over string) string {
	if over == "" {
		return ""
	}
	return ", although the game is over there: " + over
}
