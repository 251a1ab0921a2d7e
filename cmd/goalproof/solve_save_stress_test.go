//go:build stress

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/pns"
)

// loaded reads a saved search of a win in 3, and returns how many nodes it has made.
func loaded(t *testing.T, path string) uint64 {
	t.Helper()
	s, err := pns.New(256 << 20)
	require.NoError(t, err)
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	if q, err := s.Load(file); err != nil || q.Position.String() != restless || q.N != 3 {
		t.Fatalf("%+v, %v", q, err)
	}
	return s.Nodes()
}

// TestSaveKilled kills a search again and again that saves itself, each time after it has saved, and
// lets it continue: every file that is left is a whole search, none has less than the one before it, and in
// the end the answer is there.
func TestSaveKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search.pns")
	flags := []string{"solve", "--algorithm", "pns", "--memory", "256MiB", "--win-in", "3", "--save", path, "--save-every", "20ms"}
	nodes, kills := uint64(0), 0
	for kills < 4 {
		args := append(flags, restless)
		if kills > 0 {
			args = append(flags, "--resume", path)
		}
		cmd := process(t, "goalproof", args...)
		require.NoError(t, cmd.Start())
		// The first files may be those of fewer turns, which are soon decided.
		saves, last := 0, time.Now()
		for begin := time.Now(); saves < 3 && time.Since(begin) < time.Minute; time.Sleep(time.Millisecond) {
			if info, err := os.Stat(path); err == nil && info.ModTime().After(last) {
				saves, last = saves+1, info.ModTime()
			}
		}
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // its state is asked for
		if cmd.ProcessState.Exited() {
			break // it was faster
		}
		kills++
		now := loaded(t, path)
		if now <= nodes {
			t.Errorf("after kill %d: %d nodes, there were %d before", kills, now, nodes)
		}
		nodes = now
	}
	if kills == 0 {
		t.Fatal("the search was never killed")
	}
	code, out, errors := said(t, "solve", "--algorithm", "pns", "--memory", "256MiB", "--win-in", "3", "--resume", path, "--save", path)
	if code != cli.Fails || !strings.Contains(out, "Disproved: gold has no win in 3 turns") {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	if finished := loaded(t, path); finished < nodes {
		t.Errorf("%d nodes at the end, %d before", finished, nodes)
	}
}
