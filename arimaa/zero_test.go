package arimaa_test

import (
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestZeroPosition asks about the zero Position: it is none, and nothing can be played there.
func TestZeroPosition(t *testing.T) {
	var p arimaa.Position
	if err := p.CheckStart(); err == nil || !strings.Contains(err.Error(), "no position") {
		t.Errorf("CheckStart: %v", err)
	}
	board := arimaa.NewPosition(arimaa.Board{}, arimaa.Silver)
	if err := board.CheckStart(); err == nil || !strings.Contains(err.Error(), "the board is empty") {
		t.Errorf("CheckStart of an empty board: %v", err)
	}
	start := boards.Parse(t, "g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	if err := start.CheckStart(); err != nil {
		t.Errorf("CheckStart at the start of a turn: %v", err)
	}
	inside := start.WithStepsLeft(0)
	if err := inside.CheckStart(); err == nil || !strings.Contains(err.Error(), "start of a turn") {
		t.Errorf("CheckStart with no steps left: %v", err)
	}
	if options := p.Options(nil); len(options) != 0 {
		t.Errorf("options %v", options)
	}
	if _, ok := p.Try(arimaa.Turn{}); ok {
		t.Error("the zero turn is legal")
	}
	var g arimaa.Generator
	if g.Len() != 0 || g.Generate(&p) != 0 {
		t.Error("there are results of turns")
	}
	if o := arimaa.NewGame(p, 0).Outcome(); !o.Over() {
		t.Error("a game on an empty board is not over")
	}
	if _, err := arimaa.UnpackPosition(nil); err == nil {
		t.Error("no bytes are a packed position")
	}
}

// TestZeroTurn builds turns of zero steps, which add nothing.
func TestZeroTurn(t *testing.T) {
	p := boards.Parse(t, "g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	for name, turn := range map[string]arimaa.Turn{
		"zero": {}, "zero step": arimaa.Turn{}.With(0), "zero option": arimaa.Turn{}.WithOption(0), "before": arimaa.Turn{}.Before(0),
	} {
		if turn != (arimaa.Turn{}) || turn.Swapped() != turn || turn.Mirrored() != turn {
			t.Errorf("%s: %d steps", name, turn.Len())
		}
		if text := p.Notation(turn); text != "" {
			t.Errorf("%s: the notation is %q", name, text)
		}
		if _, ok := p.Try(turn); ok {
			t.Errorf("%s: it is legal", name)
		}
	}
	if s := arimaa.Step(0).Swapped(); s != 0 {
		t.Errorf("the zero step, turned over, is %v", s)
	}
	var s arimaa.State
	if _, err := s.Play(0); err == nil {
		t.Error("the zero step is played")
	}
	if err := s.MayEnd(); err == nil {
		t.Error("the zero state may end a turn")
	}
}

// TestZeroGame plays in the zero Game, which has no position.
func TestZeroGame(t *testing.T) {
	var g arimaa.Game
	if p := g.Last(); p != (arimaa.Position{}) {
		t.Errorf("the last position is %v", p)
	}
	if !g.Outcome().Over() {
		t.Error("it is not over")
	}
	if err := g.Play(arimaa.Turn{}); err == nil || !strings.Contains(err.Error(), "no first position") {
		t.Errorf("Play: %v", err)
	}
	if err := g.TakeBack(); err == nil {
		t.Error("a turn is taken back")
	}
	at := g.At(0)
	if p := at.Last(); p != (arimaa.Position{}) || g.Len() != 0 || len(g.Twice(arimaa.Gold)) != 0 || len(g.Setup(arimaa.Gold)) != 0 {
		t.Error("it has positions")
	}
	if _, ok := g.Find(arimaa.FirstTurn, arimaa.Gold); ok {
		t.Error("it has a turn")
	}
	if n := g.Occurrences(&arimaa.Board{}, arimaa.Gold); n != 0 {
		t.Errorf("the empty board has occurred %d times", n)
	}
}

// TestZeroOutcome has a game that goes on: neither side has won it.
func TestZeroOutcome(t *testing.T) {
	var o arimaa.Outcome
	if o.Over() || o.WonBy(arimaa.Gold) || o.WonBy(arimaa.Silver) {
		t.Errorf("%+v is over", o)
	}
}
