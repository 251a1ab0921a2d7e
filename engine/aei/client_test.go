package aei

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/require"
)

// serveClient runs a session of this package and returns a client of it.
func serveClient(t *testing.T, f *fake) *Client {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := Serve(context.Background(), in, out, config(f))
		in.Close() // sending is an error now
		out.Close()
		done <- err
	}()
	c := NewClient(from, to)
	t.Cleanup(func() {
		c.Close()
		to.Close()
		from.Close()
		if err := <-done; err != nil && !errors.Is(err, ErrUnknownMessage) {
			t.Error(err)
		}
	})
	return c
}

// TestClient is a session of a client and the server of this package: the names, an option that
// there is and others, setups, a turn, a search that is stopped.
func TestClient(t *testing.T) {
	ctx := t.Context()
	c := serveClient(t, &fake{t: t})
	require.NoError(t, c.Open(ctx))
	if got := []string{c.Name, c.Author, c.Version}; cmp.Diff([]string{"goalproof", "the authors of goalproof", "v0"}, got) != "" {
		t.Errorf("the engine is %q", got)
	}
	for _, name := range []string{"depth", "contempt", "hash"} {
		require.NoError(t, c.Set(name, "5000"))
	}
	complaints, err := c.Ready(ctx)
	want := []string{`Warning: setoption: there is no option "contempt"`, `Error: setoption: hash: "5000": that is too much`}
	if d := cmp.Diff(want, complaints); d != "" || err != nil {
		t.Fatalf("%v\n%s", err, d)
	}
	if complaints, err := c.Ready(ctx); len(complaints) > 0 || err != nil {
		t.Errorf("again: %q, %v", complaints, err)
	}
	for _, message := range []string{"newgame", "makemove " + goldSetup, "makemove " + silverSetup} {
		require.NoError(t, c.Send(message))
	}
	require.NoError(t, c.Set("depth", "4"))
	if turn, err := c.Go(ctx); err != nil || turn == "" || strings.HasPrefix(turn, "bestmove") {
		t.Errorf("%q, %v", turn, err)
	}
	require.NoError(t, c.Set("depth", "0"))
	short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	if turn, err := c.Go(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%q, %v", turn, err)
	}
	if turn, err := c.Stop(ctx); err != nil || turn == "" {
		t.Errorf("%q, %v", turn, err)
	}
}

// TestClientRefuses checks that a message is one line, and that an engine that has gone is an
// error, again and again.
func TestClientRefuses(t *testing.T) {
	c := serveClient(t, &fake{t: t})
	require.NoError(t, c.Open(t.Context()))
	if err := c.Set("opponent", "A\nquit"); err == nil {
		t.Error("a message of two lines was sent")
	}
	require.NoError(t, c.Send("uci"))
	for range 2 {
		if _, err := c.Ready(t.Context()); !errors.Is(err, ErrGone) {
			t.Errorf("an engine that has gone: %v", err)
		}
	}
}

// TestClientReads checks what a client makes of the lines of an engine.
func TestClientReads(t *testing.T) {
	const opening = "protocol-version 1\nid name X\naeiok\n"
	const ready = opening + "readyok\n"
	for lines, want := range map[string]error{
		ready + "readyok\nbestmove Ra1n": nil,
		"\r\nprotocol-version 1\r\nid name X \r\naeiok\r\nreadyok\r\nreadyok\r\nbestmove Ra1n ":             nil,
		"id name X\nlog Debug: old\naeiok\nreadyok\ninfo depth 3\n\nreadyok\ninfo depth 3\nbestmove Ra1n\n": nil, // an older program
		"protocol-version 2\nid name X\naeiok\n":                                                            ErrProtocol,
		"hello\n" + opening:                                                                                 ErrProtocol,
		"protocol-version 1\nid name X\nreadyok\naeiok\n":                                                   ErrProtocol,
		opening + "aeiok\nreadyok\n":                                                                        ErrProtocol,
		opening + "id name Y\nreadyok\n":                                                                    ErrProtocol,
		ready + "bestmove Ra2n\nreadyok\nbestmove Ra1n\n":                                                   ErrProtocol, // before go
		ready + "info depth 3\nbestmove Ra2n\nreadyok\nbestmove Ra1n\n":                                     ErrProtocol,
		ready + "readyok\nreadyok\nbestmove Ra1n\n":                                                         ErrProtocol,
		ready + "readyok\nhint Ra1n\nbestmove Ra1n\n":                                                       ErrProtocol,
		ready + "readyok\ninfo " + strings.Repeat("x", maxLine) + "\nbestmove Ra1n\n":                       ErrProtocol,
		ready + "readyok\n":    ErrGone,
		ready:                  ErrGone,
		opening:                ErrGone,
		"protocol-version 1\n": ErrGone,
		"":                     ErrGone,
	} {
		c := NewClient(strings.NewReader(lines), io.Discard)
		turn := ""
		err := c.Open(t.Context())
		if err == nil {
			_, err = c.Ready(t.Context())
		}
		if err == nil {
			turn, err = c.Go(t.Context())
		}
		if !errors.Is(err, want) || want == nil && (turn != "Ra1n" || c.Name != "X") {
			t.Errorf("%.200q: %q, %v; want %v", lines, turn, err, want)
		}
		c.Close()
	}
}

// TestClientEndless checks that a line need not end to be too long, and that a stop that follows a
// go without its readyok waits for it, too.
func TestClientEndless(t *testing.T) {
	from, out := io.Pipe()
	defer from.Close()
	c := NewClient(from, io.Discard)
	defer c.Close()
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if turn, err := c.Go(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%q, %v", turn, err)
	}
	go io.WriteString(out, "readyok\nbestmove Ra1n\n"+strings.Repeat("x", maxLine))
	if turn, err := c.Stop(t.Context()); turn != "Ra1n" || err != nil {
		t.Errorf("%q, %v", turn, err)
	}
	late, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := c.Ready(late); !errors.Is(err, ErrProtocol) {
		t.Error(err)
	}
}
