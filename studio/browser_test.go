//go:build browser

package studio_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

var shots = flag.String("shots", "", "write pictures of the page at desktop and phone width to this directory")

// window is a browser with the page of a studio.
type window struct {
	*browser.Browser
}

// open opens the page.
func open(t *testing.T, c *client) window {
	w := window{browser.Visit(t, c.studio.Once())}
	w.until("the board", `document.querySelectorAll("#pieces use").length > 0`)
	return w
}

// until waits until a condition holds on the page.
func (w window) until(what, condition string) {
	w.Helper()
	for range 1200 {
		if browser.Evaluate[bool](w.Browser, "!!("+condition+")") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	w.Fatalf("%s: not %s; the page says %q, %q", what, condition, w.text("status"), w.text("says"))
}

// says waits until an element has this text in it.
func (w window) says(id, text string) {
	w.Helper()
	w.until(text, fmt.Sprintf("document.getElementById(%q).textContent.includes(%q)", id, text))
}

// text returns the text of an element.
func (w window) text(id string) string {
	w.Helper()
	return browser.Evaluate[string](w.Browser, fmt.Sprintf("document.getElementById(%q).textContent", id))
}

// count counts the elements that a selector selects.
func (w window) count(selector string) int {
	w.Helper()
	return browser.Evaluate[int](w.Browser, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}

// hasNoMarkup checks that no text of a game, a set or a program has become markup.
func (w window) hasNoMarkup() {
	w.Helper()
	if n, title := w.count("img, main b, main script"), browser.Evaluate[string](w.Browser, "document.title"); n > 0 || title != "goalproof studio" {
		w.Errorf("a text has become markup: %d elements; the title is %q", n, title)
	}
}

// set puts a value into a field, as a person does.
func (w window) set(id, value string) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const e = document.getElementById(%q);
		e.value = %q;
		e.dispatchEvent(new Event("input"));
		e.dispatchEvent(new Event("change"));
	} null`, id, value))
}

// press clicks on an element as a person does: its middle is seen, and nothing lies on it.
func (w window) press(selector string) {
	w.Helper()
	w.Click(w.middle(selector))
}

// middle returns the middle of an element, which is scrolled into view.
func (w window) middle(selector string) (x, y float64) {
	w.Helper()
	at := browser.Evaluate[[]float64](w.Browser, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		if (!e) return [];
		const inside = () => { const b = e.getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight; };
		if (!inside()) e.scrollIntoView({block: "center"});
		const b = e.getBoundingClientRect(), x = b.left + b.width / 2, y = b.top + b.height / 2;
		return e.contains(document.elementFromPoint(x, y)) ? [x, y] : [];
	})()`, selector))
	if len(at) == 0 {
		w.Fatalf("%s cannot be clicked on", selector)
	}
	return at[0], at[1]
}

func square(name string) string { return fmt.Sprintf(`#squares [data-square="%s"]`, name) }

// drag drags from one element to another.
func (w window) drag(from, to string) {
	w.Helper()
	w.middle(to)
	// What has just appeared may move the page when the next frame is drawn.
	browser.Evaluate[any](w.Browser, `window.drawn = false, requestAnimationFrame(() => requestAnimationFrame(() => drawn = true)), null`)
	w.until("a frame", "drawn")
	x1, y1 := w.middle(from)
	x2, y2 := w.middle(to)
	w.Drag(x1, y1, x2, y2)
}

// study returns the position that the window keeps.
func (w window) study() studio.Study {
	w.Helper()
	type kept struct{ Study studio.Study }
	return browser.Evaluate[kept](w.Browser, `JSON.parse(sessionStorage.getItem("studio"))`).Study
}

// is waits for a position on the board, the turns and steps that led there included.
func (w window) is(c *client, position string) {
	w.Helper()
	want, err := notation.ParsePosition(position)
	require.NoError(w, err)
	until(w.T, position, func() bool {
		v := viewOf(c, "view", map[string]any{"study": w.study()})
		return v.Squares == letters(&want.Board) && v.Side == want.Side().String()
	})
	drawn := w.count("#pieces use")
	if drawn != want.Occupied().Len() {
		w.Errorf("%s: %d pieces are drawn", position, drawn)
	}
}

// paste opens a text.
func (w window) paste(text string) {
	w.Helper()
	w.press(`[data-view="texts"]`)
	w.set("paste", text)
	w.press("#open")
}

// look takes pictures of a view.
func (w window) look(name string) {
	w.Helper()
	directory := *shots
	if directory != "" {
		directory = filepath.Join(directory, name)
		require.NoError(w, os.MkdirAll(directory, 0o777))
	}
	w.Look(directory)
}

// TestBrowserSetUp sets a position up by dragging, by clicks and by keys, and plays on it.
func TestBrowserSetUp(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.press(`[data-view="setup"]`)
	w.press("#clear")
	w.is(c, "g ["+strings.Repeat(" ", 64)+"]")
	w.says("where", "the board is empty")
	if got := w.text("where"); strings.Contains(got, "wins") {
		t.Errorf("an empty board: %q", got)
	}
	w.drag(`[data-piece="R"]`, square("a5"))
	w.is(c, "Ra5 g")
	w.press(`[data-piece="r"]`)
	w.press(square("h7"))
	w.press(square("c3"))
	w.is(c, "Ra5 rh7 rc3 g")
	w.press(`[data-piece="r"]`) // is put down
	w.press(square("d4"))
	w.Press("e")
	w.Press(kb.ArrowRight)
	w.Press("H")
	w.is(c, "Ra5 rh7 rc3 ed4 He4 g")
	w.says("unusuals", "trap")
	// A piece that is dragged follows the pointer, and goes back when the drag is broken off.
	if off := browser.Evaluate[float64](w.Browser, `(() => {
		const grid = document.getElementById("squares"), from = document.querySelector('#squares [data-square="e4"]').getBoundingClientRect();
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
	w.drag(square("c3"), "#where") // off the board
	w.is(c, "Ra5 rh7 ed4 He4 g")
	w.drag(square("e4"), square("d3"))
	w.is(c, "Ra5 rh7 ed4 Hd3 g")
	w.press(square("d3"))
	w.Press(kb.Delete)
	w.is(c, "Ra5 rh7 ed4 g")
	w.press("#exchange")
	w.is(c, "ra4 Rh2 Ed5 s")
	w.press("#undo")
	w.is(c, "Ra5 rh7 ed4 g")
	w.look("setup")

	w.press(`[data-view="solve"]`)
	w.drag(square("a5"), square("a6"))
	w.is(c, "Ra6 rh7 ed4 g")
	w.drag(square("a6"), square("a5"))
	w.says("status", "a rabbit does not step backward")
	w.press(square("d4"))
	w.says("status", "The piece on d4 cannot move now.")
	w.drag(square("a6"), square("a8")) // two steps at once
	w.is(c, "Ra8 rh7 ed4 g")
	w.press("#undo")
	w.press("#flip")
	w.until("flipped", `document.querySelector("#squares button").dataset.square === "h1"`)
	w.press(square("a6"))
	w.until("a target", `document.querySelector('#squares .target[data-square="a7"]')`)
	w.press(square("a7"))
	w.is(c, "Ra7 rh7 ed4 g")
	w.press("#redo") // there is nothing: a step was made
	w.drag(square("a7"), square("a8"))
	w.says("status", "Ra5n Ra6n Ra7n.")
	w.press("#end")
	w.says("status", "gold wins by goal")
	if got := w.study().Turns; len(got) != 1 || got[0] != "Ra5n Ra6n Ra7n" {
		t.Errorf("played: %q", got)
	}
	w.press("#flip")
	w.until("not flipped", `document.querySelector("#squares button").dataset.square === "a8"`)
}

// TestBrowserPush pushes and pulls by the mouse and by keys alone.
func TestBrowserPush(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste("Ed4 rd5 Ra1 ra8 g")
	w.is(c, "Ed4 rd5 Ra1 ra8 g")
	w.drag(square("d5"), square("d6"))
	w.is(c, "Ed4 rd6 Ra1 ra8 g")
	w.says("status", "The turn may not end yet: the push must be completed by a step to d5.")
	if !browser.Evaluate[bool](w.Browser, `document.getElementById("end").disabled`) {
		t.Error("the turn may end within a push")
	}
	w.press(square("a1"))
	w.says("status", "cannot move now")
	w.drag(square("d4"), square("d5"))
	w.is(c, "Ed5 rd6 Ra1 ra8 g")
	// A pull by keys: to d5, take, one to the left, put; then the rabbit follows.
	browser.Evaluate[any](w.Browser, `document.querySelector('#squares [data-square="d5"]').focus(), null`)
	w.Press(kb.Enter)
	w.until("taken", `document.querySelector('#squares [data-square="d5"]').ariaPressed === "true"`)
	w.Press(kb.ArrowLeft)
	w.Press(kb.Enter)
	w.is(c, "Ec5 rd6 Ra1 ra8 g")
	w.Press("u") // no key of the board
	w.Press(kb.ArrowRight)
	w.Press(kb.ArrowUp)
	w.Press(kb.Enter)
	w.until("taken", `document.querySelector('#squares [data-square="d6"]').ariaPressed === "true"`)
	w.Press(kb.ArrowDown)
	w.Press(kb.Enter)
	w.is(c, "Ec5 rd5 Ra1 ra8 g")
	w.until("the end of the turn", `!document.getElementById("end").disabled`)
	w.Press("e")
	w.is(c, "Ec5 rd5 Ra1 ra8 s")
	w.says("status", "2g rd5n Ed4n Ed5w rd6s. Now silver is to move.")
	w.press(`[data-view="game"]`)
	w.says("turns", "2g rd5n Ed4n Ed5w rd6s")
	w.look("game")
	w.press("#turns li:nth-child(2) button")
	w.is(c, "Ed4 rd5 Ra1 ra8 g")
	if n := w.count("#pieces .forced"); n != 2 {
		t.Errorf("%d arrows of pushes and pulls are drawn", n)
	}
}

// TestBrowserSolve solves a puzzle, walks along its line, writes the certificate, plays a wrong
// turn and is told why, and plays on against the defence.
func TestBrowserSolve(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste(example(t, "win-in-2.txt"))
	w.is(c, study(t, "win-in-2.txt").Position)
	w.press(`[data-view="solve"]`)
	w.press("#all")
	w.press("#solve")
	w.says("says", "Proved: gold wins in 2 turns.")
	w.says("listed", "First turns that win in 2: unique.")
	w.press("#line li:nth-child(1) button")
	w.until("arrows", `document.querySelectorAll("#pieces .own").length === 4`)
	w.look("solve")
	w.press("#line li:nth-child(3) button")
	w.says("where", "45g, gold to move")
	w.press("#line li:nth-child(4) button")
	w.says("where", "the game is over, gold wins by goal")
	w.press("#certify")
	w.says("says", "checked by the plain rules")
	w.until("a certificate", `!document.getElementById("save").hidden`)

	w.press("#line li:nth-child(1) button")
	w.is(c, study(t, "win-in-2.txt").Position)
	w.drag(square("d6"), square("d7"))
	w.press("#judge") // waits for the step
	w.says("says", "Disproved: with Ed6n gold has no win in 2 turns")
	w.says("line-title", "The turn, and the reply")
	w.press("#line li:nth-child(2) button")
	w.says("where", "44s, silver to move")

	w.press("#undo") // of the step: the reply was only looked at
	w.press("#defends")
	w.is(c, study(t, "win-in-2.txt").Position)
	for _, step := range [][2]string{{"e1", "f1"}, {"h2", "g2"}, {"d6", "d7"}, {"d7", "c7"}} {
		w.drag(square(step[0]), square(step[1]))
		w.until("the step", fmt.Sprintf(`document.querySelector('%s').ariaLabel.includes("gold")`, square(step[1])))
	}
	w.says("status", "Re1e Rh2w Ed6n Ed7w.")
	w.press("#end")
	w.says("where", "45g, gold to move")
	if got := w.study().Turns; len(got) != 2 || got[0] != "Re1e Rh2w Ed6n Ed7w" {
		t.Errorf("played: %q", got)
	}
	// The last turn is played on after a reload.
	w.Reload()
	w.until("the board", `document.querySelectorAll("#pieces use").length > 0`)
	w.says("says", "gold wins in 2")
	w.press("#defends")
	w.drag(square("c7"), square("d7"))
	w.says("status", "Ec7e.")
	w.press("#end")
	w.says("status", "Disproved: with Ec7e gold has no win in 1 turn.") // and so there is no best reply
	w.press("#list-jobs")
	w.says("jobs", "try Re1e Rh2w Ed6n Ed7w, done. Proved")
	w.press("summary")
	w.look("jobs")
}

// TestBrowserReload loads the page again in the middle of a search that does not end. Another window
// sees none of it. The page says what is known before the search is stopped.
func TestBrowserReload(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.set("seconds", "600")
	w.set("win-in", "9")
	w.press("#solve")
	w.says("progress", "Is there a win in")
	w.drag(square("e2"), square("e4"))
	w.says("status", "Ee2n Ee3n")
	w.Reload()
	w.says("progress", "Is there a win in")
	if got := w.study().Steps; got != "Ee2n Ee3n" {
		t.Errorf("after the reload: %q", got)
	}
	other := open(t, c)
	if got := other.study(); got.Steps != "" || other.text("progress") != "" {
		t.Errorf("another window shows %+v, %q", got, other.text("progress"))
	}
	w.says("progress", "Known: no win in ")
	var known studio.Brief
	until(t, "known", func() bool {
		known = c.jobs()[0]
		return known.Refuted > 1
	})
	if known.Trying <= known.Refuted || known.Within != nil || known.First != "" || known.Repetition != "set aside" {
		t.Errorf("while it runs: %+v", known)
	}
	w.says("progress", "(the third repetition set aside)")
	w.look("progress")
	w.press("#stop")
	w.says("says", "Unknown: interrupted")
	if ended := c.job(known.ID); ended.Result == nil || ended.Result.Refuted < known.Refuted {
		t.Errorf("stopped: %+v", ended)
	}
}

// TestBrowserTexts pastes what is broken and what would be markup, and copies every form.
func TestBrowserTexts(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste("g [rrr]")
	w.says("paste-error", "^")
	const markup = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>`
	w.paste("[Gold \"" + strings.ReplaceAll(markup, "\"", "'") + "\"]\n[Silver \"bob\"]\n\n1g Ra1 Ee2 1s ra8 ee7\n2g Ee2n {" + markup + "}\n")
	w.says("status", "<img src=x")
	w.paste("g [" + strings.Repeat(" ", 63) + "R]\ng [" + markup + "]\ns [" + strings.Repeat(" ", 63) + "R]\n")
	w.says("found", "position, silver to move")
	w.hasNoMarkup()
	w.look("texts")
	w.press("#found li:nth-child(3) button")
	w.is(c, "s ["+strings.Repeat(" ", 63)+"R]")
	for _, form := range notation.Forms() {
		w.set("form", form.Name)
		w.says("about-form", form.About)
		text := browser.Evaluate[string](w.Browser, `document.getElementById("copied").value`)
		if a := ask[readAnswer](c, "POST", "/api/read", map[string]any{"text": text}); len(a.Found) != 1 || a.Found[0].Error != "" {
			t.Errorf("%s: %+v", form.Name, a)
		}
	}
	w.press("#copy")
	w.says("status", "Copied.")
}

// TestBrowserPhone plays by touch on a phone, and looks at the widths of all views.
func TestBrowserPhone(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.Width(browser.Phone)
	w.drag(square("e2"), square("e3"))
	w.says("status", "Ee2n")
	w.press(square("e3"))
	w.until("a target", `document.querySelector('#squares .target[data-square="e4"]')`)
	w.press(square("e4"))
	w.says("status", "Ee2n Ee3n")
	if board := browser.Evaluate[float64](w.Browser, `document.getElementById("board").getBoundingClientRect().width`); board < 0.9*browser.Phone {
		t.Errorf("the board has %v pixels", board)
	}
}

// openTree opens the page with a search of a win in two that has not run yet.
func openTree(t *testing.T, c *client) window {
	t.Helper()
	w := open(t, c)
	w.paste(example(t, "win-in-2.txt"))
	w.is(c, study(t, "win-in-2.txt").Position)
	w.press(`[data-view="tree"]`)
	w.press("#begin")
	w.says("tree-state", "Paused. A win in 2: not known. 1 node,")
	return w
}

// TestBrowserTree watches a search grow, walks through it, and opens a node as a position.
func TestBrowserTree(t *testing.T) {
	c := start(t, studio.Options{})
	w := openTree(t, c)
	w.press("#step")
	w.until("children", `document.querySelectorAll("#children tbody tr").length > 5`)
	w.press("#children tbody tr:nth-child(2) button")
	w.until("a way", `document.querySelectorAll("#path li").length === 2`)
	if got := w.study().Steps; got == "" {
		t.Error("the board has not followed")
	}
	w.press("#path button")
	w.is(c, study(t, "win-in-2.txt").Position)
	w.press("#run")
	w.says("tree-state", "Decided. A win in 2: proved.")
	w.until("numbers", `document.querySelector("#node").textContent.includes("Proof number 0, disproof number ∞")`)
	w.press("#follow")
	w.until("a way", `document.querySelectorAll("#path li").length > 2`)
	w.look("tree")
	w.Reload()
	w.says("tree-state", "Decided.")
	w.says("node", "node, ")
	before := w.study()
	w.press("#alone")
	w.says("status", "stands alone")
	if after := w.study(); len(after.Turns) > 0 || after.Steps != "" || after.Position == before.Position {
		t.Errorf("alone: %+v", after)
	}
	w.press("#reset")
	w.says("tree-state", "Paused. A win in 2: not known. 1 node,")
	w.is(c, study(t, "win-in-2.txt").Position)
}

// TestBrowserSet verifies a set, filters it, and opens a puzzle.
func TestBrowserSet(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.press(`[data-view="set"]`)
	w.press("#verify")
	w.says("set-error", "pasted")
	two, none := study(t, "win-in-2.txt").Position, study(t, "no-win-in-2.txt").Position
	set := "position\tclaim\tsolution\tname\n" + two + "\t2\tRe1e Rh2w Ed6n Ed7w\tright\n" + two + "\t2\tEd6n Ed7w\twrong\n" +
		none + "\t2\t\t<img src=x>\ng [x]\t\t\tbroken\n"
	w.set("set-text", set)
	w.press("#describe")
	w.press("#verify")
	w.says("set-state", "4 puzzles, 1 false claim, 1 not decided or broken.")
	// Boards are drawn in sight, and the page may grow above them meanwhile.
	w.until("small boards", `document.getElementById("puzzles").scrollIntoView() || document.querySelectorAll("#puzzles svg").length === 3 && document.querySelectorAll("#puzzles tr:first-child use").length > 10`)
	w.says("puzzles", "<img src=x>")
	visible := func() int {
		return browser.Evaluate[int](w.Browser, `[...document.querySelectorAll("#puzzles tbody tr")].filter(r => !r.hidden).length`)
	}
	if visible() != 4 {
		t.Errorf("%d rows", visible())
	}
	w.hasNoMarkup()
	w.look("set")
	for _, test := range []struct {
		id, value string
		want      int
	}{{"filter", "false", 1}, {"filter", "wrong", 1}, {"filter", "second", 0}, {"filter", "unknown", 1}, {"filter", "all", 4},
		{"length", "2", 2}, {"theme", "threat", 2}, {"length", "", 2}, {"theme", "", 4}} {
		w.set(test.id, test.value)
		if got := visible(); got != test.want {
			t.Errorf("%s %s: %d rows, want %d", test.id, test.value, got, test.want)
		}
	}
	browser.Evaluate[any](w.Browser, `{window.saved = []; const made = URL.createObjectURL; URL.createObjectURL = b => (saved.push(b.size), made(b))} null`)
	for i, form := range []string{"text", "html", "arimaa"} {
		w.press("#export-" + form)
		w.until("a file", fmt.Sprintf("saved.length === %d && saved[%d] > 100", i+1, i))
	}
	w.press("#puzzles tbody tr:nth-child(2) button")
	w.is(c, two)
	w.says("status", "The given solution does not win in 2 (the third repetition set aside): Ed6n Ed7w / ")
	const marked = `[...document.querySelectorAll("#puzzles tbody tr")].map(r => r.ariaCurrent === "true" ? 1 : 0).join("") === "0100"`
	w.until("the row marked", marked)
	w.Reload()
	w.says("set-state", "4 puzzles, 1 false claim, 1 not decided or broken.")
	w.until("the rows again", marked)
}

// TestBrowserStranger opens the page without the token: it says what to do, and shows nothing.
func TestBrowserStranger(t *testing.T) {
	c := start(t, studio.Options{})
	w := window{browser.Visit(t, c.base+"/")}
	w.says("status", "open the address that goalproof studio printed")
	if n := w.count("#pieces use"); n != 0 {
		t.Errorf("%d pieces are shown", n)
	}
}
