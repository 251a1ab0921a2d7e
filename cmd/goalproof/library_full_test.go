//go:build stress && linux

package main

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
)

// TestLibraryFull imports onto disks that are too small. The error names the file, and the games
// already written are sound. With more room the same import adds the others.
func TestLibraryFull(t *testing.T) {
	archive, whole := games.Many(t, 12_000), filepath.Join(t.TempDir(), "whole")
	importAll(t, whole, archive)
	want := rowsOf(t, whole)
	for _, kib := range []int{64, 2 << 10, 30 << 10} {
		disk := t.TempDir()
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
			t.Skipf("a small disk to fill cannot be mounted: %v", err)
		}
		defer syscall.Unmount(disk, syscall.MNT_DETACH)
		path := filepath.Join(disk, "library")
		refuses(t, cli.Internal, []string{path + ": no space left on device"}, "library", "import", path, archive)
		require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=200m"))
		if kib > 64 { // else there may be no library yet
			t.Logf("%d KiB: %d games are there", kib, verified(t, path))
		}
		importAll(t, path, archive)
		if got := verified(t, path); got != 12_000 || rowsOf(t, path) != want {
			t.Errorf("%d games, or other rows", got)
		}
	}
}
