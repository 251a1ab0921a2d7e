//go:build browser

package studio_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// goes opens a position by its address.
func (w window) goes(c *client, position string) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`location.hash = %q, null`, boardAt(position)))
	w.is(c, position)
}

// brush returns the selector of a piece of the palette.
func brush(name string) string { return fmt.Sprintf(`.palette button[aria-label=%q]`, name) }

// sounds switches tones on or off, with a theme by which one sees that the page knows.
func (w window) sounds(c *client, on bool, theme string) {
	w.Helper()
	ask[any](c, "POST", "/api/settings", map[string]any{"sounds": on, "theme": theme})
	w.until("the settings", fmt.Sprintf("document.documentElement.dataset.theme === %q", theme))
}

// nobodyMoves waits until the strips beside the board say of nobody that it is to move.
func (w window) nobodyMoves() {
	w.Helper()
	w.until("nobody to move", `![...document.querySelectorAll(".player")].some(e => e.matches(".moves") || e.textContent.includes("to move"))`)
}

// openBoard opens the page at the usual position.
func openBoard(t *testing.T, c *client) window {
	t.Helper()
	w := open(t, c, boardAt(opening))
	w.until("the place Board", `document.querySelector("main[data-mode]")`)
	return w
}

// TestBrowserSetUp sets a position up by dragging, by clicks and by keys, and plays on it.
func TestBrowserSetUp(t *testing.T) {
	c := start(t, studio.Options{})
	w := openBoard(t, c)
	w.button("Edit")
	w.button("Clear the board")
	w.is(c, "g ["+strings.Repeat(" ", 64)+"]")
	w.hears("The board is empty.")
	if got := w.text("main"); strings.Contains(got, "wins") {
		t.Errorf("an empty board: %q", got)
	}
	w.button("Done")
	w.hears("The board is empty.")
	if got := w.text("main"); strings.Contains(got, "wins") {
		t.Errorf("an empty board that is set up: %q", got)
	}
	w.button("Edit")
	w.drag(brush("gold rabbit"), square("a5"))
	w.is(c, "Ra5 g")
	w.press(brush("silver rabbit"))
	w.press(square("h7"))
	w.press(square("c3"))
	w.is(c, "Ra5 rh7 rc3 g")
	w.press(brush("silver rabbit")) // is put down
	w.press(square("d4"))
	w.Press("e")
	w.Press(kb.ArrowRight)
	w.Press("H")
	w.is(c, "Ra5 rh7 rc3 ed4 He4 g")
	w.has(".unusual", "trap")
	// A piece that is dragged follows the pointer, and goes back when the drag is broken off.
	if off := browser.Evaluate[float64](w.Browser, `(() => {
		const grid = document.querySelector(".squares"), from = document.querySelector('.squares [data-square="e4"]').getBoundingClientRect();
		const event = (type, x, y) => new PointerEvent(type, {clientX: x, clientY: y, button: 0, bubbles: true, pointerId: 1});
		grid.dispatchEvent(event("pointerdown", from.left + from.width / 2, from.top + from.height / 2));
		const x = from.left - 1.3 * from.width, y = from.top + 2.4 * from.height;
		dispatchEvent(event("pointermove", x, y));
		const ghost = document.getElementById("ghost").getBoundingClientRect();
		dispatchEvent(event("pointercancel", x, y));
		return document.getElementById("ghost") ? -1 : Math.hypot(ghost.left + ghost.width / 2 - x, ghost.top + ghost.height / 2 - y);
	})()`); off < 0 || off > 1 {
		t.Errorf("the piece is %v pixels off the pointer; -1: it stays", off)
	}
	w.drag(square("c3"), ".player.silver") // off the board
	w.is(c, "Ra5 rh7 ed4 He4 g")
	w.drag(square("e4"), square("d3"))
	w.is(c, "Ra5 rh7 ed4 Hd3 g")
	w.press(square("d3"))
	w.Press(kb.Delete)
	w.is(c, "Ra5 rh7 ed4 g")
	w.press(square("d4"))
	w.press(square("e6")) // the second click moves
	w.is(c, "Ra5 rh7 ee6 g")
	w.Press(kb.Escape)
	w.press(brush("clear squares"))
	w.press(square("e6"))
	w.is(c, "Ra5 rh7 g")
	w.Press(kb.Escape) // puts down what clears
	w.press(square("h7"))
	w.press(square("g7"))
	w.is(c, "Ra5 rg7 g")
	w.look("edit")
	w.button("Undo")
	w.is(c, "Ra5 rh7 g")
	w.button("Exchange colours")
	w.is(c, "ra4 Rh2 s")
	w.button("Gold")
	w.is(c, "ra4 Rh2 g")
	w.set("#edit-number", "44")
	w.has(".player.gold", "44g, gold to move")
	w.button("Usual setup")
	w.is(c, opening)
	w.button("Undo")
	w.is(c, "ra4 Rh2 g")
	w.button("Done")
	w.until("the end of the mode", `document.querySelector('main[data-mode="analyse"]')`)

	w.goes(c, "Ra5 rh7 ed4 g")
	w.drag(square("a5"), square("a6"))
	w.is(c, "Ra6 rh7 ed4 g")
	w.drag(square("a6"), square("a5"))
	w.hears("a rabbit does not step backward")
	w.press(square("d4"))
	w.hears("The piece on d4 cannot move now.")
	w.drag(square("d4"), ".player.silver")
	w.hears("Pieces leave the board on traps alone.")
	w.drag(square("a6"), square("a8")) // two steps at once
	w.is(c, "Ra8 rh7 ed4 g")
	w.button("Undo")
	w.is(c, "Ra6 rh7 ed4 g")
	w.button("Flip the board")
	w.until("flipped", `document.querySelector(".squares button").dataset.square === "h1"`)
	w.press(square("a6"))
	w.until("a target", `document.querySelector('.squares .target[data-square="a7"]')`)
	w.press(square("a7"))
	w.is(c, "Ra7 rh7 ed4 g")
	w.drag(square("a7"), square("a8"))
	w.hears("Ra5n Ra6n Ra7n.")
	w.button("End turn")
	w.hears("gold wins by goal")
	until(t, "the turn", func() bool { return slices.Equal(w.study().Turns, []string{"Ra5n Ra6n Ra7n"}) })
}

// TestBrowserMarks marks a board by the right button, by the left one, and by keys.
func TestBrowserMarks(t *testing.T) {
	c := start(t, studio.Options{})
	w := openBoard(t, c)
	w.goes(c, "Ed4 rd5 Ra1 ra8 g")
	marks := func(what string, rings, pointers int) {
		t.Helper()
		w.until(what, fmt.Sprintf(`document.querySelectorAll(".stage .pointer").length === %d &&
			(document.querySelector(".stage .ring")?.getAttribute("d").match(/M/g).length || 0) === %d`, pointers, rings))
	}
	w.button("Rings and arrows")
	w.press(square("d5"))
	marks("a ring", 1, 0)
	w.drag(square("d4"), square("f6"))
	marks("an arrow from a piece", 1, 1)
	w.is(c, "Ed4 rd5 Ra1 ra8 g") // nothing has moved
	browser.Evaluate[any](w.Browser, `document.querySelector('.squares [data-square="b2"]').focus(), null`)
	w.Press(kb.Enter)
	w.until("the beginning", `document.querySelector('.squares [data-square="b2"]').ariaPressed === "true"`)
	w.Press(kb.ArrowUp)
	w.Press(kb.Enter)
	marks("an arrow by keys", 1, 2)
	w.hears("Marks: d5, d4 to f6, b2 to b3.")
	w.look("marks")
	w.press(square("d5"))
	marks("the same again", 0, 2)
	w.button("Flip the board")
	marks("flipped", 0, 2)
	w.button("Rings and arrows")
	w.drag(square("d4"), square("c4"))
	w.is(c, "Ec4 rd5 Ra1 ra8 g")
	marks("another position", 0, 0)
	x, y := w.middle(square("h1"))
	w.Click(x, y, chromedp.ButtonRight)
	marks("a ring by the right button", 1, 0)
}

// TestBrowserPlay plays: the engine is stopped, and followed after a reload; turns are taken back;
// games end by the board and by resignation; and the review of a game begins.
func TestBrowserPlay(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)}) // nothing is unsaved when the page is loaded again
	w := openBoard(t, c)
	w.button("Play")
	w.set("#play-setup", "typed")
	w.button("Begin")
	w.has(".new-game .error", "Type where your pieces stand")
	w.set("#play-placed", "Ra1 <img src=x>")
	w.button("Begin")
	w.has(".new-game .error", "<img")
	w.look("new game")
	w.set("#play-placed", "Ra1 Ra2 Ee2")
	w.button("Begin")
	w.has("#play-says", "You play gold.")
	until(t, "the pieces that were typed", func() bool { return strings.HasSuffix(w.study().Position, "R   E   R       ]") })

	w.begins(map[string]string{"setup": "usual", "seconds": "3600"})
	w.is(c, opening)
	w.steps("e2e4")
	w.Press("e")
	w.hears("2g Ee2n Ee3n. Now silver is to move.")
	w.has("#play-says", "The engine is thinking.")
	w.has(".searching", "s of 3600")
	w.Reload()
	w.has("#play-says", "The engine is thinking.")
	w.has(".searching", "s of 3600")
	w.look("play")
	w.button("Move now")
	w.has("#play-says", "You play gold. Play your turn")
	until(t, "both turns", func() bool { return len(w.study().Turns) == 2 })
	if got := w.study().Turns; got[0] != "Ee2n Ee3n" || !strings.HasPrefix(w.text("#play-says"), "The engine plays "+got[1]+".") {
		t.Errorf("played: %q, and it says %q", got, w.text("#play-says"))
	}
	// Undo leads to another position than the one of the game, and nobody is told to play there.
	w.button("Undo")
	w.has("#play-says", "You are to move. The board shows another position than the game.")
	if got := w.text("#play-says"); strings.Contains(got, "Play your turn") {
		t.Errorf("after undo: %q", got)
	}
	w.button("Back to the game")
	w.has("#play-says", "Play your turn")
	until(t, "both turns again", func() bool { return len(w.study().Turns) == 2 })
	w.button("Take back")
	w.is(c, opening)
	w.button("Resign")
	w.has("dialog[open]", "Resign this game? Silver then wins.")
	w.button("Play on")
	w.has("#play-says", "You play gold.")
	w.button("Resign")
	w.press("dialog[open] footer button:first-child")
	w.has("#play-says", "You resign after 0 turns: silver wins.")
	w.nobodyMoves()
	w.has(".player.gold", "2g: the game is over")
	w.button("Take back")
	w.has("#play-says", "You play gold.")
	w.has(".player.gold.moves", "2g, gold to move")

	// A turn of the person ends the search that it takes back.
	w.steps("e2e4")
	w.button("End turn")
	w.has(".searching", "s of 3600")
	w.button("Take back")
	w.is(c, opening)
	w.has("#play-says", "You play gold.")

	// The engine wins at once, and says so if it is asked to.
	const lost = "Ra1 Ed4 rh4 ee7 g"
	w.goes(c, lost)
	w.has("#play-says", "another position")
	w.begins(map[string]string{"setup": "board", "seconds": "3600"})
	w.has("#play-says", "You play gold. Play")
	w.is(c, lost)
	w.steps("d4d5")
	w.button("End turn")
	w.has("#play-says", "The game is over: silver wins by goal.")
	if got := w.count(".proved"); got > 0 {
		t.Error("what is proved is shown although nobody has asked for it")
	}
	w.button("Show what the engine has proved")
	w.has(".proved", "2s: Proved: silver wins in at most 1 turn.")
	w.look("played")
	w.button("Review this game")
	w.until("the mode of reviews", `document.querySelector('main[data-mode="analyse"]')`)
	until(t, "a review", func() bool { return slices.Contains(kinds(c), "review") })

	// As silver, the engine begins.
	w.button("Play")
	w.button("New game")
	w.press(`.chips[aria-label="You play"] button:last-child`)
	w.begins(map[string]string{"setup": "chosen", "seconds": "0.2"})
	w.has("#play-says", "You play silver.")
	until(t, "a turn of the engine", func() bool { return len(w.study().Turns) == 1 })
	w.until("flipped", `document.querySelector(".squares button").dataset.square === "h1"`)
	w.has(".player.gold", "goalproof")
	w.hasNoMarkup()
}

// begins fills in the form of a new game, and begins it. It waits until the form is gone.
func (w window) begins(fields map[string]string) {
	w.Helper()
	w.fills(fields)
	w.button("Begin")
	w.until("the game", `!document.querySelector(".new-game") || !document.querySelector(".again[open]")`)
}

// fills fills in the form of a new game.
func (w window) fills(fields map[string]string) {
	w.Helper()
	if w.count(".again:not([open])") > 0 {
		w.button("New game")
	}
	for name, value := range fields {
		w.set("#play-"+name, value)
	}
}

// kinds returns the kinds of the jobs of a studio.
func kinds(c *client) (all []string) {
	for _, j := range ask[struct{ Jobs []struct{ Kind string } }](c, "GET", "/api/jobs", nil).Jobs {
		all = append(all, j.Kind)
	}
	return all
}

// game returns the tags of the present game, and its main line.
func (w window) game() (tags map[string]string, line []string) {
	w.Helper()
	type node struct {
		Parent int
		Turn   string
	}
	desk := kept[struct {
		Present int
		Games   []struct {
			ID    int
			Tags  map[string]string
			Nodes []node
		}
	}](w, "desk")
	for _, g := range desk.Games {
		if g.ID != desk.Present {
			continue
		}
		tags = g.Tags
		for at := 0; at >= 0; {
			at = slices.IndexFunc(g.Nodes, func(n node) bool { return n.Parent == at })
			if at >= 0 {
				line = append(line, g.Nodes[at].Turn)
			}
		}
	}
	return tags, line
}

// wrote waits until the present game, of the person with gold against somebody, has these turns as
// its main line; "" is any turn.
func (w window) wrote(silver string, line ...string) {
	w.Helper()
	until(w.T, "the game as it is written down", func() bool {
		tags, turns := w.game()
		same := slices.EqualFunc(turns, line, func(got, want string) bool { return want == "" || got == want })
		return same && tags["Gold"] == "You" && tags["Silver"] == silver
	})
}

// TestBrowserElsewhere plays, ends turns and undoes in the mode of analyses during a game against
// the engine, which stays as it is.
func TestBrowserElsewhere(t *testing.T) {
	c := start(t, studio.Options{})
	w := openBoard(t, c)
	w.button("Play")
	w.begins(map[string]string{"seconds": "3600"})
	w.has("#play-says", "You play gold. Play your turn")
	w.button("Play") // leaves the mode
	w.until("the mode of analyses", `document.querySelector('main[data-mode="analyse"]')`)
	w.steps("e2e3")
	w.button("End turn")
	w.hears("This turn is not part of your game")
	w.button("Close the message")
	w.button("Play")
	w.has("#play-says", "You are to move. The board shows another position than the game.")
	w.button("Back to the game")
	w.is(c, opening)
	w.steps("d2d3")
	w.button("End turn")
	w.has("#play-says", "The engine is thinking.")
	w.steps("e7e6") // the engine's turn is not played for it
	w.button("End turn")
	w.hears("It is the engine's turn.")
	w.button("Close the message")
	until(t, "the game again", func() bool { return len(w.study().Turns) == 1 })
	w.has(".searching", "s of 3600")
	w.button("Move now")
	w.has("#play-says", "You play gold.")
	w.wrote("goalproof", "Md2n", "")
	w.button("Play")
	w.button("Undo")
	until(t, "undone", func() bool { return len(w.study().Turns) < 2 })
	w.button("Play")
	w.has("#play-says", "another position than the game")
	w.button("Back to the game")
	until(t, "the game", func() bool { return len(w.study().Turns) == 2 })
	w.wrote("goalproof", "Md2n", "")

	// The board may show another game when the engine moves.
	w.steps("c2c3")
	w.button("End turn")
	w.has("#play-says", "The engine is thinking.")
	w.goes(c, "Ra5 rh7 g")
	w.until("other names", `!document.querySelector(".player.silver").textContent.includes("goalproof")`)
	w.button("Move now")
	w.has("#play-says", "The engine plays")
	w.is(c, "Ra5 rh7 g")
	w.button("Back to the game")
	until(t, "the game with the engine's turn", func() bool { return len(w.study().Turns) == 4 })
}

// TestBrowserAnimation checks that the engine's turn moves step by step, that a turn which was
// dragged does not move again, that nothing moves where motion is not wanted, and that tones are
// heard where they are.
func TestBrowserAnimation(t *testing.T) {
	c := start(t, studio.Options{})
	w := openBoard(t, c)
	w.sounds(c, true, "dark")
	browser.Evaluate[any](w.Browser, `{
		window.moved = [], window.tones = 0;
		new MutationObserver(all => all.forEach(m => m.addedNodes.forEach(n => {
			if (n.classList?.contains("moving")) moved.push(n.getAnimations({subtree: true}).length);
		}))).observe(document.querySelector(".stage svg"), {childList: true});
		const plain = AudioContext.prototype.createOscillator;
		AudioContext.prototype.createOscillator = function() { tones++; return plain.call(this); };
	} null`)
	count := func(name string) int { return browser.Evaluate[int](w.Browser, name) }
	w.goes(c, "Ed4 rd5 Ra1 ra8 hc7 g")
	w.button("Play")
	w.begins(map[string]string{"setup": "board", "seconds": "0.2"})
	w.is(c, "Ed4 rd5 Ra1 ra8 hc7 g")
	w.drag(square("d5"), square("d6"))
	w.hears("The turn may not end yet")
	w.drag(square("d4"), square("d5"))
	w.until("the end of the turn", `document.querySelector(".transport .filled")?.disabled === false`)
	if got := count("moved.length + tones"); got > 0 {
		t.Errorf("the drags: %d movements and tones", got)
	}
	w.button("End turn")
	w.has("#play-says", "The engine plays")
	w.until("the end of the movement", `moved.length && !document.querySelector(".moving")`)
	if moved, tones, animated := count("moved.length"), count("tones"), count("moved[0]"); moved != 1 || tones != 2 || animated < 4 {
		t.Errorf("%d turns have moved, %d pieces in the first, %d tones; want the engine's alone, and two", moved, animated, tones)
	}

	// The same without motion and tones.
	browser.Evaluate[any](w.Browser, `window.matchMedia = () => ({matches: true}), null`)
	w.sounds(c, false, "light")
	turns := len(w.study().Turns)
	w.press(".transport button") // the first position
	until(t, "the first position", func() bool { return len(w.study().Turns) == 0 })
	w.button("Turn forward")
	until(t, "a turn", func() bool { return len(w.study().Turns) == 1 })
	w.button("Last position")
	until(t, "the last position", func() bool { return len(w.study().Turns) == turns })
	if moved := count("moved.length"); moved != 1 {
		t.Errorf("%d turns have moved where no motion is wanted", moved-1)
	}
	if tones := count("tones"); tones != 2 {
		t.Errorf("%d tones where none are wanted", tones-2)
	}
}

// TestBrowserClocks watches a game between two programs, reloads the page within it, stops it,
// reviews it, and plays games against a program.
func TestBrowserClocks(t *testing.T) {
	hostile := program("resigns")
	hostile.Name = "<img src=x>"
	c := start(t, studio.Options{Workspace: workspace(t), Programs: []studio.Program{program("plays"), hostile, program("waits")}})
	w := openBoard(t, c)
	w.button("Play")
	w.button("With clocks")
	w.until("players", `document.getElementById("play-gold").length === 5`)
	w.has("#play-parts", "30s for each turn, 5m in reserve")
	w.set("#play-control", "soon")
	w.has("#play-parts", "The parts are:")
	w.button("Begin")
	w.has(".new-game .error", `time control "soon"`)
	w.begins(map[string]string{"gold": "plays", "silver": "waits", "control": "10m/10m"})
	w.has("#play-says", "waits is to move, with silver.")
	until(t, "a turn", func() bool { return len(w.study().Turns) == 1 })
	w.has(".player.gold", "plays")
	w.has(`.player.gold .clock`, ":")
	w.until("the clock of silver", `document.querySelector(".player.silver .clock").textContent.startsWith("19:")`)
	seen := w.text(".player.silver .clock")
	w.until("the clock runs", fmt.Sprintf(`document.querySelector(".player.silver .clock").textContent !== %q`, seen))
	w.look("clocks")
	w.Reload()
	w.has("#play-says", "waits is to move, with silver.")
	w.button("Stop the game")
	w.button("Stop")
	w.has("#play-says", "The game was stopped after ")
	w.look("stopped")
	w.button("Review this game")
	until(t, "a review", func() bool { return slices.Contains(kinds(c), "review") })
	if got := w.study().Turns; len(got) != 1 {
		t.Errorf("reviewed: %q", got)
	}

	// The board follows the turns of both, also after a reload in the middle. The game may end
	// meanwhile.
	w.button("Play")
	w.button("Show what goalproof has proved")
	w.begins(map[string]string{"gold": "goalproof", "silver": "plays", "control": "1s/20s/0"})
	until(t, "turns", func() bool { return len(w.study().Turns) > 2 })
	w.has(".proved", "g: ")
	n := len(w.study().Turns)
	w.Reload()
	until(t, "more turns", func() bool { return len(w.study().Turns) > n || strings.Contains(w.text("#play-says"), "wins") })

	// A turn of that game that comes while the next one begins is not shown on its board.
	browser.Evaluate[any](w.Browser, `{
		const plain = window.fetch;
		window.fetch = async (path, options) => {
			const answer = await plain(path, options);
			if (path === "/api/view") await new Promise(done => setTimeout(done, 1000));
			return answer;
		};
	} null`)
	w.fills(map[string]string{"gold": "you", "control": "10m/10m"})
	w.button("Begin")
	w.until("the question, unless the game has ended", `document.querySelector("dialog[open]") ||
		document.querySelector("#play-says").textContent.includes("You are to move, with gold")`)
	if browser.Evaluate[bool](w.Browser, `!!document.querySelector("dialog[open]")`) {
		w.button("Stop it")
	}
	w.has("#play-says", "You are to move, with gold. Play your turn")
	w.is(c, opening)
	w.steps("e2e4")
	w.button("End turn")
	until(t, "an answer", func() bool { return len(w.study().Turns) == 2 })
	w.has("#play-says", "You are to move, with gold. Play your turn")
	w.button("Undo")
	w.has("#play-says", "You are to move, with gold. The board shows another position")
	w.button("Back to the game")
	w.has("#play-says", "Play your turn")
	w.wrote("plays", "Ee2n Ee3n", "")
	// A turn that is ended while the board analyses is none of the game.
	w.button("Play")
	w.steps("d2d3")
	w.button("End turn")
	w.hears("This turn is not part of your game")
	w.press(".toast .card button") // back to the game
	w.has("#play-says", "Play your turn")
	w.button("Resign")
	w.has("dialog[open]", "Silver then wins.")
	w.press("dialog[open] footer button:first-child")
	w.has("#play-says", "silver wins: gold resigns.")
	w.nobodyMoves()

	w.begins(map[string]string{"gold": "plays", "silver": hostile.Name})
	w.has("#play-says", "gold wins: silver resigns.")
	w.has(".player.silver", "<img src=x>")
	w.hasNoMarkup()

	// Time runs out.
	w.begins(map[string]string{"gold": "you", "silver": "waits", "control": "1s/0"})
	w.has("#play-says", "silver wins: gold loses on time")
	w.has(".player.gold .clock", "0:00")

	// A game against the engine without clocks takes its place.
	w.button("New game")
	w.button("Against the engine")
	w.begins(map[string]string{"seconds": "3600"})
	w.has("#play-says", "You play gold.")
	if got := w.count(".player .clock"); got > 0 {
		t.Errorf("%d clocks", got)
	}
}

// TestBrowserMessages shows messages: they stand one above the other, none lies on a button that is
// used beside it, and a long one fits.
func TestBrowserMessages(t *testing.T) {
	c := start(t, studio.Options{})
	w := openBoard(t, c)
	fails := func(address string) {
		browser.Evaluate[any](w.Browser, fmt.Sprintf(`location.hash = %q, null`, address))
	}
	fails("#/job/none-1")
	w.has(".toast", "no such job")
	const covered = `[...document.querySelectorAll("button")].filter(e => !e.closest(".toast") && e.checkVisibility()).filter(e => {
		const b = e.getBoundingClientRect();
		return document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2)?.closest(".toast .card");
	}).map(e => e.ariaLabel || e.textContent).join(", ")`
	for _, s := range sizes {
		w.Window(s.width, s.height, s.touch)
		if got := browser.Evaluate[string](w.Browser, covered); got != "" {
			t.Errorf("%s: the message lies on %s", s.name, got)
		}
	}
	fails("#/game/" + strings.Repeat("long", 50))
	w.until("two messages", `document.querySelectorAll(".toast .card").length === 2`)
	for _, s := range sizes {
		w.Window(s.width, s.height, s.touch)
		w.until("apart, and in the window, at "+s.name, `(() => {
			const [first, second] = [...document.querySelectorAll(".toast .card")].map(e => e.getBoundingClientRect());
			const fits = e => e.left >= 0 && e.right <= innerWidth && e.top >= 0 && e.bottom <= innerHeight;
			return first.bottom <= second.top && fits(first) && fits(second);
		})()`)
	}
	w.press(".toast .card .only")
	w.until("one", `document.querySelectorAll(".toast .card").length === 1`)
	w.has(".toast", "no such job")
}
