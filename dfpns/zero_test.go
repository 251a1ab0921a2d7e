package dfpns

import (
	"context"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
)

// TestZeroValues gives the entry points the zero value of what they take, one at a time: that is an
// error, and never an answer.
func TestZeroValues(t *testing.T) {
	ctx := t.Context()
	s := New(Options{Facts: 1 << 20, Numbers: 1 << 20})
	p := boards.Parse(t, "g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	questions := map[string]struct {
		q    Question
		want string
	}{
		"question":    {Question{}, "there is no position"},
		"position":    {Question{N: 2}, "there is no position"},
		"board":       {Question{Position: arimaa.NewPosition(arimaa.Board{}, arimaa.Gold), N: 2}, "the board is empty"},
		"steps left":  {Question{Position: p.WithStepsLeft(0), N: 2}, "start of a turn"},
		"N":           {Question{Position: p}, "a win in 0"},
		"N below":     {Question{Position: p, N: -1}, "a win in -1"},
		"N too large": {Question{Position: p, N: MaxTurns + 1}, "a win in 201"},
		"longest":     {Question{Position: p, N: 2, Longest: MaxTurns + 1}, "a win in 201"},
		"rank":        {Question{Position: p, N: 2, Aim: goal.RabbitOn(0)}, "no rank"},
	}
	for name, tt := range questions {
		for function, call := range map[string]func() error{
			"Solve":     func() error { _, err := s.Solve(ctx, tt.q); return err },
			"SolveTurn": func() error { _, err := s.SolveTurn(ctx, tt.q, arimaa.Turn{}); return err },
			"All":       func() error { _, _, err := s.All(ctx, tt.q); return err },
			"Loss":      func() error { _, err := s.Loss(ctx, tt.q); return err },
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s, no %s: the error is %v, want %q", function, name, err, tt.want)
			}
		}
	}
	decided := func(int, bool) { t.Error("Wins decides about what is no question") }
	if _, err := s.Wins(ctx, []arimaa.Position{p, {}}, 2, decided); err == nil || !strings.Contains(err.Error(), "position 1: there is no position") {
		t.Errorf("Wins with the zero Position: %v", err)
	}
	if _, err := s.Wins(ctx, []arimaa.Position{p}, 0, decided); err == nil || !strings.Contains(err.Error(), "a win in 0") {
		t.Errorf("Wins in no turns: %v", err)
	}
}

// TestNoLimits asks with the least of everything: no context, no threads, no memory.
func TestNoLimits(t *testing.T) {
	var none context.Context
	s := New(Options{})
	p := boards.Parse(t, "g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	q := Question{Position: p, N: 2}
	r, err := s.Solve(none, q)
	if err != nil || r.Verdict != answer.Proved {
		t.Fatalf("Solve: %v, %v", r.Verdict, err)
	}
	if turn, err := s.SolveTurn(none, q, r.Turn); err != nil || turn.Verdict != answer.Proved {
		t.Errorf("SolveTurn: %v, %v", turn.Verdict, err)
	}
	if all, stop, err := s.All(none, q); err != nil || stop != answer.Finished || len(all) == 0 {
		t.Errorf("All: %d, %v, %v", len(all), stop, err)
	}
	lost := Question{Position: p.AfterTurn(r.Turn), N: 1}
	if l, err := s.Loss(none, lost); err != nil || l.Verdict != answer.Proved {
		t.Errorf("Loss: %v, %v", l.Verdict, err)
	}
	wins := false
	if _, err := s.Wins(none, []arimaa.Position{p}, 2, func(_ int, w bool) { wins = w }); err != nil || !wins {
		t.Errorf("Wins: %v, %v", wins, err)
	}
	if answer.StopOf(none) != answer.Interrupted {
		t.Errorf("a search without a context stopped: %v", answer.StopOf(none))
	}
}
