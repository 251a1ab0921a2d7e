package match

import (
	"goalproof/proof/referee"
)

// Ending is the way in which a game ended.
type Ending string

// The endings: by the rules of the game, and by the failure of a player.
const (
	Goal           Ending = "goal"
	Elimination    Ending = "elimination"
	Immobilisation Ending = "immobilisation" // or every turn was forbidden
	Score          Ending = "score"          // adjudicated at a limit, by the number of pieces
	Resignation    Ending = "resignation"
	Time           Ending = "time"    // a turn came late
	Illegal        Ending = "illegal" // a turn against the rules
	Junk           Ending = "junk"    // a malformed message or turn
	Crash          Ending = "crash"   // the process ended
	Hang           Ending = "hang"    // no answer at all
)

// Letter returns the code of the ending in the archive of the game room.
func (e Ending) Letter() string {
	switch e {
	case Junk, Crash, Hang:
		return "f" // forfeit
	case Immobilisation:
		return "m" // i stands for an illegal turn
	}
	return string(e[0])
}

// byRule returns the ending of a game that ended by the rules.
func byRule(r referee.Reason) Ending {
	switch r {
	case referee.Goal, referee.OpponentGoal:
		return Goal
	case referee.Elimination, referee.SelfElimination:
		return Elimination
	}
	return Immobilisation
}

// Failure is the error of a player that has lost off the board.
type Failure struct {
	Ending Ending
	Detail string // for the reader; may be empty
}

// Error returns the ending and the detail.
func (f *Failure) Error() string {
	if f.Detail == "" {
		return string(f.Ending)
	}
	return string(f.Ending) + ": " + f.Detail
}
