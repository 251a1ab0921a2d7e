//go:build browser

package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// TestBrowserPlay plays: the engine is stopped, and followed after a reload; turns are taken back;
// games end by the board and by resignation; and the review of a game begins.
func TestBrowserPlay(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.press(`[data-view="play"]`)
	w.set("setup", "typed")
	w.press("#new")
	w.says("play-error", "Type where your pieces stand")
	w.set("placed", "Ra1 <img src=x>")
	w.press("#new")
	w.says("play-error", "<img")
	w.set("placed", "Ra1 Ra2 Ee2")
	w.press("#new")
	w.says("play-says", "You play gold.")
	if got := w.study().Position; !strings.HasSuffix(got, "R   E   R       ]") {
		t.Errorf("set up: %q", got)
	}

	w.set("setup", "usual")
	w.set("play-seconds", "3600")
	w.press("#new")
	w.is(c, opening)
	w.drag(square("e2"), square("e4"))
	w.says("status", "Ee2n Ee3n")
	w.press("#end")
	w.says("play-says", "The engine is thinking.")
	w.says("play-time", "s of 3600")
	w.Reload()
	w.says("play-says", "The engine is thinking.")
	w.says("play-time", "s of 3600")
	w.look("play")
	w.press("#play-now")
	w.says("play-says", "You play gold.")
	if got := w.study().Turns; len(got) != 2 || got[0] != "Ee2n Ee3n" {
		t.Errorf("played: %q", got)
	}
	w.press("#undo")
	w.until("the way back", `!document.getElementById("play-return").hidden`)
	w.press("#play-return")
	w.until("the game", `document.getElementById("play-return").hidden && document.getElementById("where").textContent.startsWith("3g")`)
	w.press("#play-back")
	w.is(c, opening)
	w.press("#resign")
	w.says("confirm-text", "Resign this game? Silver then wins.")
	w.press("#confirm-no")
	w.says("play-says", "You play gold.")
	w.press("#resign")
	w.press("#confirm-yes")
	w.says("play-says", "You resign after 0 turns: silver wins.")
	w.press("#play-back")
	w.says("play-says", "You play gold.")

	// A turn of the person ends the search that it takes back.
	w.drag(square("e2"), square("e4"))
	w.says("status", "Ee2n Ee3n")
	w.press("#end")
	w.says("play-time", "s of 3600")
	w.press("#play-back")
	w.is(c, opening)
	w.says("play-says", "You play gold.")

	// The engine wins at once, and says so if it is asked to.
	w.paste("Ra1 Ed4 rh4 ee7 g")
	w.is(c, "Ra1 Ed4 rh4 ee7 g")
	w.press(`[data-view="play"]`)
	w.set("setup", "board")
	w.press("#new")
	w.is(c, "Ra1 Ed4 rh4 ee7 g")
	w.says("play-says", "You play gold.")
	w.drag(square("d4"), square("d5"))
	w.says("status", "Ed4n")
	w.press("#end")
	w.says("play-says", "The game is over: silver wins by goal.")
	if got := w.text("play-proof"); got != "" {
		t.Errorf("what is proved is hidden, and reads %q", got)
	}
	w.press("#play-proofs")
	w.says("play-proof", "2s: Proved: silver wins in at most 1 turn.")
	w.look("played")
	w.press("#play-review")
	w.until("a page", `!document.getElementById("review-page").hidden`)

	// As silver, the engine begins.
	w.press(`[data-view="play"]`)
	w.set("setup", "chosen")
	w.set("play-side", "silver")
	w.set("play-seconds", "0.2")
	w.press("#new")
	w.says("play-says", "You play silver.")
	if got := w.study().Turns; len(got) != 1 {
		t.Errorf("played: %q", got)
	}
	w.until("flipped", `document.querySelector("#squares button").dataset.square === "h1"`)
	w.hasNoMarkup()
}

// TestBrowserGames lists the games of an archive, filters them, reviews one, asks about a position
// of it, and has another turn judged.
func TestBrowserGames(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const files = new DataTransfer();
		files.items.add(new File([%q], "archive.tsv"));
		dispatchEvent(new DragEvent("drop", {dataTransfer: files, cancelable: true}));
	} null`, archive))
	w.says("games-shown", "3 of 3 games")
	w.says("games-table", "7Cup<img src=x> (1800)bob (1500)silver won by resignation, 2 turns")
	w.look("games")
	for text, want := range map[string]string{"BOB": "2 of 3", "bob resignation": "1 of 3", "not finished": "1 of 3", "nobody": "0 of 3", "": "3 of 3"} {
		w.set("games-filter", text)
		w.says("games-shown", want)
	}
	w.set("games-filter", "resignation")
	w.press("#games tbody tr:not([hidden]) button")
	w.until("a page", `!document.getElementById("review-page").hidden`)
	w.says("turns", "2g Ra4n Ra5n")
	w.hasNoMarkup()
	w.press("#won")
	w.says("says", "Proved: gold wins in 1 turn.")
	w.press(`[data-view="game"]`)
	w.press("#turns li:nth-child(3) button")
	w.is(c, "Ra6 Eb2 rh5 eg7 s")
	w.drag(square("h5"), square("g5"))
	w.says("status", "rh5w")
	w.press("#other")
	w.says("says", "Disproved: with rh5w silver has no win")
	w.paste("Ra1 g")
	w.until("no games", `document.getElementById("games").hidden`)
}
