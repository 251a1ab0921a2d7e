package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"goalproof/internal/files"
)

// Run runs one command line of a program and returns its exit code. The program is made with the
// terminal that its commands are to use.
func Run(ctx context.Context, args []string, t Terminal, program func(Terminal) *cobra.Command) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(t.Err, "goalproof: internal error: %v\n%s", r, debug.Stack())
			code = Internal
		}
	}()
	t.Styled = IsTerminal(t.Out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	t.Command = commandLine(args)
	t.answers = newOutput(t.Out)
	t.answers.styled = t.Styled
	t.Out, t.Err = t.answers, &messages{Writer: t.Err, answers: t.answers}
	root := program(t)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(t.Out)
	root.SetErr(t.Err)
	root.SetIn(t.In)
	root.SetArgs(args)
	root.InitDefaultCompletionCmd(args...) // cobra's own command, with the errors of ours
	if completion := subcommand(root, "completion"); completion != nil {
		Group(completion)
		for _, shell := range completion.Commands() {
			shell.Args = NoArgs
		}
	}
	cmd, err := root.ExecuteContextC(ctx)
	t.answers.end()
	if err := t.answers.failure(); err != nil {
		fmt.Fprintf(t.Err, "goalproof: the output could not be written: %v\n", err)
		return Internal
	}
	if err == nil {
		return Holds
	}
	e, ok := errors.AsType[*ExitError](err)
	switch code := CodeOf(err, BadInput); {
	case ok:
	case errors.As(err, new(*files.Interrupted)):
		e = &ExitError{Unknown, err}
	case code != BadInput:
		e = &ExitError{code, err}
	default:
		fmt.Fprintf(t.Err, "goalproof: %s\nSee %s --help.\n", explainUsage(cmd, args, err), cmd.CommandPath())
		return BadInput
	}
	if e.Err != nil {
		fmt.Fprintf(t.Err, "goalproof: %s\n", Explain(e.Err))
	}
	return int(e.Code)
}
