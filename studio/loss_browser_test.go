//go:build browser

package studio_test

import (
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// misses makes the next request to a path, a regular expression, fail for the page: before the
// studio has it, or with its answer. Each later one is as it was. See missed.
func (w window) misses(path string, arrives bool) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const fetched = window.fetch;
		let lost = window.missed = false;
		window.fetch = async (...request) => {
			if (lost || request[1].method !== "POST" || !new RegExp(%q).test(request[0])) return fetched(...request);
			lost = true;
			if (%t) await fetched(...request);
			window.missed = true;
			throw new TypeError("lost");
		};
	} null`, path, arrives))
}

// missed waits until the request has failed.
func (w window) missed() {
	w.Helper()
	w.until("the lost answer", "window.missed")
}

// TestBrowserLong opens a text that is too long and no archive, and writes a comment that is too
// long: both say the limit and what to do.
func TestBrowserLong(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	w := open(t, c)
	browser.Evaluate[any](w.Browser, `window.long = "no game here\n".repeat(90_000), null`)
	browser.Evaluate[any](w.Browser, `{
		const data = new DataTransfer();
		data.items.add(new File([long], "notes.txt"));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
	} null`)
	w.has("dialog[open] .error", "notes.txt has 1.1 MiB. A text has 1 MiB at most")
	w.has("dialog[open] .error", "without a position. Open a part of it")
	w.button("Close")
	w.comments()
	browser.Evaluate[any](w.Browser, `{
		const field = document.getElementById("comment");
		field.value = long;
		field.dispatchEvent(new Event("input", {bubbles: true}));
	} null`)
	w.has(".file [role=status]", "Not saved: This has 1.3 MiB, and the studio takes 1 MiB at most. Shorten a comment")
	w.set("#comment", "short")
	w.has(".file [role=status]", "Saved as Game")
}

// TestBrowserForgotten has the studio forget the analysis of the board, as it does when another
// window replaces it: another one begins.
func TestBrowserForgotten(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.Press("a")
	w.has("#verdict-panel", "2g, searching for")
	mine := c.jobs()[0].ID
	other := c.begin(task{Kind: "analyze", Study: study(t, "win-in-2.txt"), Replaces: mine})
	c.stop(other.ID)
	until(t, "another analysis", func() bool {
		return slices.ContainsFunc(c.jobs(), func(j studio.Brief) bool {
			return j.Kind == "analyze" && j.ID != mine && j.ID != other.ID && j.State == "running"
		})
	})
	w.has("#verdict-panel", "2g, searching for")
}

// TestBrowserReviewLost starts the studio again after a review: the page shows nothing of it, says
// so, and one press makes it again.
func TestBrowserReviewLost(t *testing.T) {
	l := listen(t)
	root := workspace(t)
	require.NoError(t, root.WriteFile("mine.game", []byte(shortGame), 0o666))
	c, end := startAt(t, l, studio.Options{Workspace: root})
	w := open(t, c, "/game/mine?at=3")
	w.until("the game", `document.querySelector("#game-name")?.value === "mine"`)
	w.review()
	end()
	again, err := net.Listen("tcp4", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { again.Close() })
	c, _ = startAt(t, again, studio.Options{Workspace: root})
	w.reopen(c.studio.Address())
	w.has(".review", "The studio does not have the review of this game any more.")
	if n := w.count(".moments, .graph, .remark, .review a"); n > 0 {
		t.Errorf("%d parts of the lost review are shown", n)
	}
	w.review()
	w.until("the moments", `document.querySelectorAll(".moments button").length === 3`)
	if strings.Contains(w.text(".review"), "any more") {
		t.Errorf("the review that was made again: %q", w.text(".review"))
	}
}

// TestBrowserTurnLost loses the request with a turn of a game with clocks, then the answer to one.
// Each turn is played once. Then another window plays on in this game.
func TestBrowserTurnLost(t *testing.T) {
	c := start(t, studio.Options{Programs: []studio.Program{program("waits")}})
	w := openBoard(t, c)
	w.button("Play")
	w.button("With clocks")
	w.begins(map[string]string{"gold": "you", "silver": "you", "control": patient})
	played := func(turns int) {
		t.Helper()
		until(t, fmt.Sprintf("%d turns", turns), func() bool { return len(c.job(c.jobs()[0].ID).Game.Study.Turns) == turns })
	}
	for i, lost := range []struct {
		step    string
		arrives bool
	}{{"e2e3", false}, {"e7e6", true}} {
		w.has("#play-says", "Play your turn")
		w.misses("jobs/.*/turn$", lost.arrives)
		w.steps(lost.step)
		w.button("End turn")
		if !lost.arrives {
			w.hears("The studio does not answer.")
			w.hears("The game has your turn now.")
		}
		played(i + 1)
	}
	other := open(t, c, "/job/"+c.jobs()[0].ID)
	other.has("#play-says", "Play your turn")
	other.steps("e3e4")
	other.button("End turn")
	played(3)
	until(t, "the turn in the first window", func() bool { return len(w.study().Turns) == 3 })
}

// TestBrowserFileLost loses the answers to requests that save a game: it stays one file, and the
// page asks nothing.
func TestBrowserFileLost(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	w := open(t, c)
	w.comments()
	for i, comment := range []string{"one", "two"} {
		w.misses("api/games$", true)
		w.set("#comment", comment)
		w.missed()
		w.set("#comment", "no "+comment[1:])
		w.has(".file [role=status]", "Saved as Game")
		files, err := fs.Glob(root.FS(), "*.game")
		require.NoError(t, err)
		if len(files) != 1 {
			t.Fatalf("%d: the workspace has %q", i, files)
		}
		contains(t, root, files[0], "no "+comment[1:])
	}
}

// TestBrowserEngineLost loses the answer to the request for the engine's turn: the engine moves when
// the page is loaded again.
func TestBrowserEngineLost(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	w := openBoard(t, c)
	w.button("Play")
	w.begins(map[string]string{"seconds": "0.1"})
	w.has("#play-says", "You play gold.")
	w.misses("api/jobs$", true)
	w.steps("e2e3")
	w.button("End turn")
	w.has("#play-says", "The engine is to move.")
	w.Reload()
	w.has("#play-says", "The engine plays")
	until(t, "a reply", func() bool { return len(w.study().Turns) == 2 })
}

// TestBrowserAskedTwice presses a question twice: it is one job.
func TestBrowserAskedTwice(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt(winIn2))
	w.is(c, winIn2)
	browser.Evaluate[any](w.Browser, `{
		const chip = [...document.querySelectorAll(".asks .chip")].find(e => e.textContent === "in 2");
		chip.click();
		chip.click();
	} null`)
	w.has(".verdict .badge", "Proved")
	if n := len(c.jobs()); n != 1 {
		t.Errorf("%d jobs", n)
	}
}

// TestBrowserLately opens two texts of one kind: what was opened lately tells them apart, and when.
func TestBrowserLately(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	for _, text := range []string{"Ra7 re2 g", "Ra5 rh7 s"} {
		w.paste(text)
		w.is(c, text)
	}
	w.button("Open")
	w.has("dialog[open] .rows", "Ra5 rh7 s")
	w.has("dialog[open] .rows", "Ra7 re2 g")
	w.has("dialog[open] .rows", "position, gold to move, just now")
}
