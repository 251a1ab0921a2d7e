package studio

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/solve"
)

// amount says how many there are of something.
func amount[N int | uint64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return humanize.Comma(int64(n)) + " " + what + "s"
}

// sentence says what an answer about a position means.
func sentence(side arimaa.Side, game bool, a *solve.Answer) string {
	switch {
	case a.Verdict == answer.Proved && a.Exact():
		return fmt.Sprintf("Proved: %v wins in %s.", side, amount(a.Within, "turn"))
	case a.Verdict == answer.Proved:
		text := fmt.Sprintf("Proved: %v wins in at most %s.", side, amount(a.Within, "turn"))
		if a.Refuted > 0 {
			text += fmt.Sprintf(" There is no win in %d%s.", a.Refuted, aside(game, a))
		}
		return text + fmt.Sprintf(" Whether there is a shorter win is not known (%v).", a.Stop)
	case a.Verdict == answer.Disproved && a.Tabled:
		if n, wins := a.Value.Win(); wins {
			return fmt.Sprintf("Disproved: %v has no win in %s%s, but one in %d (endgame table).", side, amount(a.Refuted, "turn"), aside(game, a), n)
		}
		if n, loses := a.Value.Loss(); loses {
			return fmt.Sprintf("Disproved: %v has no win, and loses in %s (endgame table).", side, amount(n, "turn"))
		}
		return fmt.Sprintf("Disproved: %v has no win%s: neither side can force one (endgame table).", side, aside(game, a))
	case a.Verdict == answer.Disproved:
		return fmt.Sprintf("Disproved: %v has no win in %s%s.", side, amount(a.Refuted, "turn"), aside(game, a))
	}
	text := fmt.Sprintf("Unknown: %v while looking for a win in %s.", a.Stop, amount(a.Refuted+1, "turn"))
	if a.Refuted > 0 {
		text += fmt.Sprintf(" There is none in %s%s.", amount(a.Refuted, "turn"), aside(game, a))
	}
	return text
}

// trySentence says what an answer about a turn means.
func trySentence(side arimaa.Side, turn string, game bool, a *solve.Answer) string {
	switch {
	case a.Verdict == answer.Proved && a.Exact():
		return fmt.Sprintf("Proved: with %s %v wins in %s.", turn, side, amount(a.Within, "turn"))
	case a.Verdict == answer.Proved:
		return fmt.Sprintf("Proved: with %s %v wins in at most %s.", turn, side, amount(a.Within, "turn"))
	case a.Verdict == answer.Unknown:
		return fmt.Sprintf("Unknown: %v before it was decided whether %v wins with %s.", a.Stop, side, turn)
	}
	text := fmt.Sprintf("Disproved: with %s %v has no win in %s%s.", turn, side, amount(a.Refuted, "turn"), aside(game, a))
	switch n := len(a.Refutation); {
	case n > 1:
		reply := a.Refutation[1]
		text += fmt.Sprintf(" The reply %s refutes it", reply.Before.Notation(reply.Turn))
		if reply.Outcome.Over() {
			text += fmt.Sprintf(": %v wins by %v", reply.Outcome.Winner, reply.Outcome.Reason)
		}
		text += "."
	case n == 1 && a.Refutation[0].Outcome.Over():
		text += fmt.Sprintf(" It loses at once by %v.", a.Refutation[0].Outcome.Reason)
	}
	return text
}

// aside says that a "no" sets the third repetition aside, if it does and that could matter.
func aside(game bool, a *solve.Answer) string {
	if (!game || a.Aside) && a.Refuted > 1 {
		return " (the third repetition set aside)"
	}
	return ""
}
