package cli

import (
	"fmt"
	"io"
	"sync"
)

// Screen keeps lines of output and a progress bar apart when both go to the same terminal. It is
// the writer of the bar.
type Screen struct {
	mu       sync.Mutex
	err      io.Writer
	terminal bool // standard error is a terminal
}

// NewScreen returns a screen for a bar on standard error.
func NewScreen(t Terminal) *Screen { return &Screen{err: Raw(t.Err), terminal: IsTerminal(t.Err)} }

// Write draws the bar.
func (s *Screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err.Write(b)
}

// Print removes the bar while a function writes lines; the bar reappears below them.
func (s *Screen) Print(lines func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terminal {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
	lines()
}
