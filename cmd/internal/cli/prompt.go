package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Prompt asks a person for lines.
type Prompt struct {
	out    io.Writer
	help   string
	lines  <-chan string
	broken error // why no more lines can be read
}

// ErrLeft is the error of a prompt that the person has left: by quit, or at the end of the input.
var ErrLeft = errors.New("left")

// NewPrompt returns a prompt that reads lines from the input of a terminal until the context is done,
// and writes to out. The command help shows a text.
func NewPrompt(ctx context.Context, t Terminal, out io.Writer, help string) *Prompt {
	lines := make(chan string)
	p := &Prompt{out: out, help: help, lines: lines}
	go func() {
		defer close(lines)
		in := bufio.NewScanner(t.In)
		for in.Scan() {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
		if p.broken = in.Err(); errors.Is(p.broken, bufio.ErrTooLong) {
			p.broken = fmt.Errorf("a line is longer than %d bytes", bufio.MaxScanTokenSize)
		}
	}()
	return p
}

// Ask reads lines until do, which gets the first word and the line, reports that one completed the
// request. Errors of do are shown, unless they carry an exit code, which ends it. The error is such a
// one, ErrLeft, or says that reading failed or was interrupted.
func (p *Prompt) Ask(ctx context.Context, prompt string, do func(ctx context.Context, word, line string) (done bool, err error)) error {
	for {
		fmt.Fprintf(p.out, "%s> ", prompt)
		var line string
		select {
		case <-ctx.Done():
			fmt.Fprintln(p.out)
			return Exit(Unknown, errors.New("interrupted"))
		case text, ok := <-p.lines:
			if !ok {
				fmt.Fprintln(p.out)
				if p.broken != nil {
					return Exit(BadInput, fmt.Errorf("standard input: %w", p.broken))
				}
				return ErrLeft
			}
			line = strings.TrimSpace(text)
		}
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case "":
			continue
		case "quit":
			return ErrLeft
		case "help":
			fmt.Fprintln(p.out, p.help)
			continue
		}
		done, err := do(ctx, word, line)
		switch {
		case errors.As(err, new(*ExitError)):
			return err
		case err != nil:
			fmt.Fprintln(p.out, err)
		case done:
			return nil
		}
	}
}
