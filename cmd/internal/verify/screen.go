package verify

import (
	"fmt"
	"io"
	"sync"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
)

// screen keeps lines of a report and a progress bar apart, which may go to the same terminal.
type screen struct {
	mu       sync.Mutex
	err      io.Writer
	terminal bool // standard error is one
	progress inputs.Progress
}

// newScreen returns a screen with a bar, which draws to it.
func newScreen(t cli.Terminal, bar func(*screen) inputs.Progress) *screen {
	s := &screen{err: t.Err, terminal: cli.IsTerminal(t.Err)}
	s.progress = bar(s)
	return s
}

// Write draws the bar.
func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err.Write(b)
}

// write takes the bar away and writes lines, below which it comes again.
func (s *screen) write(lines func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terminal {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
	lines()
}

func (s *screen) close() { s.progress.Finish() }
