//go:build browser

package studio_test

import (
	"fmt"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/puzzles/describe"
	"goalproof/studio"
)

// TestBrowserMine mines a text on the page, sees its puzzles after a reload, too, and trains on
// them.
func TestBrowserMine(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.press(`[data-view="set"]`)
	w.press("#mine-part summary")
	w.press("#mine")
	w.says("set-error", "pasted")
	themes := browser.Evaluate[[]string](w.Browser, `[...document.getElementById("mine-themes").options].map(o => o.value)`)
	if all, err := describe.ParseThemes(themes); err != nil || len(all.Names()) != len(themes) || all<<1&^all != 1<<len(themes) {
		t.Errorf("the page offers %v: %v", themes, err)
	}
	text := minedText(t)
	want := len(minedBy(t, "pasted", text))
	w.set("mine-text", text)
	w.press("#mine")
	w.says("set-state", fmt.Sprintf("%d puzzles in 6 positions of 0 games", want))
	w.until("the puzzles", fmt.Sprintf(`document.querySelectorAll("#puzzles tbody tr").length === %d`, want))
	w.says("puzzles", "Difficulty")
	w.look("mine")
	w.Reload()
	w.says("set-state", fmt.Sprintf("%d puzzles in 6 positions of 0 games", want))
	w.until("the puzzles again", fmt.Sprintf(`document.querySelectorAll("#puzzles tbody tr").length === %d`, want))
	w.press("#train-set")
	w.says("train-state", fmt.Sprintf("%d exercises of %d puzzles.", want, want))
}
