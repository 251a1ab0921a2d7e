//go:build stress && unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/cmd/internal/cli"
)

// redirected runs a program with redirections of a shell, and returns its exit code and what it writes.
func redirected(t *testing.T, redirections string, args ...string) (code int, out, errors string) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	cmd := process(t, "goalproof", args...)
	cmd.Args = append([]string{"sh", "-c", `exec "$0" "$@" ` + redirections}, cmd.Args...)
	cmd.Path = shell
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	_ = cmd.Run() // its exit code is returned
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// TestClosedOutput runs commands whose standard output is closed: the lost answer is an error, and no file takes it instead.
func TestClosedOutput(t *testing.T) {
	const position = "g [                R                                r              ]"
	file := put(t, filepath.Join(t.TempDir(), "position.txt"), []string{position})
	store := filepath.Join(t.TempDir(), "facts")
	for _, args := range [][]string{
		{"show", file}, {"solve", "--memory", "64MiB", "--store", store, file}, {"solve", "--memory", "64MiB", "--json", file},
		{"perft", file}, {"evaluate", file}, {"version"}, {"--help"}, {"store", "info", store},
	} {
		for _, redirections := range []string{">&-", "<&- >&-", "< /dev/null >&-"} {
			code, _, errors := redirected(t, redirections, args...)
			if code != cli.Internal || !strings.Contains(errors, "standard output is closed") || strings.Count(errors, "\n") != 1 {
				t.Errorf("%v %s: exit code %d, want %d\n%s", args, redirections, code, cli.Internal, errors)
			}
		}
		if code, _, _ := redirected(t, ">&- 2>&-", args...); code != cli.Internal {
			t.Errorf("%v, and no standard error: exit code %d, want %d", args, code, cli.Internal)
		}
		if code, _, errors := redirected(t, "> /dev/null", args...); code != cli.Holds {
			t.Errorf("%v > /dev/null: exit code %d\n%s", args, code, errors)
		}
		want, out, _ := redirected(t, "", args...)
		if code, got, _ := redirected(t, "2>&-", args...); code != want || code != cli.Holds || len(got) == 0 || args[0] == "show" && got != out {
			t.Errorf("%v, and no standard error: exit code %d, want %d\n%s", args, code, want, got)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != position+"\n" {
		t.Errorf("the file holds %q (%v)", text, err)
	}
}

// TestNullOutput gives a process the null device as some programs do that want no answer: one opening for output and
// messages, which can be read from.
func TestNullOutput(t *testing.T) {
	if code, _, _ := redirected(t, "1<>/dev/null 2>&1", "version"); code != cli.Holds {
		t.Errorf("exit code %d", code)
	}
}
