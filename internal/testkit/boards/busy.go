package boards

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// Busy keeps all processors busy until the test ends, for a test of what must not depend on that.
func Busy(t testing.TB) {
	t.Helper()
	var stop atomic.Bool
	t.Cleanup(func() { stop.Store(true) })
	for range 2 * runtime.GOMAXPROCS(0) {
		go func() {
			for !stop.Load() {
			}
		}()
	}
}
