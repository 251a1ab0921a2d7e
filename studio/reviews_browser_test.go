//go:build browser

package studio_test

import (
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// TestBrowserReview reviews a game and opens the page, which draws its board and cannot reach the
// studio.
func TestBrowserReview(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	var text strings.Builder
	text.WriteString("1w Ra4 Eb2\n1b rh5 eg7\n2w Ra4n Ra5n\n2b rh5s\n3w Ra6n Ra7n\n")
	w.paste(text.String())
	w.says("status", "3 turns")
	w.press(`[data-view="game"]`)
	w.press("#review")
	w.until("a page", `!document.getElementById("review-page").hidden`)
	w.look("review")
	page := window{browser.Visit(t, c.base+browser.Evaluate[string](w.Browser, `document.getElementById("review-link").getAttribute("href")`))}
	page.until("the board", `document.querySelectorAll("#board use").length > 0`)
	page.Press("f")
	browser.Evaluate[any](page.Browser, `fetch("/api/jobs").then(() => document.title = "answered", () => document.title = "refused"), null`)
	page.until("refused", `document.title === "refused"`)
	if got := browser.Evaluate[string](page.Browser, "origin"); got != "null" {
		t.Errorf("the page comes from %s", got)
	}
}
