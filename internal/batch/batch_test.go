package batch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// nothing is the start of a worker that needs nothing.
func nothing() (struct{}, error) { return struct{}{}, nil }

// TestOrder does jobs that take all kinds of times, also where fewer may have begun than there are
// workers: the outcomes come in order, each once.
func TestOrder(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 2, 7, 100} {
		for i, jobs := range []int{0, 1, 2, 50, 0, 1, 5} {
			ahead := 1000
			if i > 3 {
				ahead = 1
			}
			synctest.Test(t, func(t *testing.T) {
				seen := 0
				for o := range Run(t.Context(), Numbers(0, jobs), workers, ahead, nothing, func(_ context.Context, _ struct{}, job int) (int, error) {
					time.Sleep(time.Duration(rand.IntN(1000)) * time.Millisecond)
					return job * job, nil
				}) {
					if o.Job != seen || o.Value != seen*seen || o.Err != nil {
						t.Fatalf("outcome %d of %d with %d workers: %+v", seen, jobs, workers, o)
					}
					seen++
				}
				if seen != jobs {
					t.Errorf("%d outcomes of %d jobs with %d workers", seen, jobs, workers)
				}
			})
		}
	}
}

// TestAllWorkers checks that as many jobs as there are workers run at the same time, and no more.
func TestAllWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		start := time.Now()
		for range Run(t.Context(), Numbers(0, 12), 3, 1000, nothing, func(context.Context, struct{}, int) (int, error) {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Second)
			running.Add(-1)
			return 0, nil
		}) {
		}
		if most.Load() != 3 || time.Since(start) != 4*time.Second {
			t.Errorf("at most %d jobs at a time, %v in all; want 3, 4s", most.Load(), time.Since(start))
		}
	})
}

// TestSoon checks that an outcome does not wait for later jobs.
func TestSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		for o := range Run(t.Context(), Numbers(0, 2), 2, 1000, nothing, func(_ context.Context, _ struct{}, job int) (int, error) {
			time.Sleep(time.Duration(1+job*99) * time.Second)
			return 0, nil
		}) {
			if took := time.Since(start); o.Job == 0 && took != time.Second {
				t.Errorf("the first outcome came after %v", took)
			}
		}
	})
}

// TestBroken checks that jobs that fail or panic do not touch the others.
func TestBroken(t *testing.T) {
	failed := errors.New("it failed")
	panics, n := 0, 0
	for o := range Run(t.Context(), Numbers(0, 100), 4, 1000, nothing, func(_ context.Context, _ struct{}, job int) (int, error) {
		switch job % 4 {
		case 1:
			return 0, failed
		case 2:
			panic(failed)
		case 3:
			var none []int
			return none[job], nil
		}
		return job, nil
	}) {
		n++
		var p *Panic
		isPanic := errors.As(o.Err, &p)
		switch o.Job % 4 {
		case 0:
			if o.Err != nil || o.Value != o.Job {
				t.Errorf("job %d: %+v", o.Job, o)
			}
		case 1:
			if !errors.Is(o.Err, failed) || isPanic {
				t.Errorf("job %d: %v", o.Job, o.Err)
			}
		case 2:
			if !errors.Is(o.Err, failed) || !isPanic {
				t.Errorf("job %d: %v", o.Job, o.Err)
			}
			panics++
		case 3:
			if !isPanic || !strings.Contains(o.Err.Error(), "index out of range") || !strings.Contains(string(p.Stack), "TestBroken") {
				t.Errorf("job %d: %v", o.Job, o.Err)
			}
			panics++
		}
	}
	if n != 100 || panics != 50 {
		t.Errorf("%d outcomes, %d panics; want 100, 50", n, panics)
	}
}

// TestState checks that each worker has a state of its own, and a new one after a panic.
func TestState(t *testing.T) {
	type state struct{ jobs int }
	var made atomic.Int64
	total := 0
	for o := range Run(t.Context(), Numbers(0, 60), 3, 1000, func() (*state, error) {
		made.Add(1)
		return &state{}, nil
	}, func(_ context.Context, s *state, job int) (*state, error) {
		s.jobs++ // the race detector sees it where two workers share one
		if job == 20 || job == 40 {
			panic("broken")
		}
		if job == 30 {
			return s, errors.New("failed, and not broken")
		}
		return s, nil
	}) {
		if o.Err == nil {
			total++
		}
	}
	if n := made.Load(); n < 3 || n > 5 || total != 57 {
		t.Errorf("%d states were made for 3 workers and 2 panics, %d jobs went well", n, total)
	}
}

// TestStart checks that a worker that cannot start fails its jobs, and tries again.
func TestStart(t *testing.T) {
	refused := errors.New("refused")
	tries := 0
	failed := 0
	for o := range Run(t.Context(), Numbers(0, 5), 1, 1000, func() (int, error) {
		if tries++; tries <= 2 {
			return 0, refused
		}
		if tries == 3 {
			panic(refused)
		}
		return 7, nil
	}, func(_ context.Context, w, job int) (int, error) { return w, nil }) {
		if errors.Is(o.Err, refused) != (o.Job < 3) || o.Err == nil && o.Value != 7 {
			t.Errorf("%+v", o)
		}
		if o.Err != nil {
			failed++
		}
	}
	if tries != 4 || failed != 3 {
		t.Errorf("%d starts, %d failures; want 4, 3", tries, failed)
	}
}

// TestCancel interrupts a run: jobs under way end, no other begins, and the jobs that were done are
// a beginning of the list.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		var begun atomic.Int64
		n, stopped := 0, 0
		for o := range Run(ctx, Numbers(0, 1000), 4, 1000, nothing, func(ctx context.Context, _ struct{}, job int) (int, error) {
			begun.Add(1)
			select {
			case <-ctx.Done():
				return 0, ctx.Err()
			case <-time.After(time.Second):
				return 0, nil
			}
		}) {
			if o.Job != n {
				t.Fatalf("job %d came as outcome %d", o.Job, n)
			}
			n++
			if o.Err != nil {
				stopped++
			}
		}
		if n != 12 || stopped != 4 || begun.Load() != 12 {
			t.Errorf("%d outcomes, %d of them stopped, %d jobs begun; want 12, 4, 12", n, stopped, begun.Load())
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for o := range Run(ctx, Numbers(0, 10), 2, 1000, nothing, func(context.Context, struct{}, int) (int, error) { return 0, nil }) {
		t.Errorf("job %d ran after the end", o.Job)
	}
}

// TestBreak leaves the loop early: the jobs under way are told, and nothing is left running.
func TestBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, begun atomic.Int64
		for o := range Run(t.Context(), Numbers(0, 1000), 4, 1000, nothing, func(ctx context.Context, _ struct{}, job int) (int, error) {
			begun.Add(1)
			running.Add(1)
			defer running.Add(-1)
			if job > 0 {
				<-ctx.Done()
			}
			return 0, nil
		}) {
			if o.Job == 0 {
				break
			}
		}
		if running.Load() != 0 || begun.Load() > 5 {
			t.Errorf("%d jobs still run, %d of 1000 began", running.Load(), begun.Load())
		}
	})
}

// TestAhead checks that of an endless list no more jobs begin, and none is taken from it, than may
// be ahead of the first whose outcome has not been handed over, and that all workers have jobs
// otherwise.
func TestAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ahead = 10
		var taken, n atomic.Int64
		jobs := func(yield func(int) bool) {
			for job := range Numbers(0, math.MaxInt) {
				if taken.Add(1); !yield(job) {
					return
				}
			}
		}
		for o := range Run(t.Context(), jobs, 4, ahead, nothing, func(_ context.Context, _ struct{}, job int) (int, error) {
			if job%100 == 0 {
				time.Sleep(time.Hour)
			}
			return 0, nil
		}) {
			if o.Job%100 == 0 {
				synctest.Wait()
				if got := taken.Load() - n.Load(); got != ahead {
					t.Fatalf("%d jobs are ahead of job %d, want %d", got, o.Job, ahead)
				}
			}
			if n.Add(1) == 1000 {
				break
			}
		}
	})
}

// TestBrokenList checks that a list that panics fails a job, after those before it.
func TestBrokenList(t *testing.T) {
	jobs := func(yield func(int) bool) {
		_ = yield(0) && yield(1)
		panic("broken")
	}
	var got []string
	for o := range Run(t.Context(), jobs, 2, 4, nothing, func(_ context.Context, _ struct{}, job int) (int, error) { return job, nil }) {
		got = append(got, fmt.Sprint(o.Value, o.Err))
	}
	if want := []string{"0 <nil>", "1 <nil>", "0 panic: broken"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
