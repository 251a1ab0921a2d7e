//go:build stress && linux

package cluster

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// long is an answer of 2 KiB that cannot be packed.
func long(n uint64) []byte {
	sum := sha256.Sum256(square(n))
	answer := square(n)
	for len(answer) < 2<<10 {
		sum = sha256.Sum256(sum[:])
		answer = append(answer, sum[:]...)
	}
	return answer
}

// TestFullRunDisk fills the disk with the answers of a run, before it begins and while it is at
// work: the error names the directory and the reason, nothing is made up, and the same run goes on
// when there is room.
func TestFullRunDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a small disk to fill cannot be mounted: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	dir := filepath.Join(disk, "run")
	f := newFarm(t)
	k := squares{lie: func(n uint64) ([]byte, error) { return long(n), nil }}.kind()
	f.work(FirstWorker, k, 2)
	full := func(err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), dir) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("the error of a full disk: %v", err)
		}
		t.Log(err)
	}
	const n = 2000
	ask := func() (got int) {
		t.Helper()
		r := f.begin(dir, Trusted, k)
		for a := range r.Ask(deadline(t, time.Minute), upTo(n), func(_, _ []byte) error { return nil }) {
			if a.Err != nil || !bytes.Equal(a.Bytes, long(uint64(got))) {
				t.Fatalf("answer %d: %d bytes, %v", got, len(a.Bytes), a.Err)
			}
			got++
		}
		if err := r.Close(); got < n {
			full(err)
		} else {
			require.NoError(t, err)
		}
		return got
	}
	ballast := filepath.Join(disk, "ballast")
	_ = os.WriteFile(ballast, make([]byte, 2<<20), 0o600) // as much as there is room
	_, err := Begin(t.Context(), connected(t, f.dir, ""), RunOptions{Dir: dir, Kind: k, Signature: "s", Memory: 1 << 20, Say: func(string) {}})
	full(err)
	require.NoError(t, os.Remove(ballast))
	first := ask()
	if first == 0 || first == n {
		t.Errorf("%d answers while the disk becomes full", first)
	}
	if again := ask(); again == n { // what was kept, and nothing more
		t.Errorf("%d answers on a full disk, %d before", again, first)
	}
	require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=64m"))
	if all := ask(); all != n {
		t.Errorf("%d answers when there is room", all)
	}
	if left, err := os.ReadDir(disk); err != nil || len(left) > 0 {
		t.Errorf("the run leaves %v, %v", left, err)
	}
}
