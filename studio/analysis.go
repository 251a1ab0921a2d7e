package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/player"
	"goalproof/goal"
	"goalproof/internal/memory"
)

// The limits of an analysis, and its defaults.
const (
	maxLines      = 5
	defaultLines  = 3
	analysisTime  = 10 * time.Second
	replacingTime = 2 * time.Second // in which the analysis that is replaced ends
)

// analyzeRequest asks for the best turns in a position, as the engine sees them.
//
// A person who walks through a game asks about each position for a moment. So a request may name
// the analysis that it replaces. That one is stopped and forgotten, and its engine, with all that
// it has found, serves the new one.
type analyzeRequest struct {
	kind
	position
	Lines    int    `json:"lines"`    // the number of turns, 1 to 5; 0: 3
	Replaces string `json:"replaces"` // the job of an analysis, or ""
	resources
	timed
	options engine.Options
}

// Best is one of the best turns of an analysis.
type Best struct {
	Says   string   `json:"says"`   // what it is worth, in words; chances and scores are Gold's
	Chance *float64 `json:"chance"` // that the side to move wins, 0 to 1: gold_chance as that side sees it
	player.Candidate
}

func (t *analyzeRequest) submit(s *Server) (Job, error) {
	limit, err := t.each(analysisTime)
	if err != nil {
		return Job{}, err
	}
	if t.Lines < 0 || t.Lines > maxLines {
		return Job{}, fmt.Errorf("lines %d: it is 0 to %d", t.Lines, maxLines)
	}
	p, err := t.goesOn()
	if err != nil {
		return Job{}, err
	}
	t.Memory = cmp.Or(t.Memory, s.share(2*engine.LeastMemory)) // of which the tables have half at least
	if err := t.settle(s); err != nil {
		return Job{}, err
	}
	if t.Lines == 0 {
		t.Lines = defaultLines
	}
	t.options = engine.Options{Threads: t.Threads, Memory: memory.EngineTables(t.Memory, t.Threads), Endgames: s.options.Endgames}
	if t.options.Memory < engine.LeastMemory {
		return Job{}, fmt.Errorf("memory %d: it is too little for the engine", t.Memory)
	}
	if err := s.queue.replace(t.Replaces); err != nil {
		return Job{}, err
	}
	return s.queue.add(t, limit, nil, t.Memory, func(ctx context.Context, j *job) (*Result, error) {
		if j.engine == nil {
			if j.engine, err = engine.New(t.options); err != nil {
				return nil, err
			}
		}
		return s.analyze(ctx, j, p.game, t.Lines)
	})
}

// analyze finds the best turns in the last position of a game, until the context is done. The
// engine gets no limit in time: it would spend an eighth of that on long wins before it showed a
// turn.
func (s *Server) analyze(ctx context.Context, j *job, g *arimaa.Game, lines int) (*Result, error) {
	var detector goal.Detector
	var best []Best
	show := func(found []engine.Report) {
		player.Settle(&detector, g, found)
		best = bestOf(g, found)
		s.queue.analyzed(j, best, found)
	}
	found, err := player.Lines(ctx, j.engine, g, engine.Limits{}, lines, show)
	if err != nil {
		return nil, err
	}
	show(found)
	return &Result{Verdict: "analyzed", Says: fmt.Sprintf("%s (%s)", best[0].Turn, best[0].Says)}, nil
}

// bestOf returns the best turns in the last position of a game as they are shown.
func bestOf(g *arimaa.Game, found []engine.Report) []Best {
	last := g.Last()
	best := []Best{}
	for i := range found {
		b := Best{Says: player.Worth(found[i], last.Side()), Candidate: player.CandidateOf(g, &found[i])}
		if b.Gold != nil {
			chance := *b.Gold
			if last.Side() == arimaa.Silver {
				chance = math.Round(1e4*(1-chance)) / 1e4
			}
			b.Chance = &chance
		}
		best = append(best, b)
	}
	return best
}

// analyzed records what an analysis has found.
func (q *queue) analyzed(j *job, best []Best, found []engine.Report) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.best = best
	for _, r := range found {
		j.nodes = max(j.nodes, r.Nodes)
	}
}

// replace stops an analysis and forgets it, and waits until its engine is free. A job that is not
// there needs nothing.
func (q *queue) replace(id string) error {
	j, err := q.discard(id)
	if j == nil || err != nil {
		return err
	}
	limit := time.After(replacingTime)
	for changed := q.ending(j); changed != nil; changed = q.ending(j) {
		select {
		case <-changed:
		case <-limit:
			return nil // it holds its memory until it ends
		}
	}
	return nil
}

// errReplaced is the error of a request that replaces another job than an analysis.
var errReplaced = errors.New("replaces: only an analysis can be replaced; to stop another job, delete it")

// discard stops an analysis, and lets it be forgotten as soon as it has ended.
func (q *queue) discard(id string) (*job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.jobs[id]
	if j == nil {
		return nil, nil
	}
	if _, ok := j.request.(*analyzeRequest); !ok {
		return nil, errReplaced
	}
	j.replaced = true
	switch j.state {
	case waiting:
		q.become(j, stopped)
	case running:
		j.stop()
	}
	q.forget()
	q.start()
	return j, nil
}

// ending returns a channel that is closed when the state of a job changes, nil if it has ended.
func (q *queue) ending(j *job) <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j.over() {
		return nil
	}
	return j.changed
}

// idleEngine is the engine of the last analysis that has ended, with its tables and the memory of
// its job.
type idleEngine struct {
	options engine.Options
	engine  *engine.Engine
	memory  uint64
}

// takeEngine gives an analysis the idle engine, if it has the right options and memory: of almost
// equal memory the tables are equal. The lock is held.
func (q *queue) takeEngine(j *job) bool {
	r, ok := j.request.(*analyzeRequest)
	if !ok || q.engine == nil || q.engine.options != r.options || q.engine.memory != j.memory {
		return false
	}
	j.engine, j.held, q.engine = q.engine.engine, j.memory, nil
	return true
}

// keepEngine keeps the engine of an analysis that has ended, with its memory, in place of an older
// one. The lock is held.
func (q *queue) keepEngine(j *job) bool {
	r, ok := j.request.(*analyzeRequest)
	if !ok || j.engine == nil {
		return false
	}
	q.dropEngine()
	q.engine, j.engine = &idleEngine{r.options, j.engine, j.memory}, nil
	return true
}

// dropEngine frees the memory of the idle engine, if there is one. The lock is held.
func (q *queue) dropEngine() bool {
	if q.engine == nil {
		return false
	}
	q.free += q.engine.memory
	q.engine = nil
	return true
}
