package match

import (
	"goalproof/referee"
)

// Ending is how a game ended.
type Ending string

// The endings: those of the rules, and the ways to lose otherwise.
const (
	Goal           Ending = "goal"
	Elimination    Ending = "elimination"
	Immobilisation Ending = "immobilisation" // or every turn is forbidden
	Score          Ending = "score"          // a limit was reached: the pieces on the board decide
	Resignation    Ending = "resignation"
	Time           Ending = "time"    // a turn came late
	Illegal        Ending = "illegal" // a turn against the rules
	Junk           Ending = "junk"    // a line that is no message, or no turn
	Crash          Ending = "crash"   // the process ended
	Hang           Ending = "hang"    // no answer at all
)

// Letter returns how the game room's archive writes the ending.
func (e Ending) Letter() string {
	switch e {
	case Junk, Crash, Hang:
		return "f" // forfeit
	case Immobilisation:
		return "m" // i is an illegal turn
	}
	return string(e[0])
}

// byRule returns the ending of a game that was decided on the board.
func byRule(r referee.Reason) Ending {
	switch r {
	case referee.Goal, referee.OpponentGoal:
		return Goal
	case referee.Elimination, referee.SelfElimination:
		return Elimination
	}
	return Immobilisation
}

// Failure is how a player loses otherwise than on the board.
type Failure struct {
	Ending Ending
	Detail string // for people; may be empty
}

// Error returns the ending and the detail.
func (f *Failure) Error() string {
	if f.Detail == "" {
		return string(f.Ending)
	}
	return string(f.Ending) + ": " + f.Detail
}
