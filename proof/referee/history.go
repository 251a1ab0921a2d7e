package referee

import "errors"

// ErrThirdRepetition is returned by [History.Stop] where the turn would create the third occurrence
// of a position.
var ErrThirdRepetition = errors.New("the turn may not end here: it would be the third occurrence of this position")

// History counts how often each board has occurred at the ends of turns with the same side to move
// next: docs/rules.md, "Ending a turn". Make one with [NewHistory]; it may be used by one goroutine
// at a time.
type History struct {
	seen  map[occurrence]int
	score Side // the side that had more pieces at the latest end of a turn; else Silver
}

// occurrence is a position at the end of a turn.
type occurrence struct {
	board Board
	next  Side // the side to move next
}

// NewHistory is the history of a game whose first known position is the one at the start of this
// turn, which counts as having occurred once.
func NewHistory(first State) *History {
	h := &History{seen: map[occurrence]int{}, score: Silver}
	h.Add(first.Start, first.Side)
	h.count(first.Start)
	return h
}

// count compares the numbers of pieces at the end of a turn.
func (h *History) count(b Board) {
	lead := 0
	for _, piece := range b {
		switch {
		case 'A' <= piece && piece <= 'Z':
			lead++
		case 'a' <= piece && piece <= 'z':
			lead--
		}
	}
	switch {
	case lead > 0:
		h.score = Gold
	case lead < 0:
		h.score = Silver
	}
}

// Score says who wins if a limit ends the game now: docs/rules.md, "Who has won". Turns count that
// [History.Stop] has ended.
func (h *History) Score() Side { return h.score }

// Add counts one more end of a turn with this board and the side to move next.
func (h *History) Add(b Board, next Side) { h.seen[occurrence{b, next}]++ }

// remove undoes one Add.
func (h *History) remove(b Board, next Side) { h.seen[occurrence{b, next}]-- }

// Count is how often a turn has ended with this board and the side to move next.
func (h *History) Count(b Board, next Side) int { return h.seen[occurrence{b, next}] }

// Allowed reports whether one more turn may end with this board and the side to move next:
// docs/rules.md, "Ending a turn", a turn may not create a third occurrence.
func (h *History) Allowed(b Board, next Side) bool { return h.Count(b, next) < 2 }

// Stop ends the turn as [State.Stop] does and counts the position. The error is
// [ErrUnfinishedPush], [ErrUnchanged] or [ErrThirdRepetition] where the turn may not end here; then
// nothing is counted and the State returned is the one given.
func (h *History) Stop(st State) (State, error) {
	next, err := st.Stop()
	if err != nil {
		return st, err
	}
	if !h.Allowed(next.Board, next.Side) {
		return st, ErrThirdRepetition
	}
	h.Add(next.Board, next.Side)
	h.count(next.Board)
	return next, nil
}

// Outcome says who has won when a turn of the side moved has just ended with this board:
// docs/rules.md, "Who has won", all six rows in their order. Row 6 looks at the turns that the
// opponent could make now, so it does not matter whether this position itself has been added yet.
func (h *History) Outcome(b Board, moved Side) (winner Side, reason Reason, over bool) {
	winner, reason, over = Outcome(b, moved)
	if over {
		return winner, reason, over
	}
	for result := range ends(NewState(b, moved.Other()), nil) {
		if h.Allowed(result, moved) {
			return 0, Undecided, false
		}
	}
	return moved, Repetition, true
}
