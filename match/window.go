package match

import (
	"context"
	"sync"
)

// window lets jobs begin that are near the first whose outcome has not been handed over. An outcome
// further ahead would only wait for that one, and be lost with it at an interruption.
type window struct {
	size  int
	mu    sync.Mutex
	due   int           // the first job whose outcome has not been handed over
	moved chan struct{} // closed when due is another
}

func newWindow(size int) *window { return &window{size: size, moved: make(chan struct{})} }

// enter waits until a job may begin. The error is that of the context.
func (w *window) enter(ctx context.Context, job int) error {
	for {
		w.mu.Lock()
		open, moved := job < w.due+w.size, w.moved
		w.mu.Unlock()
		if open {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// move says that the outcome that was due has been handed over.
func (w *window) move() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.due++
	close(w.moved)
	w.moved = make(chan struct{})
}
