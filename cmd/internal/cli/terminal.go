package cli

import (
	"context"
	"io"
	"os"

	"golang.org/x/term"

	"goalproof/internal/files"
)

// Terminal is where a command reads and writes. [Run] completes it.
type Terminal struct {
	In      *os.File
	Out     io.Writer
	Err     io.Writer
	Styled  bool    // a person sees the output, in colours
	Command string  // the command line, as a shell reads it
	answers *output // out
}

// IsTerminal tells whether w is a terminal, which a person reads.
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

// Behind lets all that is written to the output wait until a store has been synced.
func (t Terminal) Behind(sync func() error) { t.answers.behind(sync) }

// Durable returns when all facts that were put into the store are durable: answers that go to files of their own wait for
// it.
func (t Terminal) Durable() error { return t.answers.durable() }

// Release ends the waiting for a store, which may be closed then. The error says what was not written, and why.
func (t Terminal) Release() error { return t.answers.release() }
