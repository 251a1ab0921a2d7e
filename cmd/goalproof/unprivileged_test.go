//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/tables"
)

func init() { programs["goalproof-unprivileged"] = unprivileged }

// unprivileged is the program, run by a user whom permissions bind.
func unprivileged() {
	if os.Getuid() == 0 {
		if err := syscall.Setuid(65534); err != nil {
			panic(err)
		}
	}
	main()
}

// readable lets everybody into a temporary directory of a test, and nobody write there.
func readable(t *testing.T, dir string) {
	t.Helper()
	mode := func(directory, file os.FileMode) error {
		return filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir():
				return os.Chmod(path, directory)
			}
			return os.Chmod(path, file)
		})
	}
	for up := filepath.Dir(dir); up != filepath.Clean(os.TempDir()) && len(up) > 1; up = filepath.Dir(up) {
		require.NoError(t, os.Chmod(up, 0o755))
	}
	require.NoError(t, mode(0o555, 0o444))
	t.Cleanup(func() { _ = mode(0o755, 0o644) }) // to be removed
}

// runUnprivileged returns what runs the program as a user without rights.
func runUnprivileged(t *testing.T) (run func(args ...string) (code int, out, errors string)) {
	return func(args ...string) (code int, out, errors string) {
		cmd := process(t, "goalproof-unprivileged", args...)
		cmd.Dir = "/"
		require.NoError(t, os.Chmod(filepath.Dir(cmd.Path), 0o755))
		var o, e bytes.Buffer
		cmd.Stdout, cmd.Stderr = &o, &e
		_ = cmd.Run() // its exit code is checked
		return cmd.ProcessState.ExitCode(), o.String(), e.String()
	}
}

// TestStoreOnlyRead asks questions with a store that must not be written to: its facts answer, nothing is added, and
// one line says so.
func TestStoreOnlyRead(t *testing.T) {
	dir := makeStore(t, search.StoreOptions(), fact{restless, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 2}})
	before := info(t, dir)
	readable(t, dir)
	run := runUnprivileged(t)
	code, out, errors := run("solve", "--quiet", "--win-in", "2", "--memory", "64MiB", "--store", dir, restless)
	if code != cli.Fails || !strings.Contains(out, "no win in 2") || strings.Count(errors, "\n") != 1 ||
		!strings.Contains(errors, dir) || !strings.Contains(errors, "the store is opened for reading only; new facts are not kept") {
		t.Errorf("solve: exit code %d\n%s%s", code, out, errors)
	}
	code, out, errors = run("solve", "--quiet", "--win-in", "3", "--memory", "64MiB", "--store", dir, restless)
	if code != cli.Fails || !strings.Contains(out, "no win in 3") {
		t.Errorf("a search that puts facts: exit code %d\n%s%s", code, out, errors)
	}
	if code, out, errors = run("store", "info", dir); code != cli.Holds || errors != "" || !strings.Contains(out, "no win in 2 turns") {
		t.Errorf("store info: exit code %d\n%s%s", code, out, errors)
	}
	code, _, errors = run("store", "gc", dir)
	if code != cli.BadInput || !strings.Contains(errors, "permission denied") || strings.Contains(errors, "damaged") {
		t.Errorf("store gc: exit code %d\n%s", code, errors)
	}
	code, _, errors = run("solve", "--store", filepath.Join(dir, "new"), restless)
	if code != cli.BadInput || strings.Count(errors, "\n") != 1 || !strings.Contains(errors, "permission denied") {
		t.Errorf("a store that cannot be made: exit code %d\n%s", code, errors)
	}
	if after := info(t, dir); after.Facts != before.Facts {
		t.Errorf("%+v, it was %+v", after, before)
	}
}

// TestStudioUnwritable starts a studio without flags where the data folder, or the directory in it,
// must not be written to: the error says what to do.
func TestStudioUnwritable(t *testing.T) {
	for _, made := range []string{"", "goalproof", "goalproof/studio"} {
		data := filepath.Join(t.TempDir(), "data")
		require.NoError(t, os.MkdirAll(filepath.Join(data, made), 0o755))
		t.Setenv("XDG_DATA_HOME", data)
		readable(t, data)
		code, out, errors := runUnprivileged(t)("studio", "--no-open")
		if code != cli.BadInput || out != "" || strings.Count(errors, "\n") != 1 || !strings.Contains(errors, data) || !strings.Contains(errors, "permission denied") ||
			!strings.HasSuffix(errors, "; name another directory with --workspace DIR, or keep nothing with --workspace none\n") {
			t.Errorf("%q: exit code %d\n%s%s", made, code, out, errors)
		}
	}
}
