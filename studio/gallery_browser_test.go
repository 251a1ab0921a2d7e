//go:build browser

package studio_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"goalproof/arimaa/render"
	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// gallery serves the components of the page with sample data, under the content security policy of
// a studio, and returns its address.
func gallery(t *testing.T) string {
	t.Helper()
	c := start(t, studio.Options{})
	_, _, header := c.do(c.request("GET", "/", nil))
	data, err := json.Marshal(sampleViews(t, c))
	require.NoError(t, err)
	page, err := os.ReadFile("testdata/gallery/index.html")
	require.NoError(t, err)
	mux := http.NewServeMux()
	answer := func(path, kind, text string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(text)) // the browser may be gone
		})
	}
	answer("/{$}", "text/html; charset=utf-8", strings.Replace(string(page), "<!--SYMBOLS-->", render.Symbols()+render.Ground(), 1))
	answer("/board.css", "text/css", render.Style())
	answer("/gallery/data.json", "application/json", string(data))
	for path, dir := range map[string]string{"/assets/": "assets", "/gallery/": "testdata/gallery"} {
		files := http.StripPrefix(path, http.FileServer(http.Dir(dir)))
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			if filepath.Ext(r.URL.Path) == ".js" {
				w.Header().Set("Content-Type", "text/javascript") // the system's may be wrong
			}
			files.ServeHTTP(w, r)
		})
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", header.Get("Content-Security-Policy"))
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// sampleViews returns what a studio answers about examples.
func sampleViews(t *testing.T, c *client) map[string]any {
	t.Helper()
	two := study(t, "win-in-2.txt")
	view := func(s *studio.Study, more ...any) studio.View {
		body := map[string]any{"study": s}
		for i := 0; i < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		return viewOf(c, "view", body)
	}
	solved := c.work(task{Kind: "solve", Study: two, WinIn: 2})
	read := ask[readAnswer](c, "POST", "/api/read", map[string]any{"text": example(t, "game.turns")})
	var puzzles []string
	for _, name := range []string{"win-in-2", "elimination", "goal-in-4-steps", "win-in-2-for-silver", "win-in-3", "zugzwang-in-2"} {
		puzzles = append(puzzles, study(t, name+".txt").Position)
	}
	// A push and a pull, and two captures.
	const turn = "rd5n Ed4n Ed5w rd6s"
	before := studio.Study{Position: "Ed4 rd5 Ra1 ra8 g"}
	after := before
	after.Turns = []string{turn}
	won := *two
	won.Turns = solved.Line.Line
	return map[string]any{"solved": view(&won), "view": view(two),
		"arrows":  view(two, "show", solved.Line.Line[0], "marks", []string{"b5", "g7d7"}),
		"flipped": view(two, "flipped", true),
		"line":    solved.Line.Line, "labels": solved.Line.Labels, "turns": read.Found[0].Study.Turns, "puzzles": puzzles,
		"before": view(&before), "played": turn, "after": view(&after)}
}

// place opens a place of the gallery.
func place(t *testing.T, query string) window {
	t.Helper()
	w := window{browser.Visit(t, gallery(t)+"/?"+query)}
	w.Until("the place", `document.querySelector("main")`)
	return w
}

// sizes are the windows in which places are looked at.
var sizes = []struct {
	name          string
	width, height int
	touch         bool
}{{"1280x800", 1280, 800, false}, {"1920x1080", 1920, 1080, false}, {"390x844", 390, 844, true}, {"844x390", 844, 390, true}}

// faults looks for targets that a finger misses, a page that scrolls, and what the policy refused.
const faults = `(() => {
	const found = [...violations], tell = e => e.outerHTML.slice(0, 120);
	const scrolls = document.scrollingElement;
	if (scrolls.scrollWidth > innerWidth || scrolls.scrollHeight > innerHeight)
		found.push("the page scrolls: " + scrolls.scrollWidth + " by " + scrolls.scrollHeight);
	if (matchMedia("(pointer: coarse)").matches)
		for (const e of document.querySelectorAll("button, select, input, textarea, [role=slider]")) {
			const {width, height} = e.getBoundingClientRect();
			if (width && (width < 43.5 || height < 43.5) && e.type !== "checkbox") found.push("small, " + width + " by " + height + ": " + tell(e));
		}
	return [...new Set(found)].slice(0, 20);
})()`

// TestBrowserGallery looks at the places in all sizes, light and dark, and with high contrast.
func TestBrowserGallery(t *testing.T) {
	for _, query := range []string{"place=board", "place=board&state=runs&toast", "place=puzzles", "place=library"} {
		t.Run(query, func(t *testing.T) {
			w := place(t, query)
			for _, scheme := range []string{"light", "dark"} {
				w.Media("screen", scheme)
				for _, s := range sizes {
					what := s.name + "-" + scheme
					w.Window(s.width, s.height, s.touch)
					w.Check(what)
					for _, fault := range browser.Evaluate[[]string](w.Browser, faults) {
						w.Errorf("%s: %s", what, fault)
					}
					if touch := browser.Evaluate[bool](w.Browser, `matchMedia("(pointer: coarse)").matches`); touch != s.touch {
						w.Errorf("%s: a touch screen: %v", what, touch)
					}
					w.Shoot(*shots, what)
				}
			}
			browser.Evaluate[any](w.Browser, `document.documentElement.dataset.theme = "contrast", null`)
			w.Check("high contrast")
			w.Shoot(*shots, "contrast")
		})
	}
}

// TestBrowserGalleryParts looks at what the places do not show, and at dialogs.
func TestBrowserGalleryParts(t *testing.T) {
	w := place(t, "place=parts")
	for _, scheme := range []string{"light", "dark"} {
		w.Media("screen", scheme)
		w.Check(scheme)
		w.Shoot(*shots, scheme)
	}
	if n := w.count(".boards .mini, .set .stage .gold use"); n == 0 {
		t.Error("no pieces are drawn")
	}
	// Of each piece either the face or the letter is shown.
	shown := browser.Evaluate[[]string](w.Browser, `["drawn", "letters"].map(set => {
		document.documentElement.dataset.pieces = set;
		const piece = document.querySelector("#piece-dog");
		return [...piece.children].map(e => getComputedStyle(e).display === "none" ? "-" : e.tagName).join(" ");
	})`)
	if shown[0] != "path path path - -" || !strings.HasPrefix(shown[1], "- - - circle text") {
		t.Errorf("shown: %q", shown)
	}
	// A theme that is chosen stands above that of the system.
	w.Media("screen", "light")
	dark := browser.Evaluate[[]bool](w.Browser, `["", "light", "dark", "contrast"].map(theme => {
		document.documentElement.dataset.theme = theme;
		return parseInt(getComputedStyle(document.body).backgroundColor.slice(4)) < 128;
	})`)
	if dark[0] || dark[1] || !dark[2] || dark[3] {
		t.Errorf("dark: %v", dark)
	}
	w = place(t, "place=board")
	for _, dialog := range []string{"Open", "Keys", "Settings"} {
		button := fmt.Sprintf(`[...document.querySelectorAll(".actions button")].find(b => (b.ariaLabel || b.textContent) === %q)`, dialog)
		browser.Evaluate[any](w.Browser, button+".focus(), null")
		w.Press(kb.Enter)
		w.Until(dialog, `document.querySelector("dialog[open]")`)
		w.Check(dialog)
		w.Shoot(*shots, dialog)
		w.Press(kb.Escape)
		w.Until("the focus", `!document.querySelector("dialog[open]") && document.activeElement === `+button)
	}
	w.press(`[popovertarget="tray"]`)
	w.Until("the jobs", `document.querySelector("#tray:popover-open")`)
	w.Check("jobs")
	w.Shoot(*shots, "jobs")
}

// cell selects a square of the board.
func cell(name string) string { return fmt.Sprintf(`.squares [data-square="%s"]`, name) }

// reported waits until components have reported this, since it was asked last.
func (w window) reported(want string) {
	w.Helper()
	w.Until(want, fmt.Sprintf(`JSON.stringify(events).includes(%q) && !(events.length = 0)`, want))
}

// focused waits until the element with the focus fulfils a condition.
func (w window) focused(condition string) {
	w.Helper()
	w.Until(condition, `(e => `+condition+`)(document.activeElement)`)
}

// TestBrowserGalleryKeys uses the Board place by mouse and keyboard.
func TestBrowserGalleryKeys(t *testing.T) {
	w := place(t, "place=board")
	w.press("#verdict-line")
	w.Press(kb.ArrowRight)
	w.reported(`["tab","solutions"]`)
	w.focused(`e.id === "verdict-solutions" && e.ariaSelected === "true" &&
		document.getElementById("verdict-panel").textContent.includes("the only one")`)
	w.Press(kb.End)
	w.reported(`["tab","tries"]`)
	w.Press(kb.Home)
	w.focused(`e.id === "verdict-line"`)
	w.press(".lines li:nth-child(1) button")
	w.Press(kb.ArrowDown)
	w.focused(`e.textContent.includes("44s")`)
	w.Press(kb.Enter)
	w.Until("the second turn", `document.querySelectorAll(".lines .line")[1].ariaCurrent === "true"`)

	// Variations are folded, and the current turn stays in sight.
	sight := `(() => {
		const b = document.querySelector(".turns [aria-current]").getBoundingClientRect(), box = document.querySelector(".turns").getBoundingClientRect();
		return b.top >= box.top && b.bottom <= box.bottom + 1; })()`
	w.Until("the current turn in sight", sight)
	w.press(".fold button")
	w.Until("folded", `document.querySelector(".fold button").ariaExpanded === "false"`)
	browser.Evaluate[any](w.Browser, `document.querySelector(".turns [aria-current]").focus(), null`)
	w.Press(kb.ArrowLeft)
	w.Press(kb.ArrowLeft)
	w.Press(kb.ArrowDown) // into a variation that was folded
	w.Until("a variation", `document.querySelector(".turns [aria-current]").closest("li").style.getPropertyValue("--depth") === "1" && `+sight)
	w.Press(kb.Home)
	w.reported(`["turn",0]`)
	w.Press(kb.ArrowRight)
	w.reported(`["turn",1]`)
	w.focused(`e.dataset.node === "1" && e.ariaCurrent === "true"`)
	w.Press(kb.End)
	w.Until("the last turn in sight", sight)
	w.press(".plot")
	w.Press(kb.PageUp)
	w.focused(`e.role === "slider" && e.ariaValueText.includes("camel")`)

	w.press(cell("d6"))
	w.reported(`["choose","d6"]`)
	w.drag(cell("d6"), cell("d7"))
	w.reported(`["move","d6","d7"]`)
	w.Press("x")
	w.reported(`["key","d6","x"]`)
	w.press(`[aria-label="Flip the board"]`)
	w.Until("flipped", `document.querySelector(".squares button").dataset.square === "h1"`)
	if pieces, want := w.count(".stage g > use"), 64-strings.Count(study(t, "win-in-2.txt").Position, " ")+1; pieces != want {
		t.Errorf("%d pieces, want %d", pieces, want) // one blank stands before the squares
	}

	w.press(".asks .chip:nth-of-type(3)") // a question runs
	w.Until("progress", `document.querySelector(".searching [role=progressbar]")`)
	w.press(".searching button")
	w.reported(`["stop"]`)
	w.press(`[popovertarget="tray"]`)
	w.press(`#tray [aria-label^="Stop: Set"]`)
	w.reported(`["stop job","kqzvbm-3"]`)
}

// TestBrowserGalleryOpen opens a text, a file that is dropped, and what was opened lately, by keys.
func TestBrowserGalleryOpen(t *testing.T) {
	w := place(t, "place=board")
	w.press(`.actions button:nth-child(1)`)
	w.focused(`e.id === "open-text"`)
	w.Press("g")
	w.press(`dialog[open] .filled`)
	w.reported(`["text","g",""]`)
	browser.Evaluate[any](w.Browser, `{
		const dropped = new DataTransfer();
		dropped.items.add(new File(["g"], "game.txt"));
		document.querySelector(".drop").dispatchEvent(new DragEvent("drop", {dataTransfer: dropped, bubbles: true, cancelable: true}));
	} null`)
	w.Until("a file", `events.some(e => e[0] === "file" && e[1].name === "game.txt")`)
	w.press(`dialog[open] .rows li:nth-child(2) button`)
	w.reported(`["recent","r1"]`)
}

// TestBrowserGalleryPuzzles goes through a shelf by keys, takes a hint, and sees the solution; the
// library is searched.
func TestBrowserGalleryPuzzles(t *testing.T) {
	w := place(t, "place=puzzles")
	w.press(".boards li:nth-child(2) button")
	w.reported(`["puzzle","p1"]`)
	for key, want := range map[string]string{kb.ArrowRight: "2", kb.ArrowDown: "p", kb.End: "24", kb.Home: "1"} {
		w.press(".boards li:nth-child(1) button")
		w.Press(key)
		if key == kb.ArrowDown {
			w.focused(`(first => e.offsetTop > first.offsetTop && e.offsetLeft === first.offsetLeft)(document.querySelector(".boards button"))`)
			continue
		}
		w.focused(`e.querySelector("strong").textContent === "Puzzle ` + want + `"`)
	}
	button := func(text string) {
		t.Helper()
		find := fmt.Sprintf(`[...document.querySelectorAll(".verdict button")].find(b => b.textContent === %q)`, text)
		browser.Evaluate[any](w.Browser, find+".click(), null")
	}
	w.Until("a cross on the square", `document.querySelector(".stamp.bad")`)
	button("Hint: the step")
	w.reported(`["hint"`)
	button("Try again")
	w.Until("another try", `!document.querySelector(".stamp") && document.querySelector(".badge").textContent === "Your turn"`)
	button("Show the solution")
	w.Until("a tick, and the turns are tinted", `document.querySelector(".stamp.good") && document.querySelector(".stage .last") &&
		document.querySelector(".themes").textContent === "quietzugzwang"`)
	button("Next")
	w.reported(`["next"`)

	w = place(t, "place=library")
	rows := func(n int) {
		t.Helper()
		w.Until(fmt.Sprint(n, " rows"), fmt.Sprintf(`document.querySelectorAll(".searchlist .rows li").length === %d`, n))
	}
	rows(30)
	w.set("#library-text", "Alice BOB")
	rows(8)
	w.set("#library-text", "alice nobody")
	w.Until("an empty place", `document.querySelector(".empty").textContent.includes("Nothing has “alice nobody” in its name")`)
	w.set("#library-text", "")
	w.press(".bar .chip:nth-of-type(5)")
	rows(7)
}

// TestBrowserGalleryTurn plays a turn with a push and a pull on the board, step by step; without
// motion it is there at once.
func TestBrowserGalleryTurn(t *testing.T) {
	w := place(t, "place=board")
	browser.Evaluate[any](w.Browser, `{
		window.moved = [];
		const animate = Element.prototype.animate;
		Element.prototype.animate = function (frames, how) {
			moved.push([frames.length, how.duration]);
			return animate.call(this, frames, how);
		};
		window.animate();
	} null`)
	w.Until("four pieces, moved for four steps", `moved.length === 4 && moved.every(([, time]) => time === 4 * 160) && moved.map(m => m[0]).join() === "2,6,6,2"`)
	browser.Evaluate[any](w.Browser, `document.getAnimations().forEach(a => { a.pause(); a.currentTime = 400; }), null`)
	w.Shoot(*shots, "third-step")
	browser.Evaluate[any](w.Browser, `document.getAnimations().forEach(a => a.play()), null`)
	w.Until("the end", `!document.querySelector(".moving") && !document.querySelector(".stage .hidden") && document.querySelector(".stage .last")`)
	browser.Evaluate[any](w.Browser, `moved.length = 0, window.matchMedia = () => ({matches: true}), window.animate(), window.drawn = false,
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => drawn = true))), null`)
	w.Until("the effects", "drawn")
	if n := browser.Evaluate[int](w.Browser, "moved.length"); n > 0 {
		t.Errorf("%d pieces move for somebody who prefers reduced motion", n)
	}
}

// TestBrowserGalleryPhone moves the sheet by keys and by finger; the board stays.
func TestBrowserGalleryPhone(t *testing.T) {
	w := place(t, "place=board")
	w.Window(390, 844, true)
	const top = `document.querySelector(".sheet").getBoundingClientRect().top`
	// at waits until the sheet has come to rest at a height.
	at := func(height, condition string) {
		t.Helper()
		w.Until(height, fmt.Sprintf(`(e => e.dataset.height === %q && !e.getAnimations().length)(document.querySelector(".sheet")) && `, height)+condition)
	}
	board := browser.Evaluate[float64](w.Browser, `document.querySelector(".stage").getBoundingClientRect().bottom`)
	if half := browser.Evaluate[float64](w.Browser, top); half < board {
		t.Errorf("the sheet begins at %v, and the board ends at %v", half, board)
	}
	browser.Evaluate[any](w.Browser, `document.querySelector(".handle").focus(), null`)
	w.Press(kb.ArrowUp)
	at("full", top+" < 60")
	w.Shoot(*shots, "full")
	x, y := w.middle(".handle")
	w.Drag(x, y, x, y+100)
	at("half", top+fmt.Sprint(" >= ", board))
	x, y = w.middle(".head .chip:nth-of-type(2)")
	w.Drag(x, y, x, y-100) // dragged, it is not pressed
	at("full", `document.querySelector(".part.chosen .verdict")`)
	w.press(".head .chip:nth-of-type(2)")
	w.Until("the game", `document.querySelector(".part.chosen .turns")`)
	w.Shoot(*shots, "game")
	w.Press(kb.ArrowLeft)
	w.focused(`e.textContent === "Answer"`)
	browser.Evaluate[any](w.Browser, `document.querySelector(".handle").focus(), null`)
	w.Press(kb.Home)
	at("peek", "true")
	w.Shoot(*shots, "peek")
}

// TestBrowserGalleryList changes the current turn in a list of 200: two rows are drawn again, not
// all.
func TestBrowserGalleryList(t *testing.T) {
	w := place(t, "place=board")
	measured := browser.Evaluate[struct {
		Rows, Changed int
		First, Next   float64
	}](w.Browser, "measure()")
	if measured.Rows != 100 || measured.Changed != 2 {
		t.Errorf("%+v", measured)
	}
	t.Logf("200 turns are listed in %.1f ms; another current turn takes %.1f ms", measured.First, measured.Next)
}
