package jobs

import (
	"context"
	"iter"
	"runtime/debug"
	"sync"

	"goalproof/cluster"
	"goalproof/internal/batch"
)

// Questions are the questions of one kind, as a coordinator puts them about jobs of type J with
// results of type R.
type Questions[J, R any] interface {
	// Question returns the question of a job, nil if [Questions.Here] answers it. The error is that
	// of the job.
	Question(J) ([]byte, error)
	// Here answers a job that does not travel.
	Here(J) (R, error)
	// Check says why an answer cannot be right. It wraps [cluster.ErrUnproved] if it may be, but
	// has no proof. It may be called by several goroutines.
	Check(ctx context.Context, question, answer []byte) error
	// Result reads an answer that was checked, and keeps the facts that travel with it.
	Result(J, cluster.Answer) (R, error)
}

// Outcomes has the questions about some jobs answered, and yields the outcomes as [batch.Run] does.
// Before each it calls done.
func Outcomes[J, R any](ctx context.Context, a cluster.Asker, all iter.Seq[J], q Questions[J, R], done func(J)) iter.Seq[batch.Outcome[J, R]] {
	return func(yield func(batch.Outcome[J, R]) bool) {
		w := waiting[J, R]{}
		take := func(o batch.Outcome[J, R]) bool {
			done(o.Job)
			return yield(o)
		}
		check := func(question, answer []byte) error { return q.Check(ctx, question, answer) }
		for answer := range a.Ask(ctx, w.questions(all, q), check) {
			if !w.yieldHere(take) {
				return
			}
			o := w.take()
			if o.Err = answer.Err; o.Err == nil {
				o.Value, o.Err = q.Result(o.Job, answer)
			}
			if !take(o) {
				return
			}
		}
		w.yieldHere(take)
	}
}

// waiting are the jobs whose outcomes have not been yielded, in their order.
type waiting[J, R any] struct {
	mu  sync.Mutex
	all []waiter[J, R]
}

type waiter[J, R any] struct {
	batch.Outcome[J, R]
	here bool // it is complete
}

func (w *waiting[J, R]) add(o batch.Outcome[J, R], here bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, waiter[J, R]{o, here})
}

// take takes the first job.
func (w *waiting[J, R]) take() batch.Outcome[J, R] {
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.all[0].Outcome
	w.all = w.all[1:]
	return o
}

// yieldHere yields the outcomes before the first one that an answer is missing for.
func (w *waiting[J, R]) yieldHere(yield func(batch.Outcome[J, R]) bool) bool {
	for {
		w.mu.Lock()
		here := len(w.all) > 0 && w.all[0].here
		w.mu.Unlock()
		if !here {
			return true
		}
		if !yield(w.take()) {
			return false
		}
	}
}

// questions yields the questions of jobs. If the sequence of jobs panics, that is the outcome of a
// last job.
func (w *waiting[J, R]) questions(all iter.Seq[J], q Questions[J, R]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		inside := false // of yield, whose panics are not ours
		defer func() {
			if inside {
				return
			}
			if v := recover(); v != nil {
				w.add(batch.Outcome[J, R]{Err: &batch.Panic{Value: v, Stack: debug.Stack()}}, true)
			}
		}()
		for j := range all {
			o := batch.Outcome[J, R]{Job: j}
			question, err := q.Question(j)
			if err != nil || question == nil {
				if o.Err = err; err == nil {
					o.Value, o.Err = q.Here(j)
				}
				w.add(o, true)
				continue
			}
			w.add(o, false)
			inside = true
			more := yield(question)
			inside = false
			if !more {
				return
			}
		}
	}
}
