package engine

import (
	"context"
	"errors"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine/evaluation"
	"goalproof/engine/ordering"
	"goalproof/internal/testkit/boards"
)

// TestZeroValues gives the engine the zero value of what it takes, one at a time.
func TestZeroValues(t *testing.T) {
	ctx := t.Context()
	for name, o := range map[string]Options{
		"options": {}, "threads": {Memory: LeastMemory}, "threads below": {Memory: LeastMemory, Threads: -1}, "memory": {Threads: 1},
		"memory that is enough": {Threads: 1, Memory: LeastMemory - 1},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("New with no %s: there is no error", name)
		}
	}
	e := newEngine(t, Options{Memory: 8 << 20})
	p := boards.Parse(t, "g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	good := arimaa.NewGame(p, 2)
	for name, g := range map[string]*arimaa.Game{
		"game": nil, "zero game": {}, "position": arimaa.NewGame(arimaa.Position{}, 2),
		"board": arimaa.NewGame(arimaa.NewPosition(arimaa.Board{}, arimaa.Gold), 2), "steps left": arimaa.NewGame(p.WithStepsLeft(0), 2),
	} {
		if _, err := e.Search(ctx, g, Limits{Depth: 1}, nil); !errors.Is(err, ErrNoGame) {
			t.Errorf("Search with no %s: the error is %v", name, err)
		}
		if _, err := e.Prove(ctx, g, 2); !errors.Is(err, ErrNoGame) {
			t.Errorf("Prove with no %s: the error is %v", name, err)
		}
	}
	if _, err := e.Prove(ctx, good, 0); err == nil {
		t.Error("Prove in no turns: there is no error")
	}
	for name, e := range map[string]*Engine{"nil": nil, "zero": {}} {
		if _, err := e.Search(ctx, good, Limits{Depth: 1}, nil); !errors.Is(err, ErrNoEngine) {
			t.Errorf("Search of a %s engine: the error is %v", name, err)
		}
		if _, err := e.Prove(ctx, good, 2); !errors.Is(err, ErrNoEngine) {
			t.Errorf("Prove of a %s engine: the error is %v", name, err)
		}
	}
	var none context.Context
	if r, err := e.Search(none, good, Limits{Depth: 1}, nil); err != nil || r.Turn.Len() == 0 {
		t.Errorf("Search without a context: %v, %v", r.Turn, err)
	}
	if a, err := e.Prove(none, good, 2); err != nil || a.Verdict != answer.Proved {
		t.Errorf("Prove without a context: %v, %v", a.Verdict, err)
	}
	if all := Setup(arimaa.Silver, arimaa.Board{}, nil); len(all) != 16 {
		t.Errorf("Setup without a generator places %d pieces", len(all))
	}
	var o Options
	if err := o.Vary(""); err != nil || o != (Options{}) {
		t.Errorf("Vary by nothing: %+v, %v", o, err)
	}
	if text := Part(0).String(); text != "" {
		t.Errorf("no part is %q", text)
	}
}

// TestZeroWeights asks for the evaluation and the order of options with nothing to weigh by.
func TestZeroWeights(t *testing.T) {
	if _, err := evaluation.ParseNetwork(nil); err == nil {
		t.Error("no bytes are a network")
	}
	if _, err := ordering.Parse(nil); err == nil {
		t.Error("no bytes are weights for the order of options")
	}
	p := boards.Parse(t, "g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	var zero evaluation.Evaluator
	for name, got := range map[string]int{
		"the zero Evaluator":       zero.Score(&p.Board, arimaa.Gold),
		"the zero Weights":         evaluation.New(&evaluation.Weights{}, nil).Score(&p.Board, arimaa.Gold),
		"the zero Network":         evaluation.New(nil, &evaluation.Network{}).Score(&p.Board, arimaa.Gold),
		"an empty board":           evaluation.New(nil, nil).Score(&arimaa.Board{}, arimaa.Gold),
		"an empty board, Learned,": evaluation.New(nil, evaluation.Learned()).Score(&arimaa.Board{}, arimaa.Gold),
	} {
		if got != 0 {
			t.Errorf("%s scores %d", name, got)
		}
	}
	var w ordering.Weights
	var c ordering.Context
	c.Set(&p, &p.Board, nil)
	for _, o := range p.Options(nil) {
		if n := w.Score(&c, o); n != 0 {
			t.Errorf("the zero Weights give %v the score %d", o, n)
		}
	}
}
