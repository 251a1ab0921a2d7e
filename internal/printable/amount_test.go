package printable

import "testing"

// TestAmount counts things in English.
func TestAmount(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 nodes", 1: "1 node", 2: "2 nodes", 1234567: "1,234,567 nodes"} {
		if got := Amount(n, "node"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
