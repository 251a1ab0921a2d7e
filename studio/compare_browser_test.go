//go:build browser

package studio_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// TestBrowserCompare compares a set with an earlier run on the page: what has changed is marked,
// counted and filtered.
func TestBrowserCompare(t *testing.T) {
	c := start(t, studio.Options{})
	_, run := earlierRun(t, c)
	run[0]["least"], run[0]["within"], run[2]["verdict"] = 3, 3, "unknown"
	w := open(t, c)
	w.press(`[data-view="set"]`)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`document.getElementById("set-text").value = %q; null`, comparedSet(t)))
	w.press("#verify")
	w.says("set-state", "5 puzzles, ")
	w.until("all rows", `document.querySelectorAll("#puzzles tbody tr").length === 5`)
	give := func(text string) {
		t.Helper()
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		browser.Evaluate[any](w.Browser, fmt.Sprintf(`{const d = new DataTransfer(), e = document.getElementById("earlier");
			d.items.add(new File([%s], "<img src=x>.jsonl")); e.files = d.files; e.dispatchEvent(new Event("change"))} null`, quoted))
	}
	give(`{"schema": 1}`)
	w.says("status", "object 1: verdict")
	give(lines(t, run))
	w.says("compared", "4 puzzles compared, 2 changed.")
	w.says("puzzles", "Changed (turns). Earlier: win in 3, 1 solution.")
	w.says("puzzles", "Changed (verdict). Earlier: unknown.")
	w.set("filter", "changed")
	if got := browser.Evaluate[[]int](w.Browser, `[...document.querySelectorAll("#puzzles tbody tr")].map((r, i) => r.hidden ? -1 : i).filter(i => i >= 0)`); cmp.Diff([]int{0, 2}, got) != "" {
		t.Errorf("changed: rows %v", got)
	}
	w.hasNoMarkup()
	w.look("compare")
	browser.Evaluate[any](w.Browser, `{window.saved = []; const made = URL.createObjectURL; URL.createObjectURL = b => (saved.push(b), made(b))} null`)
	w.press("#export-json")
	w.until("a file", `saved.length === 1 && saved[0].size > 500`)
}
