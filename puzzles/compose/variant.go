package compose

import (
	"context"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/puzzles"
)

// Variant is another puzzle made of a puzzle: a twin, or one that is a turn longer.
type Variant struct {
	Puzzle Puzzle
	Mined  *puzzles.Mined // the same, described
	Change Change         // of a twin: what makes it of the puzzle; of a longer one: the piece that was added to the puzzle, if any
	Reply  arimaa.Turn    // of a longer one: the turn after the solution that leads to the puzzle
}

// Reason says why a position that was tried is no variant.
type Reason uint8

// The reasons, in the order in which they are looked for.
const (
	Odd       Reason = iota // no game leads there
	OldWins                 // the solution of the puzzle still wins in as many turns
	Defended                // there are too many defences before the reply that leads to the puzzle
	Holds                   // the defender had a better reply
	Undecided               // the limit was too short
	NoWin                   // there is no win in so many turns
	Sooner                  // there is a win in fewer
	Several                 // there are several essential solutions
	Alike                   // the steps of one solution are among those of the other
	Elsewhere               // the solution does not lead to the puzzle
	NumReasons
)

var reasons = [NumReasons]string{
	"cannot come up in a game", "the old solution still wins", "many defences beside the reply", "a better reply", "not decided within the limit",
	"no win in so many turns", "a win in fewer turns", "several essential solutions", "much the same solution", "a solution that leads elsewhere",
}

// String returns the reason in words, which describe the position.
func (r Reason) String() string { return reasons[r] }

// Variants are the variants that were found, and how many positions were refused.
type Variants struct {
	Found   []Variant // the nearest first
	Tried   int       // positions
	Refused [NumReasons]int
	All     bool // everything was tried; otherwise enough was found, or the rounds are over
}

// refuse counts a position that is refused.
func (v *Variants) refuse(r Reason) {
	v.Tried++
	v.Refused[r]++
}

// mostVariants is how many variants are looked for.
const mostVariants = 5

// look judges a position as a puzzle with a win in a number of turns. Without a reason it is one:
// it is described, and the judgement lists all solutions.
func (c *Composer) look(ctx context.Context, p arimaa.Position, turns int) (found *puzzles.Mined, j puzzles.Judgement, why Reason, err error) {
	if err := c.begin(ctx); err != nil {
		return nil, j, Undecided, err
	}
	c.miner.Turns = turns
	found, j, err = c.miner.Look(ctx, p)
	c.cut = c.cut || j.Cut
	if err == nil {
		err = ctx.Err()
	}
	_, essential := j.Essential()
	switch {
	case j.Verdict == answer.Disproved:
		why = NoWin
	case j.Verdict == answer.Proved && j.Least < turns:
		why = Sooner
	case j.Verdict == answer.Proved && essential > 1:
		why = Several
	case found == nil:
		why = Undecided
	default:
		why = NumReasons
	}
	return found, j, why, err
}

// puzzleOf returns a puzzle that was described.
func puzzleOf(m *puzzles.Mined) Puzzle {
	return Puzzle{Position: m.Position, Turns: m.Turns, Solution: m.Solution, Single: m.Solutions == 1}
}
