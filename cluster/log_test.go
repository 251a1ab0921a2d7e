package cluster

import (
	"slices"
	"testing"
)

// TestLog has a person hear what lines of the embedded server mean, each once.
func TestLog(t *testing.T) {
	var said []string
	l := &serverLog{report: func(text string) { said = append(said, text) }}
	for _, line := range []string{
		`10.0.0.7:53734 - cid:20 - authentication error - Nkey "UAAA"`,
		`10.0.0.7:53735 - cid:21 - "v1.55.0:go:goalproof w1" - authentication error - Nkey "UAAA"`,
		`10.0.0.7:49302 - cid:20 - "v1.55.0:go:goalproof w1" - "$G/nkey:UBBB" - Subscription Violation - Subject ">", SID 1`,
		`10.0.0.7:49302 - cid:20 - "v1.55.0:go:goalproof w1" - "$G/nkey:UBBB" - Publish Violation - Subject "anything"`,
		`[::1]:49302 - cid:20 - maximum connections exceeded`,
		`10.0.0.7:49302 - cid:20 - TLS handshake error: EOF`,
		`10.0.0.7:49302 - cid:20 - Slow Consumer Detected: WriteDeadline of 10s exceeded with 2 chunks of 100 total bytes.`,
		`JetStream failed to store a msg on stream '$G > goalproof-jobs': no space left on device`,
		`Something of 100% that nobody knows`,
		`Something of 20% that nobody knows`,
	} {
		l.Errorf("%s", line)
	}
	want := []string{
		"a client at 10.0.0.7 is refused: its key UAAA was revoked, or belongs to another cluster",
		"a client at 10.0.0.7 tries what its key UBBB does not allow, and is refused; workers.json says whose key it is",
		"a client at [::1] is refused, and tries again: there are as many connections as the server takes",
		"the NATS server in this process reports: Something of 100% that nobody knows",
	}
	if !slices.Equal(said, want) || !l.broken.Load() {
		t.Errorf("a person hears %q, want %q; the disk is full: %v", said, want, l.broken.Load())
	}
}
