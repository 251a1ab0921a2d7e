package pns

import (
	"context"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
)

// TestZeroValues asks questions that are none, and goes on without a search: both are errors, and
// never an answer.
func TestZeroValues(t *testing.T) {
	if _, err := New(0); err == nil {
		t.Error("New accepts no memory")
	}
	s, err := New(16 << 20)
	require.NoError(t, err)
	void := func(what, want string, r Result) {
		t.Helper()
		if r.Verdict != answer.Unknown || s.Err() == nil || !strings.Contains(s.Err().Error(), want) {
			t.Errorf("%s: %v, the error is %v, want %q", what, r.Verdict, s.Err(), want)
		}
	}
	void("Advance without a search", "no search", s.Advance(1))
	void("Continue without a search", "no search", s.Continue(t.Context()))
	p, err := notation.ParsePosition("g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	require.NoError(t, err)
	for _, tt := range []struct {
		zero, want string
		q          Question
	}{
		{"question", "there is no position", Question{}},
		{"position", "there is no position", Question{N: 2}},
		{"board", "the board is empty", Question{Position: arimaa.NewPosition(arimaa.Board{}, arimaa.Gold), N: 2}},
		{"steps left", "start of a turn", Question{Position: p.WithStepsLeft(0), N: 2}},
		{"N", "a win in 0", Question{Position: p}},
		{"rank", "no rank", Question{Position: p, N: 2, Aim: goal.RabbitOn(0)}},
	} {
		void("Solve with no "+tt.zero, tt.want, s.Solve(t.Context(), tt.q))
		s.Begin(tt.q)
		void("Begin with no "+tt.zero, tt.want, s.Advance(1))
		if _, err := s.Root(); err == nil {
			t.Errorf("with no %s there is a graph", tt.zero)
		}
	}
	var none context.Context
	if r := s.Solve(none, Question{Position: p, N: 2}); r.Verdict != answer.Proved || s.Err() != nil {
		t.Errorf("without a context: %v, %v", r.Verdict, s.Err())
	}
}
