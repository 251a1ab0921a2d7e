package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// TestVerifyInterrupted interrupts a run: what is known by then is reported, at once.
func TestVerifyInterrupted(t *testing.T) {
	set := filepath.Join(t.TempDir(), "set.txt")
	const opening = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]" // without a win for long
	win := "g [                R                                r              ]"
	require.NoError(t, os.WriteFile(set, []byte(win+"\n"+opening+"\n"+opening+"\n"+win+"\n"+win+"\n"), 0o666))
	ctx, cancel := context.WithCancel(t.Context())
	var stopped time.Time
	time.AfterFunc(time.Second, func() {
		stopped = time.Now()
		cancel()
	})
	var out, errs bytes.Buffer
	code := cli.Run(ctx, []string{"--threads", "2", "--win-in", "9", "--memory", "64MiB", set}, cli.Terminal{In: os.Stdin, Out: &out, Err: &errs}, Command)
	if waited := time.Since(stopped); waited > 5*time.Second { // in fact a few milliseconds; machines stall
		t.Errorf("stopped after %v", waited)
	}
	if code != cli.Unknown {
		t.Errorf("exit code %d, want %d\n%s", code, cli.Unknown, errs.String())
	}
	for _, want := range []string{":1 ", "  win in 1 ", "  no win in ", "open: longer wins (interrupted)\n", "3 puzzles; ", "2 open, 0 errors", "Open: longer wins of 2 puzzles (interrupted)\n", "Interrupted: 2 puzzles not examined"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
}

// TestVerifyPublished verifies published wins in two by the command: some of few pieces, among them
// one that is none; with the tag large all, and each win has a certificate that is accepted, and
// each "no" one of which a sample is.
func TestVerifyPublished(t *testing.T) {
	dir := filepath.Join(published.Dir(t), "win-in-2")
	sets, err := filepath.Glob(filepath.Join(dir, "reduced", "*8.txt"))
	require.NoError(t, err)
	args := []string{"--claim", "2", "--time", "10m", "--json", "--threads", "2", "--memory", "64MiB"}
	want := map[string]int{"proved ": len(sets) - 1, "disproved ": 1}
	if boards.Large {
		sets = []string{filepath.Join(dir, "reduced"), filepath.Join(dir, "big")}
		args = append(args, "--check")
		want = map[string]int{"proved accepted": 98, "disproved sampled": 3}
	}
	var out, errs bytes.Buffer
	code := cli.Run(t.Context(), append(args, sets...), cli.Terminal{In: os.Stdin, Out: &out, Err: &errs}, Command)
	if code != cli.Holds {
		t.Fatalf("exit code %d\n%s", code, errs.String())
	}
	verdicts := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var r struct{ Verdict, Certificate string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		verdicts[r.Verdict+" "+r.Certificate]++
	}
	if fmt.Sprint(verdicts) != fmt.Sprint(want) {
		t.Errorf("verdicts and certificates: %v, want %v", verdicts, want)
	}
}
