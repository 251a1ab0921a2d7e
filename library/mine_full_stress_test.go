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

	"goalproof/internal/testkit/require"
)

// TestFullMining mines on disks that are too small: there is an error that names the file, whole
// games are there, and with more room the same mining adds the rest.
func TestFullMining(t *testing.T) {
	games := gamesToMine(t, 60)
	empty, whole := importText(t, 1<<10, archive(games)), importText(t, 1<<10, archive(games))
	require.NoError(t, empty.Close())
	data, err := os.ReadFile(empty.path)
	require.NoError(t, err)
	_, _, err = mineInto(t.Context(), whole, Filter{}, minedNodes, 2, unread)
	require.NoError(t, err)
	want := minedTables(t, whole)
	full := map[string]int{}
	for kib := 40; kib < 4<<10; kib *= 2 {
		disk := t.TempDir()
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", len(data)>>10+kib)); err != nil {
			t.Skipf("a small disk to fill cannot be mounted: %v", err)
		}
		defer syscall.Unmount(disk, syscall.MNT_DETACH)
		path := filepath.Join(disk, "library")
		require.NoError(t, os.WriteFile(path, data, 0o666))
		mine := func() (before, games int, err error) {
			l, err := Edit(t.Context(), path)
			if err != nil {
				return 0, 0, err
			}
			m, _, err := mineInto(t.Context(), l, Filter{}, minedNodes, 2, func(int64) { games++ })
			if m != nil {
				before = m.Before
			}
			return before, games, errors.Join(err, l.Close())
		}
		_, mined, err := mine()
		if err != nil && (!errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), path)) {
			t.Errorf("%d KiB of room: %v", kib, err)
		}
		full[fmt.Sprintf("%d games, full: %t", mined, err != nil)]++
		require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=64m"))
		require.NoError(t, opened(t, path).Verify(t.Context(), func(int) {}))
		before, _, err := mine()
		require.NoError(t, err)
		l := opened(t, path)
		if before != mined || minedTables(t, l) != want {
			t.Errorf("%d KiB of room: %d games were mined, %d were there; or other rows in the end", kib, mined, before)
		}
		require.NoError(t, l.Close())
	}
	t.Logf("%v", full)
}
