package main

import (
	"strings"
	"testing"

	"goalproof/cmd/internal/cli"
)

// TestCandidatesInTime asks for more candidates than there is time for: those that were found are shown, and not all of the
// 2,233 turns.
func TestCandidatesInTime(t *testing.T) {
	code, out, errors := said(t, "analyze", "--candidates", "100000", "--time", "20ms", "--memory", "64MiB", "--threads", "1", "../../examples/win-in-2.txt")
	if n := strings.Count(out, "\n1"); code != cli.Holds || n == 0 || strings.Contains(out, "\n1500. ") {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
}
