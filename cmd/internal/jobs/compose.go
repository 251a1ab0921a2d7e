package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cluster"
	"goalproof/puzzles"
	"goalproof/puzzles/compose"
	"goalproof/solve"
)

// composing are the options of a run that takes puzzles apart.
type composing struct {
	Search
	Task compose.Task
}

// source is the question about a puzzle: what can be made of it?
type source struct {
	Position string
	Claim    int
}

// composed is its answer.
type composed struct {
	Found  compose.Findings
	Proofs []string // certificates of the wins that it speaks of, in their order; empty: there is none
}

// composeKind is the kind of questions of compose.
var composeKind = cluster.Kind{Name: "compose", Open: openAnswerer[composing, *composing], Memory: memoryOf[composing, *composing]}

// read reads a question.
func (o *composing) read(question []byte) (p arimaa.Position, claim int, err error) {
	var q source
	if err := read(question, &q); err != nil {
		return p, 0, err
	}
	if p, err = notation.ParsePosition(q.Position); err != nil {
		return p, 0, err
	}
	return p, q.Claim, solve.Question{Position: p, Deepest: q.Claim}.Check()
}

func (o *composing) answer(ctx context.Context, w *searcher, question []byte) (any, error) {
	p, claim, err := o.read(question)
	if err != nil {
		return nil, err
	}
	states, err := compose.OpenStates("", o.Task.Aim, o.Task.Themes, o.Task.Rounds, o.Task.Seed)
	if err != nil {
		return nil, err
	}
	m, err := compose.New(w.solver, o.limit()).Make(ctx, o.Task, p, claim, states)
	if err != nil {
		return nil, err
	}
	a := &composed{Found: m.Findings(p)}
	for _, claimed := range m.Wins(p) {
		proof, err := o.proveAny(ctx, w, claimed)
		if err != nil {
			return nil, err
		}
		a.Proofs = append(a.Proofs, proof)
	}
	return a, nil
}

// proveAny returns the text of the certificate of a win, which may begin with any turn, as
// [searcher.prove] does.
func (o *composing) proveAny(ctx context.Context, w *searcher, c compose.Win) (string, error) {
	q := solve.Question{Position: c.Position, Deepest: c.Turns, NoLine: true}
	limited, cancel := w.solver.Start(ctx, o.limit())
	defer cancel()
	if c.Solution.Len() == 0 {
		a, err := w.solver.Solve(limited, q)
		if err != nil || len(a.Line) == 0 {
			return "", errors.Join(err, ctx.Err())
		}
		c.Solution = a.Line[0].Turn
	}
	return w.prove(ctx, o.Nodes, q, c.Turns, c.Solution)
}

// Compose puts the questions of compose.
type Compose[R any] struct {
	Task  compose.Task
	Nodes uint64 // the limit of a position
	// Take returns the result of a puzzle, given what was made of it; the zero value is that of one
	// that could not be read.
	Take func(compose.Made) R
	// Solving are the options of the solvers.
	Solving solve.Options
}

// Open begins a run.
func (c *Compose[R]) Open(ctx context.Context, f *Flags) (cluster.Asker, io.Closer, error) {
	return f.Open(ctx, composeKind, func(offer cluster.Offerer) (any, error) {
		s, err := searchOf(ctx, c.Solving, c.Nodes, offer)
		return &composing{Search: s, Task: c.Task}, err
	})
}

// Question implements [Questions].
func (c *Compose[R]) Question(p puzzles.Puzzle) ([]byte, error) {
	if p.Err != nil {
		return nil, nil
	}
	return json.Marshal(source{p.Position.String(), p.Claim})
}

// Here implements [Questions].
func (c *Compose[R]) Here(puzzles.Puzzle) (r R, err error) { return r, nil }

// Check implements [Questions]: what is possible, and a certificate of each win that it speaks of.
func (c *Compose[R]) Check(ctx context.Context, question, data []byte) error {
	p, claim, err := (&composing{}).read(question)
	if err != nil {
		return err
	}
	var a composed
	if err := unpack(data, &a); err != nil {
		return err
	}
	m, err := a.Found.Made(c.Task, p, claim)
	if err != nil {
		return err
	}
	wins := m.Wins(p)
	if len(wins) != len(a.Proofs) {
		return fmt.Errorf("%d certificates, where %d are due", len(a.Proofs), len(wins))
	}
	unproved := error(nil)
	for i, claimed := range wins {
		w := win{position: claimed.Position, turns: claimed.Turns, turn: claimed.Solution}
		switch err := w.proved(ctx, a.Proofs[i], a.Proofs[i] == ""); {
		case errors.Is(err, cluster.ErrUnproved):
			unproved = err
		case err != nil:
			return err
		}
	}
	return unproved
}

// Result implements [Questions].
func (c *Compose[R]) Result(p puzzles.Puzzle, answer cluster.Answer) (r R, err error) {
	var a composed
	if err := unpack(answer.Bytes, &a); err != nil {
		return r, err
	}
	m, err := a.Found.Made(c.Task, p.Position, p.Claim)
	return c.Take(m), err
}
