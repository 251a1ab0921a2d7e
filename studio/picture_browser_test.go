//go:build browser

package studio_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// TestBrowserMarks marks a board by the right button, by the left one, and by keys.
func TestBrowserMarks(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste("Ed4 rd5 Ra1 ra8 g")
	w.is(c, "Ed4 rd5 Ra1 ra8 g")
	marks := func(what string, rings, pointers int) {
		t.Helper()
		w.until(what, fmt.Sprintf(`document.querySelectorAll("#pieces .pointer").length === %d &&
			(document.querySelector("#pieces .ring")?.getAttribute("d").match(/M/g).length || 0) === %d`, pointers, rings))
	}
	w.press("#mark")
	w.press(square("d5"))
	marks("a ring", 1, 0)
	w.drag(square("d4"), square("f6"))
	marks("an arrow from a piece", 1, 1)
	w.is(c, "Ed4 rd5 Ra1 ra8 g") // nothing has moved
	browser.Evaluate[any](w.Browser, `document.querySelector('#squares [data-square="b2"]').focus(), null`)
	w.Press(kb.Enter)
	w.until("the beginning", `document.querySelector('#squares [data-square="b2"]').ariaPressed === "true"`)
	w.Press(kb.ArrowUp)
	w.Press(kb.Enter)
	marks("an arrow by keys", 1, 2)
	w.says("status", "Marks: d5, d4 to f6, b2 to b3.")
	w.look("marks")
	w.press(square("d5"))
	marks("the same again", 0, 2)
	w.press("#flip")
	marks("flipped", 0, 2)
	w.press("#mark")
	w.drag(square("d4"), square("c4"))
	w.is(c, "Ec4 rd5 Ra1 ra8 g")
	marks("another position", 0, 0)
	x, y := w.middle(square("h1"))
	w.Click(x, y, chromedp.ButtonRight)
	marks("a ring by the right button", 1, 0)
}
