//go:build stress && linux

package studio_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// TestWorkspaceFull fills the disk of a workspace: what is saved after that is refused, and
// everything that was saved before is there, also for a studio that is started then.
func TestWorkspaceFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small disk to fill cannot be mounted: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	root, err := os.OpenRoot(disk)
	require.NoError(t, err)
	defer root.Close()
	c := start(t, studio.Options{Workspace: root})
	g := branchy()
	attempt := studio.Attempt{Study: studio.Study{Position: "Ra4 rh5 g"}, WinIn: 1, Solved: true}
	kept := c.saveGame(map[string]any{"name": "mine", "game": g})
	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2})
	ask[studio.Tree](c, "POST", "/api/trees/"+tree.ID+"/save", map[string]any{"name": "mine"})
	ask[studio.Training](c, "POST", "/api/training", attempt)
	job := c.ended(task{Kind: "certificate", Study: study(t, "goal-in-1-step.txt"), WinIn: 1}).ID
	c.keep(job, map[string]any{"name": "mine"})
	c.imports("mine", archiveOf(3))
	set := ask[settings](c, "POST", "/api/settings", map[string]any{"theme": "dark"})
	before := entries(t, root)
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 1<<20), 0o666); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	g.Nodes[0].Comment = "another comment"
	for what, request := range map[string]struct {
		path string
		body any
	}{
		"the game was":        {"/api/games", map[string]any{"name": "mine", "version": kept.Version, "game": g}},
		"the search was":      {"/api/trees/" + tree.ID + "/save", map[string]any{"name": "mine"}},
		"the training was":    {"/api/training", attempt},
		"the settings were":   {"/api/settings", map[string]any{"theme": "light"}},
		"the certificate was": {"/api/jobs/" + job + "/keep", map[string]any{"name": "another"}},
	} {
		status := 422
		if request.path == "/api/training" {
			status = 503 // it is sent again
		}
		c.refusedFor(status, what+" not saved, and what was saved before is unharmed: ", "POST", request.path, request.body)
		c.refusedFor(status, "no space left on device", "POST", request.path, request.body)
	}
	archive := c.sendTo("/api/archives/another", strings.NewReader(archiveOf(1000)))
	if status, text, _ := c.do(archive); status != 422 || !strings.Contains(text, "the archive was not saved, and what was saved before is unharmed: ") ||
		!strings.Contains(text, "no space left on device") {
		t.Errorf("an archive: %d %s", status, text)
	}
	for _, c := range []*client{c, start(t, studio.Options{Workspace: root})} {
		if got := ask[keptGame](c, "GET", "/api/games/mine", nil); got.Version != kept.Version || got.Game.Nodes[0].Comment != "the first position" {
			t.Errorf("the game: %+v", got)
		}
		if got := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"saved": "mine"}); got.Saved != "mine" {
			t.Errorf("the search: %+v", got)
		}
		if got := ask[studio.Training](c, "GET", "/api/training", nil); got.Streak != 1 {
			t.Errorf("the training: %+v", got)
		}
		same(t, "the settings", set, ask[settings](c, "GET", "/api/settings", nil))
		if got := ask[indexAnswer](c, "GET", "/api/archives/mine", nil); len(got.Games) != 3 {
			t.Errorf("the archive: %+v", got)
		}
		if got := c.work(task{Kind: "check", Certificate: "mine"}); got.Verdict != "accepted" {
			t.Errorf("the certificate: %+v", got)
		}
	}
	require.NoError(t, os.Remove(filepath.Join(disk, "ballast")))
	same(t, "the files", before, entries(t, root))
	c.saveGame(map[string]any{"name": "mine", "version": kept.Version, "game": g})
}
