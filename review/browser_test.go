package review_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa/notation"
	"goalproof/internal/published"
	"goalproof/review"
)

var shots = flag.String("shots", "", "write pictures of the pages at desktop and phone width to this directory")

// The widths at which a page is looked at, and the height of the window, in pixels.
const (
	desktop = 1280
	phone   = 390
	height  = 900
)

// browser is Chromium with a page open.
type browser struct {
	*testing.T
	ctx      context.Context
	mu       sync.Mutex
	requests []string // of the page
}

// chromium finds the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("skipped: Chromium is not installed")
	return ""
}

// newBrowser starts Chromium. The profile is a new one, and nothing of the browser's own goes to the
// network.
func newBrowser(t *testing.T, program string) *browser {
	t.Helper()
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	// What a process of the browser writes while it is killed may be left behind; the test is not about that.
	t.Cleanup(func() { os.RemoveAll(profile) })
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, chromedp.ExecPath(program), chromedp.UserDataDir(profile),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true))
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{T: t, ctx: ctx}
	err = chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.requests = append(b.requests, e.Request.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// do runs actions.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// press presses a key.
func (b *browser) press(key string) {
	b.Helper()
	b.do(chromedp.KeyEvent(key))
}

// evaluate asks the page for a value.
func evaluate[V any](b *browser, script string) V {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[V](script))
	if err != nil {
		b.Fatalf("%s: %v", script, err)
	}
	return v
}

// shoot takes a picture of the whole page, if pictures are wanted.
func (b *browser) shoot(name string) {
	b.Helper()
	if *shots == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.Fatal(err)
	}
	name = strings.ReplaceAll(b.Name(), "/", "-") + "-" + name + ".png"
	if err := os.WriteFile(filepath.Join(*shots, name), picture, 0o666); err != nil {
		b.Fatal(err)
	}
}

// drawn is what a page shows of a position.
type drawn struct {
	Where   string
	Squares string // read from the places of the letters
	Shapes  string // of the pieces in the same order: a circle or a square
	Played  [][2]int
	Other   [][2]int
	Pressed []int // which of the other turns is chosen
	Current []string
}

// drawnScript reads the board back from where things are drawn. An arrow begins at the edge of a piece and
// ends at its tip, the fourth of its corners, both a little beside the middle.
const drawnScript = `(() => {
	const all = selector => [...document.querySelectorAll(selector)];
	const square = (x, y) => Math.floor(x) + 8 * Math.floor(y);
	const squares = Array(64).fill(" "), shapes = Array(64).fill(" ");
	for (const t of all("#board text.piece")) squares[square(+t.getAttribute("x"), +t.getAttribute("y"))] = t.textContent;
	for (const c of all("#board circle")) shapes[square(+c.getAttribute("cx"), +c.getAttribute("cy"))] = "o";
	for (const r of all("#board rect[rx]")) shapes[square(+r.getAttribute("x"), +r.getAttribute("y"))] = "#";
	const arrows = kind => all("#board polygon." + kind).map(a => {
		const p = a.getAttribute("points").split(" ").map(c => c.split(",").map(Number));
		return [square((p[0][0] + p[6][0]) / 2, (p[0][1] + p[6][1]) / 2), square(...p[3])];
	});
	return {
		Where: document.getElementById("where").textContent, Squares: squares.join(""), Shapes: shapes.join(""),
		Played: arrows("played"), Other: arrows("other"),
		Pressed: all("#others button").flatMap((b, i) => b.getAttribute("aria-pressed") === "true" ? [i] : []),
		Current: all("#moments button[aria-current=true]").map(b => b.textContent),
	};
})()`

// TestBrowser opens the pages of reviewed games from files.
func TestBrowser(t *testing.T) {
	program := chromium(t)
	options := review.Options{WinIn: 2, Time: 100 * time.Millisecond, Effort: 500}
	for _, test := range []struct {
		name   string
		record func(*testing.T) review.Record
	}{
		{"race", func(t *testing.T) review.Record {
			r := read(t, race)
			r.Name = strings.Repeat("name_without_a_blank_", 4)
			return r
		}},
		{"published", publishedGame},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBrowser(t, program)
			options := options
			options.Engine = newEngine(t)
			v, err := review.Game(t.Context(), newSolver(t), test.record(t), options)
			if err != nil {
				t.Fatal(err)
			}
			page, err := v.HTML()
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "page.html")
			if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
				t.Fatal(err)
			}
			address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
			b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
				_, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{})
				return err
			}), chromedp.EmulateViewport(desktop, height), chromedp.Navigate(address))
			data := pageData(t, page)
			b.checkStart(data.Start, data.Positions[data.Start].Label)
			b.shoot("desktop")
			b.checkBoards(data)
			b.checkGraph(data)
			b.checkMoments(data)
			b.checkWidth(phone, len(data.Positions))
			b.shoot("phone")
			// Last, when all of the page has been used.
			b.mu.Lock()
			defer b.mu.Unlock()
			b.requests = slices.DeleteFunc(b.requests, func(s string) bool { return s == "data:," }) // the icon
			if diff := cmp.Diff([]string{address}, b.requests); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// publishedGame returns a short game that was played to its end.
func publishedGame(t *testing.T) review.Record {
	name := "games/archive-2026.tsv"
	text := published.Read(t, name)
	rows, err := notation.ReadArchive(name, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if g, err := row.Game(); err == nil && g.Outcome().Over() && g.Len() > 20 && g.Len() < 40 {
			return review.FromArchive(row, g)
		}
	}
	t.Fatal("there is no such game")
	return review.Record{}
}

// checkStart checks where the page begins, and that keys lead from there.
func (b *browser) checkStart(start int, label string) {
	b.Helper()
	where := func() string { return evaluate[drawn](b, drawnScript).Where }
	first := where()
	if !strings.HasPrefix(first, label+":") {
		b.Errorf("the page begins with %q, not with %s", first, label)
	}
	b.press(kb.Home)
	home := where()
	b.press(kb.ArrowLeft)
	if got := where(); got != home {
		b.Errorf("before the first position comes %q", got)
	}
	for range start {
		b.press(kb.ArrowRight)
	}
	if got := where(); got != first {
		b.Errorf("%d turns on from the beginning: %q, want %q", start, got, first)
	}
}

// checkBoards steps through the game and compares what is drawn with what is known.
func (b *browser) checkBoards(data pageGame) {
	b.Helper()
	b.press(kb.Home)
	for i, p := range data.Positions {
		want := drawn{Squares: p.Squares, Shapes: shapes(p.Squares), Played: [][2]int{}, Other: [][2]int{}, Pressed: []int{}}
		want.Played, want.Current = append(want.Played, p.Arrows...), []string{}
		if p.Better >= 0 {
			want.Other, want.Pressed = p.Others[p.Better].Arrows, []int{p.Better}
		}
		if p.Moment {
			want.Current = append(want.Current, p.Label+": "+p.Remark)
		}
		got := evaluate[drawn](b, drawnScript)
		want.Where = got.Where
		if diff := cmp.Diff(want, got); diff != "" || !strings.HasPrefix(got.Where, p.Label+":") {
			b.Fatalf("%s, %q (-want +got):\n%s", p.Label, got.Where, diff)
		}
		// Another turn is chosen by its number, and left by the same key.
		if n := len(p.Others); n > 0 {
			key := fmt.Sprint(n)
			b.press(key)
			one := evaluate[drawn](b, drawnScript)
			b.press(key)
			two := evaluate[drawn](b, drawnScript)
			if last := n - 1; last == p.Better {
				one, two = two, one
			}
			if diff := cmp.Diff(p.Others[n-1].Arrows, one.Other); diff != "" || len(two.Other) > 0 {
				b.Fatalf("%s, other turn %s (-want +got), then %v:\n%s", p.Label, key, two.Other, diff)
			}
		}
		if i+1 < len(data.Positions) {
			b.press(kb.ArrowRight)
		}
	}
	last := evaluate[drawn](b, drawnScript)
	b.press(kb.ArrowRight)
	b.press(kb.End)
	if diff := cmp.Diff(last, evaluate[drawn](b, drawnScript)); diff != "" || !strings.Contains(last.Where, "the end") {
		b.Errorf("at the end %q, then (-was +is):\n%s", last.Where, diff)
	}
}

// shapes are what tells the sides apart without colours, besides the letters.
func shapes(squares string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return c
		case c < 'a':
			return 'o'
		}
		return '#'
	}, squares)
}

// checkGraph compares the bands of proved wins and the line with what is known.
func (b *browser) checkGraph(data pageGame) {
	b.Helper()
	type band struct {
		Side      string
		From, To  float64 // positions
		Y, Height float64
		Drawn     bool // in a visible colour, without a pattern
	}
	bands := evaluate[[]band](b, `[...document.querySelectorAll("#graph rect.band")].map(r => {
		const n = name => +r.getAttribute(name), box = r.getBoundingClientRect(), fill = getComputedStyle(r).fill;
		return {Side: r.classList[1], From: n("x") + .5, To: n("x") + n("width") - .5, Y: n("y"), Height: n("height"),
			Drawn: box.width > 1 && box.height > 1 && fill.startsWith("rgb(") && fill !== "rgb(255, 255, 255)"};
	})`)
	var want []band
	for i, p := range data.Positions {
		switch {
		case p.Proved == "":
		case i > 0 && p.Proved == data.Positions[i-1].Proved:
			want[len(want)-1].To++
		default:
			y := map[string]float64{"gold": 0, "silver": 50}[p.Proved] // above and below, so no colour is needed
			want = append(want, band{Side: p.Proved, From: float64(i), To: float64(i), Y: y, Height: 50, Drawn: true})
		}
	}
	if diff := cmp.Diff(want, bands); diff != "" || len(want) == 0 {
		b.Errorf("bands (-want +got):\n%s", diff)
	}
	line := evaluate[string](b, `document.getElementById("chance").getAttribute("points")`)
	points := strings.Fields(line)
	if len(points) != len(data.Positions) {
		b.Fatalf("the line has %d points: %s", len(points), line)
	}
	for i, point := range points {
		var x, y float64
		if _, err := fmt.Sscanf(point, "%f,%f", &x, &y); err != nil {
			b.Fatal(err)
		}
		if x != float64(i) || math.Abs(y-100*(1-*data.Positions[i].Chance)) > 1e-6 {
			b.Errorf("%s: point %s, gold's chance %v", data.Positions[i].Label, point, *data.Positions[i].Chance)
		}
	}
	// A click leads to the turn below it.
	middle := len(data.Positions) / 2
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		at := evaluate[[2]float64](b, fmt.Sprintf(`(() => {
			const box = document.getElementById("graph").getBoundingClientRect();
			return [box.left + box.width * (%d + .5) / %d, box.top + box.height / 3];
		})()`, middle, len(data.Positions)))
		return chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1]))
	}))
	if got := evaluate[drawn](b, drawnScript).Where; !strings.HasPrefix(got, data.Positions[middle].Label+":") {
		b.Errorf("a click on %s leads to %q", data.Positions[middle].Label, got)
	}
}

// checkMoments compares the list of moments with what is known, and follows it by its key and by clicks.
func (b *browser) checkMoments(data pageGame) {
	b.Helper()
	b.press(kb.Home)
	n := 0
	for i, p := range data.Positions {
		if !p.Moment {
			continue
		}
		n++
		if i > 0 {
			b.press("n")
		}
		want := []string{p.Label + ": " + p.Remark}
		byKey := evaluate[drawn](b, drawnScript)
		b.press(kb.End)
		evaluate[json.RawMessage](b, fmt.Sprintf(`document.querySelectorAll("#moments button")[%d].click()`, n-1))
		byClick := evaluate[drawn](b, drawnScript)
		if diff := cmp.Diff(byKey, byClick); diff != "" || !slices.Equal(byKey.Current, want) {
			b.Errorf("moment %q: the key leads to %q; -key +click:\n%s", want, byKey.Current, diff)
		}
	}
	if all := evaluate[int](b, `document.querySelectorAll("#moments button").length`); n == 0 || all != n {
		b.Errorf("%d moments are listed, want %d", all, n)
	}
}

// checkWidth steps through the game in a window of so many pixels: nothing is wider, and the board is
// nearly as wide.
func (b *browser) checkWidth(width, positions int) {
	b.Helper()
	b.do(chromedp.EmulateViewport(int64(width), height, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.press(kb.Home)
	for i := range positions {
		at := evaluate[struct{ Page, Board, Widest float64 }](b, `(() => ({
			Page: document.documentElement.scrollWidth, Board: document.getElementById("board").getBoundingClientRect().width,
			Widest: Math.max(...[...document.querySelectorAll("body *")].map(e => e.getBoundingClientRect().right)),
		}))()`)
		if int(at.Page) > width || int(at.Widest) > width || at.Board < 0.9*float64(width) {
			b.Fatalf("position %d: at %d pixels the page has %v, its right edge is at %v, the board has %v",
				i, width, at.Page, at.Widest, at.Board)
		}
		b.press(kb.ArrowRight)
	}
	b.press(kb.Home)
	b.press("n")
}
