package cli

import (
	"context"
	"io"
	"os"

	"golang.org/x/term"

	"goalproof/internal/files"
)

// Terminal is where a command reads and writes. [Run] sets its other fields.
type Terminal struct {
	In      *os.File
	Out     io.Writer
	Err     io.Writer
	Styled  bool    // a person sees the output, in colours
	Command string  // the command line, as a shell reads it
	answers *output // out
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w any) bool {
	if m, ok := w.(*messages); ok {
		w = m.Writer
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Source returns what opens the inputs of a command.
func (t Terminal) Source(ctx context.Context) *files.Source {
	if o, ok := t.Out.(*output); ok {
		return files.NewSource(ctx, o.w)
	}
	return files.NewSource(ctx, t.Out)
}

// Behind makes all output wait until a store has been synced.
func (t Terminal) Behind(sync func() error) { t.answers.behind(sync) }

// Durable waits until all facts put into the store are durable. Answers that go to files wait for
// it.
func (t Terminal) Durable() error { return t.answers.durable() }

// Release writes the output that waits for a store, which may then be closed. The error says why
// output was not written.
func (t Terminal) Release() error { return t.answers.release() }
