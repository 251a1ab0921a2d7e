package cli

import (
	"testing"
	"time"
)

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
