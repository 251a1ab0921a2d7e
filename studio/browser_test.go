//go:build browser

package studio_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
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

// pieces are those on the board of a place.
const pieces = `.stage svg use[href^="#piece"]`

// open opens the page, at the part of an address that stands behind the #, or else at the Board.
func open(t *testing.T, c *client, at ...string) window {
	t.Helper()
	w := window{browser.Visit(t, c.studio.Once())}
	w.until("the page", `document.querySelector(".top")`)
	w.to(append(at, "/board")[0])
	return w
}

// to shows an address of the page, the part behind the #.
func (w window) to(address string) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`location.hash = %q, null`, address))
	place := map[bool]string{true: ".place-board", false: ".place-library"}[!strings.HasPrefix(address, "/library")]
	if strings.HasPrefix(address, "/board") {
		place += ":not(.puzzles) " + pieces
	}
	w.until(address, fmt.Sprintf("document.querySelector(%q)", place))
	if address == "/board" {
		w.until("the position in the address", `location.hash.includes("number=")`) // the page follows it from now on
	}
}

// reopen opens the address that a studio has printed, with a new token, where another was open: the
// page loads itself again.
func (w window) reopen(address string) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`window.before = true, location.href = %q, null`, address))
	w.until("the page again", `!window.before && location.hash.startsWith("#/")`)
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
	w.Fatalf("%s: not %s; the page says %q, and shows %q", what, condition, w.said(), w.text("main"))
}

// said returns what the page says: its live regions.
func (w window) said() string {
	w.Helper()
	return browser.Evaluate[string](w.Browser, `[...document.querySelectorAll("[role=status], [role=alert]")].map(e => e.textContent.trim()).filter(Boolean).join(" / ")`)
}

// hears waits until the page says a text, with a capital or without.
func (w window) hears(text string) {
	w.Helper()
	w.until(text, fmt.Sprintf(`[...document.querySelectorAll("[role=status], [role=alert]")].some(e => e.textContent.toLowerCase().includes(%q))`, strings.ToLower(text)))
}

// has waits until an element has this text in it.
func (w window) has(selector, text string) {
	w.Helper()
	w.until(text, fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", selector, text))
}

// text returns the text of an element, or "" if there is none.
func (w window) text(selector string) string {
	w.Helper()
	return browser.Evaluate[string](w.Browser, fmt.Sprintf("document.querySelector(%q)?.textContent || ''", selector))
}

// count counts the elements that a selector selects.
func (w window) count(selector string) int {
	w.Helper()
	return browser.Evaluate[int](w.Browser, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}

// hasNoMarkup checks that no text of a game, a set or a program has become markup.
func (w window) hasNoMarkup() {
	w.Helper()
	if n, title := w.count("img, main script"), browser.Evaluate[string](w.Browser, "document.title"); n > 0 || title != "goalproof studio" {
		w.Errorf("a text has become markup: %d elements; the title is %q", n, title)
	}
}

// set puts a value into a field, as a person does.
func (w window) set(selector, value string) {
	w.Helper()
	w.until(selector, fmt.Sprintf("document.querySelector(%q)", selector))
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const e = document.querySelector(%q);
		e.value = %q;
		e.dispatchEvent(new Event("input", {bubbles: true}));
		e.dispatchEvent(new Event("change", {bubbles: true}));
	} null`, selector, value))
}

// press clicks on an element as a person does: its middle is seen, and nothing lies on it.
func (w window) press(selector string) {
	w.Helper()
	w.until(selector, fmt.Sprintf("document.querySelector(%q)", selector))
	for range 5 { // where much else runs, it may move between the look and the press
		w.rests(selector)
		browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
			window.hit = false;
			document.querySelector(%q)?.addEventListener("pointerdown", () => window.hit = true, {once: true, capture: true});
		} null`, selector))
		w.Click(w.middle(selector))
		if browser.Evaluate[bool](w.Browser, `window.hit !== false`) {
			return
		}
	}
	w.Fatalf("%s was not hit; the page says %q", selector, w.said())
}

// rests waits until an element has stayed where it is for a while, and what answers have moved has
// come to rest.
func (w window) rests(selector string) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		let last = "", frames = 0;
		window.rested = false;
		const look = () => {
			const {x, y} = document.querySelector(%q)?.getBoundingClientRect() || {}, now = x + " " + y;
			frames = now === last ? frames + 1 : 0;
			last = now;
			if (frames < 6) requestAnimationFrame(look);
			else window.rested = true;
		};
		look();
	} null`, selector))
	w.until("rest", "window.rested")
}

// button presses the button, tab or link with a text, or with a label.
func (w window) button(text string) {
	w.Helper()
	const mark = `(() => {
		for (const e of document.querySelectorAll("[data-pressed]")) delete e.dataset.pressed;
		const named = e => [e.ariaLabel, e.textContent.trim()].includes(%[1]q), seen = e => e.getClientRects().length > 0 && !e.disabled;
		const within = document.querySelector("dialog[open]") || document;
		const found = [...within.querySelectorAll("button, summary, a, [role=tab], label")].find(e => named(e) && seen(e));
		if (found) found.dataset.pressed = "";
		return found;
	})()`
	w.until("the button "+text, fmt.Sprintf(mark, text))
	w.press("[data-pressed]")
}

// place shows one of the places: Board, Puzzles or Library.
func (w window) place(name string) {
	w.Helper()
	w.button(name)
	w.until(name, fmt.Sprintf(`document.querySelector(".place[aria-current]")?.textContent === %q`, name))
}

// middle returns the middle of an element, which is scrolled into view.
func (w window) middle(selector string) (x, y float64) {
	w.Helper()
	at := browser.Evaluate[[]float64](w.Browser, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		if (!e) return [];
		const seen = () => {
			const b = e.getBoundingClientRect(), x = b.left + b.width / 2, y = b.top + b.height / 2;
			return e.contains(document.elementFromPoint(x, y)) ? [x, y] : [];
		};
		if (!seen().length) e.scrollIntoView({block: "center"});
		return seen();
	})()`, selector))
	if len(at) == 0 {
		w.Fatalf("%s cannot be clicked on; the page says %q", selector, w.said())
	}
	return at[0], at[1]
}

func square(name string) string { return fmt.Sprintf(`.squares [data-square="%s"]`, name) }

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

// steps drags pieces on the board, each as "e2e4", and waits until they have arrived.
func (w window) steps(all ...string) {
	w.Helper()
	for _, s := range all {
		piece := browser.Evaluate[string](w.Browser, fmt.Sprintf(`document.querySelector('%s').ariaLabel.split(", ")[1] || ""`, square(s[:2])))
		w.drag(square(s[:2]), square(s[2:]))
		w.until(s, fmt.Sprintf(`document.querySelector('%s').ariaLabel.includes(%q)`, square(s[2:]), piece))
	}
}

// kept returns what the window keeps under a name.
func kept[Value any](w window, name string) (v Value) {
	w.Helper()
	text := browser.Evaluate[string](w.Browser, fmt.Sprintf(`sessionStorage.getItem("studio." + %q) || "null"`, name))
	require.NoError(w, json.Unmarshal([]byte(text), &v))
	return v
}

// study returns the study that the place Board keeps.
func (w window) study() studio.Study {
	w.Helper()
	return kept[struct{ Study studio.Study }](w, "desk").Study
}

// is waits for a position on the place Board, the turns and steps that led there included.
func (w window) is(c *client, position string) {
	w.Helper()
	want, err := notation.ParsePosition(position)
	require.NoError(w, err)
	until(w.T, position, func() bool {
		s := w.study()
		if s.Position == "" {
			return false
		}
		v := viewOf(c, "view", map[string]any{"study": s})
		return v.Squares == letters(&want.Board) && v.Side == want.Side().String()
	})
	w.until("the pieces", fmt.Sprintf("document.querySelectorAll(%q).length === %d", pieces, want.Occupied().Len()))
}

// paste pastes a text onto the page.
func (w window) paste(text string) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const data = new DataTransfer();
		data.setData("text/plain", %s);
		(document.activeElement || document.body).dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
	} null`, literal(w, text)))
}

// drops drops a file onto an element of the page.
func (w window) drops(selector, name, text string) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const data = new DataTransfer();
		data.items.add(new File([%s], %q));
		const at = document.querySelector(%q);
		for (const type of ["dragenter", "dragover", "drop"]) at.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
	} null`, literal(w, text), name, selector))
}

// literal returns a text as a literal of the page's modules.
func literal(w window, text string) string {
	w.Helper()
	b, err := json.Marshal(text)
	require.NoError(w, err)
	return string(b)
}

// look takes pictures of what is shown.
func (w window) look(name string) {
	w.Helper()
	directory := *shots
	if directory != "" {
		directory = filepath.Join(directory, name)
		require.NoError(w, os.MkdirAll(directory, 0o777))
	}
	w.Look(directory)
}

// TestBrowserPush pushes and pulls by the mouse and by keys alone.
func TestBrowserPush(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt("Ed4 rd5 Ra1 ra8 g"))
	w.is(c, "Ed4 rd5 Ra1 ra8 g")
	w.drag(square("d5"), square("d6"))
	w.is(c, "Ed4 rd6 Ra1 ra8 g")
	w.hears("The turn may not end yet: the push must be completed by a step to d5.")
	if !browser.Evaluate[bool](w.Browser, `document.querySelector(".transport .filled").disabled`) {
		t.Error("the turn may end within a push")
	}
	w.press(square("a1"))
	w.hears("cannot move now")
	w.drag(square("d4"), square("d5"))
	w.is(c, "Ed5 rd6 Ra1 ra8 g")
	// A pull by keys: to d5, take, one to the left, put; then the rabbit follows.
	browser.Evaluate[any](w.Browser, `document.querySelector('.squares [data-square="d5"]').focus(), null`)
	w.Press(kb.Enter)
	w.until("taken", `document.querySelector('.squares [data-square="d5"]').ariaPressed === "true"`)
	w.Press(kb.ArrowLeft)
	w.Press(kb.Enter)
	w.is(c, "Ec5 rd6 Ra1 ra8 g")
	w.Press("u") // no key of the board
	w.Press(kb.ArrowRight)
	w.Press(kb.ArrowUp)
	w.Press(kb.Enter)
	w.until("taken", `document.querySelector('.squares [data-square="d6"]').ariaPressed === "true"`)
	w.Press(kb.ArrowDown)
	w.Press(kb.Enter)
	w.is(c, "Ec5 rd5 Ra1 ra8 g")
	w.until("the end of the turn", `!document.querySelector(".transport .filled").disabled`)
	w.Press("e")
	w.is(c, "Ec5 rd5 Ra1 ra8 s")
	w.hears("2g rd5n Ed4n Ed5w rd6s. Now silver is to move.")
	w.press(".transport button") // the first position
	w.is(c, "Ed4 rd5 Ra1 ra8 g")
}

// boardAt returns the address of a position, behind the #.
func boardAt(position string) string { return "/board?position=" + url.QueryEscape(position) }

// TestBrowserPhone plays by touch on a phone.
func TestBrowserPhone(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.Width(browser.Phone)
	w.steps("e2e3")
	w.hears("Ee2n")
	w.press(square("e3"))
	w.until("a target", `document.querySelector('.squares .target[data-square="e4"]')`)
	w.press(square("e4"))
	w.hears("Ee2n Ee3n")
	if board := browser.Evaluate[float64](w.Browser, `document.querySelector(".stage").getBoundingClientRect().width`); board < 0.9*browser.Phone {
		t.Errorf("the board has %v pixels", board)
	}
}

// TestBrowserStranger opens the page without the token: it says what to do, and shows nothing.
func TestBrowserStranger(t *testing.T) {
	c := start(t, studio.Options{})
	w := window{browser.Visit(t, c.base+"/")}
	w.hears("open the address that goalproof studio printed")
	if n := w.count(pieces); n != 0 {
		t.Errorf("%d pieces are shown", n)
	}
}
