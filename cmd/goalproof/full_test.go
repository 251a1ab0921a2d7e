//go:build stress && linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
)

// TestStoreFull fills the disk from outside while searches put facts: each ends with one line and the exit code of a disk
// that failed, and the facts in the store can be read.
func TestStoreFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("a small disk to fill cannot be mounted: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	dir, ballast := filepath.Join(disk, "facts"), filepath.Join(disk, "ballast")
	if code, _, errors := said(t, "solve", "--win-in", "2", "--store", dir, restless); code != cli.Fails {
		t.Fatalf("exit code %d\n%s", code, errors)
	}
	runs := boards.Sized(3, 20)
	for i := range runs {
		cmd := process(t, "goalproof", "solve", "--quiet", "--win-in", "9", "--time", "1h", "--memory", "64MiB", "--store", dir, restless)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i*211%1_000) * time.Millisecond)
		if err := os.WriteFile(ballast, make([]byte, 8<<20), 0o666); !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		// What was still free, less than a block that was asked for.
		file, err := os.OpenFile(ballast, os.O_APPEND|os.O_WRONLY, 0)
		for err == nil {
			_, err = file.Write(make([]byte, 512))
		}
		file.Close()
		err = cmd.Wait()
		if said := out.String(); cmd.ProcessState.ExitCode() != cli.Internal || strings.Count(said, "\n") != 1 ||
			!strings.HasPrefix(said, "goalproof: ") || !strings.Contains(said, fmt.Sprintf("store %s: the disk is full: ", dir)) {
			t.Errorf("%v\n%.2000s", err, said)
		}
		if got := info(t, dir); got.Facts == 0 { // on the full disk
			t.Errorf("%+v", got)
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		if i%10 == 9 {
			if code, _, errors := said(t, "store", "gc", dir); code != cli.Holds {
				t.Errorf("store gc: exit code %d\n%s", code, errors)
			}
		}
	}
	if code, _, errors := said(t, "store", "verify", "--sample", "5", dir); code != cli.Holds {
		t.Errorf("store verify: exit code %d\n%s", code, errors)
	}
}
