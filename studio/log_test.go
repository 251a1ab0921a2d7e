package studio_test

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// unready is a listener that has no connection to offer at first, as when the process has too many
// files open.
type unready struct {
	net.Listener
	tries atomic.Int32
}

func (l *unready) Accept() (net.Conn, error) {
	if l.tries.Add(1) == 1 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept", os.ErrDeadlineExceeded)}
	}
	return l.Listener.Accept()
}

// TestLog checks that what goes wrong in the server goes to the log of the options and not to that
// of the program, which ends it.
func TestLog(t *testing.T) {
	var own, program bytes.Buffer
	log.SetOutput(&program)
	defer log.SetOutput(os.Stderr)
	l := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	s, err := studio.New(ctx, l, studio.Options{Memory: 64 << 20, Log: log.New(&own, "", 0)})
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(&unready{Listener: l}) }()
	r, err := http.Get("http://" + l.Addr().String())
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, r.Body)
	r.Body.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err != nil || !strings.Contains(own.String(), "Accept error") || program.Len() > 0 {
		t.Errorf("%v; logged: %q, by the program %q", err, own.String(), program.String())
	}
}
