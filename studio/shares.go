package studio

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"goalproof/solve"
)

// Jobs are of two classes. A long job (longKinds) goes through many positions, for minutes or
// hours. Somebody waits for the answer of a prompt job. So a prompt job overtakes long jobs that
// wait, and gets the memory of those that run between two of their positions (yield). No job
// overtakes another of its class.
//
// All long jobs together leave half of the memory to the prompt ones. A long job that asks for more
// than half runs while no other long job does.
const (
	maxRunning = 4 // jobs at the same time, if the memory suffices
	maxLong    = 2 // of them long ones
)

// longKinds are the kinds of long jobs.
var longKinds = map[string]bool{"verify": true, "mine": true, "review": true, "compose": true}

// share returns the memory of a job whose request names none, and which needs a least amount.
func (s *Server) share(least uint64) uint64 { return max(s.options.Memory/4, least) }

// start starts the waiting jobs that nothing keeps from running, each class in order. The lock is
// held.
func (q *queue) start() {
	for _, long := range []bool{false, true} {
		for j := q.first(long); j != nil && !q.closed && q.obstacle(j) == "" && q.room(j); j = q.first(long) {
			q.launch(j)
		}
	}
}

// launch runs a job that has its memory. The lock is held.
func (q *queue) launch(j *job) {
	j.began = time.Now()
	q.become(j, running)
	if j.stop != nil { // it had given way
		close(j.resumed)
		return
	}
	ctx, stop := context.WithCancel(q.ctx)
	j.stop = stop
	q.ended.Go(func() { q.work(ctx, j) })
}

// first returns the job of a class that runs next, or nil. The lock is held.
func (q *queue) first(long bool) *job {
	i := slices.IndexFunc(q.order, func(j *job) bool { return j.state == waiting && j.long() == long })
	if i < 0 {
		return nil
	}
	return q.order[i]
}

// holders are jobs or trees that hold memory.
type holders struct {
	names   []string
	memory  uint64 // that they hold
	keeps   uint64 // of it that they hold while they give way
	running int
}

// besides returns the other jobs of a class that hold memory. The lock is held.
func (q *queue) besides(j *job, long bool) (h holders) {
	for _, other := range q.order {
		if other == j || other.long() != long || other.held == 0 {
			continue
		}
		h.names = append(h.names, other.name())
		h.memory += other.held
		h.keeps += other.keeps
		if other.state == running {
			h.running++
		}
	}
	return h
}

// growing returns the trees that run: the others are dropped where memory is short. The lock is
// held.
func (q *queue) growing() (h holders) {
	for _, tr := range q.trees {
		if tr.runs {
			h.names = append(h.names, "tree ("+tr.id+")")
			h.memory += tr.memory
		}
	}
	return h
}

// obstacle says in words what keeps a waiting job from running; "" if nothing does. The lock is
// held.
func (q *queue) obstacle(j *job) string {
	prompt, long, trees := q.besides(j, false), q.besides(j, true), q.growing()
	next := q.first(j.long())
	if urgent := q.first(false); next == j && j.long() && q.runnable(urgent) {
		next = urgent
	}
	switch {
	case next != j:
		return "its turn: " + next.name() + " is first"
	case j.long() && long.running == maxLong:
		return fmt.Sprintf("its turn: %d long jobs run, the most that may", maxLong)
	case prompt.running+long.running == maxRunning:
		return fmt.Sprintf("its turn: %d jobs run, the most that may", maxRunning)
	case j.long() && long.running > 0 && long.memory+j.memory > q.all/2:
		return has(long.names) + " the half that long jobs may have"
	case prompt.memory+long.memory+trees.memory+j.memory > q.all:
		return has(slices.Concat(prompt.names, long.names, trees.names)) + " it"
	}
	return ""
}

// has begins to say who has the memory that a job waits for.
func has(names []string) string {
	if last := len(names) - 1; last > 0 {
		return "memory: " + strings.Join(names[:last], ", ") + " and " + names[last] + " have"
	}
	return "memory: " + names[0] + " has"
}

// waitsFor says in words what a waiting job waits for. The lock is held.
func (q *queue) waitsFor(j *job) string {
	if why := q.obstacle(j); why != "" {
		return why
	}
	return "memory: a tree that is looked at has it" // room could not drop it
}

// runnable reports whether a prompt job, if there is one, could run if all long jobs gave way. The
// lock is held.
func (q *queue) runnable(j *job) bool {
	if j == nil {
		return false
	}
	prompt := q.besides(j, false)
	return prompt.running < maxRunning && prompt.memory+q.besides(j, true).keeps+q.growing().memory+j.memory <= q.all
}

// room takes an idle solver or engine with the options of a job, or its memory from what is free.
// For that it drops the idle engine, then idle solvers, the least recently used first, and then
// trees that do not run. The lock is held.
func (q *queue) room(j *job) bool {
	if q.takeEngine(j) {
		return true
	}
	for i, s := range slices.Backward(q.idle) {
		if j.options != nil && s.options == *j.options {
			j.solver, j.held = s.solver, j.memory
			q.idle = slices.Delete(q.idle, i, i+1)
			return true
		}
	}
	for q.free < j.memory-j.held {
		switch {
		case q.dropEngine():
		case len(q.idle) > 0:
			q.free += q.idle[0].options.Memory
			q.idle = slices.Delete(q.idle, 0, 1)
		case !q.dropTree():
			return false
		}
	}
	q.free -= j.memory - j.held
	j.held = j.memory
	return true
}

// giveBack takes the memory of a job, but for what it keeps. A solver or an engine becomes idle,
// with its tables. The lock is held.
func (q *queue) giveBack(j *job, keeps uint64) {
	switch {
	case j.solver != nil:
		q.idle = append(q.idle, idleSolver{*j.options, j.solver})
		j.solver = nil
	case q.keepEngine(j):
	default:
		q.free += j.held - keeps
	}
	j.held = keeps
}

// solverOf returns the solver that a job has now, nil while it gives way.
func (q *queue) solverOf(j *job) *solve.Solver {
	q.mu.Lock()
	defer q.mu.Unlock()
	return j.solver
}

// keep records how much of its memory a long job still holds when it gives way.
func (q *queue) keep(j *job, bytes uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.keeps = bytes
}

// wanted reports whether a long job that runs is to give way: a prompt job waits that could then
// run. When the context is done, it is not.
func (q *queue) wanted(ctx context.Context) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return ctx.Err() == nil && q.runnable(q.first(false))
}

// yield gives way if that is wanted: job j, a long one between two positions, gives its memory and
// its solver back, and waits in the queue until it has them again. Its solver may then be another
// one. The error is that of the context, without which the job has neither, or of a new solver.
func (q *queue) yield(ctx context.Context, j *job) error {
	if !q.wanted(ctx) {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-q.park(j):
	}
	if j.options == nil || j.solver != nil {
		return ctx.Err()
	}
	solver, err := solve.New(*j.options)
	q.mu.Lock()
	defer q.mu.Unlock()
	j.solver = solver
	return err
}

// park puts a job that runs back into the queue. The channel is closed when it runs again.
func (q *queue) park(j *job) <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.took += time.Since(j.began)
	j.resumed = make(chan struct{})
	q.giveBack(j, j.keeps)
	q.become(j, waiting)
	q.start()
	return j.resumed
}
