//go:build browser

package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// made waits until the section of an action says a text.
func (w window) made(action, text string) {
	w.Helper()
	w.has(fmt.Sprintf(`.composed[aria-label="%s"]`, action), text)
}

// TestBrowserCompose makes a puzzle smaller and finds twins of it. A result is opened on the board,
// which then has no results, and left again. All of it stays when the page is loaded again.
func TestBrowserCompose(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt(winIn2))
	w.is(c, winIn2)
	w.tab("compose")
	w.button("Remove what is superfluous")
	w.hears("The solution stays with 9 of 14 pieces, 2 of them weaker.")
	w.made("Remove what is superfluous", "Gold wins in 2: Re1e Rh2w Cd6n Cd7w")
	w.made("Remove what is superfluous", "; pieces: 9, before 14")
	w.made("Remove what is superfluous", "Take the silver rabbit on h7 away.")
	w.button("Find a twin")
	w.made("Find a twin", "Twins: 5.")
	w.made("Find a twin", "Move the silver elephant from d3 to d4.")
	w.look("compose")

	w.press(`.composed[aria-label="Remove what is superfluous"] .made .mini`)
	const small = "Re1 Rh1 Rh2 cd3 rg3 Cd6 Ra7 rb7 ra8 g"
	w.is(c, small)
	w.has("#verdict-panel", "Makes other puzzles of this one.")
	if n := w.count(".composed"); n != 0 {
		t.Errorf("%d results of another position", n)
	}
	w.button("Back")
	w.is(c, winIn2)
	w.Reload()
	w.made("Remove what is superfluous", "2 of them weaker")
	w.made("Find a twin", "Twins: 5.")
	if n := len(c.jobs()); n != 2 {
		t.Errorf("%d jobs", n)
	}
	w.hasNoMarkup()
}

// TestBrowserComposeStop makes a puzzle harder on a phone, looks at the progress, also in the list of
// jobs, and stops it: what was found stays.
func TestBrowserComposeStop(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt(winIn2))
	w.is(c, winIn2)
	w.Width(browser.Phone)
	w.press(".handle")
	w.tab("compose")
	w.button("Make it harder")
	w.made("Make it harder", " of 1,000 tried")
	w.Check("composing")
	if !browser.Evaluate[bool](w.Browser, `[...document.querySelectorAll("#verdict-panel button")].find(b => b.textContent === "Make it harder").disabled`) {
		t.Error("the same can be asked for again while it runs")
	}
	until(t, "some changes", func() bool { return c.jobs()[0].Done > 3 })
	w.button("Stop")
	w.made("Make it harder", "Stopped early (interrupted).")
	w.look("compose-phone")
}

// TestBrowserComposeKeys adds a turn by keys alone, and opens a puzzle that was made.
func TestBrowserComposeKeys(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt("Ra5 rh7 ed4 g"))
	w.is(c, "Ra5 rh7 ed4 g")
	w.tab("compose")
	w.Press(kb.Tab) // the panel
	for range 3 {
		w.Press(kb.Tab)
	}
	w.until("the button", `document.activeElement.textContent === "One more turn"`)
	w.Press(kb.Enter)
	w.made("One more turn", "Puzzles that win in 2: 5.")
	w.made("One more turn", "Take back a turn of each side: the defence ")
	for range 2 {
		w.Press(kb.Tab)
	}
	w.until("the first puzzle", `document.activeElement.ariaLabel === "Open puzzle 1"`)
	w.Press(kb.Enter)
	w.hears("The puzzle is on the board.")
	w.asks("any")
	w.has(".sentence", "Gold wins in 2 turns.")
}

// TestBrowserComposeNone asks where there is no puzzle, and why: a win with several solutions comes
// with changes that leave one. A job is shown from the list of jobs.
func TestBrowserComposeNone(t *testing.T) {
	c := start(t, studio.Options{})
	const several = "Ra6 Rh6 ed4 rd8 g"
	w := open(t, c, boardAt(several))
	w.is(c, several)
	w.tab("compose")
	w.button("Find a twin")
	w.made("Find a twin", "This is no puzzle: gold wins in 1 turn by 2 essential solutions. Changes that leave one: 5.")
	w.made("Find a twin", "Take the gold rabbit on a6 away.")
	w.to(boardAt(noWinIn2))
	w.is(c, noWinIn2)
	w.button("Make it harder")
	w.made("Make it harder", "No win was found, so nothing was made.")
	w.to("/job/" + c.jobs()[1].ID)
	w.is(c, several)
	w.made("Find a twin", "Changes that leave one: 5.")
	w.to(boardAt("Ra7 Ed4 rh5 g") + "&turns=Ra7n")
	w.has("#verdict-panel", "The game is over: set up a position to make puzzles of it.")
}

// TestBrowserTries looks at the phases of a position: near tries, set play and duals, in the words
// of solve --tries.
func TestBrowserTries(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt(longer))
	w.is(c, longer)
	w.tab("tries")
	w.button("Look for tries of a win in 2")
	w.has("#verdict-panel", "Set play")
	job := c.job(c.jobs()[0].ID)
	text := w.text("#verdict-panel")
	for _, part := range job.Result.Tries.Phases {
		if !strings.Contains(text, part.Title) {
			t.Errorf("the page lacks %q: %q", part.Title, text)
		}
		for _, line := range part.Lines {
			if part.Phase != "near" && !strings.Contains(text, line) {
				t.Errorf("the page lacks %q: %q", line, text)
			}
		}
	}
	if len(job.Result.Tries.Phases) < 3 {
		t.Errorf("%+v", job.Result.Tries.Phases)
	}
	w.look("tries")
}

// TestBrowserLegal shows positions that no game leads to: the page says why, also while they are set
// up, and says nothing of others.
func TestBrowserLegal(t *testing.T) {
	c := start(t, studio.Options{})
	const setup = "[rrrrrrrrhdcemcdh                                RRRRRRRRHDCMECDH]"
	w := open(t, c, boardAt("s "+setup))
	w.is(c, "s "+setup)
	const none = "No game leads to this position: gold has no legal last turn: no step, push or pull can be taken back."
	w.has(".verdict", none)
	w.Check("legal")
	w.to(boardAt("g " + setup))
	w.is(c, "g "+setup)
	w.until("no note", `!document.querySelector(".verdict").textContent.includes("No game leads")`)
	w.button("Edit")
	w.button("Silver")
	w.has(".unusual", "gold has no legal last turn")
}
