//go:build stress && linux

package library

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
)

// TestFull imports onto disks that are too small: there is an error that names the file, the games
// that are there are whole, and with more room the same import adds the rest.
func TestFull(t *testing.T) {
	const chunk = 1 << 13
	archive, dir := games.Many(t, boards.Sized(500, 2_000)), t.TempDir()
	_, err := importFile(filepath.Join(dir, "whole"), archive, chunk, func(Read) {})
	require.NoError(t, err)
	whole := opened(t, filepath.Join(dir, "whole"))
	size, err := os.Stat(whole.path)
	require.NoError(t, err)
	full := map[string]int{}
	for kib := int64(4); kib < 10*size.Size()>>10; kib = kib*3 + 4 {
		disk := t.TempDir()
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
			t.Skipf("a small disk to fill cannot be mounted: %v", err)
		}
		path := filepath.Join(disk, "library")
		_, err := importFile(path, archive, chunk, func(Read) {})
		if err != nil && (!errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), path)) {
			t.Errorf("a disk of %d KiB: %v", kib, err)
		}
		if err != nil {
			full["full"]++
		} else {
			full["large enough"]++
		}
		l, err := Open(t.Context(), path)
		if err == nil {
			require.NoError(t, l.Close())
		} else {
			full[strings.ReplaceAll(err.Error(), path, "FILE")]++
		}
		require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=64m"))
		if afterKill(t, path, archive, chunk, whole) > 0 {
			full["some games"]++
		}
		require.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH))
	}
	t.Logf("%v", full)
}
