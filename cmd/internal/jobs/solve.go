package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/cluster"
	"goalproof/joblevel"
	"goalproof/solve"
)

// deciding are the options of a run that decides one hard question.
type deciding struct {
	Search
	Position string // which is decided
}

// decidingNodes is the usual limit of a question, some seconds of work, and decidingMemory what a
// worker's solver takes, in bytes. It keeps what it has found from one question to the next.
const (
	decidingNodes  = 3 << 20
	decidingMemory = 512 << 20
)

// decided is an answer.
type decided struct {
	joblevel.Answer
	Proof    string `json:",omitempty"` // the certificate of the win
	Unproved bool   `json:",omitempty"` // there is none
	Facts    Facts
}

// solveKind is the kind of questions of solve.
var solveKind = cluster.Kind{Name: "solve", Open: openAnswerer[deciding, *deciding], Memory: memoryOf[deciding, *deciding], Common: commonDecided}

func (o *deciding) answer(ctx context.Context, w *searcher, question []byte) (any, error) {
	var q joblevel.Question
	if err := read(question, &q); err != nil {
		return nil, err
	}
	a := &decided{}
	var err error
	if a.Answer, err = joblevel.Ask(ctx, w.solver, 1, o.Nodes, &q); err != nil {
		return nil, err
	}
	if a.Facts = w.facts.found(); a.Win != 0 {
		won, err := wonBy(&q, &a.Answer)
		if err != nil {
			return nil, err
		}
		a.Proof, err = w.prove(ctx, o.Nodes, solve.Question{Position: won.position, Deepest: q.N}, q.N, won.turn)
		a.Unproved = a.Proof == ""
		return a, err
	}
	return a, nil
}

// wonBy returns the win of an answer.
func wonBy(q *joblevel.Question, a *joblevel.Answer) (w win, err error) {
	if w.position, err = arimaa.UnpackPosition(q.Position); err != nil {
		return w, err
	}
	w.turns = q.N
	var legal bool
	if w.turn, _, legal = w.position.Decode(a.Win); !legal {
		return w, fmt.Errorf("the turn %d is not legal", a.Win)
	}
	return w, nil
}

// commonDecided is [cluster.Kind.Common]. Answers differ in how far they go. A win with a
// certificate needs nobody else to have found it, and facts that one answer alone has are left out.
func commonDecided(question, a, b []byte) ([]byte, bool) {
	var q joblevel.Question
	var x, y decided
	if read(question, &q) != nil || unpack(a, &x) != nil || unpack(b, &y) != nil {
		return a, false
	}
	both, agree := joblevel.Common(&q, &x.Answer, &y.Answer)
	if !agree {
		return a, false
	}
	common := decided{Answer: both, Facts: x.Facts.common(&y.Facts)}
	for _, z := range []*decided{&x, &y} {
		if z.Proof != "" {
			common.Answer, common.Proof = z.Answer, z.Proof
			break
		}
	}
	common.Unproved = common.Win != 0 && common.Proof == ""
	data, err := pack(&common)
	return data, err == nil
}

// Decide puts the questions about one position: whether the side to move wins within n turns, for
// one n after another.
type Decide struct {
	Position arimaa.Position
	// Solving are the options of the solver that goes on with what is found. Its store takes the
	// facts.
	Solving solve.Options
	// Wanted returns the next n to decide after an earlier one was, 0 if there is none.
	Wanted func(n int, verdict answer.Verdict) int
	// Progress is called after each answer.
	Progress func(*joblevel.Graph) error
	Nodes    uint64 // that the answers took

	mu    sync.Mutex
	news  *sync.Cond
	n     int // 0: all is decided
	graph *joblevel.Graph
	err   error
}

// Run decides, from some n on. What is found is in the store then. The error is that of the context
// if that is done.
func (m *Decide) Run(ctx context.Context, f *Flags, n int) (err error) {
	asker, closer, err := f.Open(ctx, solveKind, func(offer cluster.Offerer) (any, error) {
		s, err := searchOf(ctx, m.Solving, decidingNodes, offer)
		s.Memory, s.Facts = decidingMemory, true
		return &deciding{s, m.Position.String()}, err
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closer.Close()) }()
	m.news = sync.NewCond(&m.mu)
	m.n, m.graph = n, joblevel.New(m.Position, n)
	defer context.AfterFunc(ctx, m.news.Broadcast)()
	for a := range asker.(cluster.Talker).Talk(ctx, m.questions(ctx), m.check) {
		if err := m.take(&a); err != nil {
			m.end(err)
		}
	}
	return errors.Join(ctx.Err(), m.err)
}

// end ends the questions.
func (m *Decide) end(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n, m.err = 0, errors.Join(m.err, err)
	m.news.Broadcast()
}

// questions yields what the graph asks next, as long as there is something to decide.
func (m *Decide) questions(ctx context.Context) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			q, ok := m.next(ctx)
			if !ok {
				return
			}
			text, err := json.Marshal(q)
			if err != nil || !yield(text) {
				return
			}
		}
	}
}

// next waits for a question to ask; ok is false if there will be none.
func (m *Decide) next(ctx context.Context) (q joblevel.Question, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		if m.n == 0 || ctx.Err() != nil {
			return q, false
		}
		if q, ok = m.graph.Next(); ok {
			return q, true
		}
		m.news.Wait()
	}
}

// take takes an answer.
func (m *Decide) take(a *cluster.Answer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.news.Broadcast()
	var q joblevel.Question
	if err := read(a.Question, &q); err != nil {
		return err
	}
	switch {
	case m.n == 0:
		return nil
	case a.Void:
		m.graph.Retract(q)
	case a.Err != nil:
		return fmt.Errorf("a question to the cluster has failed: %w", a.Err)
	default:
		var d decided
		if err := unpack(a.Bytes, &d); err != nil {
			return err
		}
		if err := d.Facts.keep(m.Solving.Store); err != nil {
			return err
		}
		m.Nodes += d.Nodes
		m.graph.Take(q, d.Answer)
	}
	return m.follow()
}

// follow goes on to the next n when one is decided.
func (m *Decide) follow() error {
	for m.n > 0 {
		if err := m.graph.Err(); err != nil {
			return err
		}
		if err := m.Progress(m.graph); err != nil {
			return err
		}
		v := m.graph.Verdict()
		if v == answer.Unknown {
			return nil
		}
		for p, f := range m.graph.Facts() {
			if err := m.Solving.Store.Put(p.AppendPacked(nil), f); err != nil {
				return err
			}
		}
		if m.n = m.Wanted(m.n, v); m.n > 0 {
			m.graph = m.graph.For(m.n)
		}
	}
	return nil
}

// check says why an answer cannot be right.
func (m *Decide) check(question, data []byte) error {
	var q joblevel.Question
	if err := read(question, &q); err != nil {
		return err
	}
	var d decided
	if err := unpack(data, &d); err != nil {
		return err
	}
	if err := d.Answer.Check(&q); err != nil {
		return err
	}
	if err := d.Facts.check(m.Solving.Store); err != nil {
		return err
	}
	if d.Win == 0 {
		if d.Proof != "" || d.Unproved {
			return errors.New("a certificate that nobody wants")
		}
		return nil
	}
	w, err := wonBy(&q, &d.Answer)
	if err != nil {
		return err
	}
	return w.proved(context.Background(), d.Proof, d.Unproved)
}
