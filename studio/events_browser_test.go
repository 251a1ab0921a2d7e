//go:build browser

package studio_test

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// keeps has the window keep other values when the page is loaded again.
func (w window) keeps(values map[string]any) {
	w.Helper()
	text, err := json.Marshal(values)
	require.NoError(w, err)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		addEventListener("pagehide", () => sessionStorage.setItem("studio", JSON.stringify({...JSON.parse(sessionStorage.getItem("studio")), ...%s})));
	} null`, text))
}

// hide hides the window, or shows it again, as far as the page knows.
func (w window) hide(hidden bool) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		Object.defineProperty(document, "hidden", {configurable: true, value: %t});
		document.dispatchEvent(new Event("visibilitychange"));
	} null`, hidden))
}

// TestBrowserConnections follows six jobs that run or wait, and a tree that runs: more than a
// browser has connections to an address. The page answers a drag, and shows them all.
func TestBrowserConnections(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.press(`[data-view="tree"]`)
	for field, value := range map[string]string{"tree-turns": "9", "p-memory": "8", "p-high": "10000"} { // it collects, and does not end
		w.set(field, value)
	}
	w.press("#begin")
	w.says("tree-state", "Paused.")
	w.press("#run")
	w.says("tree-state", "Running.")
	usual := endlessTask.Study
	game := task{Kind: "game", Study: usual, Gold: "you", Silver: "goalproof", Control: "1h/1h"}
	kept := map[string]any{"clocked": map[string]any{"job": c.begin(game).ID, "study": map[string]any{"position": usual.Position, "turns": []string{}, "steps": ""}}}
	kept["asked"] = []string{c.begin(endlessTask).ID}
	for _, name := range []string{"set", "review", "train"} {
		kept[name] = c.begin(endlessTask).ID
	}
	kept["match"] = map[string]any{"side": "silver", "seconds": 5, "job": c.begin(endlessTask).ID, "proof": "", "end": "",
		"study": map[string]any{"position": usual.Position, "turns": []string{}, "steps": ""}}
	w.keeps(kept)
	w.Reload()
	w.until("the board", `document.querySelectorAll("#pieces use").length > 0`)
	w.says("tree-state", "Running.")
	w.says("play-says", "The engine is thinking.")
	w.until("a game", `!document.getElementById("clocked").hidden`)
	for _, id := range []string{"progress", "set-state", "review-state", "train-state", "play-time"} {
		w.until(id, fmt.Sprintf(`document.getElementById(%q).textContent !== ""`, id))
	}
	w.drag(square("e2"), square("e4"))
	w.says("status", "Ee2n Ee3n")
	w.press("#undo")
	w.drag(square("a2"), square("a3"))
	w.says("status", "Da2n.")
}

// TestBrowserHidden hides a window: it closes its stream of events, and opens one when it is seen
// again. It then shows what has happened meanwhile.
func TestBrowserHidden(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.set("seconds", "600")
	w.set("win-in", "9")
	w.press("#solve")
	w.says("progress", "Is there a win in")
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
	w.says("says", "Unknown: interrupted")
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
	address := func() string { return browser.Evaluate[string](w.Browser, `location.href`) }
	if got := address(); got != c.base+"/" || strings.Contains(browser.Evaluate[string](w.Browser, `document.documentElement.outerHTML`), c.token) {
		t.Errorf("the token is seen: %s", got)
	}
	w.press(`[data-view="set"]`)
	w.set("set-text", study(t, "win-in-2.txt").Position)
	w.press("#verify")
	w.says("set-state", "1 puzzle")
	w.press(`[data-view="solve"]`)
	w.set("seconds", "600")
	w.set("win-in", "9")
	w.press("#solve")
	w.says("progress", "Is there a win in")
	w.drag(square("e2"), square("e3"))
	w.says("status", "Ee2n")
	end()
	w.says("status", "The studio does not answer.")

	again, err := net.Listen("tcp4", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { again.Close() })
	c, _ = startAt(t, again, studio.Options{})
	w.Reload()
	w.says("status", "open the address that goalproof studio printed")
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`location.href = %q, null`, c.studio.Address()))
	w.until("the board", `document.querySelectorAll("#pieces use").length > 0 && document.getElementById("where").textContent.includes("3 steps left")`)
	if got := address(); got != c.base+"/" {
		t.Errorf("the address is %s", got)
	}
	w.drag(square("e3"), square("e4"))
	w.says("status", "Ee2n Ee3n.")
	for _, id := range []string{"progress", "says", "set-state"} {
		if text := w.text(id); text != "" {
			t.Errorf("%s of another studio: %q", id, text)
		}
	}
	w.until("forgotten", `(kept => kept.asked.length === 0 && kept.set === null)(JSON.parse(sessionStorage.getItem("studio")))`)
	w.press("#undo")
	w.press("#undo")
	w.says("where", "4 steps left")
	w.set("win-in", "9")
	w.press("#solve")
	w.says("progress", "Is there a win in")
	w.Reload()
	w.says("progress", "Is there a win in") // with the token that the window keeps
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
	w.says("status", "The studio does not answer.")
	w.set("seconds", "600")
	w.set("win-in", "9")
	w.press("#solve")
	w.until("a job", `JSON.parse(sessionStorage.getItem("studio")).asked?.length`)
	c.stop(c.jobs()[0].ID)
	c.end(c.jobs()[0].ID)
	browser.Evaluate[any](w.Browser, `window.fetch = asked, null`)
	w.says("status", "The studio answers again.")
	w.says("says", "Unknown: interrupted")
}
