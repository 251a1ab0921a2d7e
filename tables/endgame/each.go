package endgame

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// worker holds the data of one goroutine: a board and a list of options for each step of a turn.
type worker struct {
	boards  [5]placed
	options [5]options
}

// rangeLength is the length of the ranges that each hands out.
const rangeLength = 1 << 12

// errThreads is the error of work on no thread.
var errThreads = errors.New("endgame tables take at least one thread")

// eachBoard calls do for every board of a class that is settled and canonical.
func (g *geometry) eachBoard(ctx context.Context, threads int, do func(w *worker, b *placed)) error {
	return each(ctx, threads, 1<<g.bits, func(w *worker, from, to int) {
		b := &w.boards[0]
		for i := from; i < to; i++ {
			index := uint32(i)
			if g.canonical(index) != index {
				continue
			}
			if g.decode(index, b); g.settled(b) {
				do(w, b)
			}
		}
	})
}

// each calls do for all of 0..n-1, in ranges, on several threads. The error is errThreads or that
// of the context.
func each(ctx context.Context, threads, n int, do func(w *worker, from, to int)) error {
	if threads < 1 {
		return errThreads
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range threads {
		group.Go(func() {
			var w worker
			for ctx.Err() == nil {
				from := int(next.Add(rangeLength)) - rangeLength
				if from >= n {
					return
				}
				do(&w, from, min(from+rangeLength, n))
			}
		})
	}
	group.Wait()
	return ctx.Err()
}
