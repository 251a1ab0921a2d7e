package arimaa

// Reason says which row of the end-of-turn table decided a game.
type Reason uint8

// The rows of the table, in the order in which they are checked at the end of a turn of player A
// with B to move next.
const (
	NotOver        Reason = iota
	Goal                  // 1: a rabbit of A stands on A's goal rank: A wins
	OpponentGoal          // 2: a rabbit of B stands on B's goal rank: B wins
	Elimination           // 3: B has no rabbits: A wins
	OwnElimination        // 4: A has no rabbits: B wins
	Immobilisation        // 5: B has no legal step: A wins
	Repetition            // 6: every turn of B is forbidden: A wins
)

var reasonNames = [...]string{"not over", "goal", "goal", "elimination", "elimination", "immobilisation", "repetition"}

// String returns the reason in a word: how the winner won, whoever moved last.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return "unknown reason"
}

// Outcome is the result of a game. Winner means nothing while Reason is NotOver.
type Outcome struct {
	Winner Side
	Reason Reason
}

// Over reports whether somebody has won.
func (o Outcome) Over() bool { return o.Reason != NotOver }

// WonBy reports whether side has won.
func (o Outcome) WonBy(side Side) bool { return o.Over() && o.Winner == side }

// Ended judges the board at the end of a turn of the side that moved: rows 1 to 5 of the
// end-of-turn table, the first that holds decides. Row 6 needs the history of the game
// ([Game.Outcome]); without one it adds nothing to row 5, because every step, push and pull changes
// the board.
func (b *Board) Ended(moved Side) Outcome {
	other := moved.Other()
	own, theirs := b.Rabbits(moved), b.Rabbits(other)
	switch {
	case own&GoalRank(moved) != 0:
		return Outcome{moved, Goal}
	case theirs&GoalRank(other) != 0:
		return Outcome{other, OpponentGoal}
	case theirs == 0:
		return Outcome{moved, Elimination}
	case own == 0:
		return Outcome{other, OwnElimination}
	case !b.CanMove(other):
		return Outcome{moved, Immobilisation}
	}
	return Outcome{}
}
