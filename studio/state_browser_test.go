//go:build browser

package studio_test

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// hidden reports whether an element is hidden.
func (w window) hidden(id string) bool {
	w.Helper()
	return browser.Evaluate[bool](w.Browser, fmt.Sprintf("document.getElementById(%q).hidden", id))
}

// TestBrowserAnswers checks that an answer is shown beside its own position alone, and that its
// parts stay when another one is asked for.
func TestBrowserAnswers(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste(example(t, "win-in-2.txt"))
	w.is(c, study(t, "win-in-2.txt").Position)
	w.press(`[data-view="solve"]`)
	w.press("#all")
	w.press("#solve")
	w.says("says", "Proved: gold wins in 2 turns.")
	w.says("listed", "unique")
	w.press("#vary")
	w.until("the defences", `document.querySelectorAll("#defences > details").length > 1`)
	if w.hidden("solutions-part") {
		t.Error("the solutions went when the defences came")
	}
	w.press("#certify")
	w.says("says", "checked by the plain rules")
	w.until("a certificate", `!document.getElementById("save").hidden`)
	if w.hidden("solutions-part") || w.hidden("defences-part") {
		t.Error("the solutions or the defences went when the certificate came")
	}
	w.look("answers")

	// On the line the answer stays, and says what it is about.
	w.press("#line li:nth-child(3) button")
	w.says("where", "45g")
	w.says("about", "The answer is about 44g. Gold wins in at most 1 turn, by the line of 44g.")

	other := study(t, "no-win-in-2.txt").Position
	w.paste(example(t, "no-win-in-2.txt"))
	w.is(c, other)
	w.press(`[data-view="solve"]`)
	if got := w.text("says"); got != "" && !w.hidden("answer") {
		t.Errorf("beside another position: %q", got)
	}
	w.press(`[data-view="setup"]`)
	w.press("#clear")
	w.says("where", "the board is empty")
	w.press(`[data-view="solve"]`)
	if got := w.text("says"); got != "" && !w.hidden("answer") {
		t.Errorf("beside an empty board: %q", got)
	}
	w.press("#solve")
	w.says("status", "the board is empty: put pieces on it")
	w.paste(example(t, "win-in-2.txt"))
	w.is(c, study(t, "win-in-2.txt").Position)
	w.press(`[data-view="solve"]`)
	w.says("says", "Proved: gold wins in 2 turns.")
	if w.hidden("solutions-part") || w.hidden("defences-part") || w.hidden("save") {
		t.Error("parts of the answer have gone")
	}
}

// TestBrowserLooking checks that undo does not hold what was only looked at.
func TestBrowserLooking(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste("1w Ra4 Eb2\n1b rh5 eg7\n2w Eb2n\n2b rh5s\n3w Ra4n\n")
	w.says("status", "3 turns")
	w.press(`[data-view="game"]`)
	end := w.study()
	w.pressTurn("2g Eb2n")
	w.pressTurn("2s rh5s")
	w.press("#undo")
	w.is(c, opening)
	w.press("#redo")
	until(t, "the end of the game", func() bool { return len(w.study().Turns) == len(end.Turns) })
	w.becomes("(Eb2n(rh5s(Ra4n)))")
}

// TestBrowserFailedPaste checks that a text that cannot be read leaves no word of an earlier one.
func TestBrowserFailedPaste(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste("Ra5 rh7 g")
	w.says("status", "position")
	w.paste("g [rrr]")
	w.says("paste-error", "^")
	if got := w.text("status"); got != "" {
		t.Errorf("beside the error: %q", got)
	}
}

// TestBrowserElsewhere plays and undoes in another view during a game against the engine, which
// stays as it is.
func TestBrowserElsewhere(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.press(`[data-view="play"]`)
	w.set("play-seconds", "3600")
	w.press("#new")
	w.says("play-says", "You play gold.")
	w.press(`[data-view="solve"]`)
	w.play("e2e3")
	w.says("status", "This is no turn of your game")
	w.press(`[data-view="play"]`)
	w.says("play-says", "You play gold.")
	w.press("#play-return")
	w.is(c, opening)
	w.play("d2d3")
	w.says("play-says", "The engine is thinking.")
	w.says("play-time", "s of 3600")
	w.press("#play-now")
	w.says("play-says", "You play gold.")
	if got := w.nodes(); !strings.HasPrefix(got, "(Md2n(") || !strings.HasSuffix(got, "(Ee2n)") {
		t.Errorf("the game is written down as %s", got)
	}
	w.press(`[data-view="solve"]`)
	w.press("#undo")
	until(t, "undone", func() bool { return len(w.study().Turns) < 2 })
	w.press(`[data-view="play"]`)
	w.says("play-says", "You play gold.")
	w.press("#play-return")
	until(t, "the game", func() bool { return len(w.study().Turns) == 2 })
}

// TestBrowserNoMistakes takes the findings of a game in which no win was missed: no turn gets a
// comment or a variation.
func TestBrowserNoMistakes(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.play("e2e3")
	w.play("d7d6")
	w.press(`[data-view="game"]`)
	w.press("#review")
	w.until("a page", `!document.getElementById("review-page").hidden`)
	w.press("#take-review")
	w.says("status", "stands in the comments")
	if got := w.nodes(); !strings.HasPrefix(got, "{Not finished.") || !strings.HasSuffix(got, "}(Ee2n(ed7s))") {
		t.Errorf("after the review: %s", got)
	}
}

// saved returns the games of a workspace by their files.
func saved(t *testing.T, root *os.Root) map[string]string {
	t.Helper()
	files, err := os.ReadDir(root.Name())
	require.NoError(t, err)
	games := map[string]string{}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".game"); ok {
			text, err := root.ReadFile(f.Name())
			require.NoError(t, err)
			games[name] = string(text)
		}
	}
	return games
}

// typed types a comment, and does not leave the field.
func (w window) typed(comment string) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{const c = document.getElementById("comment"); c.value = %q; c.dispatchEvent(new Event("input"))} null`, comment))
}

// asks reports whether the page asks before it is left.
func (w window) asks() bool {
	w.Helper()
	return !browser.Evaluate[bool](w.Browser, `dispatchEvent(new Event("beforeunload", {cancelable: true}))`)
}

// TestBrowserTyped types comments and closes the page at once, changes the file elsewhere, and
// types where there is no workspace.
func TestBrowserTyped(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	w := open(t, c)
	const text = "[Gold \"ann\"]\n[Silver \"bob\"]\n\n1g Ra4 Eb2 1s rh5 eg7\n2g Ra4n 2s rh5s\n"
	w.paste(text)
	w.says("status", "2 turns")
	w.press(`[data-view="game"]`)
	w.pressTurn("2g Ra4n")
	if got := saved(t, root); len(got) != 0 || w.asks() {
		t.Errorf("before anything was written: %v", got)
	}
	w.typed("first")
	w.says("game-state", "Saved as ann bob.")
	if got := saved(t, root)["ann bob"]; !strings.Contains(got, "2g Ra4n {first}") || w.asks() {
		t.Errorf("saved: %q", got)
	}

	// Written elsewhere, it is loaded, and the board stays.
	kept := ask[keptGame](c, "GET", "/api/games/ann%20bob", nil)
	elsewhere := func(comment string) {
		t.Helper()
		kept.Game.Nodes[2].Comment = comment
		kept.Version = ask[keptGame](c, "POST", "/api/games", map[string]any{"name": "ann bob", "version": kept.Version, "game": kept.Game}).Version
	}
	elsewhere("others")
	w.says("turns", "others")
	w.says("comment-label", "2g Ra4n")

	// Written elsewhere and here, it is asked, and nothing is lost. A hidden page hears of no
	// change.
	w.hide(true)
	elsewhere("theirs")
	w.typed("second")
	w.says("game-state", "changed elsewhere")
	w.until("a question", `!document.getElementById("game-conflict").hidden`)
	if !w.asks() {
		t.Error("the page may be left although its game is not saved")
	}
	w.hide(false)
	w.look("conflict")
	w.press("#game-mine")
	w.says("game-state", "Saved as ann bob 2.")
	if got := saved(t, root); !strings.Contains(got["ann bob"], "{theirs}") || !strings.Contains(got["ann bob 2"], "{second}") {
		t.Errorf("saved: %v", got)
	}

	// Written elsewhere while the page was hidden, it is loaded when the page is seen again.
	kept = ask[keptGame](c, "GET", "/api/games/ann%20bob%202", nil)
	w.hide(true)
	kept.Game.Nodes[1].Comment = "hidden"
	ask[any](c, "POST", "/api/games", map[string]any{"name": "ann bob 2", "version": kept.Version, "game": kept.Game})
	w.hide(false)
	w.says("turns", "hidden")

	w.typed("third")
	browser.Evaluate[any](w.Browser, `location.href = "about:blank", null`)
	until(t, "saved after the page was left", func() bool { return strings.Contains(saved(t, root)["ann bob 2"], "{third}") })

	none := start(t, studio.Options{})
	v := open(t, none)
	v.paste(text)
	v.says("status", "2 turns")
	v.press(`[data-view="game"]`)
	if v.asks() {
		t.Error("nothing was written, and the page asks")
	}
	v.typed("first")
	v.says("game-state", "Not saved: the studio has no workspace.")
	if !v.asks() {
		t.Error("the page may be left although its game is not saved")
	}
}

// TestBrowserUnsaved types a comment where it cannot be saved: there is no workspace, no studio, or no
// token. Another studio with a workspace saves it when the window opens its address.
func TestBrowserUnsaved(t *testing.T) {
	l := listen(t)
	c, end := startAt(t, l, studio.Options{})
	w := open(t, c)
	w.paste("[Gold \"ann\"]\n[Silver \"bob\"]\n\n1g Ra4 Eb2 1s rh5 eg7\n2g Ra4n 2s rh5s\n")
	w.says("status", "2 turns")
	w.Reload() // nobody has done anything on the page since, so the browser does not ask before it is left
	w.until("the board", `document.querySelectorAll("#pieces use").length > 0`)
	w.typed("first")
	w.says("game-state", "Not saved: the studio has no workspace.")

	again := func(o studio.Options) {
		t.Helper()
		end()
		w.says("status", "The studio does not answer.")
		other, err := net.Listen("tcp4", l.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { other.Close() })
		c, end = startAt(t, other, o)
		w.says("status", "open the address that goalproof studio printed")
	}
	opens := func() {
		t.Helper()
		browser.Evaluate[any](w.Browser, fmt.Sprintf(`window.before = true, location.href = %q, null`, c.studio.Address()))
		w.until("the board", `!window.before && document.querySelectorAll("#pieces use").length > 0`)
	}
	root := workspace(t)
	again(studio.Options{Workspace: root})
	opens()
	w.says("game-state", "Saved as ann bob.")
	if got := saved(t, root)["ann bob"]; !strings.Contains(got, "{first}") {
		t.Errorf("saved: %q", got)
	}

	again(studio.Options{Workspace: root})
	w.typed("second")
	w.says("game-state", "Not saved: the token is missing or wrong")
	w.Reload()
	w.says("game-state", "Not saved: the token is missing or wrong")
	opens()
	w.says("game-state", "Saved as ann bob.")
	if got := saved(t, root)["ann bob"]; !strings.Contains(got, "{second}") {
		t.Errorf("saved: %q", got)
	}
}
