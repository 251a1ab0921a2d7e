//go:build browser

package studio_test

import (
	"fmt"
	"io/fs"
	"net"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// typed types a comment on the turn that is shown, and does not leave the field. The browser does
// not take it for something that a person has done: it would ask before the page is left.
func (w window) typed(comment string) {
	w.Helper()
	w.until("the comment", `document.querySelector("#comment") ||
		[...document.querySelectorAll(".gamecard footer button")].find(b => b.textContent === "Comment").click()`)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const e = document.querySelector("#comment");
		e.focus();
		e.value = %q;
		e.dispatchEvent(new Event("input", {bubbles: true}));
	} null`, comment))
}

// loses reports whether the page asks before it is left.
func (w window) loses() bool {
	w.Helper()
	return !browser.Evaluate[bool](w.Browser, `dispatchEvent(new Event("beforeunload", {cancelable: true}))`)
}

// TestBrowserUnsaved types comments where there is no workspace: the page says that they are not
// saved, asks before it is left, and keeps them when it is loaded again. The next studio at this
// address saves them. It is ended, too: the one after it saves what was typed without it.
func TestBrowserUnsaved(t *testing.T) {
	l := listen(t)
	c, end := startAt(t, l, studio.Options{})
	w := open(t, c)
	w.paste(shortGame)
	w.has(".turns", "rh5s")
	w.Reload() // nobody has done anything on the page since, so the browser does not ask before it is left
	w.has(".turns", "rh5s")
	if w.loses() {
		t.Error("the page may not be left, although nothing was written")
	}
	w.typed("first")
	w.has(".file", "Not saved: the studio has no workspace.")
	if !w.loses() {
		t.Error("the page may be left although its game is not saved")
	}

	again := func(o studio.Options) {
		t.Helper()
		end()
		w.hears("The studio does not answer.")
		other, err := net.Listen("tcp4", l.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { other.Close() })
		c, end = startAt(t, other, o)
		w.hears("open the address that goalproof studio printed")
	}
	opens := func() {
		t.Helper()
		w.reopen(c.studio.Address())
		w.until("the board", fmt.Sprintf("document.querySelector(%q)", pieces))
	}
	root := workspace(t)
	again(studio.Options{Workspace: root})
	opens()
	w.has(".file", "Saved as ann bob.")
	contains(t, root, "ann bob.game", "{first}")

	again(studio.Options{Workspace: root})
	w.typed("second")
	w.has(".file", "Not saved: the token is missing or wrong")
	w.Reload()
	w.has(".file", "Not saved: the token is missing or wrong")
	opens()
	w.has(".file", "Saved as ann bob.")
	contains(t, root, "ann bob.game", "{second}")
}

// TestBrowserFailedPaste pastes a text that cannot be read: the dialog shows it with the error, and
// the board and the message of the last one stay as they were.
func TestBrowserFailedPaste(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste("Ra5 rh7 g")
	w.is(c, "Ra5 rh7 g")
	w.paste("g [rrr]")
	w.has("dialog[open] .error", "^")
	if got := w.text(".toast"); got != "" {
		t.Errorf("beside the error: %q", got)
	}
	w.is(c, "Ra5 rh7 g")
}

// holds lets the first request to a path wait until release is evaluated on the page. held counts the
// requests, and answered says that the one that waited has its answer.
func (w window) holds(path string) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const fetched = window.fetch, released = new Promise(done => window.release = done);
		window.held = 0;
		window.answered = false;
		window.fetch = async (...request) => {
			if (!String(request[0]).endsWith(%q) || held++) return fetched(...request);
			await released;
			return fetched(...request).finally(() => answered = true);
		};
	} null`, path))
}

// frames waits until the page has been drawn.
func (w window) frames() {
	w.Helper()
	browser.Evaluate[any](w.Browser, `window.drawn = false, requestAnimationFrame(() => requestAnimationFrame(() => drawn = true)), null`)
	w.until("a frame", "drawn")
}

// TestBrowserLate undoes while the studio takes its time: what stands beside the board stays that of
// the position on the board until this changes.
func TestBrowserLate(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste("Ra7 re2 g")
	w.is(c, "Ra7 re2 g")
	w.asks("in 1")
	w.has(".verdict .badge", "Proved")
	w.paste("Ra5 rh7 s")
	w.is(c, "Ra5 rh7 s")
	w.has(".verdict .badge", "Not asked")

	w.holds("api/view")
	w.button("Undo")
	w.until("the request", "held === 1")
	w.frames()
	if badge := w.text(".verdict .badge"); badge != "Not asked" || !strings.Contains(w.text(".verdict h2"), "silver") {
		t.Errorf("beside the position that was not asked about: %q", w.text(".verdict"))
	}
	browser.Evaluate[any](w.Browser, "release(), null")
	w.is(c, "Ra7 re2 g")
	w.has(".verdict .badge", "Proved")
}

// TestBrowserNumber opens the same position with another number: an answer labels its line by numbers,
// so it is shown beside its own alone.
func TestBrowserNumber(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	const board = "\n +-----------------+\n8|                 |\n7| R               |\n6|     x     x     |\n5|                 |\n4|                 |\n" +
		"3|     x     x     |\n2|         r       |\n1|                 |\n +-----------------+\n   a b c d e f g h\n"
	w.paste("12g" + board)
	w.is(c, "Ra7 re2 g")
	w.asks("in 1")
	w.has("#verdict-panel .line", "12g")
	w.paste("30g" + board)
	w.has(".player .standing", "30g")
	w.has(".verdict .badge", "Not asked")
	w.asks("in 1")
	w.has("#verdict-panel .line", "30g")
	w.button("Write it down in the game")
	w.has("ol.turns", "30")
}

// TestBrowserTwice presses a button twice while the studio takes its time: it makes one file.
func TestBrowserTwice(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	w := open(t, c)
	w.paste("Ra7 re2 g")
	w.is(c, "Ra7 re2 g")
	w.asks("in 1")
	w.has(".verdict .badge", "Proved")
	w.button("Write a certificate")
	w.until("the certificate", `[...document.querySelectorAll("button")].some(b => b.textContent.trim() === "Keep the certificate")`)
	w.holds("/keep")
	w.button("Keep the certificate")
	w.until("the request", "held > 0")
	w.button("Keep the certificate")
	browser.Evaluate[any](w.Browser, "release(), null")
	w.hears("The certificate is in the library")
	w.place("Library")
	w.has(".searchlist", "Gold wins in 1 turn")
	if files, err := fs.Glob(root.FS(), "*.proof"); err != nil || len(files) != 1 {
		t.Errorf("the workspace has %q, %v", files, err)
	}
}

// TestBrowserOrder pastes a text while the studio still reads another one: the last one is shown, in
// whatever order the answers come.
func TestBrowserOrder(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.holds("api/open")
	w.paste("Ra7 re2 g")
	w.until("the request", "held === 1")
	w.paste("Ra5 rh7 s")
	w.is(c, "Ra5 rh7 s")
	browser.Evaluate[any](w.Browser, "release(), null")
	w.until("the answer", "answered")
	w.frames()
	w.steps("h7h6") // after all that was begun on the board
	w.is(c, "Ra5 rh6 s")
}

// TestBrowserMatchSaved plays against the engine: the game is saved by itself.
func TestBrowserMatchSaved(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	w := open(t, c)
	w.button("Play")
	w.set(".new-game input[type=number]", "0.1")
	w.button("Begin")
	w.has(".place-board", "You play gold")
	w.steps("e2e3")
	w.button("End turn")
	w.has(".file", "Saved as You goalproof")
}
