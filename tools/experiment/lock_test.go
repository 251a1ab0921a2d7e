//go:build linux || darwin || freebsd

package experiment

import (
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestInUse checks that one process at a time has an experiment, and that a refused one changes
// nothing.
func TestInUse(t *testing.T) {
	dir, p := t.TempDir(), plan(t, "killers=0,1")
	r := open(t, dir, p)
	for _, other := range []*Plan{p, plan(t, "killers=2")} {
		if _, err := OpenRecords(dir, other); err == nil || !strings.HasSuffix(err.Error(), dir+" is in use by another process") {
			t.Errorf("error %v", err)
		}
	}
	complete(t, r)
	require.NoError(t, r.Close())
	if _, err := OpenRecords(dir, plan(t, "killers=2")); err == nil {
		t.Error("another experiment is opened")
	}
	if n := len(open(t, dir, p).Runs()); n != p.Runs() {
		t.Errorf("%d runs are left of %d", n, p.Runs())
	}
}
