// Package batch does many independent jobs on several goroutines and hands over what came
// out of them in order. It knows nothing of what a job is.
//
// A job that fails or panics has an error for its outcome; the others go on. When the
// context is done no further job begins, and those under way are expected to end soon by
// themselves. Jobs begin in order, so what was done is always a beginning of the list.
package batch

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Outcome is what came out of a job.
type Outcome[R any] struct {
	Job   int // from 0
	Value R
	Err   error // of the job, or of its worker's start; a *Panic where it panicked
}

// Panic is the error of a job that panicked.
type Panic struct {
	Value any    // what it panicked with
	Stack []byte // of the goroutine
}

// Error returns what the job panicked with, without the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap returns the error that the job panicked with, or nil if it was something else.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Run does the jobs 0 to jobs-1 on so many workers and yields their outcomes in order, each as soon
// as it and all before it are there. It yields nothing for jobs that did not begin because the context
// was done.
//
// Start makes what belongs to a worker alone, before its first job and again after a panic,
// which may have left it half changed. A job may use it without locks. Where the caller leaves the loop, the
// context of the jobs under way is cancelled. When the loop has ended, nothing runs any more.
func Run[W, R any](ctx context.Context, jobs, workers int, start func() (W, error),
	do func(ctx context.Context, w W, job int) (R, error)) iter.Seq[Outcome[R]] {
	return func(yield func(Outcome[R]) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var next atomic.Int64
		var wait sync.WaitGroup
		done := make(chan Outcome[R])
		for range min(max(workers, 1), jobs) {
			wait.Go(func() {
				w := worker[W, R]{start: start, do: do}
				for ctx.Err() == nil {
					job := int(next.Add(1)) - 1
					if job >= jobs {
						return
					}
					done <- w.work(ctx, job)
				}
			})
		}
		go func() {
			wait.Wait()
			close(done)
		}()
		defer func() {
			cancel()
			for range done { // let the workers go
			}
		}()
		due := 0
		early := map[int]Outcome[R]{} // outcomes that came before their turn
		for o := range done {
			early[o.Job] = o
			for o, ok := early[due]; ok; o, ok = early[due] {
				delete(early, due)
				due++
				if !yield(o) {
					return
				}
			}
		}
	}
}

// worker does one job after the other.
type worker[W, R any] struct {
	start   func() (W, error)
	do      func(context.Context, W, int) (R, error)
	state   W
	started bool
}

// work does a job and returns what came out of it, a panic included.
func (w *worker[W, R]) work(ctx context.Context, job int) (o Outcome[R]) {
	o.Job = job
	defer func() {
		if v := recover(); v != nil {
			var none W
			w.state, w.started = none, false
			o.Err = &Panic{v, debug.Stack()}
		}
	}()
	if !w.started {
		if w.state, o.Err = w.start(); o.Err != nil {
			return o
		}
		w.started = true
	}
	o.Value, o.Err = w.do(ctx, w.state, job)
	return o
}
