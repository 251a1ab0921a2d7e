package cli

import (
	"testing"
	"time"
)

// TestAmount counts things in English.
func TestAmount(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 nodes", 1: "1 node", 2: "2 nodes", 1234567: "1,234,567 nodes"} {
		if got := Amount(n, "node"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// TestTook writes durations of every size.
func TestTook(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "under 1ms", 999 * time.Microsecond: "under 1ms", 1400 * time.Microsecond: "1ms", 51 * time.Millisecond: "51ms",
		2534 * time.Millisecond: "2.53s", 72400 * time.Millisecond: "1m12s", 2*time.Hour + 3*time.Minute + 9*time.Second: "2h3m",
	} {
		if got := Took(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
