//go:build browser

package review_test

import (
	"flag"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/browser"
	"goalproof/review"
)

var shots = flag.String("shots", "", "write pictures of the pages at desktop and phone width to this directory")

// drawn is a position as a page shows it.
type drawn struct {
	Where, Status string
	Pieces        []string // sorted: the drawing, and where it is
	Own, Forced   []string // paths of arrows
	Lost          []string // crosses
	Pressed       []int    // which of the proposed lines is chosen
	Current       []string // turns in the list of moments
}

// drawnScript reads the board back.
const drawnScript = `(() => {
	const all = selector => [...document.querySelectorAll(selector)];
	const get = (e, ...names) => names.map(name => e.getAttribute(name)).join(" ");
	return {
		Where: document.getElementById("where").textContent, Status: document.getElementById("status").textContent,
		Pieces: all("#board use").map(e => e.parentNode.getAttribute("class") + " " + get(e, "href", "x", "y")).sort(),
		Own: all("#board path.own").map(e => get(e, "d")), Forced: all("#board path.forced").map(e => get(e, "d")),
		Lost: all("#board path.lost").map(e => get(e, "d")),
		Pressed: all("#others button").flatMap((b, i) => b.getAttribute("aria-pressed") === "true" ? [i] : []),
		Current: all("#moments button[aria-current=true]").map(b => b.textContent),
	};
})()`

// picture returns what a page must show of a picture.
func picture(p render.Picture) (d drawn) {
	text := p.Inline()
	for _, class := range []string{"gold", "silver"} {
		for _, group := range regexp.MustCompile(`<g class="`+class+`">(.*?)</g>`).FindAllStringSubmatch(text, -1) {
			for _, use := range regexp.MustCompile(`href="(\S+)" x="(\d+)" y="(\d+)"`).FindAllStringSubmatch(group[1], -1) {
				d.Pieces = append(d.Pieces, strings.Join(append([]string{class}, use[1:]...), " "))
			}
		}
	}
	slices.Sort(d.Pieces)
	for class, into := range map[string]*[]string{"own": &d.Own, "forced": &d.Forced, "lost": &d.Lost} {
		*into = []string{}
		for _, path := range regexp.MustCompile(`class="`+class+`" d="(.*?)"`).FindAllStringSubmatch(text, -1) {
			*into = append(*into, path[1])
		}
	}
	return d
}

// show asks the page what it shows.
func show(b *browser.Browser) drawn {
	b.Helper()
	return browser.Evaluate[drawn](b, drawnScript)
}

// same compares what a page shows with a picture.
func same(b *browser.Browser, what string, p render.Picture) {
	b.Helper()
	got, want := show(b), picture(p)
	want.Where, want.Status, want.Pressed, want.Current = got.Where, got.Status, got.Pressed, got.Current
	if diff := cmp.Diff(want, got); diff != "" {
		b.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// TestBrowser opens the pages of reviewed games from files.
func TestBrowser(t *testing.T) {
	for _, test := range []struct {
		name   string
		record func(*testing.T) review.Record
	}{
		{"race", func(t *testing.T) review.Record {
			r := read(t, race)
			r.Name = strings.Repeat("name_without_a_blank_", 4)
			return r
		}},
		{"published", func(t *testing.T) review.Record { return publishedGame(t, "") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := review.Options{WinIn: 2, Limit: answer.Limit{Nodes: 20_000}, Effort: 500, Engine: newEngine(t)}
			v := reviewed(t, test.record(t), o)
			page := html(t, v)
			b := browser.Open(t, page)
			data := pageData(t, page)
			checkStart(b, data.Start, data.Positions[data.Start].Label)
			checkBoards(b, v)
			checkLines(b, v, data)
			checkGraph(b, data)
			checkMoments(b, data)
			checkCopy(b, v)
			checkPhone(b, len(data.Positions))
			b.Press("n")
			b.Look(*shots)
			b.Alone() // last, when all of the page has been used
		})
	}
}

// checkStart checks where the page begins, and that keys lead from there.
func checkStart(b *browser.Browser, start int, label string) {
	b.Helper()
	where := func() string { return show(b).Where }
	first := where()
	if !strings.HasPrefix(first, label+",") {
		b.Errorf("the page begins with %q, not with %s", first, label)
	}
	b.Press(kb.Home)
	home := where()
	b.Press(kb.ArrowLeft)
	if got := where(); got != home {
		b.Errorf("before the first position comes %q", got)
	}
	for range start {
		b.Press(kb.ArrowRight)
	}
	if got := where(); got != first {
		b.Errorf("%d turns on from the beginning: %q, want %q", start, got, first)
	}
}

// checkBoards steps through the game, turn by turn and step by step, with both sides below, and
// compares the boards with those of package render.
func checkBoards(b *browser.Browser, v *review.Review) {
	b.Helper()
	g := v.Record.Game
	for _, flipped := range []bool{false, true} {
		b.Press(kb.Home)
		for i := range g.Len() + 1 {
			if flipped && !boards.Large && i == 8 {
				b.Press(kb.End)
				break
			}
			p := render.Picture{Position: g.Position(i), Flipped: flipped}
			if i < g.Len() {
				p.Turn = g.Turn(i)
			}
			same(b, g.Label(i), p)
			if got := show(b).Where; !strings.HasPrefix(got, g.Label(i)+",") {
				b.Fatalf("%s: %q", g.Label(i), got)
			}
			if !flipped {
				b.Press(kb.ArrowRight)
				continue
			}
			// Each step; the last of them leads to the next turn.
			moves := render.Moves(p.Position, p.Turn)
			p.Turn = arimaa.Turn{}
			for k, m := range moves {
				b.Press(".")
				p.Position.Put(m.From, arimaa.Empty)
				p.Position.Put(m.To, m.Piece)
				for rest := m.Captured; rest != 0; rest = rest.Rest() {
					p.Position.Put(rest.First(), arimaa.Empty)
				}
				if diff := cmp.Diff(picture(p).Pieces, show(b).Pieces); diff != "" {
					b.Fatalf("%s after step %d (-want +got):\n%s", g.Label(i), k+1, diff)
				}
			}
			if len(moves) > 1 { // back to the middle of the turn, and on again
				b.Press(",")
				if got := show(b).Status; got != fmt.Sprintf("after step %d of %d", len(moves)-1, len(moves)) {
					b.Errorf("%s, one step back: %q", g.Label(i), got)
				}
				b.Press(".")
			}
		}
		last := show(b)
		b.Press(kb.ArrowRight)
		b.Press(kb.End)
		if diff := cmp.Diff(last, show(b)); diff != "" || !strings.Contains(last.Where, "the end") {
			b.Errorf("at the end %q, then (-was +is):\n%s", last.Where, diff)
		}
		b.Press("f")
	}
}

// checkLines follows each proposed line to its end, and leaves it.
func checkLines(b *browser.Browser, v *review.Review, data pageGame) {
	b.Helper()
	b.Press(kb.Home)
	for i, p := range data.Positions {
		if !boards.Large && i%6 > 0 {
			b.Press(kb.ArrowRight)
			continue
		}
		before := show(b)
		for k, a := range v.Alternatives(i) {
			b.Press(strconv.Itoa(k + 1))
			if got := show(b).Pressed; !slices.Equal(got, []int{k}) {
				b.Fatalf("%s: line %d is chosen, not %v", p.Label, k+1, got)
			}
			at := render.Picture{Position: v.Record.Game.Position(i)}
			line := a.Line[:len(p.Others[k].Line)]
			for n, turn := range line {
				at.Turn = turn
				same(b, fmt.Sprintf("%s, turn %d of line %d", p.Label, n+1, k+1), at)
				at = render.Picture{Position: at.Position.AfterTurn(turn)}
				b.Press(kb.ArrowRight)
			}
			same(b, fmt.Sprintf("%s, end of line %d", p.Label, k+1), at)
			b.Press(kb.Escape)
			if diff := cmp.Diff(before, show(b)); diff != "" {
				b.Fatalf("%s, after line %d (-was +is):\n%s", p.Label, k+1, diff)
			}
		}
		b.Press(kb.ArrowRight)
	}
}

// checkCopy copies the position, and reads the diagram.
func checkCopy(b *browser.Browser, v *review.Review) {
	b.Helper()
	b.Press(kb.Home)
	b.Press(kb.ArrowRight)
	text := browser.Evaluate[string](b, "diagram()")
	all, err := notation.ReadPositions("copied", text)
	if err != nil || len(all) != 1 || all[0].Position != v.Record.Game.Position(1) || all[0].Long() != text {
		b.Errorf("%v: copied\n%s", err, text)
	}
	b.Press("c")
	if got := show(b).Status; got != fmt.Sprintf("The position before %s was copied.", v.Record.Game.Label(1)) {
		b.Errorf("copied: %q", got)
	}
}

// checkGraph compares the bands of proved wins and the line with what is known.
func checkGraph(b *browser.Browser, data pageGame) {
	b.Helper()
	type band struct {
		Side      string
		From, To  float64 // positions
		Y, Height float64
		Drawn     bool // in a visible colour, without a pattern
	}
	bands := browser.Evaluate[[]band](b, `[...document.querySelectorAll("#graph rect.band")].map(r => {
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
	line := browser.Evaluate[string](b, `document.getElementById("chance").getAttribute("points")`)
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
	at := browser.Evaluate[[2]float64](b, fmt.Sprintf(`(() => {
		const box = document.getElementById("graph").getBoundingClientRect();
		scrollTo(0, box.top);
		const now = document.getElementById("graph").getBoundingClientRect();
		return [now.left + now.width * (%d + .5) / %d, now.top + now.height / 3];
	})()`, middle, len(data.Positions)))
	browser.Evaluate[bool](b, fmt.Sprintf(`document.getElementById("graph").dispatchEvent(new PointerEvent("pointermove", {clientX: %v}))`, at[0]))
	b.Click(at[0], at[1])
	if tip := browser.Evaluate[string](b, `document.getElementById("tip").textContent`); !strings.HasPrefix(tip, data.Positions[middle].Label+",") {
		b.Errorf("the graph says %q at %s", tip, data.Positions[middle].Label)
	}
	if got := show(b).Where; !strings.HasPrefix(got, data.Positions[middle].Label+",") {
		b.Errorf("a click on %s leads to %q", data.Positions[middle].Label, got)
	}
}

// checkMoments compares the list of moments with what is known, and follows it by its key and by
// clicks.
func checkMoments(b *browser.Browser, data pageGame) {
	b.Helper()
	b.Press(kb.Home)
	n := 0
	for i, p := range data.Positions {
		if !p.Moment {
			continue
		}
		n++
		if i > 0 {
			b.Press("n")
		}
		want := []string{p.Label + map[bool]string{true: " " + p.Sign}[p.Sign != ""] + " " + p.Remark}
		byKey := show(b)
		b.Press(kb.End)
		browser.Evaluate[any](b, fmt.Sprintf(`document.querySelectorAll("#moments button")[%d].click()`, n-1))
		byClick := show(b)
		if diff := cmp.Diff(byKey, byClick); diff != "" || !slices.Equal(byKey.Current, want) {
			b.Errorf("moment %q: the key leads to %q; -key +click:\n%s", want, byKey.Current, diff)
		}
	}
	if all := browser.Evaluate[int](b, `document.querySelectorAll("#moments button").length`); n == 0 || all != n {
		b.Errorf("%d moments are listed, want %d", all, n)
	}
}

// TestBrowserNoMoments opens the page of a game in which nothing mattered: it has no heading for
// such moments.
func TestBrowserNoMoments(t *testing.T) {
	for moments, grade := range map[bool]review.Grade{true: review.Mistake, false: review.Good} {
		v := playEvaluated(t, read(t, "1w Ra2 Ee2\n1b ea8 rh5\n2w Ra2n\n"), 1, 50)
		v.Judgements[0] = review.Judgement{Grade: grade}
		page := html(t, v)
		shown := browser.Evaluate[bool](browser.Open(t, page), `document.getElementById("moments-title").checkVisibility()`)
		if shown != moments {
			t.Errorf("a turn is %v: the heading is shown: %v", grade, shown)
		}
	}
}

// checkPhone steps through the game on a phone: nothing is wider, and the board is nearly as wide.
func checkPhone(b *browser.Browser, positions int) {
	b.Helper()
	b.Width(browser.Phone)
	b.Press(kb.Home)
	for i := range positions {
		if !boards.Large && i%6 > 0 {
			b.Press(kb.ArrowRight)
			continue
		}
		wide := browser.Evaluate[[]string](b, `[...document.querySelectorAll("body *")].filter(e => !e.closest("defs") &&
			e.getBoundingClientRect().right > innerWidth).map(e => e.outerHTML.slice(0, 80))`)
		board := browser.Evaluate[float64](b, `document.getElementById("board").getBoundingClientRect().width`)
		if len(wide) > 0 || board < 0.87*browser.Phone {
			b.Fatalf("position %d: the board has %v pixels; too wide: %v", i, board, wide)
		}
		b.Press(kb.ArrowRight)
	}
	b.Press(kb.Home)
}
