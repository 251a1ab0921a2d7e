package cli

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"
)

// output writes the answers of a command and makes them printable. It remembers its first error, so
// that callers need not check each line.
//
// While a store is open, output waits until the facts put before it are durable. A goroutine takes
// the queued output, syncs the store, and writes it. Meanwhile the searches continue, and their
// output waits for the next sync: many quick answers share one sync, and a single answer waits only
// for its own. Syncs are some time apart, since each may take a thread from the searches.
type output struct {
	w       io.Writer
	mu      sync.Mutex
	changed sync.Cond // output was written, or never will be
	err     error     // of the first write that failed

	styled bool   // colours stay
	part   []byte // of an incomplete character

	sync   func() error // of the store; nil: none is open
	queued []byte
	busy   bool          // the goroutine runs
	synced time.Time     // when the last sync ended
	hurry  chan struct{} // ends the pause
	lost   error         // of a failed sync: neither the output queued for it nor any later output is written
}

const (
	pause      = 50 * time.Millisecond // between two syncs
	mostQueued = 1 << 20               // bytes queued, from which on a write blocks
)

func newOutput(w io.Writer) *output {
	o := &output{w: w, hurry: make(chan struct{}, 1)}
	o.changed.L = &o.mu
	return o
}

// Write writes b, or queues it for the next sync.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queued) >= mostQueued && o.busy {
		o.changed.Wait()
	}
	text := append(o.part, b...)
	n := complete(text)
	o.part = text[n:]
	if err := o.put(printed(string(text[:n]), o.styled)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// end writes an incomplete character at the end.
func (o *output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.part) > 0 {
		_ = o.put(printed(string(o.part), false)) // the error is remembered
	}
}

// put writes a text, or queues it for the next sync.
func (o *output) put(text string) error {
	if err := cmp.Or(o.err, o.lost); err != nil {
		return err
	}
	if o.sync == nil {
		_, o.err = io.WriteString(o.w, text)
		return o.err
	}
	o.queued = append(o.queued, text...)
	if !o.busy {
		o.busy = true
		go o.writeOut(o.sync)
	}
	return nil
}

// writeOut writes the queued output until the queue is empty.
func (o *output) writeOut(sync func() error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queued) > 0 && cmp.Or(o.err, o.lost) == nil {
		o.sleep()
		text := o.queued
		o.queued = nil
		o.mu.Unlock()
		lost, err := sync(), error(nil)
		if lost == nil {
			_, err = o.w.Write(text)
		}
		o.mu.Lock()
		o.lost, o.err, o.synced = lost, err, time.Now()
		o.changed.Broadcast()
	}
	o.busy = false
	o.changed.Broadcast()
}

// sleep waits until the pause is over, without the lock.
func (o *output) sleep() {
	left := time.Until(o.synced.Add(pause))
	o.mu.Unlock()
	defer o.mu.Lock()
	if left > 0 {
		select {
		case <-o.hurry:
		case <-time.After(left):
		}
	}
}

// behind makes all output wait for a store.
func (o *output) behind(sync func() error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sync = sync
}

// settle waits until the queue is empty.
func (o *output) settle() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.busy {
		select {
		case o.hurry <- struct{}{}:
		default: // it is already awake
		}
		o.changed.Wait()
	}
}

// durable waits until all facts put so far are durable. Answers that go to files wait for it.
func (o *output) durable() error {
	o.mu.Lock()
	sync := o.sync
	o.mu.Unlock()
	if sync == nil {
		return nil
	}
	return notDurable(sync())
}

// release empties the queue and detaches the store, which may then be closed. The error says why
// output was not written.
func (o *output) release() error {
	o.settle()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sync = nil
	return notDurable(o.lost)
}

// notDurable returns the error of facts that could not be made durable, with its exit code.
func notDurable(err error) error {
	if err == nil {
		return nil
	}
	return Exit(Internal, fmt.Errorf("%w; the answer is withheld because it could not be stored", err))
}

// failure returns the error of the first write that failed.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// messages writes messages to standard error and makes them printable. They appear after the
// answers written before them. Several goroutines may write: inputs are read beside the work.
type messages struct {
	io.Writer
	answers *output
	mu      sync.Mutex
}

func (m *messages) Write(b []byte) (int, error) {
	m.answers.settle()
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := io.WriteString(m.Writer, printed(string(b), false)); err != nil {
		return 0, err
	}
	return len(b), nil
}
