//go:build browser

package studio_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// hide hides the window, or shows it again, as far as the page knows.
func (w window) hide(hidden bool) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		Object.defineProperty(document, "hidden", {configurable: true, value: %t});
		document.dispatchEvent(new Event("visibilitychange"));
	} null`, hidden))
}

// searches asks a question about the opening that has no answer in sight.
func (w window) searches() {
	w.Helper()
	w.searchFor("600")
	w.button("any")
	w.has(".badge", "Searching")
	w.has(".sentence", "Does gold win?")
}

// searchFor gives searches so many seconds.
func (w window) searchFor(seconds string) {
	w.Helper()
	w.until("the drawer", `document.querySelector("details.search")`)
	browser.Evaluate[any](w.Browser, `document.querySelector("details.search").open = true, null`)
	w.set(`details.search input[max="86400"]`, seconds)
}

// unasked waits until nothing stands on the card but a question that nobody has asked.
func (w window) unasked() {
	w.Helper()
	w.has(".badge", "Not asked")
	if n := w.count(".verdict .searching"); n > 0 {
		w.Error("a search is shown")
	}
}

// TestBrowserConnections follows jobs that run or wait, and a tree that runs: more than a browser
// has connections to an address. The page answers a drag, and shows them all, also after a reload.
func TestBrowserConnections(t *testing.T) {
	c := start(t, studio.Options{})
	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": endlessTask.Study, "win_in": 9, "memory": 8 << 20,
		"parameters": map[string]any{"gc_high": 10000}}).ID
	ask[any](c, "POST", "/api/trees/"+tree+"/run", map[string]any{}) // it collects, and does not end
	w := open(t, c)
	w.searches()
	for range 3 {
		c.begin(endlessTask)
	}
	line := *endlessTask.Study
	line.Number, line.Turns = 2, []string{"Ee2n", "ed7s"}
	w.to("/job/" + c.begin(task{Kind: "review", Study: &line, Seconds: 3600}).ID)
	w.until("the review", `document.querySelector(".review .searching")`)
	w.to("/job/" + c.begin(task{Kind: "verify", Text: example(t, "win-in-3.txt"), Seconds: 3600}).ID)
	w.until("the set", `document.querySelector(".set .searching")`)
	w.place("Board")
	w.button("Play")
	w.button("Silver")
	w.begins(map[string]string{"seconds": "3600"})
	w.has("#play-says", "The engine is thinking.")
	w.to("/job/" + tree)
	shown := func() {
		t.Helper()
		w.until("the tree", `[...document.querySelectorAll("#verdict-panel button")].some(b => b.textContent === "Pause")`)
		w.has("[popovertarget=tray]", "7")
		for kind, n := range map[string]int{"Does the side to move win?": 4, "Review": 1, "Verifying puzzles": 1, "Turn of the engine": 1, "Search as a tree": 1} {
			w.until(kind, fmt.Sprintf(`[...document.querySelectorAll("#tray .job [aria-label^=Stop]")].filter(b => b.ariaLabel.startsWith("Stop: %s")).length === %d`, kind, n))
		}
	}
	shown()
	w.drag(square("e2"), square("e4"))
	w.hears("Ee2n Ee3n.")
	w.button("Undo")
	w.Reload()
	w.until("the board", fmt.Sprintf("document.querySelector(%q)", pieces))
	shown()
	w.drag(square("a2"), square("a3"))
	w.hears("Da2n.")
}

// TestBrowserHidden hides a window: it closes its stream of events, and opens one when it is seen
// again. It then shows what has happened meanwhile.
func TestBrowserHidden(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.searches()
	browser.Evaluate[any](w.Browser, `{
		window.streams = [];
		const asked = fetch;
		window.fetch = (address, options) => (address.endsWith("/events") && streams.push(options.signal), asked(address, options));
	} null`)
	w.hide(true)
	w.hide(false)
	w.until("another stream", `streams.length === 1 && !streams[0].aborted`)
	w.hide(true)
	if !browser.Evaluate[bool](w.Browser, `streams[0].aborted`) {
		t.Error("a hidden window has a stream")
	}
	c.stop(c.jobs()[0].ID)
	c.end(c.jobs()[0].ID)
	w.hide(false)
	w.has(".badge", "Unknown")
	w.has(".sentence", "Interrupted while")
	if n := browser.Evaluate[int](w.Browser, `streams.length`); n != 2 {
		t.Errorf("%d streams", n)
	}
}

// TestBrowserAnother ends a studio and starts another one at the same address. The window says so,
// takes the token of the new address, and shows nothing of the jobs of the first one.
func TestBrowserAnother(t *testing.T) {
	l := listen(t)
	c, end := startAt(t, l, studio.Options{})
	w := open(t, c)
	w.tokenless(c)
	w.place("Puzzles")
	w.button("New set")
	w.set("#set-text", study(t, "win-in-2.txt").Position)
	w.button("Verify")
	w.press("#set-panel .filled")
	w.has(".set-state", "1 puzzle")
	w.place("Board")
	w.searches()
	w.steps("e2e3")
	w.hears("Ee2n")
	end()
	w.hears("The studio does not answer.")

	again, err := net.Listen("tcp4", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { again.Close() })
	c, _ = startAt(t, again, studio.Options{})
	w.Reload()
	w.hears("open the address that goalproof studio printed")
	w.reopen(c.studio.Address())
	w.has(".player.gold", "3 steps left")
	w.tokenless(c)
	w.steps("e3e4")
	w.hears("Ee2n Ee3n.")
	w.unasked()
	w.until("forgotten", `sessionStorage.getItem("studio.asked") === "[]"`)
	if n := w.count("#tray .job"); n > 0 {
		t.Errorf("%d jobs of another studio", n)
	}
	w.place("Puzzles")
	w.until("the set is forgotten", `sessionStorage.getItem("studio.set") === '"collection"'`)
	if n := w.count(".set-state, .findings"); n > 0 {
		t.Errorf("a set of another studio: %q", w.text(".set"))
	}
	w.place("Board")
	w.button("Undo")
	w.button("Undo")
	w.has(".player.gold", "4 steps left")
	w.searches()
	w.Reload()
	w.has(".badge", "Searching") // with the token that the window keeps
}

// tokenless checks that neither the address nor the page shows the token of a studio.
func (w window) tokenless(c *client) {
	w.Helper()
	w.until("the address", `location.hash.startsWith("#/")`)
	seen := browser.Evaluate[string](w.Browser, `location.href + document.documentElement.outerHTML`)
	if strings.Contains(seen, c.token) {
		w.Errorf("the token is seen at %s", browser.Evaluate[string](w.Browser, `location.href`))
	}
}

// TestBrowserAnswersAgain breaks the stream while the studio is away for a moment: the window says
// so, and follows its job again.
func TestBrowserAnswersAgain(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	browser.Evaluate[any](w.Browser, `{
		window.asked = fetch;
		window.fetch = (address, options) => address.endsWith("/events") ? Promise.reject(new TypeError("away")) : asked(address, options);
	} null`)
	w.hide(true)
	w.hide(false)
	w.hears("The studio does not answer.")
	w.searches()
	c.stop(c.jobs()[0].ID)
	c.end(c.jobs()[0].ID)
	browser.Evaluate[any](w.Browser, `window.fetch = asked, null`)
	w.hears("The studio answers again.")
	w.has(".badge", "Unknown")
	w.has(".sentence", "Interrupted while")
}
