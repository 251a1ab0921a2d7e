//go:build browser

package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// keys presses keys, one after the other.
func (w window) keys(all ...string) {
	w.Helper()
	for _, key := range all {
		w.Press(key)
	}
}

// reaches presses a key until the element with the focus fulfils a condition on it, e.
func (w window) reaches(what, key, condition string) {
	w.Helper()
	holds := fmt.Sprintf(`(e => %s)(document.activeElement)`, condition)
	for range 60 {
		if browser.Evaluate[bool](w.Browser, "!!("+holds+")") {
			return
		}
		w.Press(key)
	}
	w.Fatalf("%s: no way by this key; the focus is on %q", what, browser.Evaluate[string](w.Browser, "document.activeElement.outerHTML.slice(0, 200)"))
}

// labelled is a condition on a button with this text or label.
func labelled(text string) string {
	return fmt.Sprintf("[e.ariaLabel, e.textContent.trim()].includes(%q)", text)
}

// ends plays a turn by keys alone: the piece on a square steps in directions, and the turn ends.
func (w window) ends(square string, directions ...string) {
	w.Helper()
	w.reaches("the board", kb.Tab, `e.closest(".squares")`)
	for range 16 { // the corner a1, whichever square had the focus
		w.keys(kb.ArrowDown, kb.ArrowLeft)
	}
	w.until("the corner", `document.activeElement.dataset.square === "a1"`)
	for range square[0] - 'a' {
		w.Press(kb.ArrowRight)
	}
	for range square[1] - '1' {
		w.Press(kb.ArrowUp)
	}
	w.until(square, fmt.Sprintf("document.activeElement.dataset.square === %q", square))
	w.Press(kb.Enter)
	w.until("taken", `document.activeElement.ariaPressed === "true"`)
	for _, d := range directions {
		w.Press(d)
	}
	w.Press(kb.Enter)
	w.until("the end of the turn", `document.querySelector(".transport .filled:not(:disabled)")`)
	w.Press("e")
	w.until("ended", `!document.querySelector(".transport .filled")`)
}

// TestBrowserKeysAnswer opens a text, asks, walks along the line, and reads the defences, by keys
// alone. What happens is said.
func TestBrowserKeysAnswer(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	browser.Evaluate[any](w.Browser, `dispatchEvent(new KeyboardEvent("keydown", {key: "o", ctrlKey: true, bubbles: true})), null`)
	w.focused(`e.id === "open-text"`)
	for _, letter := range study(t, "win-in-2.txt").Position {
		w.Press(string(letter))
	}
	w.reaches("Open", kb.Tab, labelled("Open the text"))
	w.Press(kb.Enter)
	w.is(c, study(t, "win-in-2.txt").Position)
	w.focused(`e.textContent === "any" && e.matches(".asks .chip")`)
	w.Press(kb.Enter)
	w.hears("Gold wins in 2 turns.")
	w.reaches("the line", kb.Tab, `e.id === "verdict-line"`)
	w.reaches("the first turn", kb.Tab, `e.matches("#verdict-panel .line")`)
	w.keys(kb.Enter)
	w.until("the first turn on the board", `document.querySelector("#verdict-panel .line[aria-current]")`)
	w.keys(kb.ArrowRight)
	w.until("the second turn on the board", `document.querySelectorAll("#verdict-panel .line")[1].ariaCurrent === "true"`)
	w.keys(kb.ArrowLeft, kb.ArrowLeft)
	w.is(c, study(t, "win-in-2.txt").Position)
	browser.Evaluate[any](w.Browser, `document.querySelector("#verdict-line").focus(), null`)
	w.keys(kb.ArrowRight, kb.ArrowRight)
	w.focused(`e.id === "verdict-defences"`)
	w.until("the defences, or a way to them", `document.querySelector("#verdict-panel summary, #verdict-panel .missing button")`)
	w.reaches("the defences", kb.Tab, `e.matches("#verdict-panel summary") || `+labelled("Show the defences"))
	w.Press(kb.Enter)
	w.until("a defence", `document.querySelector("#verdict-panel summary")`)
	if w.count("#verdict-panel details[open]") == 0 {
		w.reaches("a defence", kb.Tab, `e.matches("#verdict-panel summary")`)
		w.Press(kb.Enter)
	}
	w.has("#verdict-panel details[open]", "wins by goal")
}

// TestBrowserKeysGame walks through a game, comments on it, reviews it and goes through the moments,
// by keys alone.
func TestBrowserKeysGame(t *testing.T) {
	root := workspace(t)
	require.NoError(t, root.WriteFile("mine.game", []byte(shortGame), 0o666))
	w := open(t, start(t, studio.Options{Workspace: root}))
	w.reaches("the Library", kb.Tab, labelled("Library"))
	w.Press(kb.Enter)
	w.until("the files", `document.querySelector(".searchlist .item")`)
	w.reaches("the search", kb.Tab, `e.id === "library-text"`)
	w.keys("m", "i", "n", "e")
	w.hears("1 found")
	w.reaches("the game", kb.Tab, `e.matches(".searchlist .item")`)
	w.Press(kb.Enter)
	w.hears("The game mine is open.")
	w.named("mine", "Ra4n")
	w.reaches("the turns", kb.Tab, `e.matches(".turns .turn")`)
	w.Press(kb.ArrowLeft)
	w.named("mine", "rh5s")
	w.reaches("the comment", kb.Tab, labelled("Comment"))
	w.Press(kb.Enter)
	w.focused(`e.id === "comment"`)
	w.keys("g", "o", "o", "d")
	contains(t, root, "mine.game", "2s rh5s {good}")
	w.reaches("the review", kb.Tab, `e.id === "review"`)
	w.Press(kb.Enter)
	w.until("the moments", `document.querySelectorAll(".moments button").length === 3`)
	w.hears("The losing turn was 3g")
	w.reaches("the graph", kb.Tab, `e.matches(".graph [role=slider]")`)
	w.Press(kb.Home)
	w.named("mine", "")
	w.reaches("the moments", kb.Tab, `e.matches(".moments button")`)
	w.Press(kb.Enter)
	w.has(".remark", "THROWS AWAY")
	w.keys(kb.ArrowRight, kb.Enter)
	w.named("mine", "Eb2n")
	w.has(".remark", "2s rh5s")
}

// TestBrowserKeysPuzzle solves an exercise after a turn that is wrong, by keys alone.
func TestBrowserKeysPuzzle(t *testing.T) {
	c := start(t, studio.Options{})
	job := c.begin(task{Kind: "verify", Text: "Ra5 rh7 ed4 Eb2 g\n", Claim: 1, Seconds: 60})
	c.end(job.ID)
	w := open(t, c, "/puzzles/"+job.ID+"/1")
	w.has("section.verdict", "puzzle 1 of 1")
	w.Press("h")
	w.hears("moves first")
	w.ends("b2", kb.ArrowUp)
	w.until("wrong", `document.querySelector(".stamp.bad")`)
	w.until("a word for it", fmt.Sprintf(`[...document.querySelectorAll("[role=status]")].some(e => %s)`, `/no win|keeps|not/i.test(e.textContent)`))
	w.reaches("another try", kb.Tab, labelled("Try again"))
	w.Press(kb.Enter)
	w.until("another try", `!document.querySelector(".stamp")`)
	w.ends("a5", kb.ArrowUp, kb.ArrowUp, kb.ArrowUp)
	w.until("right", `document.querySelector(".stamp.good")`)
	w.hears("goal")
}

// TestBrowserKeysPlay plays a turn against the engine by keys alone; its answer is said.
func TestBrowserKeysPlay(t *testing.T) {
	w := open(t, start(t, studio.Options{}))
	w.reaches("Play", kb.Tab, labelled("Play"))
	w.Press(kb.Enter)
	w.reaches("Begin", kb.Tab, labelled("Begin"))
	w.Press(kb.Enter)
	w.hears("You play gold.")
	w.ends("e2", kb.ArrowUp)
	w.hears("2g Ee2n.")
	w.until("the answer", `document.querySelector("#play-says")?.textContent.includes("The engine plays")`)
	if said := w.said(); !strings.Contains(said, "The engine plays") {
		t.Errorf("said: %q", said)
	}
}
