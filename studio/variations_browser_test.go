//go:build browser

package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"goalproof/studio"
)

// TestBrowserVariations opens the defences of a win one after the other, and the board follows.
func TestBrowserVariations(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste(example(t, "win-in-3.txt"))
	w.is(c, study(t, "win-in-3.txt").Position)
	w.press(`[data-view="solve"]`)
	w.press("#solve")
	w.says("says", "wins in 3 turns")
	w.press("#vary")
	w.until("the defences", `document.querySelectorAll("#defences > details").length > 1`)
	shows := func(what string, turns int) {
		t.Helper()
		until(t, what, func() bool {
			return len(w.study().Turns) == turns && w.count("#pieces .own, #pieces .forced") > 0
		})
	}
	w.press("#defences > button")
	shows("the first turn", 0)
	w.until("marked", `document.querySelector("#defences > button").ariaCurrent === "true"`)
	for depth := 1; depth <= 2; depth++ {
		fold := "#defences" + strings.Repeat(" > details:first-of-type", depth)
		w.press(fold + " > summary")
		shows("a reply", 2*depth-1)
		w.until("the answer", fmt.Sprintf("document.querySelector(%q)", fold+" > button"))
		w.press(fold + " > button")
		shows("the answer", 2*depth)
	}
	if got := w.text("defences"); !strings.Contains(got, "wins by goal") {
		t.Errorf("the defences are %q", got)
	}
	w.look("defences")
	w.Reload()
	w.until("the defences again", `document.querySelectorAll("#defences > details").length > 1`)
}
