package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"goalproof/internal/input"
)

// The exit codes of every command.
const (
	exitHolds    = 0 // proved, accepted, done
	exitFails    = 1 // disproved, rejected
	exitUnknown  = 3 // unknown, or interrupted
	exitBadInput = 4 // bad input or usage
	exitInternal = 5 // contradiction or internal error
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

// status is an exit code.
type status int

// worse returns the more serious of two exit codes.
func (s status) worse(other status) status {
	rank := map[status]int{exitHolds: 0, exitFails: 1, exitUnknown: 2, exitBadInput: 3, exitInternal: 4}
	if rank[other] > rank[s] {
		return other
	}
	return s
}

// exit is an error that carries an exit code; without one an error is bad usage.
type exit struct {
	code status
	err  error // nil: there is nothing to say
}

// exitWith returns an error that carries an exit code. Nothing is said of a nil err.
func exitWith(code status, err error) error { return &exit{code, err} }

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, t terminal) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(t.err, "goalproof: internal error: %v\n%s", r, debug.Stack())
			code = exitInternal
		}
	}()
	t.styled = isTerminal(t.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	t.answers = newOutput(t.out)
	t.out, t.err = t.answers, &messages{t.err, t.answers}
	root := rootCommand(t)
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

// rootCommand returns the program with all its commands and help topics.
func rootCommand(t terminal) *cobra.Command {
	root := &cobra.Command{
		Use:   "goalproof",
		Short: "Prove things about Arimaa positions",
		Long: `goalproof proves things about Arimaa positions: that a side wins in N turns
whatever the opponent does, or that it does not.`,
		Example: `  goalproof solve examples/win-in-2.txt
  goalproof show examples/win-in-2.txt --as short
  goalproof perft examples/win-in-2.txt
  goalproof bench`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetUsageFunc(usage)
	root.SetOut(t.out)
	root.SetErr(t.err)
	root.SetIn(t.in)
	root.AddCommand(solveCommand(t), showCommand(t), perftCommand(t), benchCommand(t), storeCommand(t), checkCommand(t), verifyCommand(t), mineCommand(t), treeCommand(t), reviewCommand(t), evaluateCommand(t), aeiCommand(t), playCommand(t), matchCommand(t), analyzeCommand(t), experimentCommand(t), endgameCommand(t))
	root.AddCommand(helpTopics()...)
	return root
}

// badInput gives an error of what was read its exit code, unless reading was interrupted.
func badInput(err error) error {
	var i *input.Interrupted
	if errors.As(err, &i) {
		return err
	}
	return exitWith(exitBadInput, err)
}

// finish turns a status into what a command returns.
func (s status) finish() error {
	if s == exitHolds {
		return nil
	}
	return exitWith(s, nil)
}
