//go:build stress && linux

package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// TestFullDisk fills the disk of a server: it says so, and works again when there is room.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("a small disk to fill cannot be mounted: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	var mu sync.Mutex
	said := ""
	dir := filepath.Join(disk, "cluster")
	s := startServer(t, dir, ServerOptions{Report: func(text string) {
		mu.Lock()
		defer mu.Unlock()
		said += text + "\n"
	}})
	defer s.Close()
	coordinator := connected(t, dir, "")
	if _, err := coordinator.JS.Publish(t.Context(), jobSubject("w1", "run", "first"), []byte("first")); err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(disk, "ballast")
	_ = os.WriteFile(ballast, make([]byte, 20<<20), 0o600) // as much as there is room
	var err error
	for n := 0; err == nil && n < 100; n++ {
		_, err = coordinator.JS.Publish(soon(t), jobSubject("w1", "run", fmt.Sprint(n)), make([]byte, 1<<20))
	}
	if err == nil {
		t.Fatal("a full disk takes more")
	}
	t.Logf("the publisher is told: %v", err)
	until := func(what string, true func() bool) {
		t.Helper()
		for end := time.Now().Add(15 * time.Second); !true(); time.Sleep(100 * time.Millisecond) {
			if time.Now().After(end) {
				mu.Lock()
				defer mu.Unlock()
				t.Fatalf("%s; the server says:\n%s", what, said)
			}
		}
	}
	until("no trouble is told", func() bool {
		status, err := coordinator.Status(soon(t))
		return err == nil && strings.Contains(status.Trouble, "no space left on device; make room")
	})
	require.NoError(t, os.Remove(ballast))
	until("it takes no jobs though there is room", func() bool {
		_, err := coordinator.JS.Publish(soon(t), jobSubject("w1", "run", "last"), []byte("last"))
		return err == nil
	})
	until("there is trouble still", func() bool {
		status, err := coordinator.Status(soon(t))
		return err == nil && status.Trouble == ""
	})
	job, err := connected(t, dir, KeyFile(dir, "w1")).Next(soon(t))
	if err != nil || string(job.Data()) != "first" {
		t.Errorf("the first job: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	t.Logf("the server says:\n%s", said)
	if strings.Count(said, "make room") != 1 || !strings.Contains(said, "all is well again") {
		t.Error("it does not say what a person must know, or more than once")
	}
}
