package aei

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// ErrProtocol means that an engine has violated the protocol, by a malformed message or one at the
// wrong time.
var ErrProtocol = errors.New("malformed or unexpected message")

// ErrGone means that the output of an engine has ended.
var ErrGone = errors.New("the engine has closed its output")

// The times for the answers to aei and to isready, by the protocol.
const (
	openTime  = 5 * time.Second
	ReadyTime = 15 * time.Second
)

// maxComplaints bounds the warnings and errors of an engine that are kept.
const maxComplaints = 16

// Client is the controller's end of a session with an engine. It serves one goroutine.
//
// A method that waits for an answer returns an error that wraps [ErrProtocol], [ErrGone] or, if the
// engine takes too long, the error of its context. The session cannot be used after an error,
// except that Stop may follow a Go that took too long. The engine may send info and log lines at
// any time.
type Client struct {
	Name, Author, Version string // of the engine, known after Open

	out          io.Writer
	lines        chan line
	end          chan error
	done         chan struct{}
	opened       bool
	readyPending bool // Go has sent an isready that has not been answered yet
	complaints   []string
}

// NewClient returns a client that reads the engine's output from from and writes its input to to.
// The caller closes both, and the client with Close.
func NewClient(from io.Reader, to io.Writer) *Client {
	c := &Client{out: to, lines: make(chan line), end: make(chan error, 1), done: make(chan struct{})}
	go readLines(from, c.lines, c.end, c.done)
	return c
}

// Close sends quit to the engine and stops reading from it.
func (c *Client) Close() {
	_ = c.Send("quit") // it may have gone already
	close(c.done)
}

// Open begins the session, and waits up to [openTime].
func (c *Client) Open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	if err := c.Send("aei"); err != nil {
		return err
	}
	if _, err := c.await(ctx, "aeiok"); err != nil {
		return err
	}
	c.opened = true
	return nil
}

// Ready waits until the engine has handled all messages, up to [ReadyTime], and returns the first
// few warnings and errors that it has logged since the last call.
func (c *Client) Ready(ctx context.Context) (complaints []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ReadyTime)
	defer cancel()
	if err := c.Send("isready"); err != nil {
		return nil, err
	}
	_, err = c.await(ctx, "readyok")
	complaints, c.complaints = c.complaints, nil
	return complaints, err
}

// Set sets an option. The result of Ready shows whether the engine has it.
func (c *Client) Set(name, value string) error {
	return c.Send("setoption name " + name + " value " + value)
}

// Go makes the engine search, and returns the argument of bestmove: a turn, a setup, or "resign".
// When the context is done the search continues until Stop.
//
// It sends isready directly before go: the engine's lines before its readyok are no answer to go.
func (c *Client) Go(ctx context.Context) (string, error) {
	for _, message := range []string{"isready", "go"} {
		if err := c.Send(message); err != nil {
			return "", err
		}
	}
	c.readyPending = true
	return c.best(ctx)
}

// best waits for the bestmove of the search that Go has started.
func (c *Client) best(ctx context.Context) (string, error) {
	if c.readyPending {
		if _, err := c.await(ctx, "readyok"); err != nil {
			return "", err
		}
		c.readyPending = false
	}
	return c.await(ctx, "bestmove")
}

// Stop ends the search that Go has left running, and returns its bestmove.
func (c *Client) Stop(ctx context.Context) (string, error) {
	if err := c.Send("stop"); err != nil {
		return "", err
	}
	return c.best(ctx)
}

// Send sends a message that needs no answer.
func (c *Client) Send(message string) error {
	if strings.ContainsAny(message, "\r\n") {
		return fmt.Errorf("%q: a message must be one line", message)
	}
	if _, err := io.WriteString(c.out, message+"\n"); err != nil {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return nil
}

// await waits for a message of a type and returns its argument.
func (c *Client) await(ctx context.Context, want string) (string, error) {
	for {
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("no %s: %w", want, ctx.Err())
		case err := <-c.end:
			c.end <- err // for the next call
			return "", fmt.Errorf("no %s: %w", want, ErrGone)
		case l := <-c.lines:
			kind, rest, _ := strings.Cut(strings.TrimSpace(l.text), " ")
			switch {
			case l.long:
				return "", fmt.Errorf("%w: a line of more than %d bytes", ErrProtocol, maxLine)
			case kind == want:
				return strings.TrimSpace(rest), nil
			case !c.accept(kind, rest):
				return "", fmt.Errorf("%w: %.100q", ErrProtocol, l.text)
			}
		}
	}
}

// accept handles a message that was not awaited, and reports whether it is allowed now.
func (c *Client) accept(kind, rest string) bool {
	switch {
	case kind == "" || kind == "info":
	case kind == "log":
		complains := strings.HasPrefix(rest, "Warning:") || strings.HasPrefix(rest, "Error:")
		if complains && len(c.complaints) < maxComplaints {
			c.complaints = append(c.complaints, rest)
		}
	case c.opened:
		return false
	case kind == "protocol-version": // absent in older programs
		return strings.TrimSpace(rest) == "1"
	case kind == "id":
		what, is, _ := strings.Cut(rest, " ")
		if to := map[string]*string{"name": &c.Name, "author": &c.Author, "version": &c.Version}[what]; to != nil {
			*to = strings.TrimSpace(is)
		}
	default:
		return false
	}
	return true
}
