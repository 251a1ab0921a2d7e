//go:build stress && linux

package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// TestFullDevice writes files to a device that takes nothing.
func TestFullDevice(t *testing.T) {
	const device = "/dev/full"
	if _, err := os.Stat(device); err != nil {
		t.Fatal(err)
	}
	files, _ := writers(t)
	checkWriters(t, files, func(int) string { return device }, cli.Internal)
}

// TestDiskOfFiles writes directories, and a few files, to a disk that is full and to one that is only read.
func TestDiskOfFiles(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a small disk to fill cannot be mounted: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 128<<10), 0o666); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	files, directories := writers(t)
	name := func(int) string { return filepath.Join(disk, "name") }
	for _, state := range []struct {
		flags uintptr
		want  int
	}{{0, cli.Internal}, {syscall.MS_RDONLY, cli.BadInput}} {
		require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT|state.flags, ""))
		checkWriters(t, files[:4], name, state.want)
		for _, command := range directories {
			checkWriters(t, []string{command}, name, state.want)
			if err := os.RemoveAll(name(0)); err != nil && state.flags == 0 {
				t.Fatal(err)
			}
		}
	}
}
