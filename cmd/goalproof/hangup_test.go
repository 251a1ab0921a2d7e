//go:build stress && unix

package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// saving is a long search that saves itself, in a process of its own.
type saving struct {
	*testing.T
	cmd  *exec.Cmd
	path string
	out  bytes.Buffer
	done chan struct{} // closed when the process has ended
}

// startSaving starts a search by a shell, which runs the words before it.
func startSaving(t *testing.T, before string) *saving {
	t.Helper()
	s := &saving{T: t, path: filepath.Join(t.TempDir(), "search.pns"), done: make(chan struct{})}
	s.cmd = process(t, "goalproof", "solve", "--algorithm", "pns", "--memory", "256MiB", "--win-in", "9", "--time", "1h",
		"--save", s.path, "--save-every", "20ms", opening)
	s.cmd.Args = append([]string{"sh", "-c", before + ` exec "$0" "$@"`}, s.cmd.Args...)
	var err error
	if s.cmd.Path, err = exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	// A program inherits that SIGHUP is ignored, as that of a test run under nohup is, but not that it is handled.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.out
	require.NoError(t, s.cmd.Start())
	go func() {
		_ = s.cmd.Wait() // its state is asked for
		close(s.done)
	}()
	return s
}

// waitForSave removes the file and waits until the search has saved again. It reports whether it did before its end.
func (s *saving) waitForSave() bool {
	s.Helper()
	if err := os.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Fatal(err)
	}
	for {
		if _, err := os.Stat(s.path); err == nil {
			return true
		}
		select {
		case <-s.done:
			return false
		case <-time.After(time.Millisecond):
		}
	}
}

func (s *saving) signal(signal os.Signal) {
	s.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		s.Fatal(err)
	}
}

// interrupted waits for the end, which must be that of an interrupted search that has saved itself.
func (s *saving) interrupted() {
	s.Helper()
	<-s.done
	if code := s.cmd.ProcessState.ExitCode(); code != cli.Unknown || !bytes.Contains(s.out.Bytes(), []byte("interrupted")) {
		s.Errorf("%v, exit code %d, want %d\n%s", s.cmd.ProcessState, code, cli.Unknown, &s.out)
	}
	if _, err := os.Stat(s.path); err != nil {
		s.Error(err)
	}
}

// TestHangup takes the terminal away from a search, with more signals than a shell and the system send, until it has ended:
// it ends as at any interruption, and has saved itself.
func TestHangup(t *testing.T) {
	s := startSaving(t, "")
	s.waitForSave()
	for s.cmd.Process.Signal(syscall.SIGHUP) == nil {
	}
	s.interrupted()
}

// TestNohup does so to a search that was started to outlive that.
func TestNohup(t *testing.T) {
	s := startSaving(t, `trap "" HUP;`)
	s.waitForSave()
	s.signal(syscall.SIGHUP)
	for range 3 {
		if !s.waitForSave() {
			t.Fatalf("%v\n%s", s.cmd.ProcessState, &s.out)
		}
	}
	s.signal(syscall.SIGTERM)
	s.interrupted()
}
