package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cluster"
	"goalproof/cmd/internal/search"
	"goalproof/internal/memory"
	"goalproof/solve"
	"goalproof/tools/experiment"
)

// comparing are the options of a run that compares searches.
type comparing struct {
	Cells []search.Cell
	WinIn int
	Nodes uint64 // the limit of a run
}

// contest is the question about a position: what do the searches of some cells find? One machine
// answers for all of them, one after the other, since only their times compare.
type contest struct {
	Position string
	Game     *line // that led to it; nil: none did
	Cells    []int
}

// compared is its answer.
type compared struct {
	Runs     []experiment.Run // one for each cell; which position of the plan it is nobody knows here
	Turn     uint32           `json:",omitempty"` // the first one of the shortest win that was proved
	Proof    string           `json:",omitempty"` // its certificate
	Unproved bool             `json:",omitempty"` // there is none
}

// experimentKind is the kind of questions of experiment. Answers agree if they do but for times.
var experimentKind = cluster.Kind{
	Name: "experiment",
	Open: func(_ context.Context, options []byte, _ cluster.Room, _ cluster.Inputs) (cluster.Answerer, error) {
		o, err := readComparing(options)
		return o, err
	},
	Memory: func(options []byte) (uint64, error) {
		o, err := readComparing(options)
		if err != nil {
			return 0, err
		}
		return o.memory() + memory.Experiment, nil
	},
	Common: cluster.But(untimed),
}

// untimed returns an answer without times.
func untimed(data []byte) ([]byte, error) {
	var a compared
	if err := unpack(data, &a); err != nil {
		return nil, err
	}
	for i := range a.Runs {
		a.Runs[i].Time = 0
	}
	return json.Marshal(a)
}

// readComparing reads the options of a run.
func readComparing(options []byte) (*comparing, error) {
	var o comparing
	if err := read(options, &o); err != nil {
		return nil, fmt.Errorf("the options of the run: %w", err)
	}
	return &o, nil
}

// memory returns the greatest memory of a search, in bytes.
func (o *comparing) memory() (most uint64) {
	for _, c := range o.Cells {
		most = max(most, c.Memory)
	}
	return most
}

// read reads a question.
func (o *comparing) read(question []byte) (c contest, q solve.Question, err error) {
	if err := read(question, &c); err != nil {
		return c, q, err
	}
	q = solve.Question{Deepest: o.WinIn, NoLine: true}
	if q.Position, err = notation.ParsePosition(c.Position); err != nil {
		return c, q, err
	}
	if c.Game != nil {
		if q.Game, err = c.Game.played(); err != nil {
			return c, q, err
		}
	}
	for _, cell := range c.Cells {
		if cell < 0 || cell >= len(o.Cells) {
			return c, q, fmt.Errorf("there is no cell %d", cell)
		}
	}
	return c, q, q.Check()
}

// Answer implements [cluster.Answerer].
func (o *comparing) Answer(ctx context.Context, question []byte) ([]byte, error) {
	c, q, err := o.read(question)
	if err != nil {
		return nil, err
	}
	var a compared
	var first arimaa.Turn
	for _, cell := range c.Cells {
		found, _, err := o.Cells[cell].Search(ctx, q, answer.Limit{Nodes: o.Nodes})
		if err := errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		if least := a.least(); found.Verdict == answer.Proved && (least == 0 || found.Within < least) {
			first = found.Line[0].Turn
		}
		a.Runs = append(a.Runs, RunOf(found, cell))
	}
	if n := a.least(); n > 0 {
		a.Turn = first.Code()
		if a.Proof, err = o.prove(ctx, q, n, first); err != nil {
			return nil, err
		}
		a.Unproved = a.Proof == ""
	}
	return pack(a)
}

// RunOf returns the run that an answer of a search in a cell is.
func RunOf(a solve.Answer, cell int) experiment.Run {
	return experiment.Run{Cell: cell, Verdict: a.Verdict, Stop: a.Stop, Bounds: a.Bounds, Nodes: a.Nodes, Time: a.Time}
}

// least returns the number of turns of the shortest win that was proved, 0 if there is none.
func (a *compared) least() (n int) {
	for _, r := range a.Runs {
		if r.Verdict == answer.Proved && (n == 0 || r.Within < n) {
			n = r.Within
		}
	}
	return n
}

// prove returns the text of the certificate of a win, as [searcher.prove] does. The searches of the
// cells are over, and of pns there are no certificates: another solver makes it.
func (o *comparing) prove(ctx context.Context, q solve.Question, n int, turn arimaa.Turn) (string, error) {
	s, err := solve.New(solve.Options{Memory: o.memory(), Threads: 1})
	if err != nil {
		return "", err
	}
	return (&searcher{solver: s}).prove(ctx, o.Nodes, q, n, turn)
}

// Experiment puts the questions of experiment.
type Experiment struct {
	Plan  *experiment.Plan
	Cells []search.Cell // what those of the plan search with
	// Search returns the question about a position of the plan.
	Search func(position int) solve.Question
}

// options are those of the run.
func (e *Experiment) options() *comparing {
	return &comparing{Cells: e.Cells, WinIn: e.Plan.WinIn, Nodes: e.Plan.Limit.Nodes}
}

// Open begins a run.
func (e *Experiment) Open(ctx context.Context, f *Flags) (cluster.Asker, io.Closer, error) {
	return f.Open(ctx, experimentKind, func(cluster.Offerer) (any, error) { return e.options(), nil })
}

// Question implements [Questions].
func (e *Experiment) Question(d experiment.Due) ([]byte, error) {
	q := e.Search(d.Position)
	c := contest{Position: q.Position.String(), Cells: d.Cells}
	if q.Game != nil {
		l := lineOf(q.Game)
		c.Game = &l
	}
	return json.Marshal(c)
}

// Here implements [Questions].
func (e *Experiment) Here(experiment.Due) ([]experiment.Run, error) { return nil, nil }

// Check implements [Questions]: runs that are possible, and one certificate for all wins that they
// found, since the shortest one is within the turns of each.
func (e *Experiment) Check(ctx context.Context, question, data []byte) error {
	c, q, err := e.options().read(question)
	if err != nil {
		return err
	}
	var a compared
	if err := unpack(data, &a); err != nil {
		return err
	}
	if len(a.Runs) != len(c.Cells) {
		return fmt.Errorf("%d runs of %d", len(a.Runs), len(c.Cells))
	}
	for i, r := range a.Runs {
		if r.Cell != c.Cells[i] || r.Position != 0 || r.Verdict > answer.Disproved || r.Stop != answer.Finished && r.Stop != answer.Memory && r.Stop != answer.Nodes {
			return errors.New("a run that nobody has asked for, or that ends otherwise than runs do")
		}
		if err := e.Plan.Check(r); err != nil {
			return err
		}
	}
	n := a.least()
	if n == 0 {
		if a.Turn != 0 || a.Proof != "" || a.Unproved {
			return errors.New("a certificate that nobody wants")
		}
		return nil
	}
	first, _, legal := q.Position.Decode(a.Turn)
	if !legal {
		return errors.New("the win begins with a turn that is not legal")
	}
	w := win{position: q.Position, game: q.Game, turns: n, turn: first}
	return w.proved(ctx, a.Proof, a.Unproved)
}

// Result implements [Questions].
func (e *Experiment) Result(d experiment.Due, answer cluster.Answer) ([]experiment.Run, error) {
	var a compared
	err := unpack(answer.Bytes, &a)
	for i := range a.Runs {
		a.Runs[i].Position = d.Position
	}
	return a.Runs, err
}
