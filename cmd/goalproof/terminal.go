package main

import (
	"context"
	"io"
	"os"

	"golang.org/x/term"

	"goalproof/internal/input"
)

// terminal is where a command reads and writes.
type terminal struct {
	in      *os.File
	out     io.Writer
	err     io.Writer
	styled  bool    // a person sees what is written to out, in colours
	answers *output // out
}

// isTerminal tells whether a person sees what is written to w.
func isTerminal(w any) bool {
	if m, ok := w.(*messages); ok {
		w = m.Writer
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// source returns what opens the inputs of a command.
func (t terminal) source(ctx context.Context) *input.Source {
	if o, ok := t.out.(*output); ok {
		return input.New(ctx, o.w)
	}
	return input.New(ctx, t.out)
}

// behind lets all that is written to the output wait until a store has been synced.
func (t terminal) behind(sync func() error) { t.answers.behind(sync) }

// durable returns when all facts that were put into the store are durable: answers that go to files of their own wait for
// it.
func (t terminal) durable() error { return t.answers.durable() }

// release ends the waiting for a store, which may be closed then. The error says what was not written, and why.
func (t terminal) release() error { return t.answers.release() }
