package cli

import (
	"fmt"
	"io"
	"sync"
)

// Screen keeps lines of output and a progress bar apart, which may go to the same terminal. The bar is drawn to it.
type Screen struct {
	mu       sync.Mutex
	err      io.Writer
	terminal bool // standard error is one
}

// NewScreen returns a screen for a bar on standard error.
func NewScreen(t Terminal) *Screen { return &Screen{err: Raw(t.Err), terminal: IsTerminal(t.Err)} }

// Write draws the bar.
func (s *Screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err.Write(b)
}

// Print takes the bar away and has lines written, below which it comes again.
func (s *Screen) Print(lines func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terminal {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
	lines()
}
