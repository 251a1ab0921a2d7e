package referee

import (
	"errors"
	"testing"

	"goalproof/internal/testkit/require"
)

func TestThirdRepetition(t *testing.T) {
	st := start(t, Gold, `
		8 r......e
		1 E......R`)
	h := NewHistory(st)
	if h.Count(st.Board, Gold) != 1 || h.Count(st.Board, Silver) != 0 {
		t.Error("the first position counts once, for the side to move")
	}
	turn := func(text string) {
		t.Helper()
		next, err := h.Stop(play(t, st, text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		st = next
	}
	root := st.Board
	for range 2 {
		turn("Ea1n")
		turn("eh8s")
		turn("Ea2s")
		if h.Count(root, Gold) == 1 {
			turn("eh7n")
		}
	}
	// The fourth turn would bring the first position for the third time.
	end := play(t, st, "eh7n")
	if h.Count(root, Gold) != 2 || h.Allowed(root, Gold) {
		t.Errorf("the first position has occurred %d times", h.Count(root, Gold))
	}
	if _, err := h.Stop(end); !errors.Is(err, ErrThirdRepetition) {
		t.Errorf("Stop: %v", err)
	}
	if h.Count(root, Gold) != 2 {
		t.Error("a turn that was refused is counted")
	}
	// With the other side to move the same board is another position, and without a history nothing
	// is forbidden.
	if !h.Allowed(root, Silver) || !end.MayStop() {
		t.Error("too much is forbidden")
	}
	// Passing through it within a turn is allowed.
	turn("eh7n eh8w")
}

func TestHistoryStopErrors(t *testing.T) {
	st := start(t, Gold, `
		5 ...r....
		4 ...E....`)
	h := NewHistory(st)
	if _, err := h.Stop(st); !errors.Is(err, ErrUnchanged) {
		t.Errorf("unchanged: %v", err)
	}
	if _, err := h.Stop(play(t, st, "rd5n")); !errors.Is(err, ErrUnfinishedPush) {
		t.Errorf("within a push: %v", err)
	}
}

// forcedReturn is a board on which a turn of gold leaves silver one turn only, and that turn brings
// the board back.
const forcedReturn = `
	3 .r......
	2 cEdR....
	1 .cC.....`

func TestRowSixOfTheTable(t *testing.T) {
	root := start(t, Gold, forcedReturn)
	h := NewHistory(root)
	const there = "ca2s Eb2w Ea2e"

	st, err := h.Stop(play(t, root, there))
	require.NoError(t, err)
	if _, reason, over := h.Outcome(st.Board, Gold); over {
		t.Fatalf("over by %v at the first time", reason)
	}
	replies := Results(st)
	if len(replies) != 1 || replies[0].Board != root.Board {
		t.Fatalf("%d replies, want one that restores the board", len(replies))
	}
	end, err := st.PlayTurn(replies[0].Turn)
	require.NoError(t, err)
	st, err = h.Stop(end)
	if err != nil || st != root {
		t.Fatalf("back at\n%s\n(%v)", st.Board, err)
	}

	// The second time the only reply would be the third occurrence of the root.
	st, err = h.Stop(play(t, st, there))
	require.NoError(t, err)
	if winner, reason, over := h.Outcome(st.Board, Gold); !over || winner != Gold || reason != Repetition {
		t.Errorf("%v by %v (%t), want gold by repetition", winner, reason, over)
	}
	if _, reason, over := Outcome(st.Board, Gold); over {
		t.Errorf("without a history: over by %v", reason)
	}
}

func TestWinByRepetition(t *testing.T) {
	root := start(t, Gold, forcedReturn)
	if WinIn(root, 2) {
		t.Error("by the definition there is no win in 2")
	}
	h := NewHistory(root)
	if h.WinIn(root, 1) {
		t.Error("there is no win in 1")
	}
	if !h.WinIn(root, 2) {
		t.Error("with the counts along the line there is a win in 2")
	}
	for position, n := range h.seen {
		if want := NewHistory(root).Count(position.board, position.next); n != want {
			t.Errorf("the history has been changed: %d times, want %d\n%s", n, want, position.board)
		}
	}
}
