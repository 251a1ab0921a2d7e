package studio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"goalproof/engine"
	"goalproof/puzzles"
	"goalproof/solve"
	"goalproof/solve/report"
)

// The limits of the queue.
const (
	MaxWaiting  = 50             // jobs that wait
	maxFinished = 200            // jobs that are kept when they have ended
	MaxTime     = 24 * time.Hour // of a job
	maxRunning  = 4              // jobs at the same time, if the memory suffices
	maxStreams  = 64             // streams of events
)

var (
	errBusy     = fmt.Errorf("%d jobs are waiting, the most that may: try again when some have ended", MaxWaiting)
	errNoJob    = missing("there is no such job")
	errNoFile   = missing("the job has written no certificate")
	errUnvaried = missing("the job has listed no variations")
	errShut     = errors.New("the studio is ending")
)

// The states of a job.
const (
	waiting = "waiting"
	running = "running"
	done    = "done"
	failed  = "failed"
	stopped = "stopped" // by request, without a result
)

// Job is a job as it is shown.
type Job struct {
	ID            string  `json:"id"`
	State         string  `json:"state"` // waiting, running, done, failed or stopped
	Request       any     `json:"request"`
	Trying        int     `json:"trying"` // the number of turns N that the search tries
	report.Bounds         // that are known while the search runs
	Repetition    string  `json:"repetition,omitempty"` // of them: "set aside" or "counted"
	First         string  `json:"first"`                // the first turn of the win that is known; "": none
	*report.Line          // what is known of that win against the longest defence, while it is looked for
	Nodes         uint64  `json:"nodes"`
	Done          int     `json:"done"`            // parts of a check, or puzzles, that are done; of mine those that are found
	Total         int     `json:"total"`           // parts of a check, or puzzles; of mine 0
	Mined         *Mining `json:"mined,omitempty"` // of a job that mines, once it has begun
	Lines         []Best  `json:"lines,omitempty"` // of an analysis: the best turns so far, the best first
	Seconds       float64 `json:"seconds"`
	Result        *Result `json:"result"`         // of a done job, or null
	Error         *string `json:"error"`          // of a failed job, or null
	Game          *Live   `json:"game,omitempty"` // of a game with clocks that has begun
}

// job is a job of the queue. The queue's lock guards what changes.
type job struct {
	id        string
	request   request
	limit     time.Duration
	memory    uint64
	options   *solve.Options // of the solver that the job needs, or nil
	solver    *solve.Solver  // nil: none, or a new one
	run       func(ctx context.Context, j *job) (*Result, error)
	state     string
	began     time.Time
	took      time.Duration
	result    *Result
	file      []byte // certificate
	varied    *report.Variation
	verified  []Verified       // puzzles of a set
	mined     *Mining          // of a job that mines, or nil
	found     []puzzles.Result // the same for export, while kept
	path      string           // of the page that the job has made
	page      string
	annotated string         // the game that was reviewed, with what was found
	live      *Live          // of a game with clocks
	best      []Best         // turns, of an analysis
	nodes     uint64         // of an analysis
	engine    *engine.Engine // of an analysis; nil: none, or a new one
	replaced  bool           // it is forgotten when it has ended
	err       error
	stop      context.CancelFunc
	changed   chan struct{}    // closed, and replaced, when the state changes
	progress  func(shown *Job) // shows the progress of the running search, or nil
	parts     [2]int           // of a check: done, and all
}

// queue runs jobs in order, several at a time if they fit into the memory together. It keeps
// solvers between jobs: the facts of an earlier search often answer a question about a following
// position, so a job gets the solver with the same options that was used last.
type queue struct {
	ctx     context.Context
	mu      sync.Mutex
	jobs    map[string]*job
	order   []*job // in order of arrival
	last    int    // number of the last job
	free    uint64 // bytes not taken by running jobs or idle solvers
	running int
	idle    []idleSolver // most recently used last
	engine  *idleEngine  // nil: none
	trees   []*tree      // most recently used last
	closed  bool
	ended   sync.WaitGroup
}

type idleSolver struct {
	options solve.Options
	solver  *solve.Solver
}

func newQueue(ctx context.Context, memory uint64) *queue {
	return &queue{ctx: ctx, jobs: map[string]*job{}, free: memory}
}

// add appends a job with a limit in time. It needs a solver with the given options or, if these are
// nil, just memory.
func (q *queue) add(r request, limit time.Duration, o *solve.Options, memory uint64, run func(context.Context, *job) (*Result, error)) (Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return Job{}, errShut
	}
	n := 0
	for _, j := range q.order {
		if j.state == waiting {
			n++
		}
	}
	if n >= MaxWaiting {
		return Job{}, errBusy
	}
	q.last++
	j := &job{id: strconv.Itoa(q.last), request: r, limit: limit, memory: memory, options: o, run: run, state: waiting, changed: make(chan struct{})}
	q.jobs[j.id] = j
	q.order = append(q.order, j)
	q.start()
	return j.shown(), nil
}

// start starts the jobs at the head of the queue that fit into the memory. The lock is held.
func (q *queue) start() {
	for _, j := range q.order {
		if j.state != waiting {
			continue
		}
		if q.closed || q.running == maxRunning || !q.room(j) {
			return
		}
		q.running++
		ctx, stop := context.WithCancel(q.ctx)
		j.stop = stop
		j.began = time.Now()
		j.become(running)
		q.ended.Go(func() { q.work(ctx, j) })
	}
}

// room takes an idle solver with the options of a job, or its memory from what is free. For that it
// drops the idle engine, then idle solvers, the least recently used first, and then searches that do
// not run.
func (q *queue) room(j *job) bool {
	if q.takeEngine(j) {
		return true
	}
	for i, s := range slices.Backward(q.idle) {
		if j.options != nil && s.options == *j.options {
			j.solver = s.solver
			q.idle = slices.Delete(q.idle, i, i+1)
			return true
		}
	}
	for q.free < j.memory {
		switch {
		case q.dropEngine():
		case len(q.idle) > 0:
			q.free += q.idle[0].options.Memory
			q.idle = slices.Delete(q.idle, 0, 1)
		case !q.dropTree():
			return false
		}
	}
	q.free -= j.memory
	return true
}

// work runs a job.
func (q *queue) work(ctx context.Context, j *job) {
	defer j.stop()
	limited, cancel := context.WithTimeout(ctx, j.limit)
	defer cancel()
	result, fine, err := j.safely(limited)
	q.mu.Lock()
	defer q.mu.Unlock()
	j.took = time.Since(j.began)
	j.progress = nil
	j.result, j.err = result, err
	switch {
	case err == nil:
		j.become(done)
	case ctx.Err() != nil:
		j.become(stopped)
	default:
		j.become(failed)
	}
	if fine && j.solver != nil {
		q.idle = append(q.idle, idleSolver{*j.options, j.solver})
	} else if !fine || !q.keepEngine(j) {
		q.free += j.memory
	}
	j.solver, j.engine, j.run = nil, nil, nil
	q.running--
	q.forget()
	q.start()
}

// safely runs a job. A panic becomes an error, so that one job does not end the others; the solver
// is then not fine to keep.
func (j *job) safely(ctx context.Context) (r *Result, fine bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			r, fine, err = nil, false, fmt.Errorf("internal error: %v", p)
		}
	}()
	if j.options != nil && j.solver == nil {
		if j.solver, err = solve.New(*j.options); err != nil {
			return nil, false, err
		}
	}
	r, err = j.run(ctx, j)
	return r, true, err
}

// forget drops the oldest jobs that have ended, and those that were replaced. The lock is held.
func (q *queue) forget() {
	n := 0
	for _, j := range q.order {
		if j.over() {
			n++
		}
	}
	q.order = slices.DeleteFunc(q.order, func(j *job) bool {
		if !j.over() || n <= maxFinished && !j.replaced {
			return false
		}
		n--
		delete(q.jobs, j.id)
		return true
	})
}

// over reports whether a job has ended.
func (j *job) over() bool { return j.state == done || j.state == failed || j.state == stopped }

// become changes the state of a job. The lock is held.
func (j *job) become(state string) {
	j.state = state
	close(j.changed)
	j.changed = make(chan struct{})
}

// shown returns a job as it is shown. The lock is held.
func (j *job) shown() Job {
	shown := Job{ID: j.id, State: j.state, Request: j.request, Seconds: j.took.Seconds(), Result: j.result, Done: j.parts[0], Total: j.parts[1],
		Mined: j.mined, Lines: j.best, Nodes: j.nodes}
	if j.state == running {
		shown.Seconds = time.Since(j.began).Seconds()
		if j.progress != nil {
			j.progress(&shown)
		}
	}
	if j.live != nil {
		shown.Game = j.live.now()
	}
	if j.result != nil && j.result.Answer != nil {
		shown.Nodes = j.result.Nodes
	}
	if j.err != nil {
		shown.Error = new(j.err.Error())
	}
	return shown
}

// list returns all jobs, the last one first.
func (q *queue) list() []Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := []Job{}
	for _, j := range slices.Backward(q.order) {
		all = append(all, j.shown())
	}
	return all
}

// look returns a job, and a channel that is closed when its state changes.
func (q *queue) look(id string) (Job, <-chan struct{}, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.jobs[id]
	if j == nil {
		return Job{}, nil, errNoJob
	}
	return j.shown(), j.changed, nil
}

// ofJob returns what read finds in a job. The error is errNoJob, or that of read, which holds the
// lock.
func ofJob[Found any](q *queue, id string, read func(*job) (Found, error)) (found Found, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.jobs[id]
	if j == nil {
		return found, errNoJob
	}
	return read(j)
}

// absent returns err if what was asked for is not there.
func absent(yes bool, err error) error {
	if yes {
		return err
	}
	return nil
}

// halt stops a job. A waiting job ends at once, a running one soon, with what it knows.
func (q *queue) halt(id string) (Job, error) {
	return ofJob(q, id, func(j *job) (Job, error) {
		switch j.state {
		case waiting:
			j.err = errors.New("stopped before it began")
			j.become(stopped)
			q.forget()
		case running:
			j.stop()
		}
		return j.shown(), nil
	})
}

// report records the progress of a check.
func (q *queue) report(j *job, done, total int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.parts = [2]int{done, total}
}

// follow sets the function that reports the progress of a search.
func (q *queue) follow(j *job, progress func(*Job)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.progress = progress
}

// begin starts work that close waits for. It reports whether it did; it does not when the studio is
// ending.
func (q *queue) begin(work func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.ended.Go(work)
	}
	return !q.closed
}

// close ends all jobs and waits for them. Their context must be done.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	for _, j := range q.order {
		if j.state == waiting {
			j.err = errShut
			j.become(stopped)
		}
	}
	q.mu.Unlock()
	q.ended.Wait()
}

// interval is the time between two reports about a job that runs.
const interval = 200 * time.Millisecond

// events streams the states of a job as server-sent events until it has ended.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, func() (any, <-chan struct{}, time.Duration, error) {
		job, changed, err := s.queue.look(r.PathValue("id"))
		switch job.State {
		case waiting: // nothing happens to it
			return job, changed, 0, err
		case running:
			return job, changed, interval, err
		}
		return job, nil, 0, err
	})
}

// stream writes server-sent events. Look returns the current one, a channel that is closed when the
// next one is due, or nil if this is the last, and the time after which it is due at the latest, if
// not 0.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, look func() (any, <-chan struct{}, time.Duration, error)) {
	event, changed, after, err := look()
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		refuse(w, http.StatusServiceUnavailable, fmt.Errorf("%d streams of events are open, the most that may be: close other windows", maxStreams))
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // a search may take hours
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		if writeEvent(w, control, event) != nil || changed == nil {
			return
		}
		var due <-chan time.Time
		if after > 0 {
			due = time.After(after)
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.ctx.Done():
			return
		case <-changed:
		case <-due:
		}
		if event, changed, after, err = look(); err != nil {
			return
		}
	}
}

// writeEvent writes a server-sent event.
func writeEvent(w http.ResponseWriter, control *http.ResponseController, event any) error {
	text, err := json.Marshal(event)
	if err != nil {
		return err
	}
	_ = control.SetWriteDeadline(time.Now().Add(10 * time.Second))
	if _, err := fmt.Fprintf(w, "data: %s\n\n", text); err != nil {
		return err
	}
	return control.Flush()
}
