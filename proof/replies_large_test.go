//go:build large

package proof

import (
	"errors"
	"runtime"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestMemory has a win checked after whose turn there are more replies than are looked at, and all
// that are have an answer.
func TestMemory(t *testing.T) {
	c, _, err := ReadFile("testdata/million.proof")
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := c.Check(t.Context(), nil); !errors.Is(err, ErrTooManyReplies) {
		t.Errorf("the error is %v", err)
	}
	runtime.ReadMemStats(&after)
	const limit = 300 << 20
	if grown := after.HeapSys - before.HeapSys; after.HeapSys > before.HeapSys && grown > limit {
		t.Errorf("the heap has grown by %d MB", grown>>20)
	} else {
		t.Logf("the heap has grown by %d MB", grown>>20)
	}
}
