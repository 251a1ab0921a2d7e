package studio

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

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

// Brief is a job in a list.
type Brief struct {
	ID    string `json:"id"` // the letters of the studio, and a number
	Kind  string `json:"kind"`
	State string `json:"state"` // waiting, running, done, failed or stopped
	Says  string `json:"says"`  // the result in words, or the error; "" before
	// WaitsFor says in words why a waiting job waits, or is "".
	WaitsFor      string  `json:"waits_for"`
	Position      string  `json:"position"` // that the job is about, in one line; of a game the current one; "": none
	Label         string  `json:"label"`    // the name of a set, game or certificate, or the turn that is tried; "": none
	Trying        int     `json:"trying"`   // the number of turns N that the search tries
	report.Bounds         // that are known while the search runs
	Repetition    string  `json:"repetition,omitempty"` // of them: "set aside" or "counted"
	First         string  `json:"first"`                // the first turn of the win that is known; "": none
	*report.Line          // what is known of that win against the longest defence, while it is looked for
	Nodes         uint64  `json:"nodes"`
	Done          int     `json:"done"`             // parts of a check, puzzles, or what compose tries, that are done; of mine those that are found
	Total         int     `json:"total"`            // of them all; of mine, and of compose where it is small, 0
	Mined         *Mining `json:"mined,omitempty"`  // of a job that mines, once it has begun
	Missed        *missed `json:"missed,omitempty"` // of a review that is done
	Lines         []Best  `json:"lines,omitempty"`  // of an analysis: the best turns so far, the best first
	Seconds       float64 `json:"seconds"`          // for which the job has run
}

// Job is a job as it is shown.
type Job struct {
	Brief
	Request any     `json:"request"`
	Result  *Result `json:"result"`         // of a done job, or null
	Error   *string `json:"error"`          // of a failed job, or null
	Game    *Live   `json:"game,omitempty"` // of a game with clocks that has begun
}

// job is a job of the queue. The queue's lock guards what changes.
type job struct {
	id        string
	kind      string
	position  string
	label     string
	request   request
	limit     time.Duration
	memory    uint64         // that it takes while it runs
	held      uint64         // that it holds now
	keeps     uint64         // of it what a long job still holds while it gives way
	options   *solve.Options // of the solver that the job needs, or nil
	solver    *solve.Solver  // nil: none, or a new one
	run       func(ctx context.Context, j *job) (*Result, error)
	state     string
	began     time.Time     // to run, the last time
	took      time.Duration // before that
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
	stop      context.CancelFunc // nil: it has never run
	resumed   chan struct{}      // of a job that has given way: closed when it runs again
	changed   chan struct{}      // closed, and replaced, when the state changes
	progress  func(shown *Job)   // shows the progress of the running search, or nil
	parts     [2]int             // of a check: done, and all
}

// long reports whether the job is of the long class.
func (j *job) long() bool { return longKinds[j.kind] }

// name names a job in sentences.
func (j *job) name() string { return j.kind + " (" + j.id + ")" }

// queue runs jobs, several at a time if they fit into the memory together (shares.go). It keeps
// solvers between jobs: the facts of an earlier search often answer a question about a following
// position, so a job gets the solver with the same options that was used last.
type queue struct {
	ctx       context.Context
	studio    string // letters that begin the ids of this studio
	all       uint64 // bytes for everything
	mu        sync.Mutex
	jobs      map[string]*job
	order     []*job        // in order of arrival
	last      int           // number of the last job or tree
	free      uint64        // bytes that no job, idle solver, idle engine or tree holds
	idle      []idleSolver  // most recently used last
	engine    *idleEngine   // nil: none
	trees     []*tree       // most recently used last
	bell      chan struct{} // closed, and replaced, when a job or tree begins, ends, changes its state or is forgotten
	listeners map[*listener]bool
	closed    bool
	ended     sync.WaitGroup
}

type idleSolver struct {
	options solve.Options
	solver  *solve.Solver
}

func newQueue(ctx context.Context, memory uint64) *queue {
	letters := make([]byte, 6)
	for i := range letters {
		letters[i] = 'a' + byte(rand.IntN(26))
	}
	return &queue{ctx: ctx, studio: string(letters), all: memory, free: memory, jobs: map[string]*job{},
		bell: make(chan struct{}), listeners: map[*listener]bool{}}
}

// nextID returns the id of a new job or tree. No other studio gives it: the page of a studio that
// has ended asks this one in vain. The lock is held.
func (q *queue) nextID() string {
	q.last++
	return fmt.Sprintf("%s-%d", q.studio, q.last)
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
	if memory > q.all {
		return Job{}, fmt.Errorf("the job needs %s of memory, and the studio has %s: start it with more --memory",
			humanize.IBytes(memory), humanize.IBytes(q.all))
	}
	j := &job{id: q.nextID(), kind: r.named(), request: r, limit: limit, memory: memory, options: o, run: run,
		state: waiting, changed: make(chan struct{})}
	if r, ok := r.(interface{ asked() string }); ok {
		j.position = r.asked()
	}
	if r, ok := r.(interface{ label() string }); ok {
		j.label = r.label()
	}
	q.jobs[j.id] = j
	q.order = append(q.order, j)
	q.ring()
	q.start()
	return q.shown(j), nil
}

// work runs a job.
func (q *queue) work(ctx context.Context, j *job) {
	defer j.stop()
	limited, cancel := context.WithTimeout(ctx, j.limit)
	defer cancel()
	result, fine, err := j.safely(limited)
	q.mu.Lock()
	defer q.mu.Unlock()
	if j.state == running { // and has not been stopped while it gave way
		j.took += time.Since(j.began)
	}
	j.progress = nil
	j.result, j.err = result, err
	switch {
	case err == nil:
		q.become(j, done)
	case ctx.Err() != nil:
		q.become(j, stopped)
	default:
		q.become(j, failed)
	}
	if !fine {
		j.solver, j.engine = nil, nil
	}
	q.giveBack(j, 0)
	j.run = nil
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

// forget drops the jobs that have ended and were replaced, and the oldest of the others that have
// ended. The lock is held.
func (q *queue) forget() {
	n := 0
	for _, j := range q.order {
		if j.over() && !j.replaced {
			n++
		}
	}
	q.order = slices.DeleteFunc(q.order, func(j *job) bool {
		if !j.over() || n <= maxFinished && !j.replaced {
			return false
		}
		if !j.replaced {
			n--
		}
		delete(q.jobs, j.id)
		return true
	})
}

// over reports whether a job has ended.
func (j *job) over() bool { return j.state == done || j.state == failed || j.state == stopped }

// become changes the state of a job. The lock is held.
func (q *queue) become(j *job, state string) {
	j.state = state
	close(j.changed)
	j.changed = make(chan struct{})
	q.ring()
}

// shown returns a job as it is shown. The lock is held.
func (q *queue) shown(j *job) Job {
	shown := Job{Brief: Brief{ID: j.id, Kind: j.kind, State: j.state, Position: j.position, Label: j.label, Seconds: j.took.Seconds(),
		Done: j.parts[0], Total: j.parts[1], Mined: j.mined, Lines: j.best, Nodes: j.nodes}, Request: j.request, Result: j.result}
	switch j.state {
	case waiting:
		shown.WaitsFor = q.waitsFor(j)
	case running:
		shown.Seconds += time.Since(j.began).Seconds()
		if j.progress != nil {
			j.progress(&shown)
		}
	}
	if j.live != nil {
		shown.Game = j.live.now()
	}
	if j.result != nil {
		shown.Says, shown.Missed = j.result.Says, j.result.Missed
		if j.result.Answer != nil {
			shown.Nodes = j.result.Nodes
		}
	}
	if j.err != nil {
		shown.Says = inWords(j.err)
		shown.Error = new(shown.Says)
	}
	return shown
}

// list returns all jobs, the last one first.
func (q *queue) list() []Brief {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := []Brief{}
	for _, j := range slices.Backward(q.order) {
		all = append(all, q.shown(j).Brief)
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
	return q.shown(j), j.changed, nil
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

// halt stops a job. One that has not run ends at once, another soon, with what it knows.
func (q *queue) halt(id string) (Job, error) {
	return ofJob(q, id, func(j *job) (Job, error) {
		switch {
		case j.over():
		case j.stop == nil:
			j.err = errors.New("stopped before it began")
			q.become(j, stopped)
			q.forget()
			q.start() // others may have waited for its turn
		default:
			j.stop()
		}
		return q.shown(j), nil
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

// followSolver shows the progress of the solver of a job, which may get another one (yield).
func (q *queue) followSolver(j *job) {
	q.follow(j, func(shown *Job) {
		if j.solver != nil {
			shown.Trying, shown.Nodes = j.solver.Progress()
		}
	})
}

// close ends all jobs and waits for them. Their context must be done.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	for _, j := range q.order {
		if j.state == waiting && j.stop == nil {
			j.err = errShut
			q.become(j, stopped)
		}
	}
	q.mu.Unlock()
	q.ended.Wait()
}
