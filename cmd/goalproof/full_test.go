//go:build stress && linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
)

// TestStoreFull fills the disk from outside while searches put facts: each ends with one line and the exit code of a disk
// that failed. While the disk is full the store is refused, and then the facts are there.
func TestStoreFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64m"); err != nil {
		t.Skipf("a small disk to fill cannot be mounted: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	dir, ballast := filepath.Join(disk, "facts"), filepath.Join(disk, "ballast")
	if code, _, errors := said(t, "solve", "--win-in", "2", "--store", dir, restless); code != cli.Fails {
		t.Fatalf("exit code %d\n%s", code, errors)
	}
	full := fmt.Sprintf("store %s: the disk is full: ", dir)
	runs := boards.Sized(2, 20)
	for i := range runs {
		cmd := process(t, "goalproof", "solve", "--quiet", "--win-in", "9", "--time", "1h", "--memory", "64MiB", "--store", dir, restless)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(i*211%1_000) * time.Millisecond)
		// Some room is left: the store stops before none is. Package store tests what may happen then.
		require.NoError(t, os.WriteFile(ballast, make([]byte, 48<<20), 0o666))
		err := cmd.Wait()
		if said := out.String(); cmd.ProcessState.ExitCode() != cli.Internal || strings.Count(said, "\n") != 1 ||
			!strings.HasPrefix(said, "goalproof: ") || !strings.Contains(said, full) {
			t.Errorf("%v\n%.2000s", err, said)
		}
		refuses(t, cli.Internal, []string{full}, "solve", "--store", dir, restless)
		require.NoError(t, os.Remove(ballast))
		if code, _, errors := said(t, "store", "verify", "--sample", "5", dir); code != cli.Holds {
			t.Errorf("store verify: exit code %d\n%s", code, errors)
		}
		if got := info(t, dir); got.Facts == 0 {
			t.Errorf("%+v", got)
		}
	}
}
