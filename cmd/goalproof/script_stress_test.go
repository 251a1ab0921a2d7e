//go:build stress && unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// TestInterrupt does the same to a process of its own, by a signal.
func TestInterrupt(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	// testscript.Main runs a command when the program is called by its name.
	link := filepath.Join(t.TempDir(), "goalproof")
	require.NoError(t, os.Symlink(exe, link))
	cmd := exec.CommandContext(t.Context(), link, "solve", "--win-in", "9", opening)
	var out bytes.Buffer
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	time.Sleep(2 * time.Second) // for a slow start: nothing tells when the search is under way
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	start := time.Now()
	_ = cmd.Wait() // its exit code is not 0, and is checked
	checkInterrupted(t, cmd.ProcessState.ExitCode(), out.String(), time.Since(start))
}

// TestInterruptedReading checks that waiting for input can be interrupted.
func TestInterruptedReading(t *testing.T) {
	in, w, err := os.Pipe()
	require.NoError(t, err)
	defer in.Close()
	defer w.Close() // nothing is ever written
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var out, errors bytes.Buffer
	code := run(ctx, []string{"solve", "-"}, cli.Terminal{In: in, Out: &out, Err: &errors})
	if code != cli.Unknown || !strings.Contains(errors.String(), "interrupted while reading standard input") {
		t.Errorf("exit code %d, want %d\n%s", code, cli.Unknown, errors.String())
	}
}

// TestInterruptedCheck interrupts a check that waits for a pipe to which nobody writes.
func TestInterruptedCheck(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, exec.Command("mkfifo", pipe).Run())
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var out, errors bytes.Buffer
	code := run(ctx, []string{"check", pipe}, cli.Terminal{In: os.Stdin, Out: &out, Err: &errors})
	if code != cli.Unknown || out.String() != pipe+": interrupted\n" {
		t.Errorf("exit code %d, want %d\n%s%s", code, cli.Unknown, &out, &errors)
	}
}
