package aei

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// ErrProtocol is the reason why an engine is not understood: a line that is no message of the
// protocol, or one that does not belong where it comes.
var ErrProtocol = errors.New("not a message that belongs here")

// ErrGone is the reason why an engine does not answer: its output has ended.
var ErrGone = errors.New("the engine has closed its output")

// How long a controller waits for the answer to aei and to isready, as the protocol has it.
const (
	OpenTime  = 5 * time.Second
	ReadyTime = 15 * time.Second
)

// maxComplaints is the number of an engine's warnings and errors that are kept.
const maxComplaints = 16

// Client is the controller's end of a session with an engine, any that speaks the protocol. It
// serves one goroutine.
//
// A method that waits for an answer returns an error that wraps [ErrProtocol], or [ErrGone], or the
// error of its context where the engine takes too long. The session is of no more use then, except
// that Stop may follow a Go that took too long. Info and log lines may come at any time.
type Client struct {
	Name, Author, Version string // as the engine says at Open

	out        io.Writer
	lines      chan line
	end        chan error
	done       chan struct{}
	opened     bool
	asked      bool // isready, by Go, and it has not answered yet
	complaints []string
}

// NewClient returns a client of the engine that writes to from and reads what is written to to. The
// caller closes both, and the client with Close.
func NewClient(from io.Reader, to io.Writer) *Client {
	c := &Client{out: to, lines: make(chan line), end: make(chan error, 1), done: make(chan struct{})}
	go readLines(from, c.lines, c.end, c.done)
	return c
}

// Close tells the engine to quit, and reads nothing more from it.
func (c *Client) Close() {
	_ = c.Send("quit") // it may have gone already
	close(c.done)
}

// Open begins the session, and waits up to [OpenTime].
func (c *Client) Open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, OpenTime)
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

// Ready waits until the engine has done what it was told, up to [ReadyTime], and returns the
// warnings and errors that it has logged since it was last asked, the first few.
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

// Set sets an option. Whether the engine has it, Ready tells.
func (c *Client) Set(name, value string) error {
	return c.Send("setoption name " + name + " value " + value)
}

// Go has the engine search, and returns what stands behind bestmove: a turn, a setup, or "resign".
// When the context is done the search goes on, until Stop.
//
// An isready goes before go, without waiting in between: what the engine wrote before its readyok is
// no answer to go.
func (c *Client) Go(ctx context.Context) (string, error) {
	for _, message := range []string{"isready", "go"} {
		if err := c.Send(message); err != nil {
			return "", err
		}
	}
	c.asked = true
	return c.best(ctx)
}

// best waits for the bestmove of the search that Go began.
func (c *Client) best(ctx context.Context) (string, error) {
	if c.asked {
		if _, err := c.await(ctx, "readyok"); err != nil {
			return "", err
		}
		c.asked = false
	}
	return c.await(ctx, "bestmove")
}

// Stop ends a search that Go has left running, and returns its bestmove.
func (c *Client) Stop(ctx context.Context) (string, error) {
	if err := c.Send("stop"); err != nil {
		return "", err
	}
	return c.best(ctx)
}

// Send sends a message that needs no answer.
func (c *Client) Send(message string) error {
	if strings.ContainsAny(message, "\r\n") {
		return fmt.Errorf("%q: a message is one line", message)
	}
	if _, err := io.WriteString(c.out, message+"\n"); err != nil {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return nil
}

// await waits for a message of a type and returns what stands behind it.
func (c *Client) await(ctx context.Context, want string) (string, error) {
	for {
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("no %s: %w", want, ctx.Err())
		case err := <-c.end:
			c.end <- err // for whoever waits again
			return "", fmt.Errorf("no %s: %w", want, ErrGone)
		case l := <-c.lines:
			kind, rest, _ := strings.Cut(strings.TrimSpace(l.text), " ")
			switch {
			case l.long:
				return "", fmt.Errorf("%w: a line of more than %d bytes", ErrProtocol, maxLine)
			case kind == want:
				return strings.TrimSpace(rest), nil
			case !c.take(kind, rest):
				return "", fmt.Errorf("%w: %.100q", ErrProtocol, l.text)
			}
		}
	}
}

// take takes note of a message that nobody waits for. It tells whether it may come now.
func (c *Client) take(kind, rest string) bool {
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
