//go:build browser

package studio_test

import (
	"fmt"
	"slices"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// TestBrowserAssets loads the page twice. It asks for three files, and the second time for none of
// the studio.
func TestBrowserAssets(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	const loaded = `performance.getEntriesByType("resource").filter(e => e.name.includes("/assets/"))`
	all := browser.Evaluate[[]string](w.Browser, loaded+`.map(e => e.name)`)
	slices.Sort(all)
	if want := []string{c.base + c.asset("app.js"), c.base + c.asset("board.css"), c.base + c.asset("page.css")}; !slices.Equal(all, want) {
		t.Errorf("the page asked for %v", all)
	}
	const bytes = loaded + `.reduce((n, e) => n + e.transferSize, 0)`
	t.Logf("%d bytes with headers, %d unpacked", browser.Evaluate[int](w.Browser, bytes),
		browser.Evaluate[int](w.Browser, loaded+`.reduce((n, e) => n + e.decodedBodySize, 0)`))
	w.Reload()
	w.until("the board", fmt.Sprintf("document.querySelector(%q)", pieces))
	if n := browser.Evaluate[int](w.Browser, bytes); n != 0 {
		t.Errorf("%d bytes the second time", n)
	}
}
