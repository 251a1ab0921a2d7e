//go:build stress && linux

package pns

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/internal/testkit/boards"
)

// TestFullDisk saves where nothing can be written.
func TestFullDisk(t *testing.T) {
	s := fresh(t, 1)
	if s.Save(&bytes.Buffer{}) == nil {
		t.Error("a search is saved before there was one")
	}
	stopped(t, s, Question{Position: boards.Parse(t, fixed[0].board), N: 2}, 100)
	if err := s.SaveFile(filepath.Join(t.TempDir(), "missing", "file")); err == nil {
		t.Error("no error from a directory that is not there")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	if s.Save(full) == nil {
		t.Error("no error from a full disk")
	}
}

// TestKilled kills a process that saves again and again: what it leaves is a whole search.
func TestKilled(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	path := filepath.Join(dir, "search.pns")
	s := fresh(t, 64)
	// A kill in the middle of saving leaves the unfinished file behind, under another name, until
	// the next save.
	interrupted := 0
	for i := 0; i < 5 || interrupted == 0 && i < 50; i++ {
		cmd := exec.CommandContext(t.Context(), exe, "-test.run", "^TestSaveForever$")
		cmd.Env = append(os.Environ(), saveTo+"="+path)
		require.NoError(t, cmd.Start())
		for {
			if info, err := os.Stat(path); err == nil && (i == 0 || info.Size() > 1000) {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(200+7*i) * time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		unfinished, err := filepath.Glob(filepath.Join(dir, ".search.pns.*"))
		require.NoError(t, err)
		interrupted += len(unfinished)
		file, err := os.Open(path)
		require.NoError(t, err)
		q, err := s.Load(file)
		file.Close()
		if err != nil || q.Position != boards.Parse(t, long) {
			t.Fatalf("after a kill: %v", err)
		}
	}
	if interrupted == 0 {
		t.Error("no save was interrupted")
	}
}
