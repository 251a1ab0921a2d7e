//go:build browser

package studio_test

import (
	"fmt"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// TestBrowserClocks watches a game between two programs, reloads the page within it, stops it,
// reviews it, and plays a game against a program.
func TestBrowserClocks(t *testing.T) {
	hostile := program("resigns")
	hostile.Name = "<img src=x>"
	c := start(t, studio.Options{Programs: []studio.Program{program("plays"), hostile, program("waits")}})
	w := open(t, c)
	w.press(`[data-view="play"]`)
	w.until("players", `document.getElementById("player-gold").length === 5`)
	w.set("player-gold", "plays")
	w.set("player-silver", "waits")
	w.set("control", "soon")
	w.press("#begin-clocked")
	w.says("clocked-error", `time control "soon"`)
	w.set("control", "10m/10m")
	w.press("#begin-clocked")
	w.says("clocked-says", "waits is to move, with silver.")
	w.until("a turn", `JSON.parse(sessionStorage.getItem("studio")).study.turns?.length === 1`)
	w.says("clock-gold", "gold, plays: ")
	w.look("clocks")
	w.Reload()
	w.says("clocked-says", "waits is to move, with silver.")
	w.press("#clocked-stop")
	w.says("clocked-says", "The game was stopped after ")
	w.look("stopped")
	w.press("#clocked-review")
	w.until("a review", `JSON.parse(sessionStorage.getItem("studio")).review`)
	if got := w.study().Turns; len(got) != 1 {
		t.Errorf("reviewed: %q", got)
	}

	// The board follows the turns of both, also after a reload in the middle. The game may end
	// meanwhile.
	w.press(`[data-view="play"]`)
	w.set("player-gold", "goalproof")
	w.set("player-silver", "plays")
	w.set("control", "0.2s/20s/0")
	w.press("#clocked-proofs")
	w.press("#begin-clocked")
	w.until("turns", `JSON.parse(sessionStorage.getItem("studio")).study.turns?.length > 2`)
	w.says("clocked-proof", "g: ")
	n := len(w.study().Turns)
	w.Reload()
	w.until("more turns", fmt.Sprintf(`JSON.parse(sessionStorage.getItem("studio")).study.turns?.length > %d ||
		document.getElementById("clocked-says").textContent.includes("wins")`, n))

	// A turn of that game that comes while the next one begins is not shown on its board.
	browser.Evaluate[any](w.Browser, `{
		const plain = window.fetch;
		window.fetch = async (path, options) => {
			const answer = await plain(path, options);
			if (path === "/api/view") await new Promise(done => setTimeout(done, 1000));
			return answer;
		};
	} null`)
	w.press(`[data-view="play"]`)
	w.set("player-gold", "you")
	w.set("control", "10m/10m")
	w.press("#begin-clocked")
	w.is(c, opening)
	w.says("clocked-says", "You are to move, with gold.")
	w.drag(square("e2"), square("e4"))
	w.says("status", "Ee2n Ee3n")
	w.press("#end")
	w.until("an answer", `JSON.parse(sessionStorage.getItem("studio")).study.turns?.length === 2`)
	w.says("clocked-says", "You are to move, with gold.")
	w.press("#undo")
	w.until("the way back", `!document.getElementById("clocked-return").hidden`)
	w.press("#clocked-return")
	w.until("the game", `document.getElementById("clocked-return").hidden`)
	w.press("#clocked-resign")
	w.press("#confirm-yes")
	w.says("clocked-says", "silver wins: gold resigns.")

	w.set("player-gold", "plays")
	w.set("player-silver", hostile.Name)
	w.press("#begin-clocked")
	w.says("clocked-says", "gold wins: silver resigns.")
	w.says("clock-silver", "silver, <img src=x>: ")
	w.hasNoMarkup()

	// A game against the engine without clocks takes its place.
	w.press("#new")
	w.says("play-says", "You play gold.")
	w.until("one game", `document.getElementById("clocked").hidden`)
}
