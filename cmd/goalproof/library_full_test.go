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

// TestLibraryFull imports onto disks that are too small: when the library is made, in the first
// transaction, and in the second, which 12,000 games need. The error names the file, and the games
// already written are sound. With more room the same import adds the others.
func TestLibraryFull(t *testing.T) {
	for _, c := range []struct{ kib, games int }{{64, 1_000}, {2 << 10, 1_000}, {30 << 10, 12_000}} {
		archive, whole := games.Many(t, c.games), filepath.Join(t.TempDir(), "whole")
		importAll(t, whole, archive)
		disk := t.TempDir()
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", c.kib)); err != nil {
			t.Skipf("a small disk to fill cannot be mounted: %v", err)
		}
		defer syscall.Unmount(disk, syscall.MNT_DETACH)
		path := filepath.Join(disk, "library")
		refuses(t, cli.Internal, []string{path + ": no space left on device"}, "library", "import", path, archive)
		require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=200m"))
		if c.kib > 64 { // else there may be no library yet
			t.Logf("%d KiB: %d games are there", c.kib, verified(t, path))
		}
		importAll(t, path, archive)
		if got := verified(t, path); got != c.games || rowsOf(t, path) != rowsOf(t, whole) {
			t.Errorf("%d KiB: %d games, or other rows", c.kib, got)
		}
	}
}
