package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/internal/memory"
)

// playTime is the time of the engine for a turn in seconds, unless its task says something else.
const playTime = 5

// submitTurn puts the search for the engine's turn in a game into the queue. The engine forgets what it has found when
// the job has ended: its tables are of use for one position above all, and other jobs need the memory.
func (s *Server) submitTurn(t Task) (Job, error) {
	if t.Text != "" || t.Name != "" || t.Turn != "" || t.Algorithm != "" || t.All || t.Any || t.WinIn != 0 || t.Claim != 0 || t.Describe {
		return Job{}, errors.New("play has the fields study, unusual, threads, memory and seconds alone")
	}
	p, err := s.goesOn(&t)
	if err != nil {
		return Job{}, err
	}
	o := engine.Options{Threads: t.Threads, Memory: memory.EngineTables(t.Memory, t.Threads), Endgames: s.options.Endgames}
	if o.Memory < engine.LeastMemory {
		return Job{}, fmt.Errorf("memory %d: it is too little for the engine", t.Memory)
	}
	t.Seconds = cmp.Or(t.Seconds, playTime)
	return s.queue.add(t, nil, t.Memory, func(ctx context.Context, j *job) (*Result, error) {
		e, err := engine.New(o)
		if err != nil {
			return nil, err
		}
		found, err := e.Search(ctx, p.game, engine.Limits{Time: t.each()}, nil)
		if err != nil {
			return nil, err
		}
		return p.answered(&found)
	})
}

// goesOn reads the study of a task, a game at the start of a turn that has not ended, and sets the threads and the memory.
func (s *Server) goesOn(t *Task) (*point, error) {
	if t.Study == nil {
		return nil, errors.New("there is no study")
	}
	p, err := t.Study.read()
	if err != nil {
		return nil, err
	}
	if _, err := t.question(p); err != nil {
		return nil, err
	}
	if o := p.game.Outcome(); o.Over() {
		return nil, fmt.Errorf("the game is over: %v wins by %v", o.Winner, o.Reason)
	}
	if _, err := s.solverOptions(t); err != nil { // which sets them
		return nil, err
	}
	t.Study = new(p.study())
	return p, nil
}

// answered is the result of a search for a turn. That the turn is legal is a matter of package arimaa here, not of the engine.
func (p *point) answered(found *engine.Report) (*Result, error) {
	last, after := p.game.Last(), p.game.At(p.game.Len())
	if err := after.Play(found.Turn); err != nil {
		return nil, fmt.Errorf("the engine's turn: %w", err)
	}
	side := last.Side()
	r := &Result{Verdict: "played", Says: "Nothing is proved.", Solutions: []Solution{}, Nodes: found.Nodes,
		Line: []ViewTurn{{p.label(), last.Notation(found.Turn)}}}
	switch {
	case found.Win > 0:
		r.Within = &found.Win
		r.Says = fmt.Sprintf("Proved: %v wins in at most %s.", side, amount(found.Win, "turn"))
	case found.Loss > 0:
		r.Says = fmt.Sprintf("Proved: %v wins in at most %s, whatever %v plays.", side.Other(), amount(found.Loss, "turn"), side)
	}
	if o := after.Outcome(); o.Over() {
		r.EndsBy = new(o.Reason.String())
	}
	return r, nil
}

// setupRequest sets the pieces of both sides up for a game: "Ra1 Rb1 Cc1", or "" where the engine is to choose.
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
