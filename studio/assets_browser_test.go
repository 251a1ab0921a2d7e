//go:build browser

package studio_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// TestBrowserAssets loads the page twice. It asks for each file once, for no module that it has not
// named before, and the second time for none of the studio.
func TestBrowserAssets(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	named := browser.Evaluate[[]string](w.Browser, `[...document.querySelectorAll("link[rel=modulepreload], script")].map(e => e.href || e.src)`)
	const loaded = `performance.getEntriesByType("resource").filter(e => e.name.includes("/assets/"))`
	all := browser.Evaluate[[]string](w.Browser, loaded+`.map(e => e.name)`)
	slices.Sort(all)
	if len(all) < 15 || len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("the page asked for %v", all)
	}
	for _, file := range all {
		if strings.HasSuffix(file, ".js") && !slices.Contains(named, file) {
			t.Errorf("%s is named by a module alone", file)
		}
	}
	const bytes = loaded + `.reduce((n, e) => n + e.transferSize, 0)`
	t.Logf("%d files, %d bytes with headers, %d unpacked", len(all), browser.Evaluate[int](w.Browser, bytes),
		browser.Evaluate[int](w.Browser, loaded+`.reduce((n, e) => n + e.decodedBodySize, 0)`))
	w.Reload()
	w.until("the board", fmt.Sprintf("document.querySelector(%q)", pieces))
	if n := browser.Evaluate[int](w.Browser, bytes); n != 0 {
		t.Errorf("%d bytes the second time", n)
	}
}
