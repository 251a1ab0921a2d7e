//go:build stress && unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// fifo makes a named pipe.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no named pipes can be made: ", err)
	}
	return path
}

// interrupted starts a command, interrupts it once when it has had time to wait for its input, and returns what it wrote.
func interrupted(t *testing.T, cmd *exec.Cmd, ready string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	cmd.Env = append(os.Environ(), readyFile+"="+ready, peakFile+"="+ready+".peak")
	require.NoError(t, cmd.Start())
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(ready); err == nil {
			break
		}
	}
	time.Sleep(300 * time.Millisecond) // an interruption before the program waits is no harm to the test
	_ = cmd.Process.Signal(os.Interrupt)
	kill := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	defer kill.Stop()
	_ = cmd.Wait() // its exit code is checked
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// TestInterruptedInput starts every command that reads with a pipe for its input, which nobody opens to write or to which
// nothing is written: the first interruption ends it with one line that says so.
func TestInterruptedInput(t *testing.T) {
	const input, dir = "INPUT", "DIR" // stand for a pipe and for a new directory
	const position = "g [                R                                r              ]"
	commands := [][]string{
		{"solve", input}, {"solve", "--json", input}, {"solve", position, input}, {"solve", "--algorithm", "pns", "--resume", input},
		{"show", input}, {"show", "--as", "turns", input}, {"perft", "--json", input}, {"evaluate", input}, {"analyze", input},
		{"experiment", "--out", dir, input}, {"verify", input}, {"verify", "--json", input}, {"mine", input},
		{"review", input}, {"review", "--csv", input}, {"tree", input}, {"check", input}, {"check", "--json", input},
		{"match", "--openings", input, "a", "b"}, {"play", input}, {"endgame", "show", "--endgames", t.TempDir(), input},
	}
	for _, written := range []bool{false, true} {
		for _, args := range commands {
			name := strings.Join(args, " ")
			if written {
				name += ", opened to write"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				path := fifo(t)
				if written {
					w, err := os.OpenFile(path, os.O_RDWR, 0)
					require.NoError(t, err)
					defer w.Close()
				}
				args := slices.Clone(args)
				for i := range args {
					args[i] = strings.NewReplacer(input, path, dir, filepath.Join(t.TempDir(), "new")).Replace(args[i])
				}
				code, out, errs := interrupted(t, process(t, "goalproof-measured", args...), filepath.Join(t.TempDir(), "ready"))
				if code != cli.Unknown || strings.Count(out+errs, "interrupted") != 1 || strings.Count(errs, "\n") > 1 {
					t.Errorf("exit code %d, want %d\n%s%s", code, cli.Unknown, out, errs)
				}
			})
		}
	}
	for _, args := range [][]string{{"solve"}, {"show", "-"}, {"review"}, {"aei"}, {"play"}} {
		t.Run(strings.Join(args, " ")+" on standard input", func(t *testing.T) {
			t.Parallel()
			cmd := process(t, "goalproof-measured", args...)
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			defer in.Close()
			code, out, errs := interrupted(t, cmd, filepath.Join(t.TempDir(), "ready"))
			if code != cli.Unknown || strings.Count(errs, "interrupted") != 1 || strings.Count(errs, "\n") != 1 {
				t.Errorf("exit code %d, want %d\n%s%s", code, cli.Unknown, out, errs)
			}
		})
	}
}

// TestPipeForDirectory names a pipe where a directory is meant: that is an error at once.
func TestPipeForDirectory(t *testing.T) {
	const position = "g [                R                                r              ]"
	path := fifo(t)
	for _, args := range [][]string{
		{"store", "info", path}, {"store", "verify", path}, {"store", "gc", path}, {"store", "merge", path, path},
		{"solve", "--store", path, position}, {"verify", "--store", path, "../../examples/win-in-2.txt"},
		{"experiment", "--out", path, position}, {"match", "--record", path, "a", "b"},
	} {
		done := make(chan string, 1)
		go func() {
			code, _, errs := said(t, args...)
			if code != cli.BadInput || errs == "" {
				errs = "no error: " + errs
			} else {
				errs = ""
			}
			done <- errs
		}()
		select {
		case wrong := <-done:
			if wrong != "" {
				t.Errorf("%v: %s", args, wrong)
			}
		case <-time.After(30 * time.Second):
			t.Errorf("%v waits", args)
		}
	}
}
