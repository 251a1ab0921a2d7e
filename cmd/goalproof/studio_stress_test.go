//go:build stress

package main

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// TestStudioKilled kills a studio under load. Whatever it had reported as kept is answered by its store afterwards, without a
// search.
func TestStudioKilled(t *testing.T) {
	dir := t.TempDir()
	s := openStudio(t, "--workspace", dir)
	var mu sync.Mutex
	var positions []string
	var verdicts []verdictOf
	enough := make(chan struct{})
	var clients sync.WaitGroup
	all := quick(t, 300)
	for client := range 4 {
		clients.Go(func() {
			for i := client; i < len(all); i += 4 {
				job, err := s.solve(all[i])
				if err != nil || job.Result == nil {
					return // it has been killed
				}
				if !job.Result.Kept {
					t.Errorf("not kept: %+v", job.Result)
				}
				v := verdictOf{Verdict: "disproved", Refuted: job.Result.Refuted}
				if job.Result.Within != nil {
					v = verdictOf{Verdict: "proved", Least: *job.Result.Within}
				}
				mu.Lock()
				positions, verdicts = append(positions, all[i]), append(verdicts, v)
				if len(positions) == 60 {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(5 * time.Minute):
		t.Error("the studio is too slow")
	}
	require.NoError(t, s.cmd.Process.Kill())
	clients.Wait()
	_ = s.cmd.Wait() // it was killed
	if len(positions) < 60 {
		t.Fatalf("%d positions were solved", len(positions))
	}
	if searched := answered(t, dir, filepath.Join(dir, "facts"), positions, verdicts); searched == 0 {
		t.Error("no position takes a search: the test shows nothing")
	}
	// A studio that is started again knows them, too.
	s = openStudio(t, "--workspace", dir)
	if job, err := s.solve(positions[0]); err != nil || job.Result == nil || !job.Result.Kept {
		t.Errorf("afterwards: %v, %+v", err, job)
	}
	// Another one cannot use the same workspace.
	code, _, errors := said(t, "studio", "--no-open", "--workspace", dir)
	if code != cli.BadInput || !strings.Contains(errors, "facts") {
		t.Errorf("a second studio in the workspace: exit code %d, %s", code, errors)
	}
}
