package cli

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"
)

// output takes the answers of a command, and makes them printable. It remembers its first error: an answer that was not
// written is not an answer, and nobody checks each line.
//
// While a store is open, output waits until the facts that were put before are durable. A
// goroutine takes all that waits, syncs the store, and writes it out. Meanwhile the searches continue, and what they
// find out waits for the next sync: many quick answers share one, and a single answer waits for nothing but its own.
// Between two syncs there is a pause, for each may take a thread from the searches.
type output struct {
	w    io.Writer
	mu   sync.Mutex
	some sync.Cond // something has gone out, or never will
	err  error     // of the first write that failed

	styled bool   // colours stay
	part   []byte // of a character, whose rest is to come

	sync    func() error // of the store; nil: there is none
	waiting []byte
	busy    bool          // the goroutine is there
	synced  time.Time     // when the last sync ended
	hurry   chan struct{} // ends the pause
	lost    error         // of the sync that failed: what waited for it is not written, nor anything after it
}

const (
	pause       = 50 * time.Millisecond // between two syncs
	mostWaiting = 1 << 20               // bytes, from which on a write waits for those before it
)

func newOutput(w io.Writer) *output {
	o := &output{w: w, hurry: make(chan struct{}, 1)}
	o.some.L = &o.mu
	return o
}

// Write writes b, or has it wait.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) >= mostWaiting && o.busy {
		o.some.Wait()
	}
	text := append(o.part, b...)
	n := complete(text)
	o.part = text[n:]
	if err := o.put(printed(string(text[:n]), o.styled)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// end writes what has no end.
func (o *output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.part) > 0 {
		_ = o.put(printed(string(o.part), false)) // the error is remembered
	}
}

// put writes a text, or has it wait.
func (o *output) put(text string) error {
	if err := cmp.Or(o.err, o.lost); err != nil {
		return err
	}
	if o.sync == nil {
		_, o.err = io.WriteString(o.w, text)
		return o.err
	}
	o.waiting = append(o.waiting, text...)
	if !o.busy {
		o.busy = true
		go o.writeOut(o.sync)
	}
	return nil
}

// writeOut writes what waits, and what comes meanwhile.
func (o *output) writeOut(sync func() error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) > 0 && cmp.Or(o.err, o.lost) == nil {
		o.rest()
		text := o.waiting
		o.waiting = nil
		o.mu.Unlock()
		lost, err := sync(), error(nil)
		if lost == nil {
			_, err = o.w.Write(text)
		}
		o.mu.Lock()
		o.lost, o.err, o.synced = lost, err, time.Now()
		o.some.Broadcast()
	}
	o.busy = false
	o.some.Broadcast()
}

// rest lets the pause pass, without the lock.
func (o *output) rest() {
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

// behind lets all that is written wait for a store.
func (o *output) behind(sync func() error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sync = sync
}

// settle returns when nothing waits any more.
func (o *output) settle() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.busy {
		select {
		case o.hurry <- struct{}{}:
		default: // it has been told
		}
		o.some.Wait()
	}
}

// durable returns when all facts that were put are durable: answers that go to files of their own wait for it.
func (o *output) durable() error {
	o.mu.Lock()
	sync := o.sync
	o.mu.Unlock()
	if sync == nil {
		return nil
	}
	return notDurable(sync())
}

// release lets nothing wait any more; the store may be closed. The error says what was not written, and why.
func (o *output) release() error {
	o.settle()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sync = nil
	return notDurable(o.lost)
}

// notDurable is the error of facts that could not be made durable.
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

// messages is where messages go, made printable. They come after the answers that were written before them.
type messages struct {
	io.Writer
	answers *output
}

func (m *messages) Write(b []byte) (int, error) {
	m.answers.settle()
	if _, err := io.WriteString(m.Writer, printed(string(b), false)); err != nil {
		return 0, err
	}
	return len(b), nil
}
