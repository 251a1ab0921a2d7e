//go:build browser

package studio_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// TestBrowserSaved saves a search on the page, loses it, loads it again, and goes on with other
// parameters.
func TestBrowserSaved(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	w := openTree(t, c)
	w.set("expansions", "20")
	w.press("#step")
	w.until("children", `document.querySelectorAll("#children tbody tr").length > 5`)
	state := w.text("tree-state")
	w.set("tree-name", "../out")
	w.press("#tree-save")
	w.says("status", "begins with a letter")
	w.set("tree-name", "mine")
	w.press("#tree-save")
	w.says("status", "The search has been saved as mine.")
	w.press("#reset")
	w.says("tree-state", "1 node,")
	w.press("#saved-part summary")
	w.says("saved", "mine: ")
	w.press("#saved button")
	w.says("status", "The search mine has been loaded.")
	w.press("#saved li button:nth-child(2)")
	w.says("confirm-text", "Delete the search mine")
	w.press("#confirm-no")
	w.press("#saved li button:nth-child(2)")
	w.press("#confirm-yes")
	w.says("saved-note", "There is none.")
	if files, err := os.ReadDir(root.Name()); err != nil || len(files) > 0 {
		t.Errorf("deleted: %v, %v", files, err)
	}
	if got := w.text("tree-state"); got != state {
		t.Errorf("loaded: %s, want %s", got, state)
	}
	w.press("#parameters summary")
	w.set("p-killers", "9")
	w.press("#tune")
	w.says("status", "9 killers a level: it is 0 to 8")
	w.set("p-killers", "4")
	w.set("p-widening", "3")
	w.press("#tune")
	w.says("status", "continues with these parameters")
	w.press("#run")
	w.says("tree-state", "Decided. A win in 2: proved.")
	w.look("saved")
	w.Reload()
	w.says("tree-state", "Decided. A win in 2: proved.")
	if got := browser.Evaluate[[]string](w.Browser, `["p-killers", "p-widening", "tree-name"].map(id => document.getElementById(id).value)`); cmp.Diff([]string{"4", "3", "mine"}, got) != "" {
		t.Errorf("after a reload: %q", got)
	}
}
