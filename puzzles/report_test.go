//go:build browser

package puzzles

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
)

var shots = flag.String("shots", "", "write pictures of the reports at desktop and phone width to this directory")

// visible asks a page for the names of the cards that it shows, in their order.
func visible(b *browser.Browser) []string {
	b.Helper()
	return browser.Evaluate[[]string](b, `[...document.querySelectorAll("article")].filter(e => e.checkVisibility()).map(e => e.querySelector("h2").textContent)`)
}

// set chooses a value of a control.
func set(b *browser.Browser, id, value string) {
	b.Helper()
	browser.Evaluate[bool](b, fmt.Sprintf(`(e => { e.value = %q; return e.dispatchEvent(new Event("input")); })(document.getElementById(%q))`, value, id))
}

// TestReport opens a report of results in a browser, and filters it.
func TestReport(t *testing.T) {
	two, no, broken := example(t, "win-in-2.txt"), example(t, "no-win-in-2.txt"), Puzzle{File: "broken.txt", Name: "<b>broken", Line: 3}
	two.Claim, two.Name = 2, "right"
	wrong := two
	wrong.Solution, wrong.Name = "Rd1n", "wrong"
	late := two
	late.Claim, late.Name = 3, "late"
	no.Claim, no.Name = 2, "none"
	broken.fail("it is <broken>")
	results := all(t, []Puzzle{two, wrong, late, no, broken}, Options{Limit: answer.Limit{Time: time.Minute}})
	report := NewReport("A set")
	for i := range results {
		report.Add(&results[i])
	}
	page := pageOf(t, report)
	for _, want := range []string{"A &lt;summary&gt;.", "it is &lt;broken&gt;", "&lt;b&gt;broken", "the claim of a win in 3 is false: the least is 2", "The given solution does not win in 2"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, `class="board" viewBox`); n != 4 {
		t.Errorf("%d diagrams, want 4", n)
	}
	b := browser.Open(t, page)
	b.Look(*shots)
	labels := []string{}
	for i := range results {
		labels = append(labels, results[i].Puzzle.Label())
	}
	same(t, "all, false claims first", visible(b), labels[2], labels[3], labels[0], labels[1], labels[4])
	set(b, "kind", "false")
	same(t, "false claims", visible(b), labels[2], labels[3])
	set(b, "kind", "wrong")
	same(t, "wrong solutions", visible(b), labels[1])
	set(b, "kind", "")
	set(b, "name", "NONE")
	same(t, "by name", visible(b), labels[3])
	b.Alone()
}

// TestCollection opens a report of mined puzzles, orders it, and shows the solutions.
func TestCollection(t *testing.T) {
	two := example(t, "win-in-2.txt")
	s, err := newSolver()
	require.NoError(t, err)
	result := Verify(t.Context(), s, two, Options{Limit: answer.Limit{Time: time.Minute}})
	mined := &Mined{Position: two.Position, Turns: 2, Solution: played(two.Position, result.Solutions[0].Turn), First: 100, Solutions: 8, Tries: 3}
	hard := *mined
	hard.Quiet, hard.Solutions = true, 1
	report := NewCollection("Found")
	report.AddMined(&Place{Name: "hard"}, &hard)
	report.AddMined(&Place{Name: "easy"}, mined)
	b := browser.Open(t, pageOf(t, report))
	b.Look(*shots)
	same(t, "all", visible(b), "hard", "easy")
	set(b, "order", "up")
	same(t, "easiest first", visible(b), "easy", "hard")
	set(b, "order", "")
	set(b, "kind", "quiet")
	same(t, "quiet", visible(b), "hard")
	open := `document.querySelectorAll("details[open]").length`
	before := browser.Evaluate[int](b, open)
	browser.Evaluate[bool](b, `document.getElementById("reveal").click() || true`)
	if after := browser.Evaluate[int](b, open); before != 0 || after != 2 {
		t.Errorf("%d solutions are shown, then %d", before, after)
	}
	b.Alone()
}
