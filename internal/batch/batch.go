// Package batch runs many independent jobs on several goroutines and delivers their outcomes in
// order.
//
// A job that fails or panics has an error as its outcome and does not affect the others. When the
// context is done no further job begins, and running jobs are expected to end soon. Jobs begin in
// order, so the finished ones are always a prefix of the list.
//
// The list may be endless: a free worker takes the next job, and no job begins far ahead of the
// first one whose outcome has not been yielded.
package batch

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"sync"
)

// Outcome is the outcome of a job.
type Outcome[J, R any] struct {
	Job   J
	Value R
	Err   error // of the job, or of the start of its worker; a *Panic if it panicked

	number int // of the job, from 0
}

// Panic is the error of a job that panicked.
type Panic struct {
	Value any    // what it panicked with
	Stack []byte // of the goroutine
}

// Error returns the value that the job panicked with, without the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap returns the error that the job panicked with, or nil if it was something else.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Run runs jobs on a number of workers and yields their outcomes in order, each as soon as it and
// all earlier ones are available. It yields nothing for jobs that did not begin because the context
// was done. At most ahead jobs have begun whose outcomes have not been yielded: later outcomes
// would only wait in memory, and be lost at an interruption. If ahead is less than the number of
// workers, some of them are idle.
//
// Start makes the state of a worker, which its jobs may use without locks: before its first job,
// and again after a panic, which may have corrupted it. If the caller leaves the loop, the context
// of the running jobs is cancelled. When the loop has ended, no job is running; it also waits for
// the sequence of jobs if that is about to yield one.
func Run[W, J, R any](ctx context.Context, jobs iter.Seq[J], workers, ahead int, start func() (W, error),
	do func(ctx context.Context, w W, job J) (R, error)) iter.Seq[Outcome[J, R]] {
	return func(yield func(Outcome[J, R]) bool) {
		ctx, cancel := context.WithCancel(ctx)
		l := list[J, R]{}
		l.next, l.stop = iter.Pull(jobs)
		room := make(chan struct{}, max(ahead, 1))
		done := make(chan Outcome[J, R])
		var wait sync.WaitGroup
		for range max(workers, 1) {
			wait.Go(func() {
				w := worker[W, J, R]{start: start, do: do}
				for {
					select {
					case room <- struct{}{}:
					case <-ctx.Done():
						return
					}
					o, ok := l.take(ctx)
					if !ok {
						<-room
						return
					}
					w.work(ctx, &o)
					done <- o
				}
			})
		}
		go func() {
			wait.Wait()
			close(done)
		}()
		defer func() {
			cancel()
			for range done { // release the workers
			}
			l.stop()
		}()
		due := 0
		early := map[int]Outcome[J, R]{} // outcomes that are not due yet
		for o := range done {
			early[o.number] = o
			for o, ok := early[due]; ok; o, ok = early[due] {
				delete(early, due)
				due++
				if !yield(o) {
					return
				}
				<-room
			}
		}
	}
}

// Numbers yields the numbers from first to end-1 as jobs.
func Numbers(first, end int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for job := first; job < end && yield(job); job++ {
		}
	}
}

// list holds the jobs that have not begun.
type list[J, R any] struct {
	mu    sync.Mutex
	next  func() (J, bool)
	stop  func()
	taken int
	ended bool
}

// take takes a job, unless there is none or the context is done. If the sequence of jobs panics,
// the panic is the outcome of a last job.
func (l *list[J, R]) take(ctx context.Context) (o Outcome[J, R], ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || ctx.Err() != nil {
		return o, false
	}
	defer func() {
		if v := recover(); v != nil {
			o.Err, ok, l.ended = &Panic{v, debug.Stack()}, true, true
		}
	}()
	o.number = l.taken
	l.taken++
	o.Job, ok = l.next()
	l.ended = !ok
	return o, ok && ctx.Err() == nil
}

// worker runs jobs one after another.
type worker[W, J, R any] struct {
	start   func() (W, error)
	do      func(context.Context, W, J) (R, error)
	state   W
	started bool
}

// work runs a job and records its outcome, which may be a panic.
func (w *worker[W, J, R]) work(ctx context.Context, o *Outcome[J, R]) {
	defer func() {
		if v := recover(); v != nil {
			var none W
			w.state, w.started = none, false
			o.Err = &Panic{v, debug.Stack()}
		}
	}()
	if !w.started && o.Err == nil {
		w.state, o.Err = w.start()
		w.started = o.Err == nil
	}
	if o.Err == nil {
		o.Value, o.Err = w.do(ctx, w.state, o.Job)
	}
}
