package referee

// Reason says by which row of the table in docs/rules.md, "Who has won", a game was decided.
type Reason byte

const (
	Undecided       Reason = iota // nobody has won yet
	Goal                          // row 1: the side that moved has a rabbit on its goal rank
	OpponentGoal                  // row 2: it left an enemy rabbit on the enemy's goal rank
	Elimination                   // row 3: the side to move has no rabbits
	SelfElimination               // row 4: the side that moved has no rabbits, its opponent has
	Immobilisation                // row 5: the side to move has no legal step
	Repetition                    // row 6: every turn of the side to move is forbidden
)

// String names the reason in a word or two.
func (r Reason) String() string {
	switch r {
	case Undecided:
		return "undecided"
	case Goal:
		return "goal"
	case OpponentGoal:
		return "opponent's goal"
	case Elimination:
		return "elimination"
	case SelfElimination:
		return "self-elimination"
	case Immobilisation:
		return "immobilisation"
	case Repetition:
		return "repetition"
	}
	return "unknown reason"
}

// Outcome says who has won when a turn of the side moved has just ended with this board:
// docs/rules.md, "Who has won", rows 1 to 5 in their order. Row 6 needs a [History]. winner means
// nothing while over is false.
func Outcome(b Board, moved Side) (winner Side, reason Reason, over bool) {
	a, other := moved, moved.Other()
	switch {
	case b.hasGoal(a):
		return a, Goal, true
	case b.hasGoal(other):
		return other, OpponentGoal, true
	case b.Count(other.rabbit()) == 0:
		return a, Elimination, true
	case b.Count(a.rabbit()) == 0:
		return other, SelfElimination, true
	case !NewState(b, other).CanStep():
		return a, Immobilisation, true
	}
	return 0, Undecided, false
}

// hasGoal reports whether a rabbit of the side stands on the side's goal rank.
func (b *Board) hasGoal(side Side) bool {
	for file := range 8 {
		if b[8*side.goalRank()+file] == side.rabbit() {
			return true
		}
	}
	return false
}
