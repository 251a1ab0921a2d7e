//go:build stress

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// hardExperiment is an experiment of two searches that are soon done and two that take all their
// time: the arguments of the command, and the file of its rows.
func hardExperiment(t *testing.T, limit string) (args []string, file string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "runs")
	easy := filepath.Join("..", "..", "examples", "win-in-2.txt")
	return []string{
		"experiment", "--out", out, "--grid", "algorithm=pns,dfpns", "--grid", "memory=64MiB",
		"--time", limit, "--win-in", "9", "--threads", "1", easy, opening,
	}, filepath.Join(out, "runs.csv")
}

// rows reads the rows of an experiment, without the names of the columns, the nodes, the times and the checksums, in
// the order of their numbers. A row that is there twice, or in part, fails the test.
func rows(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	all, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	var found []string
	for _, row := range all[1:] {
		found = append(found, strings.Join(row[:len(row)-3], " "))
	}
	slices.Sort(found)
	if n := len(slices.Compact(slices.Clone(found))); n != len(found) {
		t.Errorf("%d rows are there twice:\n%s", len(found)-n, text)
	}
	return found
}

// begun waits until an experiment has done its first runs.
func begun(file string) {
	for range 1000 {
		if text, err := os.ReadFile(file); err == nil && bytes.Count(text, []byte("\n")) >= 3 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestExperimentInterrupted checks that an interrupted experiment says what it has, and does not count the
// run under way.
func TestExperimentInterrupted(t *testing.T) {
	args, file := hardExperiment(t, "1h")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		begun(file)
		cancel()
	}()
	var out, errors bytes.Buffer
	code := run(ctx, args, cli.Terminal{In: os.Stdin, Out: &out, Err: &errors})
	if code != cli.Unknown || errors.String() != "goalproof: interrupted: the same command continues\n" {
		t.Errorf("exit code %d, want %d\n%s", code, cli.Unknown, errors.String())
	}
	if !strings.Contains(out.String(), "3600 s each, memory=64MiB; 2 of 4 runs done. Times and nodes are of the 1 position ") {
		t.Error(out.String())
	}
	if n := len(rows(t, file)); n != 2 {
		t.Errorf("%d rows", n)
	}
}

// TestExperimentKilled kills an experiment and tears its last row; the same command continues it.
func TestExperimentKilled(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	args, file := hardExperiment(t, "1500ms")
	link := filepath.Join(t.TempDir(), "goalproof") // see TestInterrupt
	require.NoError(t, os.Symlink(exe, link))
	cmd := exec.CommandContext(t.Context(), link, args...)
	require.NoError(t, cmd.Start())
	begun(file)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()          // it was killed
	before := rows(t, file) // two, or more if the machine was busy
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	if _, err := f.WriteString("2,posit"); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, f.Close())
	var out, errors bytes.Buffer
	code := run(t.Context(), args, cli.Terminal{In: os.Stdin, Out: &out, Err: &errors})
	if code != cli.Holds || errors.String() != fmt.Sprintf("%d of 4 runs are recorded\n", len(before)) {
		t.Errorf("exit code %d, want %d\n%s", code, cli.Holds, errors.String())
	}
	after := rows(t, file)
	if len(before) < 2 || len(after) != 4 || !slices.Equal(after[:len(before)], before) {
		t.Errorf("the rows are %q after %q", after, before)
	}
}
