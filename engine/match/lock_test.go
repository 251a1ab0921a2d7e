//go:build linux || darwin || freebsd

package match

import (
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestInUse checks that one match at a time has a directory, and that a refused one changes
// nothing.
func TestInUse(t *testing.T) {
	dir := t.TempDir()
	open := func(schedule string) (*Records, error) {
		return OpenRecords(dir, schedule, []string{"first", "second"}, "1s/0")
	}
	lock, err := open("a schedule")
	require.NoError(t, err)
	text := read(t, filepath.Join(dir, archive))
	for _, schedule := range []string{"a schedule", "another"} {
		if _, err := open(schedule); err == nil || !strings.HasSuffix(err.Error(), dir+" is in use by another process") {
			t.Errorf("error %v", err)
		}
	}
	if now := read(t, filepath.Join(dir, archive)); now != text {
		t.Errorf("it has become\n%s", now)
	}
	require.NoError(t, lock.Close())
	playRecorded(t, movers(3, 1), dir, -1)
}
