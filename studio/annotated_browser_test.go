//go:build browser

package studio_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// nodes returns the turns of the game that the window keeps, each below the one before it, with
// marks and comments.
func (w window) nodes() string {
	w.Helper()
	return browser.Evaluate[string](w.Browser, `(() => {
		const kept = JSON.parse(sessionStorage.getItem("studio")), {nodes} = kept.games.find(g => g.id === kept.game);
		const tell = i => nodes[i].turn.replaceAll(" ", "") + nodes[i].sign + (nodes[i].comment && "{" + nodes[i].comment + "}") + nodes.map((n, k) => n.parent === i ? k : 0).filter(k => k).map(k => "(" + tell(k) + ")").join("");
		return tell(0);
	})()`)
}

// write types a comment on the turn that is shown.
func (w window) write(comment string) {
	w.Helper()
	w.typed(comment)
	browser.Evaluate[any](w.Browser, `document.getElementById("comment").dispatchEvent(new Event("blur"))`)
}

// becomes waits for the tree of the game.
func (w window) becomes(want string) {
	w.Helper()
	got := ""
	for range 600 {
		if got = w.nodes(); got == want {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	w.Fatalf("the game is\n%s\nwant\n%s", got, want)
}

// turn is the button of a turn in the list, by its text.
func (w window) pressTurn(text string) {
	w.Helper()
	mark := fmt.Sprintf(`(() => {
		for (const b of document.querySelectorAll("#turns [data-wanted]")) delete b.dataset.wanted;
		const found = [...document.querySelectorAll("#turns button")].find(b => b.textContent.startsWith(%q));
		if (found) found.dataset.wanted = "";
		return !!found;
	})()`, text)
	w.until(text, mark)
	w.press("#turns [data-wanted]")
	w.until("shown: "+text, `document.querySelector("#turns [data-wanted]")?.getAttribute("aria-current") === "true"`)
}

// TestBrowserAnnotate plays variations, comments on them, walks, promotes and deletes them, saves,
// exports and loads the game. No comment ever becomes markup.
func TestBrowserAnnotate(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	w := open(t, c)
	const markup = `<img src=x onerror="document.title='broken'">`
	w.paste("[Gold \"ann " + strings.ReplaceAll(markup, `"`, "'") + "\"]\n[Silver \"bob\"]\n\n1g Ra4 Eb2 1s rh5 eg7\n2g Ra4n Ra5n 2s rh5s 3g Ra6n {" + markup + "} (3g Eb2n {aside})\n")
	w.says("status", "3 turns")
	w.press(`[data-view="game"]`)
	w.becomes("(Ra4nRa5n(rh5s(Ra6n{" + markup + "})(Eb2n{aside})))")
	w.says("game-about", "ann <img src=x onerror=")
	// Another turn at an earlier position is a variation; what is only looked at is none.
	w.pressTurn("2s rh5s")
	w.play("g7g6")
	w.becomes("(Ra4nRa5n(rh5s(Ra6n{" + markup + "})(Eb2n{aside}))(eg7s))")
	w.write("better " + markup)
	w.play("b2c2")
	w.set("sign", "?!")
	const grown = "(Ra4nRa5n(rh5s(Ra6n{" + markup + "})(Eb2n{aside}))(eg7s{better " + markup + "}(Eb2e?!)))"
	w.becomes(grown)
	w.says("turns", "1 variation in place of 2s")
	// Keys walk.
	for _, step := range []struct{ key, label string }{{kb.ArrowLeft, "2s eg7s"}, {kb.ArrowUp, "2s rh5s"}, {kb.ArrowRight, "3g Ra6n"}, {kb.ArrowDown, "3g Eb2n"},
		{kb.Home, "the first position"}, {kb.End, "3g Ra6n"}, {kb.ArrowLeft, "2s rh5s"}, {kb.ArrowDown, "2s eg7s"}} {
		if step.key == kb.ArrowLeft && step.label == "2s eg7s" {
			w.pressTurn("3g Eb2e")
		}
		w.Press(step.key)
		w.says("comment-label", "Comment on "+step.label)
		w.until("focus", `document.activeElement.getAttribute("aria-current") === "true"`)
	}
	w.look("annotate")
	// It survives a reload.
	w.Reload()
	w.until("the list", `document.querySelectorAll("#turns button").length === 7`)
	if got := w.nodes(); got != grown {
		t.Errorf("after a reload: %s", got)
	}
	// Saved, exported, and read again.
	w.press(`[data-view="game"]`)
	w.says("game-state", "Saved as ann img src x onerror")
	w.set("game-name", "../out")
	w.press("#game-save")
	w.says("status", "begins with a letter")
	w.set("game-name", "mine")
	w.press("#game-save")
	w.says("status", "The game has been saved as mine.")
	w.press("#game-save") // replaces what this window has saved
	w.says("status", "saved as mine.")
	browser.Evaluate[any](w.Browser, `{window.texts = []; URL.createObjectURL = b => (b.text().then(t => texts.push(t)), "blob:none")} null`)
	w.press("#annotated")
	w.until("a file", `texts.length === 1`)
	text := browser.Evaluate[string](w.Browser, `texts[0]`)
	file, err := root.ReadFile("mine.game")
	if err != nil || string(file) != text || !strings.Contains(text, "2s eg7s {better "+markup+"}\n3g Eb2e ?!\n") {
		t.Errorf("%v, saved\n%s\nexported\n%s", err, file, text)
	}
	// The variation becomes the main line; a turn goes with all that follows it.
	w.pressTurn("3g Eb2e")
	w.press("#promote")
	w.becomes("(Ra4nRa5n(eg7s{better " + markup + "}(Eb2e?!))(rh5s(Ra6n{" + markup + "})(Eb2n{aside})))")
	w.pressTurn("2s rh5s")
	w.press("#cut")
	w.says("confirm-text", "Delete 3 turns")
	w.look("confirm")
	w.press("#confirm-no")
	w.press("#cut")
	w.press("#confirm-yes")
	const less = "(Ra4nRa5n(eg7s{better " + markup + "}(Eb2e?!)))"
	w.becomes(less)
	until(t, "saved without the variation", func() bool {
		file, err := root.ReadFile("mine.game")
		return err == nil && !strings.Contains(string(file), "rh5s")
	})
	w.paste("Ra5 rh7 g")
	w.press(`[data-view="game"]`)
	w.becomes("")
	w.press("#kept-part summary")
	w.says("kept-games", "mine: ")
	if n := w.count("#kept-games li"); n != 1 {
		t.Errorf("%d games have been saved", n)
	}
	w.press("#kept-games button")
	w.says("status", "The game mine has been loaded.")
	w.becomes(less)
	w.hasNoMarkup()
	w.press(`#kept-games [aria-label="Delete mine"]`)
	w.press("#confirm-yes")
	w.says("status", "has been deleted")
	if _, err := root.Lstat("mine.game"); !os.IsNotExist(err) {
		t.Errorf("the file is there: %v", err)
	}
}

// TestBrowserRestart begins a game against the engine: what was played before from the same
// position is another game.
func TestBrowserRestart(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.play("e2e3")
	w.becomes("(Ee2n)")
	w.press("#undo")
	w.press(`[data-view="play"]`)
	w.press("#new")
	w.says("play-says", "You play gold")
	w.becomes("")
	w.press(`[data-view="game"]`)
	w.play("d2d3")
	w.becomes("(Md2n)")
}

// TestBrowserFindings puts down what a judgement, a solution and a review have found. Looking along
// a line adds nothing.
func TestBrowserFindings(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste("1w Ra4 Eb2\n1b rh5 eg7\n2w Eb2n\n2b rh5s\n3w Ra4n\n")
	w.says("status", "3 turns")
	w.press(`[data-view="game"]`)
	w.becomes("(Eb2n(rh5s(Ra4n)))")
	w.pressTurn("2g Eb2n")
	w.press("#won")
	w.says("says", "Proved: gold wins in 1 turn.")
	w.until("a line", `document.querySelectorAll("#line li").length === 2`)
	w.press("#line li:nth-child(2) button")
	w.says("where", "the game is over")
	w.press("#line li:nth-child(1) button")
	w.says("where", "2g, gold to move")
	w.becomes("(Eb2n(rh5s(Ra4n)))")
	w.press("#note")
	w.says("status", "It stands in the comment")
	w.becomes("{Proved: gold wins in 1 turn.}(Eb2n(rh5s(Ra4n)))(Ra4nRa5nRa6nRa7n)")
	w.press(`[data-view="game"]`)
	w.pressTurn("2g Eb2n")
	w.play("a4b4")
	w.press("#other")
	w.says("says", "with Ra4e gold has no win in 1 turn")
	w.press("#note")
	w.until("judged", `JSON.parse(sessionStorage.getItem("studio")).games.some(g => g.nodes.some(n => n.turn === "Ra4e" && n.comment.startsWith("Disproved: with Ra4e")))`)
	w.press(`[data-view="game"]`)
	w.pressTurn("2s rh5s") // the whole line is reviewed
	w.press("#review")
	w.until("a page", `!document.getElementById("review-page").hidden`)
	w.press("#take-review")
	w.says("status", "stands in the comments")
	if n := w.count("#turns details[open]"); n != 1 {
		t.Errorf("%d places with variations are open: those of the person are, and no others", n)
	}
	if got := w.nodes(); !strings.Contains(got, "THROWS AWAY") || !strings.Contains(got, "(Eb2n??") && !strings.Contains(got, "(Eb2n?") || !strings.Contains(got, "Proved: gold wins in 1 turn.") {
		t.Errorf("after the review: %s", got)
	}
	before := w.nodes()
	w.press("#take-review") // again adds nothing
	w.says("status", "stands in the comments")
	if got := w.nodes(); got != before {
		t.Errorf("taken twice:\n%s\nonce:\n%s", got, before)
	}
	w.look("findings")
	w.paste("Ra5 rh7 g")
	w.is(c, "Ra5 rh7 g")
	w.press(`[data-view="game"]`)
	w.becomes("")
	w.press("#take-review")
	w.says("status", "The review is of another game")
}

// TestBrowserListed opens a long game: the list shows the turn that is on the board.
func TestBrowserListed(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste(example(t, "game.turns"))
	w.says("status", "50 turns")
	w.press(`[data-view="game"]`)
	if !browser.Evaluate[bool](w.Browser, `(() => {
		const box = document.getElementById("turns").getBoundingClientRect(), b = document.querySelector("#turns [aria-current]").getBoundingClientRect();
		return b.top >= box.top && b.bottom <= box.bottom + 1;
	})()`) {
		t.Error("the list does not show the turn on the board")
	}
}
