package studio

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/solve"
	"goalproof/solve/report"
)

// playTime is the engine's default time for a turn.
const playTime = 5 * time.Second

// playRequest asks for the engine's turn in a game. The engine forgets its findings when the job
// has ended: they serve mainly one position, and other jobs need the memory.
type playRequest struct {
	kind
	position
	resources
	timed
}

func (t *playRequest) submit(s *Server) (Job, error) {
	limit, err := t.each(playTime)
	if err != nil {
		return Job{}, err
	}
	p, err := t.goesOn()
	if err != nil {
		return Job{}, err
	}
	t.Memory = cmp.Or(t.Memory, s.share(2*engine.LeastMemory)) // of which the tables have half at least
	if err := t.settle(s); err != nil {
		return Job{}, err
	}
	o := engine.Options{Threads: t.Threads, Memory: memory.EngineTables(t.Memory, t.Threads), Endgames: s.options.Endgames}
	if o.Memory < engine.LeastMemory {
		return Job{}, fmt.Errorf("memory %d: it is too little for the engine", t.Memory)
	}
	return s.queue.add(t, limit, nil, t.Memory, func(ctx context.Context, j *job) (*Result, error) {
		e, err := engine.New(o)
		if err != nil {
			return nil, err
		}
		found, err := e.Search(ctx, p.game, engine.Limits{Time: limit}, nil)
		if err != nil {
			return nil, err
		}
		return p.answered(&found)
	})
}

// goesOn reads the study, a game at the start of a turn that has not ended.
func (p *position) goesOn() (*point, error) {
	at, err := p.start()
	if err != nil {
		return nil, err
	}
	if o := at.game.Outcome(); o.Over() {
		return nil, fmt.Errorf("the game is over: %v wins by %v", o.Winner, o.Reason)
	}
	return at, nil
}

// answered returns the result of a search for a turn. Package arimaa, not the engine, decides here
// that the turn is legal.
func (p *point) answered(found *engine.Report) (*Result, error) {
	last, after := p.game.Last(), p.game.At(p.game.Len())
	if err := after.Play(found.Turn); err != nil {
		return nil, fmt.Errorf("the engine's turn: %w", err)
	}
	side := last.Side()
	q := solve.Question{Position: last, Number: p.game.Number(p.game.Len())}
	known := report.Report{Question: q, Answer: solve.Answer{Bounds: answer.Bounds{Within: found.Win}, Nodes: found.Nodes,
		Line: []solve.Ply{{Before: last, Turn: found.Turn, Outcome: after.Outcome()}}}}
	r := &Result{Verdict: "played", Says: "Nothing is proved.", Answer: new(known.JSON())}
	switch {
	case found.Win > 0:
		r.Says = fmt.Sprintf("Proved: %v wins in at most %s.", side, printable.Amount(found.Win, "turn"))
	case found.Loss > 0:
		r.Says = fmt.Sprintf("Proved: %v wins in at most %s, whatever %v plays.", side.Other(), printable.Amount(found.Loss, "turn"), side)
	}
	return r, nil
}

// setupRequest sets the pieces of both sides up for a game: "Ra1 Rb1 Cc1", or "" to let the engine
// choose.
type setupRequest struct {
	Gold   string `json:"gold"`
	Silver string `json:"silver"`
	looks
}

// setup answers with a view of the position that the game begins with.
func (s *Server) setup(r setupRequest) (*View, error) {
	random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	var board arimaa.Board
	for side, text := range []string{r.Gold, r.Silver} {
		side := arimaa.Side(side)
		var all []arimaa.Placement
		if text == "" {
			all = engine.Setup(side, board, random)
		} else {
			var err error
			if all, err = notation.ParseSetup(side, text); err != nil {
				return nil, fmt.Errorf("%v: %w", side, err)
			}
		}
		for _, p := range all {
			board.Put(p.Square, p.Piece)
		}
	}
	p, err := (&Study{Position: arimaa.NewPosition(board, arimaa.Gold).String()}).read()
	if err != nil {
		return nil, err
	}
	return s.view(p, r.looks)
}
