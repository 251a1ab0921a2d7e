package jobs

import (
	"context"
	"encoding/json"
	"io"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cluster"
	"goalproof/puzzles"
	"goalproof/solve"
)

// mining are the options of a run that looks for puzzles.
type mining struct {
	Search
	WinIn int
	Lines bool
}

// sight is the question about a position.
type sight struct{ Position string }

// seen is its answer.
type seen struct {
	Found    puzzles.MiningFindings
	Proof    string `json:",omitempty"` // the certificate of the puzzle's win
	Unproved bool   `json:",omitempty"` // there is none
	Facts    Facts
}

// mineKind is the kind of questions of mine and library mine.
var mineKind = cluster.Kind{Name: "mine", Open: openAnswerer[mining, *mining], Memory: memoryOf[mining, *mining]}

// position reads a question.
func (o *mining) position(question []byte) (p arimaa.Position, err error) {
	var q sight
	if err := read(question, &q); err != nil {
		return p, err
	}
	if p, err = notation.ParsePosition(q.Position); err != nil {
		return p, err
	}
	return p, solve.Question{Position: p, Deepest: o.WinIn}.Check()
}

func (o *mining) answer(ctx context.Context, w *searcher, question []byte) (any, error) {
	p, err := o.position(question)
	if err != nil {
		return nil, err
	}
	if w.miner == nil {
		w.miner = &puzzles.Miner{Solver: w.solver, Turns: o.WinIn, Lines: o.Lines, Limit: o.limit(), Listing: o.limit()}
	}
	var l puzzles.Look
	if l.Found, l.Judgement, err = w.miner.Look(ctx, p); err != nil {
		return nil, err
	}
	a := &seen{Found: l.Findings(), Facts: w.facts.found()}
	if m := l.Found; m != nil {
		a.Proof, err = w.prove(ctx, o.Nodes, solve.Question{Position: p, Deepest: m.Turns}, m.Turns, m.Solution)
		a.Unproved = a.Proof == ""
	}
	return a, err
}

// Mine puts the questions of commands that look for puzzles in the positions of jobs.
type Mine[J any] struct {
	WinIn int
	Nodes uint64 // the limit of a position
	Lines bool
	// Position returns the position of a job, nil if it has none; err is then the error of the job.
	Position func(J) (p *arimaa.Position, err error)
	// Solving are the options of the solvers. Their store, if there is one, takes the facts.
	Solving solve.Options
}

// Open begins a run.
func (m *Mine[J]) Open(ctx context.Context, f *Flags) (cluster.Asker, io.Closer, error) {
	return f.Open(ctx, mineKind, func(offer cluster.Offerer) (any, error) {
		s, err := searchOf(ctx, m.Solving, m.Nodes, offer)
		return &mining{Search: s, WinIn: m.WinIn, Lines: m.Lines}, err
	})
}

// Question implements [Questions].
func (m *Mine[J]) Question(j J) ([]byte, error) {
	p, err := m.Position(j)
	if p == nil {
		return nil, err
	}
	return json.Marshal(sight{p.String()})
}

// Here implements [Questions].
func (m *Mine[J]) Here(J) (l puzzles.Look, err error) { return l, nil }

// Check implements [Questions].
func (m *Mine[J]) Check(ctx context.Context, question, data []byte) error {
	p, err := (&mining{WinIn: m.WinIn}).position(question)
	if err != nil {
		return err
	}
	var a seen
	if err := unpack(data, &a); err != nil {
		return err
	}
	l, err := a.Found.Look(p, m.WinIn, m.Lines)
	if err != nil {
		return err
	}
	if err := a.Facts.check(m.Solving.Store); err != nil || l.Found == nil {
		return err
	}
	w := win{position: p, turns: m.WinIn, turn: l.Found.Solution}
	return w.proved(ctx, a.Proof, a.Unproved)
}

// Result implements [Questions].
func (m *Mine[J]) Result(j J, answer cluster.Answer) (l puzzles.Look, err error) {
	var a seen
	if err := unpack(answer.Bytes, &a); err != nil {
		return l, err
	}
	p, err := m.Position(j)
	if err != nil {
		return l, err
	}
	if l, err = a.Found.Look(*p, m.WinIn, m.Lines); err != nil {
		return l, err
	}
	return l, a.Facts.keep(m.Solving.Store)
}
