package engine

import (
	"errors"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// TestProve asks about a position in which the third repetition leaves the opponent no turn: a win
// in one with the game, and none without it.
func TestProve(t *testing.T) {
	g, err := notation.ReadGame("game", "1w Eb2 Cc1 Rd2\n1b ca2 cb1 dc2 rb3\n2w ca2s Eb2w Ea2e\n2b ca1n\n3w\n")
	require.NoError(t, err)
	e := newEngine(t, Options{})
	if a, err := e.Prove(t.Context(), g, 1); err != nil || a.Verdict != answer.Proved || a.Within != 1 {
		t.Errorf("with the game: %+v, %v", a, err)
	}
	if a, err := e.Prove(t.Context(), arimaa.NewGame(g.Last(), 3), 1); err != nil || a.Verdict != answer.Disproved {
		t.Errorf("without it: %+v, %v", a, err)
	}
	if _, err := newEngine(t, Options{Without: Probe}).Prove(t.Context(), g, 1); !errors.Is(err, ErrNoProver) {
		t.Errorf("without the solver: %v", err)
	}
}
