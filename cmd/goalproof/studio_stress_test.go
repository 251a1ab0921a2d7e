//go:build stress

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
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
	if code != cli.BadInput || !strings.Contains(errors, "another studio has "+dir+" open") {
		t.Errorf("a second studio in the workspace: exit code %d, %s", code, errors)
	}
}

// TestStudioKilledSaving kills studios while windows save games as one types: each file is a game
// that a window has sent, and not an older one than the last of which it was told that it is saved.
func TestStudioKilledSaving(t *testing.T) {
	dir := t.TempDir()
	const windows = 3
	var said, sent [windows]atomic.Int64 // numbers of comments
	var versions [windows]string
	for round := range boards.Sized(5, 50) {
		s := openStudio(t, "--workspace", dir)
		var clients sync.WaitGroup
		for w := range windows {
			clients.Go(func() {
				name := fmt.Sprint("game ", w)
				if round > 0 {
					kept, err := s.game(name)
					if err != nil {
						t.Error(err)
						return
					}
					if n, err := strconv.ParseInt(kept.Game.Nodes[0].Comment, 10, 64); err != nil || n < said[w].Load() || n > sent[w].Load() {
						t.Errorf("round %d: %s has the comment %q, %d is saved, and %d was sent", round, name, kept.Game.Nodes[0].Comment, said[w].Load(), sent[w].Load())
					}
					versions[w] = kept.Version
				}
				for {
					n := sent[w].Add(1)
					kept, err := s.saveGame(name, versions[w], strconv.FormatInt(n, 10))
					if err != nil {
						return // it has been killed
					}
					said[w].Store(n)
					versions[w] = kept.Version
				}
			})
		}
		for w := range windows {
			for from := said[w].Load(); said[w].Load() < from+int64(3+round%7) && !t.Failed(); {
				time.Sleep(time.Millisecond)
			}
		}
		require.NoError(t, s.cmd.Process.Kill())
		clients.Wait()
		_ = s.cmd.Wait() // it was killed
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	if len(entries) > windows+1+windows { // the games, the facts, and what was being written
		t.Errorf("files were left behind: %v", entries)
	}
}
