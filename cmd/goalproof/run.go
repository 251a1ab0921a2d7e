package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"goalproof/internal/input"
)

// runOn runs one command line of a program and returns its exit code. The program is made with the terminal that its
// commands are to use.
func runOn(ctx context.Context, args []string, t terminal, program func(terminal) *cobra.Command) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(t.err, "goalproof: internal error: %v\n%s", r, debug.Stack())
			code = exitInternal
		}
	}()
	t.styled = isTerminal(t.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	t.answers = newOutput(t.out)
	t.out, t.err = t.answers, &messages{t.err, t.answers}
	root := program(t)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(t.out)
	root.SetErr(t.err)
	root.SetIn(t.in)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err := t.answers.failure(); err != nil {
		fmt.Fprintf(t.err, "goalproof: the output could not be written: %v\n", err)
		return exitInternal
	}
	if err == nil {
		return exitHolds
	}
	var e *exit
	var i *input.Interrupted
	if !errors.As(err, &e) && errors.As(err, &i) {
		e = &exit{exitUnknown, err}
	}
	if e == nil {
		fmt.Fprintf(t.err, "goalproof: %v\nSee goalproof --help, or goalproof COMMAND --help.\n", err)
		return exitBadInput
	}
	if e.err != nil {
		fmt.Fprintf(t.err, "goalproof: %v\n", e.err)
	}
	return int(e.code)
}
