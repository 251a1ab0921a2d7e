package studio

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/internal/memory"
	"goalproof/review"
	"goalproof/solve"
)

// The defaults of a review, and the effort of its evaluations.
const (
	reviewWinIn  = 3
	reviewEffort = 10_000
)

// reviewRequest asks for the review of a game of whole turns.
type reviewRequest struct {
	kind
	Study *Study `json:"study"`
	Name  string `json:"name"`   // of the game
	WinIn int    `json:"win_in"` // 0: 3
	searching
	timed           // for each turn, beside a limit in nodes; 0: none
	last  string    // position
	found *Reviewed // the queue's lock guards it
}

func (t *reviewRequest) asked() string { return t.last }

func (t *reviewRequest) label() string { return notation.Legible(t.Name) }

func (t *reviewRequest) submit(s *Server) (Job, error) {
	limit, err := t.each(0)
	if err := cmp.Or(err, within("win_in", t.WinIn, 0)); err != nil {
		return Job{}, err
	}
	if t.Study == nil {
		return Job{}, errors.New("there is no study")
	}
	p, err := t.Study.read()
	if err != nil {
		return Job{}, err
	}
	if p.game.Len() == 0 || p.steps.Len() > 0 {
		return Job{}, errors.New("review takes a game of whole turns, one at least")
	}
	given := t.Memory
	o, err := t.settle(s, false)
	if err != nil {
		return Job{}, err
	}
	// The solvers and the engine share the memory of the job, so they are not kept for others. A
	// limit in nodes makes the review reproducible.
	each := answer.Limit{Nodes: review.UsualNodes, Time: limit}
	threads := o.Threads
	o = o.ForNodes(each.Nodes, 1)
	least := o.Memory + memory.Evaluation
	if given == 0 {
		t.Memory = max(t.Memory, least)
	}
	n := min(threads, int(memory.BesideEvaluation(t.Memory)/o.Memory)) // the process is the studio's
	if n == 0 {
		return Job{}, fmt.Errorf("a review needs %s of memory", humanize.IBytes(least))
	}
	last := p.game.Last()
	t.Study, t.last, t.found = new(p.study()), last.String(), unreviewed(p.game)
	return s.queue.add(t, MaxTime, nil, t.Memory, func(ctx context.Context, j *job) (*Result, error) {
		return s.review(ctx, j, t, p.game, each, n, o)
	})
}

// review reviews a game with n solvers.
func (s *Server) review(ctx context.Context, j *job, t *reviewRequest, game *arimaa.Game, each answer.Limit, n int, o solve.Options) (*Result, error) {
	s.queue.keep(j, memory.Evaluation) // what the engine finds depends on its tables
	var solvers []*solve.Solver
	for range n {
		solver, err := solve.New(o)
		if err != nil {
			return nil, err
		}
		solvers = append(solvers, solver)
	}
	evaluates := engine.Options{Threads: 1, Memory: memory.Evaluation, Without: engine.Probe, Endgames: o.Endgames}
	e, err := engine.New(evaluates)
	if err != nil {
		return nil, err
	}
	record := review.NewRecord(cmp.Or(notation.Legible(t.Name), "game"), game)
	options := review.Options{
		WinIn: cmp.Or(t.WinIn, reviewWinIn), Limit: each, Engine: e, Effort: reviewEffort,
		Progress: func(done, total int) { s.queue.report(j, done, total) },
		Rest: func() func() {
			if !s.queue.wanted(ctx) {
				return nil
			}
			return func() { _ = s.queue.yield(ctx, j) } // the review sees the end of the context
		},
	}
	s.queue.followReview(t.found, &options)
	r, err := review.Game(ctx, solvers, record, options)
	if err != nil {
		return nil, err
	}
	page, err := r.HTML()
	if err != nil {
		return nil, err
	}
	result := &Result{Verdict: "reviewed", Says: r.Headline(), Page: "/pages/" + rand.Text()}
	if r.Interrupted {
		result.Says += " (interrupted)"
	}
	players := r.Players()
	result.Missed = &missed{players[arimaa.Gold].Missed, players[arimaa.Silver].Missed}
	s.queue.finish(t.found, r)
	s.queue.publish(result.Page, page, r.Annotated(), j)
	if s.options.Sync != nil {
		err = s.options.Sync()
		result.Kept = err == nil
	}
	return result, err
}

// publish keeps a page and the annotated game as long as their job.
func (q *queue) publish(path, page, annotated string, j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.path, j.page, j.annotated = path, page, annotated
}

// pagePolicy is the content security policy of a page made by a job: its inline script runs with an
// opaque origin, and can send no requests.
const pagePolicy = "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// made answers with a page made by a job. A person opens it, without a header, so its name is the
// secret.
func (s *Server) made(w http.ResponseWriter, r *http.Request) {
	s.queue.mu.Lock()
	page := ""
	for _, j := range s.queue.order {
		if j.path != "" && j.path == r.URL.Path {
			page = j.page
		}
	}
	s.queue.mu.Unlock()
	if page == "" {
		refuse(w, statusOf(errNoPage), errNoPage)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Del("Cross-Origin-Opener-Policy") // browsers refuse it together with a sandbox
	_, _ = w.Write([]byte(page))                 // the client may have disconnected
}

var errNoPage = missing("there is no such page")
