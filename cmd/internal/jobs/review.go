package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"goalproof/answer"
	"goalproof/cluster"
	"goalproof/engine"
	"goalproof/internal/memory"
	"goalproof/proof"
	"goalproof/review"
	"goalproof/solve"
)

// reviewing are the options of a run that reviews games.
type reviewing struct {
	Search
	WinIn   int
	Effort  uint64
	Defence uint64
	Certify bool // the user asks for certificates: the facts of their searches are kept
}

// game is the question about a game.
type game struct {
	Name string // for messages
	line
}

// reviewed is its answer.
type reviewed struct {
	Review   []byte      // as review.Encode writes it
	Proofs   []gameProof `json:",omitempty"` // of the proved wins, in the order of the turns
	Unproved []int       `json:",omitempty"` // turns before the proved wins that have none
	Facts    Facts
}

// gameProof is the certificate of a win.
type gameProof struct {
	At     int    // turns before it
	Longer bool   `json:",omitempty"` // it was not completed within the limit of the user
	Text   string // of the certificate
}

// reviewKind is the kind of questions of review and library review.
var reviewKind = cluster.Kind{Name: "review", Open: openAnswerer[reviewing, *reviewing], Memory: memoryOf[reviewing, *reviewing]}

func (o *reviewing) more() uint64 {
	if o.Effort == 0 {
		return 0
	}
	return memory.Evaluation
}

// record reads a question.
func (o *reviewing) record(question []byte) (r review.Record, err error) {
	var q game
	if err := read(question, &q); err != nil {
		return r, err
	}
	g, err := q.played()
	return review.Record{Name: q.Name, Game: g}, err
}

// options are those of [review.Game], without an engine.
func (o *reviewing) options() review.Options {
	return review.Options{WinIn: o.WinIn, Limit: o.limit(), Defence: answer.Limit{Nodes: o.Defence}, Effort: o.Effort}
}

func (o *reviewing) answer(ctx context.Context, w *searcher, question []byte) (any, error) {
	r, err := o.record(question)
	if err != nil {
		return nil, err
	}
	options := o.options()
	if w.facts != nil {
		options.Notes = w.facts
	}
	if o.Effort > 0 && w.engine == nil {
		w.engine, err = engine.New(engine.Options{Threads: 1, Memory: memory.Evaluation, Without: engine.Probe, Endgames: w.endgames})
		if err != nil {
			return nil, err
		}
	}
	options.Engine = w.engine
	v, err := review.Game(ctx, []*solve.Solver{w.solver}, r, options)
	if err != nil {
		return nil, err
	}
	a := &reviewed{}
	if a.Review, err = v.Encode(); err != nil {
		return nil, err
	}
	if !o.Certify {
		a.Facts = w.facts.found()
	}
	if err := o.prove(ctx, w, v, a); err != nil {
		return nil, err
	}
	if o.Certify {
		a.Facts = w.facts.found()
	}
	return a, nil
}

// prove adds the certificates of all proved wins: those that are completed within the limit, as the
// user asks for them, and others.
func (o *reviewing) prove(ctx context.Context, w *searcher, v *review.Review, a *reviewed) error {
	var late []int
	for i := range v.Standings {
		if !v.Claims(i) || v.Standings[i].Win.Tabled && !o.Certify {
			continue
		}
		t, err := certificateOf(ctx, w.solver, v, o.limit(), i)
		switch {
		case err != nil:
			return err
		case t == "":
			late = append(late, i)
		default:
			a.Proofs = append(a.Proofs, gameProof{At: i, Text: t})
		}
	}
	w.facts.end()
	for _, i := range late {
		if v.Standings[i].Win.Tabled {
			continue
		}
		t, err := certificateOf(ctx, w.solver, v, answer.Limit{Nodes: proofNodes * o.Nodes}, i)
		switch {
		case err != nil:
			return err
		case t == "":
			a.Unproved = append(a.Unproved, i)
		default:
			a.Proofs = append(a.Proofs, gameProof{At: i, Longer: true, Text: t})
		}
	}
	slices.SortFunc(a.Proofs, func(a, b gameProof) int { return a.At - b.At })
	return nil
}

// certificateOf returns the text of the certificate of the win at position i, "" if it is not
// completed.
func certificateOf(ctx context.Context, s *solve.Solver, v *review.Review, limit answer.Limit, i int) (string, error) {
	c, err := v.Certificate(ctx, s, limit, i)
	if err != nil || c == nil {
		return "", err
	}
	return text(c)
}

// Review puts the questions of commands that review games, which are those of jobs.
type Review[J, R any] struct {
	Options review.Options // the limit is one in nodes
	// Certifier returns what takes the certificates of a game, as [review.Options] has it. Nil: the
	// user asks for none.
	Certifier func(*review.Record) func(i int, c *proof.Certificate) error
	// Record returns the game of a job, nil if it has none that is to be reviewed; err is then the
	// error of the job, and Otherwise returns its result.
	Record    func(J) (r *review.Record, err error)
	Otherwise func(J) (R, error)
	// Take returns the result of a job, given its review.
	Take func(J, *review.Review) (R, error)
	// Solving are the options of the solvers. Their store, if there is one, takes the facts.
	Solving solve.Options
}

// Open begins a run.
func (v *Review[J, R]) Open(ctx context.Context, f *Flags) (cluster.Asker, io.Closer, error) {
	return f.Open(ctx, reviewKind, func(offer cluster.Offerer) (any, error) {
		s, err := searchOf(ctx, v.Solving, v.Options.Limit.Nodes, offer)
		return &reviewing{Search: s, WinIn: v.Options.WinIn, Effort: v.Options.Effort, Defence: v.Options.Defence.Nodes, Certify: v.Certifier != nil}, err
	})
}

// Question implements [Questions].
func (v *Review[J, R]) Question(j J) ([]byte, error) {
	r, err := v.Record(j)
	if r == nil || err != nil {
		return nil, err
	}
	return json.Marshal(game{r.Name, lineOf(r.Game)})
}

// Here implements [Questions].
func (v *Review[J, R]) Here(j J) (R, error) { return v.Otherwise(j) }

// read reads an answer about a game.
func (v *Review[J, R]) read(r review.Record, data []byte) (a reviewed, found *review.Review, err error) {
	if err := unpack(data, &a); err != nil {
		return a, nil, err
	}
	if found, err = review.Decode(r, a.Review); err != nil {
		return a, nil, err
	}
	return a, found, found.Possible(v.Options, v.Options.Effort > 0, v.Solving.Endgames)
}

// Check implements [Questions].
func (v *Review[J, R]) Check(ctx context.Context, question, data []byte) error {
	r, err := (&reviewing{}).record(question)
	if err != nil {
		return err
	}
	a, found, err := v.read(r, data)
	if err != nil {
		return err
	}
	if err := a.Facts.check(v.Solving.Store); err != nil {
		return err
	}
	proofs := map[int]string{}
	for _, p := range a.Proofs {
		if p.At < 0 || p.At >= len(found.Standings) || !found.Claims(p.At) || proofs[p.At] != "" {
			return errors.New("a certificate that nobody wants")
		}
		proofs[p.At] = p.Text
	}
	unproved := error(nil)
	for i := range found.Standings {
		if !found.Claims(i) || found.Standings[i].Win.Tabled && proofs[i] == "" {
			continue
		}
		w := winIn(found, i)
		switch err := w.proved(ctx, proofs[i], slices.Contains(a.Unproved, i)); {
		case errors.Is(err, cluster.ErrUnproved):
			unproved = fmt.Errorf("turn %s: %w", r.Game.Label(i), err)
		case err != nil:
			return fmt.Errorf("turn %s: %w", r.Game.Label(i), err)
		}
	}
	return unproved
}

// winIn returns the win that a review claims at position i.
func winIn(v *review.Review, i int) win {
	s := &v.Standings[i]
	return win{position: v.Record.Game.Position(i), game: v.Record.Game.At(i), turns: s.Win.Within, turn: s.Turn}
}

// Result implements [Questions].
func (v *Review[J, R]) Result(j J, answer cluster.Answer) (result R, err error) {
	r, err := v.Record(j)
	if err != nil {
		return result, err
	}
	a, found, err := v.read(*r, answer.Bytes)
	if err != nil {
		return result, err
	}
	found.Time = answer.Took
	if err := a.Facts.keep(v.Solving.Store); err != nil {
		return result, err
	}
	if v.Certifier != nil {
		if err := v.certify(&a, found); err != nil {
			return result, fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	return v.Take(j, found)
}

// certify has the certificates that the user asks for taken.
func (v *Review[J, R]) certify(a *reviewed, found *review.Review) error {
	take := v.Certifier(&found.Record)
	for _, p := range a.Proofs {
		if p.Longer {
			continue
		}
		w := winIn(found, p.At)
		c, err := w.read(p.Text)
		if err == nil {
			err = take(p.At, c)
		}
		if err != nil {
			return fmt.Errorf("turn %s: %w", found.Record.Game.Label(p.At), err)
		}
	}
	return nil
}
