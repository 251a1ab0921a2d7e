package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cluster"
	"goalproof/joblevel"
	"goalproof/proof"
	"goalproof/solve"
	"goalproof/tables"
)

// deciding are the options of a run that decides one hard question.
type deciding struct {
	Search
	Position string // which is decided
}

// decidingNodes is the usual limit of a question, some seconds of work, and decidingMemory what a
// solver takes at least, in bytes: little, so that a worker with many threads and the usual memory
// may take part. It keeps what it has found from one question to the next.
var (
	decidingNodes  uint64 = 3 << 20
	decidingMemory uint64 = 96 << 20
)

// mostFailed is how many questions of a run may fail: their parts are asked about.
const mostFailed = 16

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
		if a.Unproved = a.Proof == ""; err == nil && !a.Unproved {
			// A win may lead back to its position, which then has a shorter win.
			a.Win, err = beginning(won.position, a.Proof)
		}
		return a, err
	}
	return a, nil
}

// beginning returns the code of the turn with which a certificate of a win at a position begins.
func beginning(p arimaa.Position, text string) (uint32, error) {
	c, _, err := proof.Read(strings.NewReader(text), "certificate")
	if err != nil {
		return 0, err
	}
	g := arimaa.NewGame(p, arimaa.FirstTurn)
	if err := notation.Play(g, c.Entries[0].Turn); err != nil {
		return 0, err
	}
	return g.Turn(0).Code(), nil
}

// wonBy returns the win of an answer.
func wonBy(q *joblevel.Question, a *joblevel.Answer) (w win, err error) {
	if w.position, err = arimaa.UnpackPosition(q.Position); err != nil {
		return w, err
	}
	w.turns, w.fewer = q.N, true
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

// found returns the facts of an answer that was checked. Of wins these are the ones that its
// certificate proves, and no others: a win that this machine finds again by its facts is printed as
// proved.
func (d *decided) found() (f Facts, err error) {
	for _, x := range d.Facts.Facts {
		if x.RefutedUpTo > 0 {
			x.ProvedWithin, x.Turn = tables.Unproved, 0
			f.Facts = append(f.Facts, x)
		}
	}
	if d.Proof == "" {
		return f, nil
	}
	c, _, err := proof.Read(strings.NewReader(d.Proof), "certificate")
	if err != nil {
		return f, err
	}
	for _, e := range c.Entries {
		p, err := notation.ParsePosition(e.Position)
		if err != nil {
			return f, err
		}
		g := arimaa.NewGame(p, arimaa.FirstTurn)
		if err := notation.Play(g, e.Turn); err != nil {
			return f, err
		}
		f.Facts = append(f.Facts, Fact{p.AppendPacked(nil), tables.Fact{ProvedWithin: uint8(e.Rank), Turn: g.Turn(0).Code()}})
	}
	return f, nil
}

// Decide puts the questions about one position: whether the side to move wins within n turns, for
// one n after another. Workers remember what they have found, so answers to the same question
// differ in how far they go, and not in what is won or refuted.
type Decide struct {
	Position arimaa.Position
	// Solving are the options of the solver that searches before and afterwards. Its store takes the
	// facts that are found, at the end.
	Solving solve.Options
	// Unsure takes them in its place if the questions end before all is decided: a worker may still
	// prove to have lied.
	Unsure tables.Store
	// Killers are to be tried first.
	Killers joblevel.Killers
	// Wanted returns the next n to decide after an earlier one was, 0 if there is none.
	Wanted func(n int, verdict answer.Verdict) int
	// Progress is called after each answer.
	Progress func(*joblevel.Graph)
	Nodes    uint64 // that the answers took

	mu     sync.Mutex
	news   *sync.Cond
	first  int
	n      int  // that is being decided; 0: there is none
	over   bool // all was decided, and no question will be put
	graph  *joblevel.Graph
	staged map[string]Facts // of answers, by question, until it is certain that they count
	facts  int              // in staged
	failed int              // questions
	err    error
}

// Run decides, from some n on. At its end what was found is in the store, and nothing that came from
// a worker that was shut out. That the context is done is no error. The error wraps
// [cluster.ErrFalse] if false answers were taken by an earlier process, which was interrupted: what
// is found now is right.
func (m *Decide) Run(ctx context.Context, f *Flags, n int) (err error) {
	asker, closer, err := f.Open(ctx, solveKind, func(offer cluster.Offerer) (any, error) {
		s, err := searchOf(ctx, m.Solving, decidingNodes, offer)
		s.Memory, s.Facts = decidingMemory, true
		return &deciding{s, m.Position.String()}, err
	})
	if err != nil && ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closer.Close()) }()
	m.news = sync.NewCond(&m.mu)
	m.first, m.n, m.graph, m.staged = n, n, joblevel.New(m.Position, n), map[string]Facts{}
	m.graph.TryFirst(m.Killers)
	for a := range asker.(cluster.Talker).Talk(ctx, m.questions, m.check) {
		if err := m.take(&a); err != nil {
			m.end(err)
			break // the run is not over: its answers stay
		}
	}
	if m.err != nil {
		return m.err
	}
	if ctx.Err() != nil {
		return m.keep(m.Unsure)
	}
	return m.keep(m.Solving.Store)
}

// Graph returns the graph of the last n, after Run; nil if no question could be put.
func (m *Decide) Graph() *joblevel.Graph { return m.graph }

// keep puts what was found into a store: first what was decided, since a store in memory takes only
// so many facts.
func (m *Decide) keep(store tables.Store) error {
	for n, known := m.first, true; known && n > 0; {
		g := m.graph.For(n)
		for p, f := range g.Facts() {
			if err := store.Put(p.AppendPacked(nil), f); err != nil {
				return err
			}
		}
		if known = g.Verdict() != answer.Unknown; known {
			n = m.Wanted(n, g.Verdict())
		}
	}
	for _, question := range slices.Sorted(maps.Keys(m.staged)) {
		f := m.staged[question]
		if err := f.keep(store); err != nil {
			return err
		}
	}
	return nil
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
		defer context.AfterFunc(ctx, func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.news.Broadcast()
		})()
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
		if m.over = m.n == 0; m.over || ctx.Err() != nil {
			return q, false
		}
		q, ok = m.graph.Next()
		switch {
		case ok:
			return q, true
		case m.graph.Verdict() == answer.Unknown && m.graph.Err() == nil:
			m.news.Wait()
		default: // Next has decided the graph itself: a position was reached that had been decided elsewhere in it
			if m.err = m.follow(); m.err != nil {
				m.n = 0
			}
		}
	}
}

// take takes an answer. One that comes when all is decided may take back what decided it.
func (m *Decide) take(a *cluster.Answer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.news.Broadcast()
	var q joblevel.Question
	if err := read(a.Question, &q); err != nil {
		return err
	}
	switch {
	case a.Void:
		m.facts -= len(m.staged[string(a.Question)].Facts)
		delete(m.staged, string(a.Question))
		m.graph.Retract(q)
		m.n, m.graph = m.first, m.graph.For(m.first) // what follows from it is in doubt, too
	case a.Err != nil:
		if m.failed++; m.failed > mostFailed {
			return fmt.Errorf("%d questions have failed, the last one: %w: name another --run to begin again", m.failed, a.Err)
		}
		m.graph.Take(q, q.Unanswered())
	default:
		var d decided
		if err := unpack(a.Bytes, &d); err != nil {
			return err
		}
		found, err := d.found()
		if err != nil {
			return err
		}
		old := len(m.staged[string(a.Question)].Facts)
		if facts := m.facts - old + len(found.Facts); facts <= mostFound {
			m.staged[string(a.Question)], m.facts = found, facts
		}
		m.Nodes += d.Nodes
		m.graph.Take(q, d.Answer)
	}
	if err := m.follow(); err != nil || !m.over || m.n == 0 {
		return err
	}
	return errors.New("the answer that decided the question proved false at the end: run the command again, which keeps the other answers")
}

// follow turns to the next n once the present one is decided.
func (m *Decide) follow() error {
	for m.n > 0 {
		if err := m.graph.Err(); err != nil {
			return err
		}
		m.Progress(m.graph)
		v := m.graph.Verdict()
		if v == answer.Unknown {
			return nil
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
