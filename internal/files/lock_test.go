//go:build linux || darwin || freebsd

package files

import (
	"errors"
	"os"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestLockDir takes the lock of a directory with each combination of two ways, and again after the
// first has given it back.
func TestLockDir(t *testing.T) {
	for _, first := range []bool{false, true} {
		for _, second := range []bool{false, true} {
			dir := t.TempDir()
			take := func(shared bool) (*os.File, error) {
				f, err := LockDir(dir, shared)
				if err == nil {
					t.Cleanup(func() { f.Close() })
				}
				return f, err
			}
			held, err := take(first)
			require.NoError(t, err)
			var want error = ErrInUse
			if first && second {
				want = nil
			}
			if _, err := take(second); !errors.Is(err, want) {
				t.Errorf("shared %v, then %v: error %v, want %v", first, second, err, want)
			}
			held.Close()
			if _, err := take(second); err != nil {
				t.Errorf("shared %v after %v was given back: %v", second, first, err)
			}
		}
	}
}
