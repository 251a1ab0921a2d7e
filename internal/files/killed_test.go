package files

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

const childEnv = "FILES_TEST_CHILD" // the path that a child writes to

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		panic(Write(path, func(w io.Writer) error {
			fmt.Fprintln(w, "half")
			fmt.Println("writing")
			time.Sleep(time.Hour) // until it is killed
			return nil
		}))
	}
	os.Exit(m.Run())
}

// writing starts a process that writes to a file and does not come to an end.
func writing(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	cmd.Stderr = io.Discard
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// TestKilled kills processes while they write. What they leave is removed at the next Write or
// Check of the same path, and what a living process writes is not, nor what else is in the
// directory.
func TestKilled(t *testing.T) {
	if !locks {
		t.Skip("skipped: without locks nobody knows whether the writer is alive")
	}
	for name, next := range map[string]func(string) error{"Write": func(path string) error { return Write(path, says("new")) }, "CheckWrite": CheckWrite} {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".file.0123abcd"), nil, 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".other.goalproof-0"), nil, 0o666))
		killed := []*exec.Cmd{writing(t, path), writing(t, path)}
		alive := writing(t, path)
		killed = append(killed, writing(t, path))
		names := func() int {
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			return len(entries)
		}
		for _, cmd := range killed {
			require.NoError(t, cmd.Process.Kill())
			_ = cmd.Wait() // it was killed
		}
		if n := names(); n != 6 {
			t.Fatalf("%d files, and not 4 that are being written and 2 others", n)
		}
		require.NoError(t, next(path))
		want := map[string]int{"Write": 4, "CheckWrite": 3}[name]
		if n := names(); n != want {
			t.Errorf("%d files after %s, want %d", n, name, want)
		}
		require.NoError(t, alive.Process.Kill())
		_ = alive.Wait() // it was killed
		require.NoError(t, next(path))
		if n := names(); n != want-1 {
			t.Errorf("%d files in the end, want %d", n, want-1)
		}
	}
}

// TestTogether writes one file by many goroutines and checks it by others: all succeed, and it is
// always one of the texts.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	var all sync.WaitGroup
	for writer := range 12 {
		all.Go(func() {
			text := fmt.Sprintf("%d\n", writer)
			for range 50 {
				if err := Write(path, says(text)); err != nil {
					t.Error(err)
				}
				if err := CheckWrite(path); err != nil {
					t.Error(err)
				}
				if got, err := os.ReadFile(path); err != nil || len(got) < 2 || got[len(got)-1] != '\n' {
					t.Errorf("%q, %v", got, err)
				}
			}
		})
	}
	all.Wait()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestOthersFiles writes beside files of others whose names are those of files that were left: they
// stay.
func TestOthersFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.proof")
	others := []string{".x.proof.goalproof", ".x.proof.goalproof-8"}
	for i := range swept {
		others = append(others, fmt.Sprintf(".x.proof.goalproof-%d", i))
	}
	for _, name := range others {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666))
	}
	require.NoError(t, CheckWrite(path))
	require.NoError(t, Write(path, says("new")))
	for _, name := range others {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != name {
			t.Errorf("%s holds %q (%v)", name, text, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != len(others)+1 {
		t.Errorf("%d files (%v) in the directory: %v", len(entries), err, entries)
	}
}
